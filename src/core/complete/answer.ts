// `Answer`: the text that the model has sent for one cursor position, and which part of it lies beyond the cursor now.
import type { FinishReason } from '../model/modelClient.ts'
import { type DocumentSnapshot, splitAtCursor } from '../workspace/documentSnapshot.ts'
import { clean, cleanArriving, cleanSoFar, roughStepsOf } from './clean.ts'
import type { CursorContext } from './cursorContext.ts'
import { isAnswerClosed } from './dropTags.ts'
import { type PromptMarks, usualMarks } from './promptMarks.ts'
import { fitTo } from './trim.ts'

/**
 * `agrees`: the text of `whole` from `from` on lies beyond the cursor. `unknown`: the typed text agrees with all that has
 * arrived, and more may arrive.
 */
export type Agreement =
  | { readonly kind: 'agrees'; readonly from: number; readonly reindent: (text: string) => string }
  | { readonly kind: 'unknown' | 'differs' }

const ANCHOR_CHARS = 200
const AHEAD_CHARS = 400

/**
 * An answer belongs to a line. The document's edit log maps the start of that line to each later version; where the log
 * does not reach so far, the line is found again by the text before it.
 */
export class Answer {
  /** Names the request that it answers. */
  readonly id: string
  readonly documentId: string
  readonly cursor: CursorContext
  /** Those of the prompt that it answers. */
  readonly #marks: PromptMarks
  readonly #anchor: string
  readonly #isFromStart: boolean
  /** So many characters of its line belong to the document in any case: the user may not go back before them. */
  readonly leastTyped: number
  /** Where the next line that is not blank begins in the version that was requested. */
  readonly #below: { readonly offset: number; readonly version: number } | undefined
  /** Where its line begins in the version for which `agreement` was asked last. */
  #lineStart: { readonly offset: number; readonly version: number }
  #raw = ''
  #text = ''
  /** With the line that is still arriving; computed when a key needs it. */
  #arriving: { readonly raw: string; readonly text: string | undefined } | undefined
  #isStreaming = true
  #isComplete = false

  /**
   * `typedThrough`: so many characters before the cursor were visible as a suggestion when they were typed. Over those the
   * user may go back; what was typed before is no part of this answer, and might be a mistake.
   */
  constructor(
    snapshot: DocumentSnapshot,
    cursor: CursorContext,
    { id = '', typedThrough = 0, marks = usualMarks } = {},
  ) {
    const lineStart = snapshot.offset - cursor.lineBefore.length
    this.id = id
    this.documentId = snapshot.id
    this.cursor = cursor
    this.#marks = marks
    this.#anchor = snapshot.text.slice(Math.max(0, lineStart - ANCHOR_CHARS), lineStart)
    this.#isFromStart = lineStart <= ANCHOR_CHARS
    this.#lineStart = { offset: lineStart, version: snapshot.version }
    this.leastTyped = Math.max(0, cursor.lineBefore.length - typedThrough)
    this.#below = belowOf(snapshot, cursor)
  }

  /** What to insert at the requested position. While the answer is streaming it holds whole lines only. */
  get text(): string {
    return this.#text
  }

  /** `text` with the beginning of its line, against which a correction before the cursor is compared. */
  get whole(): string {
    return this.cursor.lineBefore + this.#text
  }

  get isStreaming(): boolean {
    return this.#isStreaming
  }

  /** All that the model has sent. */
  get received(): string {
    return this.#raw
  }

