// Passes a chat on to another server that speaks the same API, under our model's name.
import { apiError } from './apiError.ts'
import type { ChatRequest } from './chatRequest.ts'
import { isObject, isString } from './json.ts'
import type { Upstream } from './options.ts'
import { frame, streamOf } from './stream.ts'

/** Only the body goes there: none of the caller's headers, so never the caller's key. */
export async function askUpstream(upstream: Upstream, request: ChatRequest, ended: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (upstream.key !== undefined) headers['authorization'] = `Bearer ${upstream.key}`
  const body = JSON.stringify({ ...request.json, model: upstream.model })
  try {
    const url = `${upstream.url}/chat/completions`
    const answer = await fetch(url, { method: 'POST', headers, body, signal: ended, redirect: 'error' })
    return answer.ok ? await passOn(answer, request.model, ended) : await refusalOf(answer)
  } catch {
    return badGateway('The upstream server cannot be reached.')
  }
}

async function passOn(answer: Response, model: string, ended: AbortSignal): Promise<Response> {
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && answer.body) {
    return new Response(streamOf(renamed(answer.body, model, ended)), {
      headers: { 'content-type': type, 'cache-control': 'no-cache', 'transfer-encoding': 'chunked' },
    })
  }
  const json: unknown = await answer.json().catch(() => undefined)
  return isObject(json) ? Response.json({ ...json, model }) : badGateway('The upstream server did not answer in JSON.')
}

/** Line by line, so that a piece that ends inside a line, or inside a letter, is never read too early. */
async function* renamed(body: ReadableStream<Uint8Array>, model: string, ended: AbortSignal) {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield encoder.encode(lines.map(line => `${withModel(line, model)}\n`).join(''))
    }
  } catch {
    // Headers are out, so the break can only be told inside the stream; it then ends without the end signal.
    if (!ended.aborted) yield encoder.encode(frame({ error: brokenStream }))
    return
  }
  if (rest !== '') yield encoder.encode(withModel(rest, model))
}

function withModel(line: string, model: string): string {
  const data = /^data: ?(\{.*\})\s*$/.exec(line)?.[1]
  if (data === undefined) return line
  try {
    const json: unknown = JSON.parse(data)
    return isObject(json) && 'model' in json ? `data: ${JSON.stringify({ ...json, model })}` : line
  } catch {
    return line
  }
}

/** What the caller can mend is passed on; what is between us and the upstream server is our trouble, so 502. */
async function refusalOf(answer: Response): Promise<Response> {
  const message = messageOf(await answer.json().catch(() => undefined))
  const retryAfter = answer.headers.get('retry-after')
  const { status } = answer
  if (status === 429) {
    const refusal = { message, type: 'rate_limit_error', code: 'upstream_rate_limited' }
    return apiError(429, refusal, retryAfter === null ? {} : { 'retry-after': retryAfter })
  }
  if (status === 400 || status === 413 || status === 422)
    return apiError(status, { message, type: 'invalid_request_error', code: 'upstream_refused' })
  return badGateway(`The upstream server answered ${status}.`)
}

function messageOf(body: unknown): string {
  const error = isObject(body) ? body['error'] : undefined
  if (isString(error)) return error
  return isObject(error) && isString(error['message']) ? error['message'] : 'The upstream server refused the request.'
}

const brokenStream = {
  message: 'The upstream server broke off.',
  type: 'server_error',
  code: 'upstream_failed',
}

const badGateway = (message: string) => apiError(502, { message, type: 'server_error', code: 'upstream_failed' })
