// `fitTo`: cuts a cleaned answer to the part that belongs at the cursor.
import { overlapLength } from '../../base/text.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { clean } from './clean.ts'
import {
  closersOf,
  endOfAngles,
  endOfRest,
  isSubsequence,
  openElements,
  opensAngle,
  opensBracket,
  splitRest,
} from './closedPairs.ts'
import { type CursorContext, cursorContextOf, indentOf, isBlank, isClosing, unescapedAt } from './cursorContext.ts'
import { isMarkup, isProse, lex } from './lex.ts'

/** What to insert at the cursor, and how much of the rest of the line it overwrites. */
export interface Fit {
  readonly insert: string
  /** So many characters after the cursor are contained in `insert` too: the rest of the line, its closers, or none. */
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
  const through = fitThroughRest(text, cursor)
  if (through) return through
  const fit = fitBeforeRest(text, cursor)
  return fit.isCut && mayLeadThroughRest(text, cursor) ? { ...fit, isCut: false } : fit
}

/** The text has opened a bracket behind what the rest of the line closes, so what follows may close it all. */
function mayLeadThroughRest(text: string, cursor: CursorContext): boolean {
  return !isBlank(cursor.lineAfter) && isClosing(cursor.lineAfter) && opensBracket(text, cursor)
}

/**
 * The rest of the line is only what the editor has put there when brackets and quotes were opened, and the text closes
 * all of that itself: then the text takes its place.
 */
function fitThroughRest(text: string, cursor: CursorContext): Fit | undefined {
  const { lineAfter } = cursor
  if (isBlank(lineAfter) || !isClosing(lineAfter)) return undefined
  const end = endOfRest(text, cursor)
  if (end === undefined) return fitBlock(text, cursor)
  const fit = fitBeforeRest(text, { ...cursor, lineAfter: '', unclosed: cursor.unclosedBelow })
  if (fit.insert.length < end) return undefined
  const lineEnd = text.indexOf('\n', end)
  const line = lineEnd < 0 ? fit.insert : fit.insert.slice(0, lineEnd)
  const through = fitLine(line, fit, cursor)
  return through ?? (opensBracket(line, cursor) ? fitLine(fit.insert, fit, cursor) : undefined)
}

/** `line` takes the place of the rest of the line if it holds all of that in its order. */
function fitLine(line: string, fit: Fit, { lineAfter }: CursorContext): Fit | undefined {
  const rest = lineAfter.trimEnd()
  const { closers, tail } = splitRest(rest)
  const isWhole = line.trimEnd().endsWith(tail.trim())
  if (!isSubsequence(isWhole ? rest : closers, line)) return undefined
  if (isWhole) return { ...fit, overwrittenChars: rest.length }
  return {
    insert: line.trimEnd(),
    overwrittenChars: closers.length,
    isCut: fit.isCut || line.length < fit.insert.length,
  }
}

/**
 * The text has closed a part of what the rest of the line closes, has opened a block, and is not at its end: the block is
 * closed on a line of its own, so that taking it leaves nothing open.
 */
function fitBlock(text: string, cursor: CursorContext): Fit | undefined {
  const { insert, isCut } = fitBeforeRest(text, { ...cursor, lineAfter: '', unclosed: cursor.unclosedBelow })
  const mayClose = insert.includes('\n') && !cursor.isProse && cursor.inside.kind !== 'comment'
  const closers = mayClose ? closersOf(insert, cursor) : undefined
  if (closers === undefined) return undefined
  const closed = `${insert}\n${indentOf(cursor.lineBefore)}${closers}`
  const { closers: own } = splitRest(cursor.lineAfter.trimEnd())
  return isSubsequence(own, closed) ? { insert: closed, overwrittenChars: own.length, isCut } : undefined
}

function fitBeforeRest(text: string, cursor: CursorContext): Fit {
  const { end, restAt } = cutAtUnmatchedCloser(
    cutInAttribute(cutInString(keepOneLine(text, cursor), cursor), cursor),
    cursor,
  )
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
  if (above.length < insert.length) return { ...fitBeforeRest(above, cursor), isCut: true }
  if (isWorthless(insert, cursor)) return { insert: '', overwrittenChars: 0, isCut }
  return { insert: insert + blankBeforeRest(text, insert, cursor), overwrittenChars: 0, isCut }
}

/** The blank that the text has before the closer with which the rest begins, where it has one behind the opener too, as in `{ a: 1 }`. */
function blankBeforeRest(text: string, insert: string, { lineBefore, lineAfter }: CursorContext): string {
  const isBetween = ['()', '[]', '{}'].includes(lineBefore.slice(-1) + lineAfter.slice(0, 1))
  if (!isBetween || !/^[ \t]+\S/.test(insert) || !text.startsWith(insert)) return ''
  const [, blank = '', next] = /^([ \t]*)(.|$)/s.exec(text.slice(insert.length)) ?? []
  return next === '' || next === lineAfter[0] ? blank : ''
}

/** The cursor's line with the insertion. */
export function mergedLine({ insert, overwrittenChars }: Fit, { lineBefore, lineAfter }: CursorContext): string {
  return lineBefore + insert + lineAfter.slice(overwrittenChars)
}

/** False where the line would stay as it is: what comes below it is shown once the cursor is at its end. */
function changesLine({ insert, overwrittenChars }: Fit, { lineAfter }: CursorContext): boolean {
  return overwrittenChars === 0 || firstLine(insert).trimEnd() !== lineAfter.trimEnd()
}

