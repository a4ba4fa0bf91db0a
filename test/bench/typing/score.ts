// The figures of one replay, from what was observed.
import {
  CALL_AFTER_MS,
  type Interval,
  intervalsOf,
  leastRequests,
  leastTokens,
  neededIntervals,
  possibleIntervals,
  restOfLine,
  tokensToLineEnd,
} from './limits.ts'
import type { Observation, Request, View } from './observation.ts'

/** Shares and ratios are from 0 up; times are milliseconds. The numbers in parentheses name the figures in the table. */
export interface Score {
  /** Key strokes that changed the document. */
  readonly keys: number
  /** Requests per 100 key strokes (M1), and their number by the least that serve the same text. */
  readonly requests: number
  readonly requestRatio: number
  /** Requests per 100 key strokes that the client ended because their text was complete (M2a). */
  readonly plannedStops: number
  /** Part of the requests of which no character was ever visible and true (M2b). */
  readonly discarded: number
  /** Tokens that the client read, the answer's tag included, by the tokens of the typed text (M3a). */
  readonly tokenRatio: number
  /** The same of tokens that the server sent after the client had ended the request. */
  readonly lateTokenRatio: number
  /** Part of those that were read, without tags, of which no character was ever visible and true, each once (M3b). */
  readonly wastedTokens: number
  /** Tokens of a prompt, and those that a server with a prefix cache has to read (M3c). */
  readonly promptTokens: number
  readonly uncachedTokens: number
  /** From key to visible text beyond the editor's wait and the time that the model takes (M4). */
  readonly floorLatencies: readonly number[]
  /** From key to visible text beyond the time that the model took, where the request began at the key or later (M4a). */
  readonly latencies: readonly number[]
  /** Part of the needed keys with correct text before the next key (M5), and the part of them that was possible. */
  readonly visible: number
  readonly possible: number
  readonly visibleRatio: number
  /** Part of the needed keys with correct text for 200 ms or more (V200). */
  readonly visible200: number
  /** Part of the time after needed keys in which correct text was visible (VT). */
  readonly visibleTime: number
  /** The three with text that helps: a beginning of the line's rest of four characters or more, or all of it. */
  readonly helpful: number
  readonly helpful200: number
  readonly helpfulTime: number
  /** Part of the needed keys with text that was not correct for more than 60 ms (M6; M6b where nothing surprises). */
  readonly wrong: number
  /** Times per 100 key strokes that correct text vanished or was replaced without need (M7). */
  readonly flicker: number
  /** Most requests open at once, at the client and at the server (M8). */
  readonly peak: number
  readonly serverPeak: number
  /** Requests refused per 100 key strokes (M9). */
  readonly refused: number
  /** Part of the typed characters that accepted suggestions put in (M11). */
  readonly accepted: number
  /** Time from accepting to the next true text (M12). */
  readonly nextTexts: readonly number[]
}

const WRONG_LONGER_THAN_MS = 60
const VISIBLE_FOR_MS = 200

