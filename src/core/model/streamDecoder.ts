// `AnswerReader`: what one surface's frames mean; and the fault that a frame reports.
import { countOf, type JsonObject, listOf, objectOf, textOf } from '../../protocol/json.ts'
import { readProblem } from '../../protocol/wire/problem.ts'
import { ProblemError } from '../http/errors.ts'
import type { FinishReason } from './modelClient.ts'

/**
 * Reads one answer. It checks only the members that it uses and passes over everything else: one answer has thousands
 * of frames, and new servers send new ones.
 */
export interface StreamDecoder {
  /** Takes the JSON of one event, or of the whole answer where one came in place of a stream. Throws what it reports. */
  take(frame: JsonObject): void
  /** `ended`: the end was said, and only a last detail may follow; `over`: nothing that matters can follow. */
  readonly stage: 'open' | 'ended' | 'over'
  /** What the surface called the end; undefined as long as it called none. */
  readonly reason: FinishReason | undefined
  /** The end in the service's own word, where that is one nobody knows; it counts as a usual end. */
  readonly oddReason?: string | undefined
  /** A failure that was reported without words, which may still follow. */
  readonly failure?: ProblemError | undefined
  /** Says what was held back until the end of the stream. */
  flush(): void
}

/** A frame with an error has status 200 around it; its own status, where it names one, is the truth. */
export function faultIn(host: string, frame: JsonObject): ProblemError | undefined {
  const { error } = frame
  const isNamed = !isNothing(error) && !isEvent(frame['type'])
  if (!isNamed && !isReport(frame)) return undefined
  const type = frame['type'] === 'error' ? undefined : frame['type']
  const problem = readProblem(isNamed ? { error, type } : { ...frame, type })
  const status = statusOf(frame) ?? statusOf(objectOf(error)) ?? statusByWord(`${problem.type} ${problem.code}`)
  return new ProblemError(host, status ?? 502, problem)
}

/** A failure whose words stand in the frame itself; the same members may say something else beside an answer. */
function isReport({ type, object, message, code, detail, choices }: JsonObject): boolean {
  if (type === 'error' || object === 'error') return true
  if (isForeign(type) || listOf(choices).length > 0) return false
  return !isNothing(detail) || (typeof message === 'string' && !isSuccess(code))
}

/** Some servers send the member with each frame. */
export function isNothing(error: unknown): boolean {
  const members = objectOf(error)
  return members ? Object.values(members).every(member => !member) : !error
}

/** None, 0 or 200. */
const isSuccess = (code: unknown) => !code || Number(code) === 0 || Number(code) === 200

/** An event of the responses surface; what fails in it, such as a tool of the service, does not end the answer. */
const isEvent = (type: unknown) => textOf(type).startsWith('response.') && type !== 'response.error'

/** A `type` that names no failure: an event that we do not know. */
function isForeign(type: unknown): boolean {
  const name = textOf(type)
  return name !== '' && (isEvent(name) || !(name.includes('error') || statusByWord(name)))
}

function statusOf(error: JsonObject | undefined): number | undefined {
  const named = [error?.['status_code'], error?.['status'], error?.['code']].map(Number)
  return named.find(status => status >= 400 && status < 600)
}

const words: readonly [RegExp, number][] = [
  [/overloaded/, 529],
  [/rate_limit|request_limited|token_limited|too_many_requests|concurrency_limit/, 429],
  [/insufficient_quota|billing|budget_exceeded/, 402],
  [/authentication|invalid_api_key|virtual_key_|\baccess_(?!denied)/, 401],
  [/permission|access_denied|model_blocked|provider_blocked/, 403],
  [/not_found/, 404],
  [/request_too_large/, 413],
  [/timed?_?out/, 504],
  [/invalid_request|invalid_prompt|context_length/, 400],
]

/** The same words that stand in an error answer, where a status tells more. */
const statusByWord = (said: string) => words.find(([pattern]) => pattern.test(said))?.[1]

export const tokens = (usage: JsonObject | undefined, name: string): number => countOf(usage?.[name]) ?? 0

/** The texts of content parts of the given types. */
export function partsOf(content: unknown, ...types: readonly string[]): string {
  if (!Array.isArray(content)) return ''
  return content
    .map(objectOf)
    .map(part => (types.includes(textOf(part?.['type']) || 'text') ? textOf(part?.['text']) : ''))
    .join('')
}
