// `CompletionFigures`: counts what becomes of completions, on this machine only and without any text.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { countOf, objectOf } from '../../protocol/json.ts'
import { textTokens } from '../model/tokenEstimate.ts'
import type { TrackedDocument } from '../workspace/documents.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { TextEdit } from '../workspace/textEdit.ts'
import type { Answer } from './answer.ts'

const names = [
  ...(['requests', 'shown', 'taken', 'words', 'lines', 'refused', 'tokens', 'shownTokens', 'takenChars'] as const),
  ...(['soonChars', 'soonKeptChars', 'laterChars', 'laterKeptChars'] as const),
  ...(['within50', 'within100', 'within200', 'within400', 'within800', 'within1600', 'slower'] as const),
]

/**
 * Counts by name. `taken`: suggestions that were taken whole; `words`, `lines`: parts that were. `tokens`: received;
 * `shownTokens`: those of answers of which something was shown. `soonKeptChars` of `soonChars`: characters taken that
 * were unchanged 30 s later; `later…`: 5 min later. `within50` and so on: how often a suggestion was shown within so many
 * milliseconds of the change before it.
 */
export type FigureCounts = Readonly<Record<FigureName, number>>
export type FigureName = (typeof names)[number]
export type TimeBucket = Extract<FigureName, `within${number}` | 'slower'>

/** The upper ends of the buckets in milliseconds, in their order. */
export const timeBuckets: readonly (readonly [TimeBucket, number])[] = [
  ['within50', 50],
  ['within100', 100],
  ['within200', 200],
  ['within400', 400],
  ['within800', 800],
  ['within1600', 1_600],
  ['slower', Number.POSITIVE_INFINITY],
]

export const noFigures: FigureCounts = countsIn({})

/** The counts in a JSON value; 0 for each that it lacks. */
export function countsIn(value: unknown): FigureCounts {
  const given = objectOf(value)
  return Object.fromEntries(names.map(name => [name, countOf(given?.[name]) ?? 0])) as FigureCounts // as: all names
}

export function sumOf(counts: readonly FigureCounts[]): FigureCounts {
  return Object.fromEntries(names.map(name => [name, counts.reduce((sum, one) => sum + one[name], 0)])) as FigureCounts
}

export interface FiguresOptions {
  readonly clock: Clock
  /** The document as it is now. */
  readonly document: (uri: string) => TrackedDocument | undefined
  /** Adds counts to those of the day. */
  readonly add: (counts: Partial<FigureCounts>) => void
}

const LOOK_MS = 30_000
/** The first is soon, the last is later. */
const LOOKS = 10

/** What was taken: where the rest of it is in a version of the document. */
interface Taken {
  readonly uri: string
  readonly version: number
  readonly chars: number
  readonly ranges: readonly TextRange[]
  readonly looks: number
}

export class CompletionFigures implements Disposable {
  readonly #options: FiguresOptions
  readonly #shown = new WeakSet<Answer>()
  readonly #ended = new WeakSet<Answer>()
  readonly #timers = new Set<() => void>()

  constructor(options: FiguresOptions) {
    this.#options = options
  }

  requested(): void {
    this.#options.add({ requests: 1 })
  }

  /** `afterMs`: since the change before it; undefined where the user has asked for it. */
  shown(answer: Answer, afterMs: number | undefined): void {
    if (this.#shown.has(answer)) return
    this.#shown.add(answer)
    const bucket = timeBuckets.find(([, end]) => afterMs !== undefined && afterMs <= end)
    this.#options.add({ shown: 1, ...(bucket && { [bucket[0]]: 1 }) })
    if (this.#ended.has(answer)) this.#options.add({ shownTokens: tokensOf(answer) })
  }

  ended(answer: Answer): void {
    const tokens = tokensOf(answer)
    this.#ended.add(answer)
    this.#options.add({ tokens, ...(this.#shown.has(answer) && { shownTokens: tokens }) })
  }

  refused(): void {
    this.#options.add({ refused: 1 })
  }

  /** A part of a suggestion was taken, to the end of a line or less. */
  tookPart(isLine: boolean, uri: string, range: TextRange): void {
    this.#options.add(isLine ? { lines: 1 } : { words: 1 })
    this.#follow(uri, range)
  }

  /** `range`: what was inserted, in the document as it is now. */
  tookWhole(uri: string, range: TextRange): void {
    this.#options.add({ taken: 1 })
    this.#follow(uri, range)
  }

  #follow(uri: string, range: TextRange): void {
    const chars = range.end - range.start
    const version = this.#options.document(uri)?.version
    this.#options.add({ takenChars: chars })
    if (version !== undefined) this.#look({ uri, version, chars, ranges: [range], looks: 1 })
  }

  /** Every 30 s, because the log of a document does not go back for minutes of typing. */
  #look(taken: Taken): void {
    this.#later(LOOK_MS, () => {
      const { uri, chars, looks } = taken
      const document = this.#options.document(uri)
      const edit = document?.log.editBetween(taken.version)
      if (!document || !edit) return
      const ranges = taken.ranges.flatMap(range => keptOf(range, edit))
      const kept = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
      if (looks === 1) this.#options.add({ soonChars: chars, soonKeptChars: kept })
      if (looks === LOOKS) this.#options.add({ laterChars: chars, laterKeptChars: kept })
      else this.#look({ ...taken, version: document.version, ranges, looks: looks + 1 })
    })
  }

  #later(waitMs: number, run: () => void): void {
    const cancel = this.#options.clock.later(waitMs, () => {
      this.#timers.delete(cancel)
      run()
    })
    this.#timers.add(cancel)
  }

  dispose(): void {
    for (const cancel of this.#timers) cancel()
  }
}

/** What the edit leaves of a range, where it is after the edit. */
function keptOf({ start, end }: TextRange, edit: TextEdit): TextRange[] {
  const ranges: TextRange[] = []
  let from = start
  for (const one of edit.replacements) {
    if (one.end <= from || one.start >= end) continue
    ranges.push({ start: from, end: Math.max(from, one.start) })
    from = one.end
  }
  return [...ranges, { start: from, end: Math.max(from, end) }]
    .filter(range => range.end > range.start)
    .map(range => ({ start: edit.mapOffset(range.start, 'after'), end: edit.mapOffset(range.end, 'before') }))
}

const tokensOf = (answer: Answer) => Math.round(textTokens(answer.received))