/** A single character is shown only if it closes something. */
export function isWorthShowing(fit: Fit, cursor: CursorContext): boolean {
  const { unclosed, inside } = cursor
  const trimmed = fit.insert.trim()
  if (!changesLine(fit, cursor)) return false
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
  if (inside.kind !== 'string' || unescapedAt(lineAfter, inside.until) < 0) return text
  const line = inside.until.length === 1 && inside.until !== '`' ? firstLine(text) : text
  const end = unescapedAt(line, inside.until)
  return end < 0 ? line : line.slice(0, end)
}

/** In an attribute that is closed further right: only the text up to its quote. */
function cutInAttribute(text: string, { language, lineBefore, lineAfter }: CursorContext): string {
  if (!isMarkup(language)) return text
  const quote = /<[\p{L}][^<>]*=\s*(["'])(?:(?!\1)[^<>])*$/u.exec(lineBefore)?.[1]
  const isOpen = quote !== undefined && lineBefore.split(quote).length % 2 === 0
  if (!isOpen || !lineAfter.includes(quote)) return text
  return text.split(quote, 1)[0] ?? ''
}

interface Cut {
  readonly end: number
  /** Where the text contains the rest of the line; it may continue after it. */
  readonly restAt?: number
}

/** Ends before the first closer that matches no unclosed bracket, unless it begins the rest of the line. */
export function cutAtUnmatchedCloser(text: string, cursor: CursorContext): Cut {
  if (isProse(cursor.language)) return { end: text.length }
  const from = { inside: cursor.inside, open: cursor.unclosed, before: cursor.before }
  const { unmatched } = lex(text, cursor.language, from, 'strict')
  const plainEnd = unmatched.length === 0 ? 0 : plainEndOf(text, cursor)
  const first = unmatched.find(at => at >= plainEnd)
  if (first === undefined) return { end: text.length }
  const rest = cursor.lineAfter.trim()
  if (rest === '' || !isClosing(rest) || !text.startsWith(rest, first)) return { end: first }
  const { state } = lex(text.slice(0, first), cursor.language, from, 'strict')
  const behind = first + rest.length
  const before = text.slice(0, behind)
  const [second] = lex(text.slice(behind), cursor.language, { ...state, before }, 'strict').unmatched
  return { end: second === undefined ? text.length : behind + second, restAt: first }
}

/** Up to there closers are those of a text, which need not match. */
function plainEndOf(text: string, { isPlainText, language }: CursorContext): number {
  if (!isPlainText() || /^\s*[[{]/.test(text)) return 0
  const end = text.search(language === 'yaml' ? /\n/ : /[<{]/)
  return end < 0 ? text.length : end
}

const LONGEST_VALUE = 12
const MOST_VALUES = 16
const PERIOD = /([^\n]{3,40}?)\1{3,}/u

/** Keeps only the first of lines or phrases that the model repeats in a loop. */
export function cutAtRepeat(text: string, { unclosed, lineAfter }: CursorContext): string {
  const lines = text.split('\n')
  const isThird = (at: number) =>
    !isBlank(lines[at] ?? '') && lines[at] === lines[at - 1] && lines[at] === lines[at - 2]
  const third = lines.findIndex((_, at) => at >= 2 && isThird(at))
  const kept = third < 0 ? text : lines.slice(0, third - 1).join('\n')
  const repeat = PERIOD.exec(kept)
  if (!repeat) return kept
  const [run, phrase = ''] = repeat
  const { index } = repeat
  const isInBrackets = unclosed.length > 0 || /^\s*[)\]}]/.test(lineAfter)
  if (!/\p{L}/u.test(phrase) || isListOf(phrase, run, kept.slice(index + run.length), isInBrackets)) return kept
  return kept.slice(0, index + phrase.length).replace(/,\s*$/, '')
}

/**
 * Values may be the same, such as the columns of a grid: there are not too many of them, and their line goes on, or ends
 * between brackets with one of them.
 */
function isListOf(value: string, run: string, behind: string, isInBrackets: boolean): boolean {
  const isShort = value.length <= LONGEST_VALUE && run.length <= MOST_VALUES * value.length
  const rest = firstLine(behind)
  const isLast = isInBrackets && value.startsWith(rest) && /^[\s,;]+$/.test(value.slice(rest.length))
  return isShort && rest.trim() !== '' && (isLast || !value.startsWith(rest))
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
function balancedOverlap(text: string, { lineAfter, language, inside, unclosed, before }: CursorContext): number {
  const depth = (part: string) => lex(part, language, { inside, open: unclosed, before }, 'strict').state.open.length
  const whole = depth(text)
  let rest = lineAfter
  for (;;) {
    const length = overlapLength(text, rest)
    const isOwn = closesOwnElement(text, length) || closesOwnAngle(text, length)
    if (length === 0 || (depth(text.slice(0, -length)) === whole && !isOwn)) return length
    rest = rest.slice(0, length - 1)
  }
}

/** The end of the text closes an element that the text has opened. */
function closesOwnElement(text: string, length: number): boolean {
  return text.slice(-length).startsWith('</') && openElements(text) >= 0
}

/** The end of the text closes type arguments that the text has opened. */
function closesOwnAngle(text: string, length: number): boolean {
  return text.slice(-length).startsWith('>') && opensAngle(text.slice(0, -length)) && endOfAngles(text, 1) === undefined
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
