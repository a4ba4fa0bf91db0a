// `closestPlace`: the lines of a text that are most like lines that are not in it, to be shown and never to be changed.
import { LetterPairs } from '../workspace/letterPairs.ts'
import { plain } from './findPlaces.ts'

/** `line`: where the likeness begins, from 0. */
export interface ClosestPlace {
  readonly line: number
  readonly difference: LineDifference | undefined
}

/** The first line that is not the same. `own`: undefined where the text ends before. */
export interface LineDifference {
  readonly line: number
  readonly own: string | undefined
  readonly wanted: string
}

const keyOf = (line: string) => plain(line).trim()

/** Undefined where no line is like any. */
export function closestPlace(text: string, wanted: string): ClosestPlace | undefined {
  const [own, lines] = [text.split('\n'), wanted.replace(/\n$/, '').split('\n')]
  const keys = lines.map(keyOf)
  const line = mostLike(own, keys, new Set([...bySameLines(own, keys), ...byLikeness(own, keys)]))
  if (line === undefined) return undefined
  const at = lines.findIndex((one, index) => own[line + index] !== one)
  const difference = at < 0 ? undefined : { line: line + at, own: own[line + at], wanted: lines[at] ?? '' }
  return { line, difference }
}

const MOST_CANDIDATES = 60

/** Where most of the text is the same, line by line; a line that is at many places counts less. */
function bySameLines(own: readonly string[], keys: readonly string[]): number[] {
  const places = new Map<string, number[]>()
  for (const key of keys) if (key !== '') places.set(key, [])
  for (const [at, line] of own.entries()) places.get(keyOf(line))?.push(at)
  const votes = new Map<number, number>()
  for (const [index, key] of keys.entries()) {
    const at = places.get(key) ?? []
    for (const one of at) {
      const first = Math.max(0, one - index)
      votes.set(first, (votes.get(first) ?? 0) + key.length / at.length)
    }
  }
  return best([...votes])
}

const LEAST_LIKENESS = 0.4
/** Of the text; each is compared with every line of the file. */
const MOST_LINES = 3

function byLikeness(own: readonly string[], keys: readonly string[]): number[] {
  const longest = [...keys.keys()].sort((a, b) => (keys[b]?.length ?? 0) - (keys[a]?.length ?? 0)).slice(0, MOST_LINES)
  const found = new Map<number, number>()
  for (const index of longest) {
    const pairs = new LetterPairs(keys[index] ?? '')
    for (const [at, line] of own.entries()) {
      const score = pairs.likeness(keyOf(line))
      const first = Math.max(0, at - index)
      if (score >= LEAST_LIKENESS) found.set(first, Math.max(score, found.get(first) ?? 0))
    }
  }
  return best([...found])
}

function best(scores: [line: number, score: number][]): number[] {
  return scores
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_CANDIDATES)
    .map(([line]) => line)
}

/** By all lines, each by its length. */
function mostLike(own: readonly string[], keys: readonly string[], candidates: Iterable<number>): number | undefined {
  const pairs = keys.map(key => new LetterPairs(key))
  let [most, found]: [number, number | undefined] = [0, undefined]
  for (const line of candidates) {
    const score = pairs.reduce(
      (sum, one, at) => sum + (keys[at]?.length ?? 0) * one.likeness(keyOf(own[line + at] ?? '')),
      0,
    )
    if (score > most) [most, found] = [score, line]
  }
  return found
}
