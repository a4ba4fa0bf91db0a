// Reads response bodies: up to a limit, as JSON of a schema, or as the fault that an error response reports.
import type * as z from 'zod/mini'
import { isAbort, linkedAbort, raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { ContractError, ProblemError, TooLargeError, TransportError } from './errors.ts'
import type { HttpAnswer } from './http.ts'
import { serviceTime } from './httpDate.ts'
import { readRetryAfter } from './retryAfter.ts'

/** Metadata, registrations and tokens are small; more is not what we asked for. */
export const SMALL_BODY_BYTES = 64 * 1024
/** The most time for a small body as a whole, because a server that sends a byte each second never counts as silent. */
const SMALL_BODY_MS = 10_000

export async function readText(answer: HttpAnswer, limit: number): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  let text = ''
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.byteLength
    if (size > limit) throw new TooLargeError(answer.host, limit)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Rejects with a `TransportError` where the body is not complete in time. */
async function readSmall(answer: HttpAnswer, limit: number, clock: Clock): Promise<string> {
  const late = linkedAbort()
  const cancelTimer = clock.later(SMALL_BODY_MS, () => {
    late.stop(new TransportError(answer.host, 'during', 'silence'))
    answer.close()
  })
  try {
    return await raceAbort(readText(answer, limit), late.signal)
  } finally {
    cancelTimer()
  }
}

/** The body as `schema` reads it. Throws `ProblemError` for an error status, `ContractError` for a wrong shape. */
export async function readJson<S extends z.ZodMiniType>(
  answer: HttpAnswer,
  schema: S,
  clock: Clock,
  limit = SMALL_BODY_BYTES,
): Promise<z.output<S>> {
  await throwUnlessOk(answer, clock)
  const isSmall = limit <= SMALL_BODY_BYTES
  const text = await (isSmall ? readSmall(answer, limit, clock) : readText(answer, limit)).catch(fault => {
    // For a network's login page that is too large, that it is a web page is the more useful fault.
    throw fault instanceof TooLargeError && isHtml(answer) ? new ContractError(answer.host, 'html', 'body') : fault
  })
  const body = parseJson(text)
  if (body === undefined) throw new ContractError(answer.host, isHtml(answer) ? 'html' : 'not json', 'body')
  const judged = schema.safeParse(body)
  if (judged.success) return judged.data
  throw new ContractError(answer.host, 'shape', placeOf(judged.error))
}

/** Resolves for a 2xx status; rejects with the fault of any other. */
export async function throwUnlessOk(answer: HttpAnswer, clock: Clock): Promise<void> {
  if (answer.status >= 200 && answer.status < 300) return
  if (answer.status >= 300 && answer.status < 400) {
    answer.close()
    throw new ContractError(answer.host, 'redirect', redirectTarget(answer))
  }
  throw await problemOf(answer, clock)
}

export async function problemOf(answer: HttpAnswer, clock: Clock): Promise<ProblemError> {
  const text = await readSmall(answer, SMALL_BODY_BYTES, clock).catch(fault => {
    if (isAbort(fault)) throw fault
    return ''
  })
  const { readProblem } = await import('../../protocol/wire/problem.ts')
  // The text of a gateway's error page is of no use to the user.
  const problem = isHtml(answer) || /^\s*</.test(text) ? {} : readProblem(parseJson(text) ?? text)
  const { headers } = answer
  return new ProblemError(answer.host, answer.status, problem, {
    retryAfterMs: readRetryAfter(headers['retry-after'], serviceTime(headers, clock.now())),
    challenge: headers['www-authenticate'],
    requestId: plainName(headers['request-id'] ?? headers['x-request-id']),
  })
}

/** The untrusted text if it is a short name that can be shown without escaping, else undefined. */
function plainName(text: string | undefined): string | undefined {
  return text && /^[\w.:-]{1,64}$/.test(text) ? text : undefined
}

export function isHtml(answer: HttpAnswer): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(answer.headers['content-type'] ?? '')
}

/** The parsed text, a byte order mark allowed; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** The host that an absolute `Location` names; undefined for a relative one. */
function redirectTarget(answer: HttpAnswer): string | undefined {
  const location = answer.headers['location'] ?? ''
  return URL.canParse(location) ? new URL(location).host : undefined
}

function placeOf(error: z.core.$ZodError): string {
  return error.issues[0]?.path.join('.') || 'body'
}