export function scoreOf(observation: Observation): Score {
  const { keys: all, requests, source, acceptances } = observation
  const keys = all.filter(({ isChange }) => isChange).length
  const per100 = (count: number) => (100 * count) / keys
  const needed = neededIntervals(observation)
  const views = viewsByKey(observation)
  const seen = seenParts(needed, views, ({ isCorrect }) => isCorrect)
  const helpful = seenParts(needed, views, helpfulIn(observation))
  const possible = possibleIntervals(observation, needed).length / needed.length
  const answered = requests.filter(({ isRefused }) => !isRefused)
  return {
    keys,
    requests: per100(requests.length),
    requestRatio: requests.length / leastRequests(observation),
    plannedStops: per100(requests.filter(request => isPlannedStop(request, observation)).length),
    discarded: discardedPart(observation),
    tokenRatio: sum(requests, ({ tokens, tagTokens }) => tokens.length + tagTokens) / leastTokens(observation),
    lateTokenRatio: sum(requests, ({ lateTokens }) => lateTokens) / leastTokens(observation),
    wastedTokens: wastedPart(observation),
    promptTokens: sum(answered, ({ promptTokens }) => promptTokens) / Math.max(1, answered.length),
    uncachedTokens: sum(answered, ({ uncachedTokens }) => uncachedTokens) / Math.max(1, answered.length),
    ...latenciesOf(observation, needed, views),
    visible: seen.share,
    possible,
    visibleRatio: seen.share / possible,
    visible200: seen.share200,
    visibleTime: seen.time,
    helpful: helpful.share,
    helpful200: helpful.share200,
    helpfulTime: helpful.time,
    wrong: part(needed, interval => timeOf(interval, views, isWrong) > WRONG_LONGER_THAN_MS),
    flicker: per100(flickersOf(observation)),
    peak: peakOf(requests, ({ endedAt }) => endedAt),
    serverPeak: peakOf(requests, ({ releasedAt }) => releasedAt),
    refused: per100(requests.filter(({ isRefused }) => isRefused).length),
    accepted: sum(acceptances, ({ characters }) => characters) / (source.end - source.start),
    nextTexts: nextTextsOf(observation),
  }
}

type ViewsByKey = readonly (readonly View[] | undefined)[]

function viewsByKey({ keys, views }: Observation): ViewsByKey {
  const all: View[][] = keys.map(() => [])
  for (const view of views) all[view.key]?.push(view)
  return all
}

const isWrong = ({ ghost, isCorrect }: View) => ghost.trim() !== '' && !isCorrect

/** For how much of the interval what was visible was so. */
function timeOf({ index, until }: Interval, views: ViewsByKey, isSo: (view: View) => boolean): number {
  const own = views[index] ?? []
  return sum(own, (view, at) => (isSo(view) ? (own[at + 1]?.at ?? until) - view.at : 0))
}

/** Parts of the needed keys, and of the time after them, in which what was visible was so. */
function seenParts(needed: readonly Interval[], views: ViewsByKey, isSo: (view: View) => boolean) {
  const times = needed.map(interval => timeOf(interval, views, isSo))
  return {
    share: part(needed, ({ index }) => views[index]?.some(isSo) === true),
    share200: part(times, ms => ms >= VISIBLE_FOR_MS),
    time: sum(times, ms => ms) / sum(needed, ({ key, until }) => until - key.at),
  }
}

const LEAST_HELPFUL_CHARS = 4

function helpfulIn({ keys, source }: Observation): (view: View) => boolean {
  return ({ key, ghost }) => {
    const rest = restOfLine(source.text, keys[key]?.offset ?? 0).trimEnd()
    const shown = ghost.trimEnd()
    return rest.startsWith(shown) && shown !== '' && (shown.length >= LEAST_HELPFUL_CHARS || shown === rest)
  }
}

/**
 * Of texts that appear where nothing correct was visible before: beyond the floor of any, and beyond the model's time of
 * those that were asked for at the key or later.
 */
function latenciesOf(
  { source, tokensPerSecond, requests }: Observation,
  needed: readonly Interval[],
  views: ViewsByKey,
): Pick<Score, 'floorLatencies' | 'latencies'> {
  const byKey = new Map(requests.map(request => [request.key, request]))
  const fresh = needed.flatMap(({ key, index }) => {
    const shown = views[index]?.find(({ isCorrect }) => isCorrect)
    const request = byKey.get(shown?.request ?? '')
    if (!shown || views[index - 1]?.at(-1)?.isCorrect || !request) return []
    const modelMs = request.firstTokenMs + (tokensToLineEnd(source.text, key.offset) * 1_000) / tokensPerSecond
    return [{ ms: shown.at - key.at - modelMs, isAskedFor: request.startedAt >= key.at }]
  })
  return {
    floorLatencies: fresh.map(({ ms }) => ms - CALL_AFTER_MS),
    latencies: fresh.filter(({ isAskedFor }) => isAskedFor).map(({ ms }) => ms),
  }
}

