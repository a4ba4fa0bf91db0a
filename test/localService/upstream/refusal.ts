// What an error of the server behind us means for the caller.
import { Failure } from '../failure.ts'
import { isObject, isString } from '../json.ts'
import { type Answer, jsonOf } from './send.ts'

/** What the caller can correct is passed on; what is between us and the upstream server is our trouble, so 502. */
export async function refusalOf(answer: Answer): Promise<Failure> {
  const { status, retryAfter, key } = answer
  const words = wordsIn(await jsonOf(answer), key)
  const message = words ?? 'The upstream server refused the request.'
  if (status === 429) {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    return new Failure(429, 'upstream_rate_limited', message, { headers })
  }
  if (status === 400 || status === 413 || status === 422) return new Failure(status, 'upstream_refused', message)
  if (status === 504) return new Failure(504, 'upstream_timeout', 'The upstream server did not answer in time.')
  return new Failure(
    502,
    'upstream_failed',
    `The upstream server answered ${status}${words === undefined ? '.' : `: ${words}`}`,
  )
}

/** The failure that an event of a stream reports, or undefined where it reports none. */
export function failureIn(json: unknown, key: string | undefined): Failure | undefined {
  if (!isObject(json) || json['error'] === undefined || json['error'] === null) return undefined
  const { error } = json
  const inner = isObject(error) ? error['code'] : undefined
  const status = Number(json['status_code'] ?? inner)
  const message = wordsIn(json, key) ?? 'The upstream server failed.'
  if (status === 429) return new Failure(429, 'upstream_rate_limited', message)
  return new Failure(status === 503 || status === 529 ? 503 : 502, 'upstream_failed', message)
}

export const brokenOff = (): Failure => new Failure(502, 'upstream_failed', 'The upstream server broke off.')

export const emptyAnswer = (): Failure => new Failure(502, 'upstream_failed', 'The upstream server answered nothing.')

const longestWords = 300

/** The server's own message, on one line; some repeat the key that they refuse. */
function wordsIn(body: unknown, key: string | undefined): string | undefined {
  const message = messageOf(body)
  const safe = key === undefined || key === '' ? message : message?.replaceAll(key, '[key]')
  const line = safe?.replace(/\s+/g, ' ').trim()
  if (line === undefined || line === '') return undefined
  return line.length > longestWords ? `${line.slice(0, longestWords - 1)}…` : line
}

/** No honest error is wrapped more often. */
const deepest = 4

function messageOf(body: unknown, depth = 0): string | undefined {
  if (isString(body)) return body === '' ? undefined : body
  if (depth > deepest) return undefined
  if (Array.isArray(body)) return body.flatMap(entry => messageOf(entry, depth + 1) ?? []).join('; ') || undefined
  if (!isObject(body)) return undefined
  const { error, message, detail, msg, loc } = body
  // FastAPI lists what does not fit, each with its place in the request.
  if (isString(msg)) return Array.isArray(loc) && loc.length > 0 ? `${loc.join('.')}: ${msg}` : msg
  return messageOf(error, depth + 1) ?? messageOf(message, depth + 1) ?? messageOf(detail, depth + 1)
}
