// One answer of the model at one place: its text so far, and what of it is still to come as the typing goes on.
import type { FinishReason } from '../model/modelClient.ts'
import { type DocumentSnapshot, placeOf } from '../workspace/documentSnapshot.ts'
import { clean, cleanSoFar, isAnswerClosed } from './clean.ts'
import type { CursorContext } from './cursorContext.ts'
import { fitTo } from './trim.ts'

/** `agrees`: there is text beyond the cursor, from `from` in `whole` on. `unknown`: nothing speaks against it yet. */
export type Agreement =
  | { readonly kind: 'agrees'; readonly from: number; readonly reindent: (text: string) => string }
  | { readonly kind: 'unknown' | 'differs' }

const ANCHOR_CHARS = 200
/** So far a correction may go back before the place that was asked for. */
const BACKSPACE_CHARS = 3
const AHEAD_CHARS = 400

/**
 * It is tied to its line: edits further up move it along by the document's edit log, and a correction in the line leads
 * back to it. Where the log does not lead to its line, the text before the line does.
 */
export class Answer {
  readonly id: string
  readonly documentId: string
  readonly spot: CursorContext
  readonly #anchor: string
  readonly #isFromStart: boolean
  /** Where its line begins in the version that was looked at last. */
  #lineStart: { readonly offset: number; readonly version: number }
  #raw = ''
  #text = ''
  #isLive = true

  constructor(snapshot: DocumentSnapshot, spot: CursorContext) {
    const lineStart = snapshot.offset - spot.lineBefore.length
    this.id = `${snapshot.id}#${snapshot.version}:${snapshot.offset}`
    this.documentId = snapshot.id
    this.spot = spot
    this.#anchor = snapshot.text.slice(Math.max(0, lineStart - ANCHOR_CHARS), lineStart)
    this.#isFromStart = lineStart <= ANCHOR_CHARS
    this.#lineStart = { offset: lineStart, version: snapshot.version }
  }

  /** What goes at the place that was asked for. While the answer is coming it holds whole lines only. */
  get text(): string {
    return this.#text
  }

  /** The same with the beginning of its line, so that a correction before the cursor can be followed, too. */
  get whole(): string {
    return this.spot.lineBefore + this.#text
  }

  get isLive(): boolean {
    return this.#isLive
  }

  /** Takes a piece in; true if nothing that may still come can matter. */
  take(piece: string): boolean {
    this.#raw += piece
    if (isAnswerClosed(this.#raw)) return true
    this.#text = cleanSoFar(this.#raw, this.spot)
    return fitTo(this.#text, this.spot).isCut
  }

  /** No more will come. Unless the model had come to its end the last line may be half a line. */
  end(why: FinishReason | 'stopped'): void {
    if (!this.#isLive) return
    this.#isLive = false
    const isWhole = why === 'done' || isAnswerClosed(this.#raw)
    const whole = clean(this.#raw, this.spot)
    this.#text =
      isWhole || (why === 'length' && !whole.trim().includes('\n')) ? whole : cleanSoFar(this.#raw, this.spot)
  }

  agreement(snapshot: DocumentSnapshot): Agreement {
    if (snapshot.id !== this.documentId) return { kind: 'differs' }
    const typed = this.#typed(snapshot)
    if (typed === undefined) return { kind: 'differs' }
    const { whole } = this
    const place = placeIn(whole, typed)
    if (!place) return { kind: this.#isLive && continues(typed, whole) ? 'unknown' : 'differs' }
    if (place.at < whole.length) return { kind: 'agrees', from: place.at, reindent: place.reindent }
    return { kind: this.#isLive ? 'unknown' : 'differs' }
  }

  /** What stands between the beginning of its line and the cursor; undefined where this is not the answer's place. */
  #typed(snapshot: DocumentSnapshot): string | undefined {
    const lineStart = this.#carriedLineStart(snapshot) ?? this.#foundLineStart(snapshot)
    if (lineStart === undefined) return undefined
    const typed = snapshot.text.slice(lineStart, snapshot.offset)
    return typed.length < this.spot.lineBefore.length - BACKSPACE_CHARS ? undefined : typed
  }

  /** By the edits since it was last looked for; undefined where they are not known or its surroundings were changed. */
  #carriedLineStart({ text, offset, version, log }: DocumentSnapshot): number | undefined {
    const lineStart = log.carryOffset(this.#lineStart.offset, 'before', this.#lineStart.version, version)
    if (lineStart === undefined) return undefined
    this.#lineStart = { offset: lineStart, version }
    const anchorStart = lineStart - this.#anchor.length
    const isInPlace = anchorStart >= 0 && text.startsWith(this.#anchor, anchorStart)
    return isInPlace && offset >= lineStart && offset - lineStart <= this.#reach ? lineStart : undefined
  }

  /** By the text before it, which may have been moved or put back: the nearest before the cursor. */
  #foundLineStart(snapshot: DocumentSnapshot): number | undefined {
    const { prefix } = placeOf(snapshot)
    const length = this.#anchor.length
    if (this.#isFromStart) return prefix.startsWith(this.#anchor) ? length : undefined
    const from = Math.max(0, prefix.length - length - this.#reach)
    const at = prefix.slice(from).lastIndexOf(this.#anchor)
    return at < 0 ? undefined : from + at + length
  }

  /** So many characters beyond the beginning of its line it can still say something. */
  get #reach(): number {
    return this.spot.lineBefore.length + this.#text.length + AHEAD_CHARS
  }
}

const indentation = /^[ \t]*/

/**
 * Where `typed` ends within `whole`. The editor has its own mind about the indentation of a new line, so that does not
 * count; the lines still to come are moved along.
 */
export function placeIn(whole: string, typed: string): { at: number; reindent: (text: string) => string } | undefined {
  if (whole.startsWith(typed)) return { at: typed.length, reindent: text => text }
  const typedLines = typed.split('\n')
  const lines = whole.split('\n')
  const last = typedLines.length - 1
  if (last === 0 || lines.length <= last || lines[0] !== typedLines[0]) return undefined
  if (typedLines.slice(1, last).some((line, at) => line.trimStart() !== lines[at + 1]?.trimStart())) return undefined
  const had = indentation.exec(lines[last] ?? '')?.[0] ?? ''
  const has = indentation.exec(typedLines[last] ?? '')?.[0] ?? ''
  const said = typedLines[last]?.slice(has.length) ?? ''
  if (!lines[last]?.slice(had.length).startsWith(said)) return undefined
  const at = lines.slice(0, last).join('\n').length + 1 + had.length + said.length
  return { at, reindent: text => text.replaceAll(`\n${had}`, `\n${has}`) }
}

/** The typing went on beyond what came so far, and so far it agrees. */
function continues(typed: string, whole: string): boolean {
  return typed.startsWith(whole) || placeIn(typed, whole) !== undefined
}
