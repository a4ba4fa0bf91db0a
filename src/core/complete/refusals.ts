// `Refusals`: which suggestions the user has refused and where, so that they are not shown there again for a while.
import type { Clock } from '../../base/clock.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { type Answer, placeIn } from './answer.ts'
import type { CursorContext } from './cursorContext.ts'
import type { Change } from './trigger.ts'

const REMEMBERED_MS = 10 * 60_000
const MOST_REFUSALS = 100
/** What is typed against a suggestion that was visible for a shorter time may not refer to it. */
const VISIBLE_MS = 400
/** A mistake is deleted earlier. */
const CHARS_AGAINST = 3
const AGAINST_MS = 1_500
const MOST_LEFT = 5
/** After Escape nothing is requested for the line for so long. */
const QUIET_LINE_MS = 5_000

interface Visible {
  readonly answer: Answer
  readonly line: Line
  readonly since: number
}

/** What the user has begun to type against. */
interface Left {
  readonly line: Line
  readonly at: number
  readonly chars: number
}

/** A line of a document; `whole` is its text with the suggestion. */
interface Line {
  readonly documentId: string
  readonly start: number
  readonly version: number
  readonly whole: string
}

interface Refusal extends Line {
  readonly at: number
}

export class Refusals {
  readonly #clock: Clock
  readonly #onRefused: () => void
  #shown: Visible | undefined
  #left: readonly Left[] = []
  #refusals: readonly Refusal[] = []
  #quietLine: Refusal | undefined

  constructor(clock: Clock, onRefused: () => void = () => {}) {
    this.#clock = clock
    this.#onRefused = onRefused
  }

  show(answer: Answer, snapshot: DocumentSnapshot, cursor: CursorContext, insert: string): void {
    const since = this.#shown?.answer === answer ? this.#shown.since : this.#clock.elapsed()
    this.#shown = { answer, line: lineOf(snapshot, cursor, insert), since }
  }

  follow(snapshot: DocumentSnapshot, change: Change): void {
    if (change === 'none') return
    this.#judgeLeft(snapshot, change)
    const shown = this.#shown
    if (!shown || this.#relation(shown.line, snapshot) === 'agrees') return
    const at = this.#clock.elapsed()
    const isAgainst = change === 'typed' && this.#relation(shown.line, snapshot) === 'differs'
    if (isAgainst && at - shown.since >= VISIBLE_MS)
      this.#left = [...this.#left, { line: shown.line, at, chars: 1 }].slice(-MOST_LEFT)
    this.#shown = undefined
  }

  /** Refused is what was typed against for a while. What is deleted before was a mistake, however late that was noticed. */
  #judgeLeft(snapshot: DocumentSnapshot, change: Change): void {
    const now = this.#clock.elapsed()
    const all = this.#left.map(left => (change === 'typed' ? { ...left, chars: left.chars + 1 } : left))
    const isRefused = ({ at, chars }: Left) => change === 'typed' && chars >= CHARS_AGAINST && now - at >= AGAINST_MS
    for (const { line } of all.filter(isRefused)) this.#refuse(line)
    this.#left = all.filter(left => !isRefused(left) && this.#relation(left.line, snapshot) === 'differs')
  }

  #relation(line: Line, snapshot: DocumentSnapshot): 'agrees' | 'differs' | 'over' {
    const typed = typedIn(line, snapshot)
    if (typed === undefined || placeIn(typed, line.whole)) return 'over'
    return placeIn(line.whole, typed) ? 'agrees' : 'differs'
  }

  /** The user has hidden what was shown last. */
  dismiss(snapshot: DocumentSnapshot): void {
    const shown = this.#shown
    if (!shown || this.#relation(shown.line, snapshot) !== 'agrees') return
    this.#refuse(shown.line)
    this.#quietLine = this.#refusals.at(-1)
    this.#shown = undefined
  }

  isRefused(snapshot: DocumentSnapshot, cursor: CursorContext, insert: string): boolean {
    if (this.#refusals.length === 0) return false
    const line = lineOf(snapshot, cursor, insert)
    return this.#refusals.some(
      refusal =>
        this.#isRecent(refusal, REMEMBERED_MS) && isSameLine(refusal, line, snapshot) && isSameText(refusal, line),
    )
  }

  /** The user has just hidden a suggestion in this line. */
  isQuiet(snapshot: DocumentSnapshot, cursor: CursorContext): boolean {
    const quiet = this.#quietLine
    if (!quiet || !this.#isRecent(quiet, QUIET_LINE_MS)) return false
    return isSameLine(quiet, lineOf(snapshot, cursor, ''), snapshot)
  }

  forget(documentId: string): void {
    this.#refusals = this.#refusals.filter(refusal => refusal.documentId !== documentId)
    if (this.#shown?.answer.documentId === documentId) this.#shown = undefined
    this.#left = this.#left.filter(({ line }) => line.documentId !== documentId)
  }

  #refuse(line: Line): void {
    this.#refusals = [...this.#refusals, { ...line, at: this.#clock.elapsed() }].slice(-MOST_REFUSALS)
    this.#onRefused()
  }

  #isRecent({ at }: Refusal, ms: number): boolean {
    return this.#clock.elapsed() - at < ms
  }
}

function lineOf({ id, version, offset }: DocumentSnapshot, { lineBefore }: CursorContext, insert: string): Line {
  return { documentId: id, version, start: offset - lineBefore.length, whole: (lineBefore + insert).trimEnd() }
}

/** The text from the beginning of the line to the cursor; undefined where that line is gone or the cursor is before it. */
function typedIn({ documentId, start, version }: Line, { id, text, offset, version: now, log }: DocumentSnapshot) {
  const from = documentId === id ? log.mapOffset(start, 'before', version, now) : undefined
  return from === undefined || from > offset ? undefined : text.slice(from, offset)
}

function isSameLine(before: Line, now: Line, { log }: DocumentSnapshot): boolean {
  if (before.documentId !== now.documentId) return false
  return log.mapOffset(before.start, 'before', before.version, now.version) === now.start
}

/** The same lines, as far as both go. */
function isSameText({ whole: a }: Line, { whole: b }: Line): boolean {
  return a === b || a.startsWith(`${b}\n`) || b.startsWith(`${a}\n`)
}
