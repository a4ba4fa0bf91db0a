// `StreamDecoder`: the interface that decodes the frames of one surface; and the fault that a frame reports.
import { countOf, type JsonObject, listOf, objectOf, textOf } from '../../protocol/json.ts'
import { readProblem } from '../../protocol/wire/problem.ts'
import { ProblemError } from '../http/errors.ts'
import type { FinishReason } from './modelClient.ts'

/**
 * Decodes the frames of one answer. It checks only the members that it uses and ignores all others, because an answer
 * has thousands of frames and servers add members.
 */
export interface StreamDecoder {
  /** Decodes the JSON of one event, or of a complete answer in place of a stream. Throws the fault that it reports. */
  take(frame: JsonObject): void
  /**
   * `ended`: the finish reason was received, and only the usage or a message may follow; `over`: the rest is ignored.
   */
  readonly stage: 'open' | 'ended' | 'over'
  /** The finish reason; undefined until it is received. */
  readonly reason: FinishReason | undefined
  /** The finish reason of the service if it is an unknown one, which counts as `done`. */
  readonly unknownReason?: string | undefined
  /** A failure that was reported without a message, which may still follow. */
  readonly failure?: ProblemError | undefined
  /** Emits the content that was held back until the end of the stream. */
  flush(): void
}

/** The fault that a frame reports. Its status is the one in the frame, because that of the response is 200. */
export function faultIn(host: string, frame: JsonObject): ProblemError | undefined {
  const { error } = frame
  const isNamed = !isNothing(error) && !isEvent(frame['type'])
  if (!isNamed && !isReport(frame)) return undefined
  const type = frame['type'] === 'error' ? undefined : frame['type']
  const problem = readProblem(isNamed ? { error, type } : { ...frame, type })
  const status = statusOf(frame) ?? statusOf(objectOf(error)) ?? statusByWord(`${problem.type} ${problem.code}`)
  return new ProblemError(host, status ?? 502, problem)
}

/** A failure whose members are in the frame itself; in a frame with an answer they have another meaning. */
function isReport({ type, object, message, code, detail, choices }: JsonObject): boolean {
  if (type === 'error' || object === 'error') return true
  if (isUnknownEvent(type) || listOf(choices).length > 0) return false
  return !isNothing(detail) || (typeof message === 'string' && !isSuccess(code))
}

/** An `error` without content, which may be in every frame (fixture `error-that-is-none.sse`). */
export function isNothing(error: unknown): boolean {
  const members = objectOf(error)
  return members ? Object.values(members).every(member => !member) : !error
}

/** Missing, 0 or 200. */
const isSuccess = (code: unknown) => !code || Number(code) === 0 || Number(code) === 200

/** An event of the responses surface: its `error`, such as that of a server tool, does not end the answer. */
const isEvent = (type: unknown) => textOf(type).startsWith('response.') && type !== 'response.error'

/** A `type` that is the name of an unknown event and not of a failure. */
function isUnknownEvent(type: unknown): boolean {
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

/** The status for an error code, for a frame without a status. */
const statusByWord = (text: string) => words.find(([pattern]) => pattern.test(text))?.[1]

export const tokens = (usage: JsonObject | undefined, name: string): number => countOf(usage?.[name]) ?? 0

/** The texts of content parts of the given types. */
export function partsOf(content: unknown, ...types: readonly string[]): string {
  if (!Array.isArray(content)) return ''
  return content
    .map(objectOf)
    .map(part => (types.includes(textOf(part?.['type']) || 'text') ? textOf(part?.['text']) : ''))
    .join('')
}