  /** What had to be taken away from it that was not asked for. */
  get roughness(): readonly string[] {
    return roughStepsOf(this.#raw, this.cursor, this.#marks)
  }

  get hasText(): boolean {
    return this.#raw !== ''
  }

  /** All of it has arrived, though the client may have stopped reading. */
  get isEnded(): boolean {
    return !this.#isStreaming && this.#isComplete
  }

  /** How many lines of it are not blank. */
  get lines(): number {
    return this.#text.split('\n').filter(line => line.trim() !== '').length
  }

  /** All that was typed since is part of the answer, which may end at the cursor. */
  covers(snapshot: DocumentSnapshot): boolean {
    if (snapshot.id !== this.documentId) return false
    const typed = this.#typed(snapshot)
    return typed !== undefined && placeIn(this.whole, typed) !== undefined
  }

  /** All that was typed since is part of what has arrived, also of the line that is still arriving. */
  isFollowed(snapshot: DocumentSnapshot): boolean {
    if (this.covers(snapshot)) return true
    return snapshot.id === this.documentId && this.#comparison(this.#typed(snapshot)) === 'within'
  }

  /** Text has arrived for what is typed next, though its line may not be complete. */
  isAhead(snapshot: DocumentSnapshot): boolean {
    return this.#isStreaming && this.hasText && this.isFollowed(snapshot)
  }

  /** The cursor is behind all whole lines that have come. */
  isInArrivingLine(snapshot: DocumentSnapshot): boolean {
    return this.#typedInArrivingLine(snapshot) !== undefined
  }

  /** How many characters were typed against the line that is arriving. */
  charsAgainstArriving(snapshot: DocumentSnapshot): number {
    const typed = this.#typedInArrivingLine(snapshot)
    if (typed === undefined || this.#comparison(typed) !== 'apart') return 0
    const own = typed.slice(this.cursor.lineBefore.length).trimStart()
    const given = this.#arrivingText()?.trimStart() ?? ''
    let shared = 0
    while (own[shared] === given[shared]) shared++
    return own.length - shared
  }

  #typedInArrivingLine(snapshot: DocumentSnapshot): string | undefined {
    const typed = this.#isStreaming && snapshot.id === this.documentId ? this.#typed(snapshot) : undefined
    return typed !== undefined && continues(typed, this.whole) ? typed : undefined
  }

  /** Returns true if the rest of the stream cannot change `text`. */
  append(delta: string): boolean {
    this.#raw += delta
    this.#isComplete = isAnswerClosed(this.#raw, this.#marks)
    if (this.#isComplete) return true
    this.#text = cleanSoFar(this.#raw, this.cursor, this.#marks)
    this.#isComplete = fitTo(this.#text, this.cursor).isCut
    return this.#isComplete
  }

  /**
   * Ends the streaming. The last line of an answer that the model did not finish is dropped, because it may be
   * incomplete; a single line that the length limit ended is kept.
   */
  end(why: FinishReason | 'stopped'): void {
    if (!this.#isStreaming) return
    this.#isStreaming = false
    const isWhole = why === 'done' || isAnswerClosed(this.#raw, this.#marks)
    const whole = clean(this.#raw, this.cursor, this.#marks)
    this.#text =
      isWhole || (why === 'length' && !whole.trim().includes('\n'))
        ? whole
        : cleanSoFar(this.#raw, this.cursor, this.#marks)
  }

  agreement(snapshot: DocumentSnapshot): Agreement {
    if (snapshot.id !== this.documentId) return { kind: 'differs' }
    const typed = this.#typed(snapshot)
    if (typed === undefined) return { kind: 'differs' }
    const { whole } = this
    const place = placeIn(whole, typed)
    if (!place) return { kind: this.#isStreaming && this.#mayContinue(typed) ? 'unknown' : 'differs' }
    if (place.at < whole.length) return { kind: 'agrees', from: place.at, reindent: place.reindent }
    return { kind: this.#isStreaming ? 'unknown' : 'differs' }
  }

  #mayContinue(typed: string): boolean {
    return continues(typed, this.whole) && this.#comparison(typed) !== 'apart'
  }

  /**
   * What was typed beside what has arrived, while that is arriving. White space before it is not compared, because an
   * answer may be given some.
   */
  #comparison(typed: string | undefined): 'within' | 'apart' | 'unknown' {
    const { lineBefore } = this.cursor
    const arriving = this.#isStreaming ? this.#arrivingText() : undefined
    if (arriving === undefined || !typed?.startsWith(lineBefore)) return 'unknown'
    const own = typed.slice(lineBefore.length).trimStart()
    const given = arriving.trimStart()
    if (own === '' && typed !== lineBefore) return 'unknown'
    const place = placeIn(given, own)
    if (place) return place.at < given.length ? 'within' : 'unknown'
    return continues(own, given) ? 'unknown' : 'apart'
  }

  #arrivingText(): string | undefined {
    if (this.#arriving?.raw !== this.#raw) {
      this.#arriving = { raw: this.#raw, text: cleanArriving(this.#raw, this.cursor, this.#marks) }
    }
    return this.#arriving.text
  }

  /** What is below the cursor's line is what was there when the answer was requested. */
  isAbove({ text, version, log }: DocumentSnapshot, below: string | undefined): boolean {
    if (below === this.cursor.below) return true
    if (!this.#below || this.cursor.below === undefined) return false
    const offset = log.mapOffset(this.#below.offset, 'after', this.#below.version, version)
    return offset !== undefined && lineAt(text, offset) === this.cursor.below
  }

  /** The text from the beginning of its line to the cursor; undefined where the line was not found or is too short. */
  #typed(snapshot: DocumentSnapshot): string | undefined {
    const lineStart = this.#lineStartFromLog(snapshot) ?? this.#lineStartFromText(snapshot)
    if (lineStart === undefined) return undefined
    this.#lineStart = { offset: lineStart, version: snapshot.version }
    const typed = snapshot.text.slice(lineStart, snapshot.offset)
    return typed.length < this.leastTyped ? undefined : typed
  }

  /** Undefined where the log does not have all edits since the last call, or the text before the line has changed. */
  #lineStartFromLog({ text, offset, version, log }: DocumentSnapshot): number | undefined {
    const lineStart = log.mapOffset(this.#lineStart.offset, 'before', this.#lineStart.version, version)
    if (lineStart === undefined) return undefined
    this.#lineStart = { offset: lineStart, version }
    const anchorStart = lineStart - this.#anchor.length
    const isInPlace = anchorStart >= 0 && text.startsWith(this.#anchor, anchorStart)
    return isInPlace && offset >= lineStart && offset - lineStart <= this.#reach ? lineStart : undefined
  }

  /** Finds the text before the line, which may have been moved or restored: the occurrence nearest before the cursor. */
  #lineStartFromText(snapshot: DocumentSnapshot): number | undefined {
    const { prefix } = splitAtCursor(snapshot)
    const length = this.#anchor.length
    if (this.#isFromStart) return prefix.startsWith(this.#anchor) ? length : undefined
    const from = Math.max(0, prefix.length - length - this.#reach)
    const at = prefix.slice(from).lastIndexOf(this.#anchor)
    return at < 0 ? undefined : from + at + length
  }

  /** How far from the beginning of its line the cursor may be for this answer to apply. */
  get #reach(): number {
    return this.cursor.lineBefore.length + this.#text.length + AHEAD_CHARS
  }
}

function belowOf({ text, offset, version }: DocumentSnapshot, { lineAfter, below }: CursorContext) {
  const at = below === undefined ? -1 : text.indexOf(`\n${below}`, offset + lineAfter.length)
  return at < 0 ? undefined : { offset: at + 1, version }
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset)
  return text.slice(offset, end < 0 ? text.length : end)
}

const indentation = /^[ \t]*/

/**
 * Where `typed` ends within `whole`. Indentation of new lines is not compared, because the editor indents them by its
 * own rules; `reindent` gives the lines that follow the editor's indentation.
 */
export function placeIn(whole: string, typed: string): { at: number; reindent: (text: string) => string } | undefined {
  if (whole.startsWith(typed)) return { at: typed.length, reindent: text => text }
  const blank = /^(?:[ \t]*\n)+/.exec(typed)?.[0]
  if (blank && !/^[ \t]*\n/.test(whole)) return placeBelowBlankLines(whole, typed.slice(blank.length))
  const typedLines = typed.split('\n')
  const lines = whole.split('\n')
  const last = typedLines.length - 1
  if (last === 0 || lines.length <= last || lines[0] !== typedLines[0]) return undefined
  if (typedLines.slice(1, last).some((line, at) => line.trimStart() !== lines[at + 1]?.trimStart())) return undefined
  const givenIndent = indentation.exec(lines[last] ?? '')?.[0] ?? ''
  const typedIndent = indentation.exec(typedLines[last] ?? '')?.[0] ?? ''
  const typedRest = typedLines[last]?.slice(typedIndent.length) ?? ''
  if (!lines[last]?.slice(givenIndent.length).startsWith(typedRest)) return undefined
  const at = lines.slice(0, last).join('\n').length + 1 + givenIndent.length + typedRest.length
  // The editor indents a blank line too, which shows nothing about the lines below it.
  if (typedRest === '' && lines[last]?.length === givenIndent.length) return { at, reindent: text => text }
  return { at, reindent: text => text.replaceAll(`\n${givenIndent}`, `\n${typedIndent}`) }
}

/** The answer was for a blank line, and the user has left that blank and gone on below it. */
function placeBelowBlankLines(whole: string, typed: string): ReturnType<typeof placeIn> {
  const givenIndent = indentation.exec(whole)?.[0] ?? ''
  const typedIndent = indentation.exec(typed)?.[0] ?? ''
  const typedRest = typed.slice(typedIndent.length)
  if (!whole.slice(givenIndent.length).startsWith(typedRest)) return undefined
  const reindent = (text: string) => text.replaceAll(`\n${givenIndent}`, `\n${typedIndent}`)
  return { at: givenIndent.length + typedRest.length, reindent }
}

/** `typed` begins with all of `whole`, apart from indentation. */
function continues(typed: string, whole: string): boolean {
  return typed.startsWith(whole) || placeIn(typed, whole) !== undefined
}
