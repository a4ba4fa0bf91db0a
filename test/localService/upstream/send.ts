// One request to the server behind us, over Node's own client: no time limit but ours, and read only as fast as wanted.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { Failure } from '../failure.ts'
import type { JsonObject } from '../json.ts'
import type { Upstream } from '../options.ts'

export interface Answer {
  readonly status: number
  /** The content type without its parameters, in lower case. */
  readonly type: string
  readonly retryAfter: string | undefined
  /** What we sent for authentication, which no word of the answer may show the caller. */
  readonly key: string | undefined
  /** Breaks off with an error where the server does, or where it is silent for longer than agreed. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Only the body goes there: none of the caller's headers, so never the caller's key. */
export function send(upstream: Upstream, body: JsonObject, ended: AbortSignal): Promise<Answer | Failure> {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    accept: 'text/event-stream, application/json',
  }
  if (upstream.key !== undefined) headers['authorization'] = `Bearer ${upstream.key}`
  const url = new URL(`${upstream.url}/chat/completions`)
  const silenceMs = upstream.silenceMs ?? defaultSilenceMs
  return new Promise(resolve => {
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest
    // A connection of its own: one that was kept may be gone when it is wanted.
    const asking = open(url, { method: 'POST', headers, agent: false, signal: ended })
    const limit = setTimeout(() => {
      resolve(new Failure(504, 'upstream_timeout', 'The upstream server did not answer in time.'))
      asking.destroy()
    }, silenceMs)
    asking.on('error', () => resolve(new Failure(502, 'upstream_failed', 'The upstream server cannot be reached.')))
    asking.on('response', incoming => resolve(answerOf(incoming, silenceMs, upstream.key)))
    asking.on('close', () => clearTimeout(limit))
    asking.on('response', () => clearTimeout(limit))
    asking.end(bytes)
  })
}

/** A long prompt takes a model minutes before it sends its first word. */
const defaultSilenceMs = 600_000

function answerOf(incoming: IncomingMessage, silenceMs: number, key: string | undefined): Answer {
  const { statusCode = 0, headers } = incoming
  return {
    status: statusCode,
    type: headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '',
    retryAfter: headers['retry-after'],
    key,
    body: watched(incoming, silenceMs),
  }
}

/** The time counts only while we wait: a reader who takes his own time is not the server's silence. */
async function* watched(incoming: IncomingMessage, silenceMs: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]()
  try {
    for (;;) {
      const limit = setTimeout(() => incoming.destroy(new Error('silent for too long')), silenceMs)
      const { value, done } = await chunks.next().finally(() => clearTimeout(limit))
      if (done) return
      yield value
    }
  } finally {
    incoming.destroy()
  }
}

/** What no honest answer is longer than. */
const jsonLimitBytes = 64 * 1024 * 1024

/** Undefined where it broke off, is too long or is no JSON; a plain text is the text itself. */
export async function jsonOf(answer: Answer): Promise<unknown> {
  let text: string | undefined
  try {
    text = (await buffer(bounded(answer.body))).toString('utf8')
    return JSON.parse(text)
  } catch {
    return answer.type === 'text/plain' ? text : undefined
  }
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > jsonLimitBytes) return
    yield chunk
  }
}
