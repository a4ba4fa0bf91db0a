// `fitTo`: cuts a cleaned answer to the part that belongs at the cursor.
import { overlapLength } from '../../base/text.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { clean } from './clean.ts'
import { type CursorContext, cursorContextOf, indentOf, isBlank, isClosing } from './cursorContext.ts'
import { isProse, lex } from './lex.ts'

/** What to insert at the cursor, and how much of the rest of the line it overwrites. */
export interface Fit {
  readonly insert: string
  /** So many characters after the cursor are contained in `insert` too: the whole rest of the line, or none. */
  readonly overwrittenChars: number
  /** Something was cut, so later text of this answer does not belong here. */
  readonly isCut: boolean
}

/** All steps from the model's answer to what is inserted at the cursor. */
export function trim(raw: string, snapshot: DocumentSnapshot): Fit {
  const cursor = cursorContextOf(snapshot)
  return fitTo(clean(raw, cursor), cursor)
}

/** Cuts text that continues the text before the cursor so that it leads to the text after it. */
export function fitTo(text: string, cursor: CursorContext): Fit {
  const { end, restAt } = cutAtUnmatchedCloser(cutInString(keepOneLine(text, cursor), cursor), cursor)
  const cut = [cutAtRepeat, cutAtBlockEnd, cutAtLineBelow].reduce(
    (kept, step) => step(kept, cursor),
    text.slice(0, end),
  )
  const isCut = cut.length < text.trimEnd().length
  if (restAt !== undefined && cut.length >= restAt + cursor.lineAfter.trim().length) {
    return { insert: cut.trimEnd(), overwrittenChars: cursor.lineAfter.length, isCut }
  }
  const insert = dropOverlap(trimEnd(cut.slice(0, restAt), cursor), cursor)
  // Without the overlap its last line may equal the line below.
  const above = cutAtLineBelow(insert, cursor)
  if (above.length < insert.length) return { ...fitTo(above, cursor), isCut: true }
  return { insert: isWorthless(insert, cursor) ? '' : insert, overwrittenChars: 0, isCut }
}

/** The cursor's line with the insertion. */
export function mergedLine({ insert, overwrittenChars }: Fit, { lineBefore, lineAfter }: CursorContext): string {
  return lineBefore + insert + lineAfter.slice(overwrittenChars)
}

/** A single character is shown only if it closes something. */
export function isWorthShowing({ insert }: Fit, { unclosed, inside }: CursorContext): boolean {
  const trimmed = insert.trim()
  if (trimmed.length !== 1) return trimmed !== ''
  if (inside.kind === 'string') return trimmed === inside.until
  const innermost = unclosed.at(-1)?.at(-1)
  return trimmed === ';' || ['()', '[]', '{}'].includes(`${innermost}${trimmed}`)
}

/** With code to the right of the cursor only one line can fit. */
export function keepOneLine(text: string, { lineAfter }: CursorContext): string {
  return isClosing(lineAfter) ? text : firstLine(text)
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

/** In a string that is closed further right: only the text up to the string's end. */
export function cutInString(text: string, { inside, lineAfter }: CursorContext): string {
  if (inside.kind !== 'string' || unescaped(lineAfter, inside.until) < 0) return text
  const line = inside.until.length === 1 && inside.until !== '`' ? firstLine(text) : text
  const end = unescaped(line, inside.until)
  return end < 0 ? line : line.slice(0, end)
}

function unescaped(text: string, quote: string): number {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith(quote, at)) return at
  }
  return -1
}

interface Cut {
  readonly end: number
  /** Where the text contains the rest of the line; it may continue after it. */
  readonly restAt?: number
}

/** Ends before the first closer that matches no unclosed bracket, unless it begins the rest of the line. */
export function cutAtUnmatchedCloser(text: string, cursor: CursorContext): Cut {
  if (isProse(cursor.language)) return { end: text.length }
  const from = { inside: cursor.inside, open: cursor.unclosed }
  const [first] = lex(text, cursor.language, from, 'strict').unmatched
  if (first === undefined) return { end: text.length }
  const rest = cursor.lineAfter.trim()
  if (rest === '' || !isClosing(rest) || !text.startsWith(rest, first)) return { end: first }
  const { state } = lex(text.slice(0, first), cursor.language, from, 'strict')
  const behind = first + rest.length
  const [second] = lex(text.slice(behind), cursor.language, state, 'strict').unmatched
  return { end: second === undefined ? text.length : behind + second, restAt: first }
}

const PERIOD = /([^\n]{3,40}?)\1{3,}/u

/** Keeps only the first of lines or phrases that the model repeats in a loop. */
export function cutAtRepeat(text: string): string {
  const lines = text.split('\n')
  const isThird = (at: number) =>
    !isBlank(lines[at] ?? '') && lines[at] === lines[at - 1] && lines[at] === lines[at - 2]
  const third = lines.findIndex((_, at) => at >= 2 && isThird(at))
  const kept = third < 0 ? text : lines.slice(0, third - 1).join('\n')
  const repeat = PERIOD.exec(kept)
  return repeat && /\p{L}/u.test(repeat[1] ?? '') ? kept.slice(0, repeat.index + (repeat[1]?.length ?? 0)) : kept
}

