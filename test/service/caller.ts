// The requests that the tests of the local service repeat: register, poll, ask.
import assert from 'node:assert/strict'
import { type Service, startService } from '../localService/server.ts'

export const claimGrant = 'urn:kourier:agent-auth:grant-type:claim'
export const email = 'ada@example.com'

/** JSON as a test reads it: it looks where it expects something, and fails where that is not. */
// biome-ignore lint/suspicious/noExplicitAny: a test that looks at a foreign answer is its own schema
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Json
}

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  read(
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )

export const postForm = (url: string, fields: Readonly<Record<string, string>> | URLSearchParams) =>
  read(fetch(url, { method: 'POST', body: new URLSearchParams(fields) }))

export const get = (url: string, headers: Record<string, string> = {}) => read(fetch(url, { headers }))

async function read(going: Promise<Response>): Promise<Answer> {
  const answer = await going
  const text = await answer.text()
  const json = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined
  return { status: answer.status, headers: answer.headers, json }
}

export const register = async (service: Service, fields: Readonly<Record<string, unknown>> = {}): Promise<Json> => {
  const asked = { type: 'service_auth', login_hint: email, client_name: 'Test', ...fields }
  const { status, json } = await postJson(`${service.baseUrl}/agent/identity`, asked)
  assert.equal(status, 200)
  return json
}

export const poll = (service: Service, claimToken: string): Promise<Answer> =>
  postForm(`${service.baseUrl}/oauth2/token`, { grant_type: claimGrant, claim_token: claimToken })

/** A service with a person on a plan, and a key of theirs. */
export async function serviceWithKey(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService({ plan: 'pro', ...options })
  return { service, key: service.state.issueKey(email, 'Test') }
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

export const question = (content: string) => ({ model: 'kourier-1-0815', messages: [{ role: 'user', content }] })

export const chat = (service: Service, key: string, body: unknown): Promise<Answer> =>
  postJson(`${service.baseUrl}/v1/chat/completions`, body, bearer(key))

/** An open stream; the caller reads it or leaves it by the controller. */
export function chatStream(service: Service, key: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${service.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(key) },
    body: JSON.stringify({ stream: true, ...body }),
    ...(signal ? { signal } : {}),
  })
}

/** The data of each event, the end signal as text. */
export async function eventsOf(answer: Response): Promise<Json[]> {
  const events = (await answer.text()).split('\n\n').filter(event => event !== '')
  return events.map(event => {
    assert.match(event, /^data: /)
    const data = event.slice('data: '.length)
    return data === '[DONE]' ? data : JSON.parse(data)
  })
}

export const textOf = (events: readonly Json[]): string =>
  events.map(event => event.choices?.[0]?.delta.content ?? '').join('')

export const ask = (text: string, fields: object = {}) => ({ model: 'kourier-1-0815', input: text, ...fields })

export const respond = (service: Service, key: string, body: unknown): Promise<Answer> =>
  postJson(`${service.baseUrl}/v1/responses`, body, bearer(key))

export const messagesRequest = (text: string, fields: object = {}) => ({
  model: 'kourier-1-0815',
  max_tokens: 1000,
  messages: [{ role: 'user', content: text }],
  ...fields,
})

export const message = (service: Service, key: string, body: unknown): Promise<Answer> =>
  postJson(`${service.baseUrl}/anthropic/v1/messages`, body, { 'x-api-key': key, 'anthropic-version': '2023-06-01' })

/** An open stream of any surface. */
export const openStream = (service: Service, key: string, path: string, body: object, signal?: AbortSignal) =>
  fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(key) },
    body: JSON.stringify({ ...body, stream: true }),
    ...(signal ? { signal } : {}),
  })

/** The data of each event of a surface that names its events; the name has to be the data's own type. */
export async function namedEventsOf(answer: Response): Promise<Json[]> {
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = (await answer.text()).split('\n\n').filter(event => event !== '')
  return events.map(event => {
    const [, name, data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(event) ?? assert.fail(event)
    const json = JSON.parse(data)
    assert.equal(json.type, name)
    return json
  })
}
