// What was possible while a file was typed: the share of keys with visible text, and the least number of requests.
import type { Key, Observation } from './observation.ts'
import { TOKEN_CHARS } from './tokens.ts'

/** The editor calls so long after a key; text that is stored already needs no call. */
export const CALL_AFTER_MS = 50
/** A request ends at so many tokens at the latest. */
const LONGEST_STREAM_TOKENS = 200

/** Tokens from here to the end of the line. */
export function tokensToLineEnd(text: string, offset: number): number {
  return Math.ceil(restOfLine(text, offset).length / TOKEN_CHARS)
}

export function restOfLine(text: string, offset: number): string {
  const end = text.indexOf('\n', offset)
  return text.slice(offset, end < 0 ? text.length : end)
}

export interface Interval {
  readonly key: Key
  /** Index of the key. */
  readonly index: number
  /** When the next key comes, or the replay ends. */
  readonly until: number
}

/** Each key with the time until the next. */
export function intervalsOf({ keys, endedAt }: Observation): Interval[] {
  return keys.map((key, index) => ({ key, index, until: keys[index + 1]?.at ?? endedAt }))
}

/** Keys after which something is worth showing: two characters or more of the line are missing, and nothing is wrong. */
export function neededIntervals(observation: Observation): Interval[] {
  const { text } = observation.source
  return intervalsOf(observation).filter(
    ({ key }) => !key.isMistaken && restOfLine(text, key.offset).replace(/\s/g, '').length >= 2,
  )
}

/**
 * Keys of `needed` after which the rest of the line could have been visible before the next key, if at every key a
 * request had been sent that nothing stopped, and every first token had come after the median time.
 */
export function possibleIntervals(observation: Observation, needed: readonly Interval[]): Interval[] {
  const { source, surprises } = observation
  return needed.filter(({ key, index, until }) => {
    const lineEnd = key.offset + restOfLine(source.text, key.offset).length
    if (surprises.some(at => at >= key.offset && at < lineEnd)) return false
    const earliest = earliestArrival(observation, index, lineEnd)
    return Math.max(earliest, earliest <= key.at ? key.at : key.at + CALL_AFTER_MS) < until
  })
}

/** When the line up to its end can first have arrived, from a request at this key or before, behind the last surprise. */
function earliestArrival({ keys, surprises, ...observation }: Observation, last: number, lineEnd: number): number {
  const { firstTokenMs, tokensPerSecond } = observation
  const offset = keys[last]?.offset ?? 0
  const surprise = surprises.findLast(at => at < offset) ?? -1
  const arrivals = keys
    .slice(0, last + 1)
    .filter(key => !key.isMistaken && key.offset > surprise && key.offset <= offset)
    .map(key => key.at + firstTokenMs + (Math.ceil((lineEnd - key.offset) / TOKEN_CHARS) * 1_000) / tokensPerSecond)
  return Math.min(...arrivals)
}

/** Requests of a greedy cover: each serves up to its surprise or its token limit, the next starts at the first key after. */
export function leastRequests({ keys, surprises }: Observation): number {
  let count = 0
  let served = -1
  for (const { offset, isMistaken } of keys) {
    if (isMistaken || offset <= served) continue
    count++
    const surprise = surprises.find(at => at >= offset) ?? Number.POSITIVE_INFINITY
    served = Math.min(surprise, offset + LONGEST_STREAM_TOKENS * TOKEN_CHARS)
  }
  return count
}

/** Tokens that the typed characters come to. */
export function leastTokens({ source }: Observation): number {
  return (source.end - source.start) / TOKEN_CHARS
}
