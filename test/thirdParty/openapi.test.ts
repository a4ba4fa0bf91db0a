// The OpenAPI description, before a validator that others wrote, and held against the service that it describes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as z from 'zod'
import { type Service, startService } from '../localService/server.ts'
import { type SchemaName, schemas } from '../localService/site/openapi/schemas.ts'
import { bearer, email, type Json } from '../service/caller.ts'

describe('the OpenAPI description', () => {
  it('[discovery.openapi] is valid', async () => {
    await using service = await startService()
    const answer = await fetch(`${service.baseUrl}/openapi.json`)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    const validator = new Validator()
    const { valid, errors } = await validator.validate((await answer.json()) as Json)
    assert.deepEqual(errors ?? [], [])
    assert.equal(valid, true)
    assert.equal(validator.version, '3.1')
    assert.doesNotThrow(() => validator.resolveRefs(), 'every reference leads somewhere')
  })

  it('[discovery.openapi-same-schemas] names every call that there is, and no other', async () => {
    await using service = await startService()
    const described = operationsOf(await descriptionOf(service)).map(({ method, path }) => `${method} ${path}`)
    const existing = new Set(service.routes.map(({ method, path }) => `${method} ${path}`))
    const undescribed = [...existing].filter(call => !described.includes(call) && !isForPeopleOrTests(call))
    assert.deepEqual(undescribed, [])
    assert.deepEqual(
      described.filter(call => !existing.has(call)),
      [],
    )
  })

  it('[discovery.openapi-same-schemas] has the schemas that judge requests and answers', async () => {
    await using service = await startService()
    const { components } = await descriptionOf(service)
    assert.deepEqual(Object.keys(components.schemas).sort(), Object.keys(schemas).sort())
    for (const name of ['RevokeRequest', 'ChatCompletionRequest', 'MessagesRequest'] as const) {
      const { $schema: _, ...generated } = z.toJSONSchema(schemas[name], { io: 'input' })
      assert.deepEqual(components.schemas[name], JSON.parse(JSON.stringify(generated)), name)
    }
  })

  it('has examples that fit their schemas, each of them', async () => {
    await using service = await startService()
    const examples = examplesIn(await descriptionOf(service))
    assert.ok(examples.length > 40, `only ${examples.length}`)
    for (const { name, value, where } of examples) {
      const { error } = schemas[name].safeParse(value)
      assert.equal(error, undefined, where)
    }
  })

  it('tells the truth: every call answers as described, with a key and without', async () => {
    await using service = await startService({ plan: 'pro' })
    const operations = operationsOf(await descriptionOf(service))
    for (const headers of [{}, bearer(service.state.issueKey(email, 'Test'))])
      for (const operation of operations) {
        const { method, path, responses } = operation
        const answer = await call(service, operation, headers)
        const response = responses[answer.status]
        assert.ok(response, `${method} ${path}: ${answer.status} is not described`)
        const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
        const content = response.content?.[type]
        assert.ok(type === '' || content, `${method} ${path}: ${type} is not described for ${answer.status}`)
        const text = await answer.text()
        const name = nameIn(content?.schema?.$ref)
        if (name) assert.equal(schemas[name].safeParse(JSON.parse(text)).error, undefined, `${method} ${path}`)
        for (const header of Object.keys(response.headers ?? {}))
          assert.ok(answer.headers.has(header), `${method} ${path}: ${header}`)
      }
  })

  it('describes the events of streams', async () => {
    await using service = await startService({ plan: 'pro' })
    const key = service.state.issueKey(email, 'Test')
    const streams = operationsOf(await descriptionOf(service)).filter(({ responses }) => eventsOf(responses))
    assert.equal(streams.length, 3)
    for (const operation of streams) {
      const name = nameIn(eventsOf(operation.responses)['x-event-data'].$ref) ?? assert.fail()
      const asked = { ...exampleBody(operation), stream: true }
      const answer = await call(service, operation, bearer(key), asked)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
      const events = [...(await answer.text()).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data)
      assert.ok(events.length > 3)
      for (const data of events.filter(one => one !== '[DONE]'))
        assert.equal(schemas[name].safeParse(JSON.parse(data)).error, undefined, `${operation.path}: ${data}`)
    }
  })
})

/** Pages and their forms, the door of the tests, and a document that only one dialect has. */
function isForPeopleOrTests(call: string): boolean {
  const pages = ['/', '/dashboard', '/admin', '/signup', '/sign-in', '/sign-in/link', '/sign-out', '/claim']
  const [method = '', path = ''] = call.split(' ')
  return (
    pages.includes(path) ||
    call === 'POST /oauth2/authorize' ||
    path.startsWith('/_control/') ||
    (method === 'GET' && path === '/.well-known/oauth-authorization-server/tenant')
  )
}

const descriptionOf = async ({ baseUrl }: Service): Promise<Json> => (await fetch(`${baseUrl}/openapi.json`)).json()

interface Operation {
  readonly method: string
  readonly path: string
  readonly responses: Json
  readonly requestBody?: Json
}

const operationsOf = ({ paths }: Json): Operation[] =>
  Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )

const eventsOf = (responses: Json): Json => responses['200']?.content?.['text/event-stream']

function nameIn(ref: string | undefined): SchemaName | undefined {
  const name = ref?.split('/').at(-1) ?? ''
  return name in schemas ? (name as SchemaName) : undefined
}

function exampleBody({ requestBody }: Operation): Json {
  const content = requestBody?.content['application/json']
  return content?.example
}

function call(service: Service, operation: Operation, headers: Record<string, string>, json = exampleBody(operation)) {
  const { method, path, requestBody } = operation
  const form: Json = requestBody?.content['application/x-www-form-urlencoded']
  const fields = form && new URLSearchParams(Object.values<Json>(form.examples)[0]?.value)
  return fetch(service.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(json ? { 'content-type': 'application/json' } : {}) },
    ...(json ? { body: JSON.stringify(json) } : {}),
    ...(fields ? { body: fields } : {}),
  })
}

interface Example {
  readonly name: SchemaName
  readonly value: unknown
  readonly where: string
}

/** Wherever a schema is beside an example of it. */
function examplesIn(value: Json, where = ''): Example[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.entries<Json>(value).flatMap(([key, member]) => examplesIn(member, `${where}/${key}`))
  const name = nameIn(value.schema?.$ref)
  if (!name) return below
  const several = Object.values<Json>(value.examples ?? {}).map(example => example.value)
  const all = 'example' in value ? [value.example, ...several] : several
  return [...below, ...all.map(example => ({ name, value: example, where }))]
}