/** The first line indented less than the text's beginning ends the block, unless it closes or continues it. */
export function cutAtBlockEnd(text: string, cursor: CursorContext): string {
  if (cursor.isProse) return text
  const lines = text.split('\n')
  const block = indentOf(cursor.lineBefore + (lines[0] ?? '')).length
  const leaves = (line: string) => !isBlank(line) && indentOf(line).length < block && !belongsToBlock(line, cursor)
  const end = lines.findIndex((line, at) => at > 0 && leaves(line) && isCodeAt(lines, at, cursor))
  return end < 0 ? text : lines.slice(0, end).join('\n')
}

function belongsToBlock(line: string, { endsByIndentation }: CursorContext): boolean {
  return (
    !endsByIndentation &&
    /^\s*(?:[)}\]#]|<\/|(?:end|else|elsif|elif|case|default|catch|finally|fi|done|esac)\b)/.test(line)
  )
}

/** Lines inside a multi-line string have any indentation. */
function isCodeAt(lines: readonly string[], at: number, { language, inside, unclosed }: CursorContext): boolean {
  const before = `${lines.slice(0, at).join('\n')}\n`
  return lex(before, language, { inside, open: unclosed }).state.inside.kind !== 'string'
}

/** Cuts at a line that equals the line below the cursor; lines without words must have the same indentation. */
export function cutAtLineBelow(text: string, { below, lineBefore, lineAfter }: CursorContext): string {
  if (below === undefined) return text
  const isWords = /[\p{L}\p{N}]/u.test(below)
  const isSame = (line: string) => (isWords ? line.trim() === below.trim() : line.trimEnd() === below.trimEnd())
  const lines = text.split('\n')
  if (isWords && isBlank(lineAfter) && !isBlank(lines[0] ?? '') && isSame(lineBefore + lines[0])) return ''
  const end = lines.findIndex((line, at) => at > 0 && isSame(line))
  return end < 0 ? text : lines.slice(0, end).join('\n')
}

/** Removes the end of the answer that the rest of the line repeats. */
export function dropOverlap(text: string, cursor: CursorContext): string {
  const { lineAfter } = cursor
  if (isBlank(lineAfter)) return text
  const rest = lineAfter.trim()
  const whole = isClosing(lineAfter) || rest.length < 3 ? -1 : text.indexOf(rest)
  return guardWord(withoutOverlap(whole < 0 ? text : text.slice(0, whole), cursor), text, cursor)
}

/** Repeats until the rest of the line does not begin with the end of the text. */
function withoutOverlap(text: string, cursor: CursorContext): string {
  const kept = trimEnd(text, cursor)
  const isDoubled =
    /[;,]$/.test(kept) && isClosing(cursor.lineAfter) && cursor.lineAfter.trim().endsWith(kept.slice(-1))
  const overlap = isDoubled ? 1 : balancedOverlap(kept, cursor)
  return overlap === 0 ? kept : withoutOverlap(kept.slice(0, kept.length - overlap), cursor)
}

/** A closer of a bracket that the answer opened is not the closer after the cursor. */
function balancedOverlap(text: string, { lineAfter, language, inside, unclosed }: CursorContext): number {
  const depth = (part: string) => lex(part, language, { inside, open: unclosed }, 'strict').state.open.length
  const whole = depth(text)
  let rest = lineAfter
  for (;;) {
    const length = overlapLength(text, rest)
    if (length === 0 || depth(text.slice(0, text.length - length)) === whole) return length
    rest = rest.slice(0, length - 1)
  }
}

const wordEnd = /[\p{L}\p{N}_$]$/u
const wordStart = /^[\p{L}\p{N}_$]+/u

/** Never joins two words: inside a word the answer must contain the word's own end. */
function guardWord(kept: string, text: string, { lineBefore, lineAfter }: CursorContext): string {
  const word = wordStart.exec(lineAfter)?.[0]
  if (word === undefined) return kept
  const overlap = text.length - kept.length
  if (wordEnd.test(lineBefore)) return overlap >= word.length ? kept : ''
  return wordEnd.test(kept) && overlap < word.length ? '' : kept
}

function trimEnd(text: string, { lineAfter }: CursorContext): string {
  if (!isClosing(lineAfter)) return /^\s/.test(lineAfter) ? text.trimEnd() : text
  // Where `{|}` is filled with whole lines, the brace goes on a line of its own.
  const lastLine = /\n[ \t]*$/.exec(text)?.[0]
  const isBlockOfItsOwn = /^[ \t]*\n/.test(text) && /^\s*[)}\]]/.test(lineAfter)
  return text.trimEnd() === '' ? '' : text.trimEnd() + (isBlockOfItsOwn ? (lastLine ?? '') : '')
}

function isWorthless(text: string, { lineAfter }: CursorContext): boolean {
  const trimmed = text.trim()
  return trimmed === '' || (/^[\p{P}\p{S}]+$/u.test(trimmed) && lineAfter.trim().startsWith(trimmed))
}
