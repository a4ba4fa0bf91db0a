// `Doubt`: whether what the user has just typed against a suggestion is a mistake, for which nothing is requested yet.
import type { Clock } from '../../base/clock.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Answer } from './answer.ts'
import type { CursorContext } from './cursorContext.ts'
import { type Change, isInWord } from './trigger.ts'

/**
 * The first character that disagrees with a suggestion is mostly a mistake, which is deleted at once: a request waits so
 * long, or for so many more characters.
 */
const DOUBT_MS = 250
const DOUBT_CHARS = 2
/** An answer that disagrees is read for so long, because a correction may lead back to it. */
const DISAGREEING_MS = 400
/** A correction takes so long: where another request takes longer, a line that is arriving is kept for it. */
const CORRECTION_MS = 500
/** A word is looked for so far before and behind the cursor. */
const KNOWN_WORD_CHARS = 50_000

/**
 * Since when the typing disagrees with what was expected, when the last character came that did, and how many did. What
 * the user takes back begins it anew.
 */
interface Disagreement {
  readonly began: number
  readonly since: number
  readonly chars: number
  /** The word that is being typed instead begins like another of the document, so it is hardly a mistake. */
  readonly isKnown: boolean
  /** It is with a line that is arriving, and the answer is worth keeping for what a correction leads back to. */
  readonly isKept: boolean
}

export class Doubt {
  readonly #clock: Clock
  readonly #firstTextMs: () => number
  #expected: Answer | undefined
  #disagreement: Disagreement | undefined
  #changedAt = 0

  /** `firstTextMs`: how long another request can be expected to take. */
  constructor(clock: Clock, firstTextMs: () => number) {
    this.#clock = clock
    this.#firstTextMs = firstTextMs
  }

  /** What the user was expected to type at the last change. */
  get expected(): Answer | undefined {
    return this.#expected
  }

  get isOpen(): boolean {
    return this.#disagreement !== undefined
  }

  /** How long a request waits. */
  get waitMs(): number {
    const { since, chars, isKnown } = this.#disagreement ?? { since: 0, chars: 0, isKnown: true }
    return chars > DOUBT_CHARS || isKnown ? 0 : since + DOUBT_MS - this.#clock.elapsed()
  }

  /** How long an answer that disagrees is still read. */
  get readingMs(): number {
    return this.#disagreement ? this.#disagreement.began + DISAGREEING_MS - this.#clock.elapsed() : 0
  }

  expect(answer: Answer): void {
    this.#expected = answer
  }

  /** `suggested`: what goes on from here, if anything does: then the typing agrees again. */
  follow(snapshot: DocumentSnapshot, cursor: CursorContext, change: Change, suggested: Answer | undefined): void {
    const expected = this.#expected
    this.#expected = suggested
    this.#changedAt = this.#clock.elapsed()
    this.#disagreement = suggested ? undefined : this.#after(snapshot, cursor, change, expected)
  }

  /** So many characters were typed against a line before it began to arrive. Returns whether they may be a mistake. */
  find(chars: number): boolean {
    if (chars > DOUBT_CHARS || !this.#isRequestSlow) return false
    this.#disagreement = { began: this.#clock.elapsed(), since: this.#changedAt, chars, isKnown: false, isKept: true }
    return true
  }

  get #isRequestSlow(): boolean {
    return this.#firstTextMs() > CORRECTION_MS
  }

  #after(
    snapshot: DocumentSnapshot,
    cursor: CursorContext,
    change: Change,
    expected: Answer | undefined,
  ): Disagreement | undefined {
    const since = this.#clock.elapsed()
    const before = this.#disagreement
    if (change === 'deleted')
      return before?.isKept ? { ...before, began: since, since, chars: before.chars - 1 } : undefined
    if (change !== 'typed') return undefined
    const endsInWord = isInWord(cursor.lineBefore)
    if (before) {
      const isKnown = !before.isKept && (endsInWord ? isKnownWord(snapshot, cursor) : before.isKnown)
      return { ...before, since, chars: before.chars + 1, isKnown }
    }
    if (!expected || expected.isFollowed(snapshot)) return undefined
    const isKept = this.#isRequestSlow && expected.isInArrivingLine(snapshot)
    const isKnown = !isKept && (!endsInWord || isKnownWord(snapshot, cursor))
    return { began: since, since, chars: 1, isKnown, isKept }
  }
}

/** Whether the word that ends at the cursor begins like another word of the document. */
function isKnownWord({ text, offset }: DocumentSnapshot, { lineBefore }: CursorContext): boolean {
  const typed = /[\p{L}\p{N}_$]+$/u.exec(lineBefore)?.[0] ?? ''
  const from = Math.max(0, offset - KNOWN_WORD_CHARS)
  const near = `${text.slice(from, offset - typed.length)}\n${text.slice(offset, offset + KNOWN_WORD_CHARS)}`
  for (let at = near.indexOf(typed); at >= 0; at = near.indexOf(typed, at + 1)) {
    if (!isInWord(near.slice(Math.max(0, at - 1), at))) return true
  }
  return false
}