/** The client ended it, though what it had read agreed with what was typed and held a whole line beyond that. */
function isPlannedStop({ isStopped, endedAt, offset, text }: Request, { keys, source }: Observation): boolean {
  const key = keys.findLast(({ at }) => at <= endedAt)
  if (!isStopped || !key || key.isMistaken || offset === undefined || key.offset < offset) return false
  const typed = source.text.slice(offset, key.offset)
  const left = text.slice(typed.length)
  const line = restOfLine(source.text, key.offset).trimEnd()
  return text.startsWith(typed) && (/\S[^\n]*\n/.test(left) || (line !== '' && left.startsWith(line)))
}

function discardedPart({ requests, views }: Observation): number {
  const useful = new Set(views.filter(({ trueLength }) => trueLength > 0).map(({ request }) => request))
  return part(requests, ({ key }) => !useful.has(key))
}

function wastedPart(observation: Observation): number {
  const seen = seenCharacters(observation)
  const tokens = observation.requests.flatMap(({ tokens }) => tokens)
  return part(tokens, offsets => {
    const counted = offsets.filter(offset => seen.delete(offset))
    return counted.length === 0
  })
}

/** Offsets in the file of all characters that were visible and true at some time. */
function seenCharacters({ keys, views, source }: Observation): Set<number> {
  const seen = new Set<number>()
  for (const { key, trueLength } of views) {
    const from = keys[key]?.offset ?? source.start
    for (let offset = from; offset < from + trueLength; offset++) seen.add(offset)
  }
  return seen
}

const SEEN_MS = 25
const BACK_WITHIN_MS = 1_000

/**
 * True text that was visible for a moment is gone, or something else is there, though no key was pressed; or it was
 * hidden by a right key and comes back soon.
 */
function flickersOf(observation: Observation): number {
  const intervals = intervalsOf(observation)
  const isTrueLine = ({ ghost, trueLength }: View) => ghost.trim() !== '' && trueLength >= ghost.trimEnd().length
  let flickers = 0
  let trueSince: number | undefined
  let hidden: { readonly end: number; readonly at: number } | undefined
  for (const [at, view] of observation.views.entries()) {
    const before = observation.views[at - 1]
    const key = intervals[view.key]?.key
    if (!before || !key || key.isMistaken) {
      hidden = undefined
      trueSince = undefined
      continue
    }
    const wasSeen = trueSince !== undefined && view.at - trueSince >= SEEN_MS
    const isTrue = isTrueLine(view)
    if (wasSeen && view.key === before.key && !view.ghost.startsWith(before.ghost)) {
      flickers++
      hidden = undefined
    } else if (wasSeen && view.ghost === '') {
      hidden = hiddenEnd(observation, before, view)
    } else if (isTrue && hidden) {
      if (key.offset < hidden.end && view.at - hidden.at <= BACK_WITHIN_MS) flickers++
      hidden = undefined
    }
    trueSince = isTrue ? (trueSince ?? view.at) : undefined
  }
  return flickers
}

/** Where the text ended that a key has hidden, unless the key was its last. */
function hiddenEnd({ keys }: Observation, before: View, view: View): { end: number; at: number } | undefined {
  const end = (keys[before.key]?.offset ?? 0) + before.ghost.trimEnd().length
  return (keys[view.key]?.offset ?? 0) < end ? { end, at: view.at } : undefined
}

function peakOf(requests: readonly Request[], endOf: (request: Request) => number): number {
  const open = (at: number) => requests.filter(request => request.startedAt <= at && endOf(request) > at).length
  return Math.max(0, ...requests.map(({ startedAt }) => open(startedAt)))
}

/** The last suggestion may be the end of the file: nothing comes after it. */
function nextTextsOf({ acceptances, views }: Observation): number[] {
  return acceptances.flatMap(({ at }) => {
    const next = views.find(view => view.at > at && view.isTrue)
    return next ? [next.at - at] : []
  })
}

function part<T>(all: readonly T[], isSo: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(isSo).length / all.length
}

function sum<T>(all: readonly T[], of: (one: T, at: number) => number): number {
  return all.reduce((total, one, at) => total + of(one, at), 0)
}
