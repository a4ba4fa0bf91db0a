// What holds on every surface of the model: the key, the grant, the limits, and a caller that leaves.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Service } from '../localService/server.ts'
import { contextTokens, inputTokens } from '../localService/tokens.ts'
import { ask, bearer, email, get, messagesRequest, openStream, postJson, question, serviceWithKey } from './caller.ts'

interface Surface {
  readonly path: string
  readonly body: (text: string, fields?: object) => object
  /** Its field for the length of the answer. */
  readonly most: string
}

const surfaces: readonly Surface[] = [
  {
    path: '/v1/chat/completions',
    body: (text, fields) => ({ ...question(text), ...fields }),
    most: 'max_completion_tokens',
  },
  { path: '/v1/responses', body: ask, most: 'max_output_tokens' },
  { path: '/anthropic/v1/messages', body: messagesRequest, most: 'max_tokens' },
]

const send = (service: Service, key: string, { path }: Surface, body: object) =>
  postJson(service.baseUrl + path, body, bearer(key))

for (const surface of surfaces)
  describe(surface.path, () => {
    it('[inference.model-required] [inference.model-granted] wants a model, and one that was granted', async () => {
      const { service, key } = await serviceWithKey()
      await using _ = service
      const missing = await send(service, key, surface, surface.body('Hi', { model: undefined }))
      assert.equal(missing.status, 400)
      assert.equal(missing.json.error.message, "'model' is required.")
      const other = await send(service, key, surface, surface.body('Hi', { model: 'gpt-9' }))
      assert.equal(other.status, 403)
      assert.equal(other.json.error.message, "Model 'gpt-9' is not allowed for this virtual key")
      assert.equal(other.json.type, surface.path.startsWith('/v1') ? 'model_blocked' : 'error')
      service.state.grantedModels = ['gpt-9']
      assert.equal((await send(service, key, surface, surface.body('Hi', { model: 'gpt-9' }))).status, 200)
    })

    it('[inference.revoked] refuses a revoked key, and no key, with the challenge', async () => {
      const { service, key } = await serviceWithKey()
      await using _ = service
      assert.equal((await send(service, key, surface, surface.body('Hi'))).status, 200)
      await fetch(`${service.baseUrl}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams({ token: key }) })
      for (const headers of [bearer(key), {}]) {
        const { status, headers: got } = await postJson(service.baseUrl + surface.path, surface.body('Hi'), headers)
        assert.equal(status, 401)
        assert.match(got.get('www-authenticate') ?? '', /^Bearer resource_metadata="/)
      }
    })

    it('[inference.input-limit] takes input up to the limit and refuses what is longer', async () => {
      const { service, key } = await serviceWithKey()
      await using _ = service
      // A message of one text costs four tokens, and one for each four characters of it.
      const text = 'word'.repeat(inputTokens - 4)
      assert.equal((await send(service, key, surface, surface.body(text, { [surface.most]: 1 }))).status, 200)
      const { status, json } = await send(service, key, surface, surface.body(`${text}w`, { [surface.most]: 1 }))
      assert.equal(status, 400)
      assert.match(json.error.message, new RegExp(`\\b${inputTokens + 1}\\b.*\\b${inputTokens}\\b`))
      if (surface.path.startsWith('/v1')) assert.equal(json.error.code, 'context_length_exceeded')
    })

    it('[inference.context-limit] refuses input and answer that are too long together, and says both', async () => {
      const { service, key } = await serviceWithKey()
      await using _ = service
      const input = 200_000
      const room = contextTokens - input
      const text = 'word'.repeat(input - 4)
      assert.equal((await send(service, key, surface, surface.body(text, { [surface.most]: room }))).status, 200)
      const { status, json } = await send(service, key, surface, surface.body(text, { [surface.most]: room + 1 }))
      assert.equal(status, 400)
      for (const number of [input, room + 1, contextTokens])
        assert.match(json.error.message, new RegExp(`\\b${number}\\b`))
    })

    it('[inference.unknown-fields] lets fields pass that it does not know', async () => {
      const { service, key } = await serviceWithKey()
      await using _ = service
      assert.equal((await send(service, key, surface, surface.body('Hi', { field_of_tomorrow: [{}] }))).status, 200)
    })

    it('[inference.bad-body] has a status for each body that is none', async () => {
      const { service, key } = await serviceWithKey()
      await using _ = service
      const post = async (body: string, type: string) => {
        const headers = { ...bearer(key), 'content-type': type }
        const answer = await fetch(service.baseUrl + surface.path, { method: 'POST', headers, body })
        const { error } = (await answer.json()) as { error: { message: string } }
        assert.match(error.message, /^[A-Z].*\.$/)
        return answer.status
      }
      assert.equal(await post('{"model":', 'application/json'), 400)
      assert.equal(await post(JSON.stringify(surface.body('Hi')), 'text/plain'), 415)
      assert.equal(await post('x'.repeat(32 * 1024 * 1024 + 1), 'application/json'), 413)
      assert.equal(service.slots.open, 0)
    })

    it('[inference.cancel] [plan.freed] notices a caller that leaves, and frees its place', async () => {
      const { service, key } = await serviceWithKey({ limits: { pro: 1 } })
      await using _ = service
      const waits: number[] = []
      for (let round = 0; round < 10; round += 1) {
        service.log.clear()
        const gate = service.replies.hold(1)
        const leave = new AbortController()
        const answer = await openStream(service, key, surface.path, surface.body('Wait'), leave.signal)
        await gate.reached
        assert.equal(service.slots.openOf(email), 1)
        const left = performance.now()
        leave.abort()
        const call = await service.log.until(one => one.durationMs !== undefined)
        waits.push(performance.now() - left)
        assert.equal(call.isAborted, true)
        assert.equal(service.slots.openOf(email), 0)
        await assert.rejects(answer.text())
      }
      // The best of ten: a machine that has other work to do may be late, a service that polls would be so each time.
      assert.ok(Math.min(...waits) < 50, `noticed after ${waits.map(Math.round).join(', ')} ms`)
    })
  })

it('[inference.models] names the models of the key, and asks for one', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const { status, json, headers } = await get(`${service.baseUrl}/v1/models`)
  assert.equal(status, 401)
  assert.equal(json.type, 'virtual_key_required')
  assert.match(headers.get('www-authenticate') ?? '', /resource_metadata/)
  const listed = await get(`${service.baseUrl}/v1/models`, bearer(key))
  assert.deepEqual(
    listed.json.data.map(({ id }: { id: string }) => id),
    [service.model],
  )
})
