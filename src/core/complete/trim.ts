// Cutting an answer to what belongs there.
import { overlapLength } from '../../base/text.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { clean } from './clean.ts'
import { type CursorContext, cursorContextOf, indentOf, isBlank, isClosing } from './cursorContext.ts'
import { isProse, lex } from './lex.ts'

/** What goes at the cursor, and how much of the rest of the line it already holds. */
export interface Fit {
  readonly insert: string
  /** So many characters after the cursor stand in `insert` too: the whole rest of the line, or none. */
  readonly swallows: number
  /** Something was cut: whatever may still come of this answer does not belong here. */
  readonly isCut: boolean
}

/** The whole way, from what the model said to what goes at the cursor. */
export function trim(raw: string, snapshot: DocumentSnapshot): Fit {
  const spot = cursorContextOf(snapshot)
  return fitTo(clean(raw, spot), spot)
}

/** Cuts text that agrees with what stands before the cursor to what stands after it. */
export function fitTo(text: string, spot: CursorContext): Fit {
  const { end, restAt } = cutAtForeignCloser(cutInString(keepOneLine(text, spot), spot), spot)
  const cut = [cutAtRepeat, cutAtBlockEnd, cutAtLineBelow].reduce((kept, step) => step(kept, spot), text.slice(0, end))
  const isCut = cut.length < text.trimEnd().length
  if (restAt !== undefined && cut.length >= restAt + spot.lineAfter.trim().length) {
    return { insert: cut.trimEnd(), swallows: spot.lineAfter.length, isCut }
  }
  const insert = dropOverlap(trimEnd(cut.slice(0, restAt), spot), spot)
  // Without what follows the cursor, its last line may be one that stands below.
  const above = cutAtLineBelow(insert, spot)
  if (above.length < insert.length) return { ...fitTo(above, spot), isCut: true }
  return { insert: isWorthless(insert, spot) ? '' : insert, swallows: 0, isCut }
}

/** The cursor's line with the insertion, as it would stand. */
export function mergedLine({ insert, swallows }: Fit, { lineBefore, lineAfter }: CursorContext): string {
  return lineBefore + insert + lineAfter.slice(swallows)
}

/** A single character is worth the eye's way only if it closes something. */
export function isWorthShowing({ insert }: Fit, { own, inside }: CursorContext): boolean {
  const said = insert.trim()
  if (said.length !== 1) return said !== ''
  if (inside.kind === 'string') return said === inside.until
  const innermost = own.at(-1)?.at(-1)
  return said === ';' || ['()', '[]', '{}'].includes(`${innermost}${said}`)
}

/** With code to the right of the cursor only one line can be meant. */
export function keepOneLine(text: string, { lineAfter }: CursorContext): string {
  return isClosing(lineAfter) ? text : firstLine(text)
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

/** In a string that is closed further right: the string's text and no more. */
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
  /** Where the text itself holds the rest of the line; it may go on behind it. */
  readonly restAt?: number
}

/** Ends before the first closer that closes nothing of ours, unless this is the rest of the line written out. */
export function cutAtForeignCloser(text: string, spot: CursorContext): Cut {
  if (isProse(spot.language)) return { end: text.length }
  const from = { inside: spot.inside, open: spot.own }
  const [first] = lex(text, spot.language, from, 'strict').foreign
  if (first === undefined) return { end: text.length }
  const rest = spot.lineAfter.trim()
  if (rest === '' || !isClosing(rest) || !text.startsWith(rest, first)) return { end: first }
  const { standing } = lex(text.slice(0, first), spot.language, from, 'strict')
  const behind = first + rest.length
  const [second] = lex(text.slice(behind), spot.language, standing, 'strict').foreign
  return { end: second === undefined ? text.length : behind + second, restAt: first }
}

const PERIOD = /([^\n]{3,40}?)\1{3,}/u

/** The model turns in a circle: the first round stays. */
export function cutAtRepeat(text: string): string {
  const lines = text.split('\n')
  const isThird = (at: number) =>
    !isBlank(lines[at] ?? '') && lines[at] === lines[at - 1] && lines[at] === lines[at - 2]
  const third = lines.findIndex((_, at) => at >= 2 && isThird(at))
  const kept = third < 0 ? text : lines.slice(0, third - 1).join('\n')
  const round = PERIOD.exec(kept)
  return round && /\p{L}/u.test(round[1] ?? '') ? kept.slice(0, round.index + (round[1]?.length ?? 0)) : kept
}

/** The first line further left than where we began ends the block, if it is no closer of it. */
export function cutAtBlockEnd(text: string, spot: CursorContext): string {
  if (spot.isProse) return text
  const lines = text.split('\n')
  const block = indentOf(spot.lineBefore + (lines[0] ?? '')).length
  const leaves = (line: string) => !isBlank(line) && indentOf(line).length < block && !belongsToBlock(line, spot)
  const end = lines.findIndex((line, at) => at > 0 && leaves(line) && isCodeAt(lines, at, spot))
  return end < 0 ? text : lines.slice(0, end).join('\n')
}

function belongsToBlock(line: string, { endsByIndentation }: CursorContext): boolean {
  return (
    !endsByIndentation &&
    /^\s*(?:[)}\]#]|<\/|(?:end|else|elsif|elif|case|default|catch|finally|fi|done|esac)\b)/.test(line)
  )
}

/** Lines of a string over several lines stand where they like. */
function isCodeAt(lines: readonly string[], at: number, { language, inside, own }: CursorContext): boolean {
  const before = `${lines.slice(0, at).join('\n')}\n`
  return lex(before, language, { inside, open: own }).standing.inside.kind !== 'string'
}

/** What stands below already need not be said: closers count only where they stand, other lines wherever. */
export function cutAtLineBelow(text: string, { below, lineBefore, lineAfter }: CursorContext): string {
  if (below === undefined) return text
  const isWords = /[\p{L}\p{N}]/u.test(below)
  const isSame = (line: string) => (isWords ? line.trim() === below.trim() : line.trimEnd() === below.trimEnd())
  const lines = text.split('\n')
  if (isWords && isBlank(lineAfter) && !isBlank(lines[0] ?? '') && isSame(lineBefore + lines[0])) return ''
  const end = lines.findIndex((line, at) => at > 0 && isSame(line))
  return end < 0 ? text : lines.slice(0, end).join('\n')
}

/** What the answer says and the line says again right after. */
export function dropOverlap(text: string, spot: CursorContext): string {
  const { lineAfter } = spot
  if (isBlank(lineAfter)) return text
  const rest = lineAfter.trim()
  const whole = isClosing(lineAfter) || rest.length < 3 ? -1 : text.indexOf(rest)
  return guardWord(withoutOverlap(whole < 0 ? text : text.slice(0, whole), spot), text, spot)
}

/** Again and again, until the line does not say the end of it again. */
function withoutOverlap(text: string, spot: CursorContext): string {
  const kept = trimEnd(text, spot)
  const isSaidTwice = /[;,]$/.test(kept) && isClosing(spot.lineAfter) && spot.lineAfter.trim().endsWith(kept.slice(-1))
  const overlap = isSaidTwice ? 1 : balancedOverlap(kept, spot)
  return overlap === 0 ? kept : withoutOverlap(kept.slice(0, kept.length - overlap), spot)
}

/** A bracket that the answer opened itself is not the one that stands after the cursor. */
function balancedOverlap(text: string, { lineAfter, language, inside, own }: CursorContext): number {
  const depth = (part: string) => lex(part, language, { inside, open: own }, 'strict').standing.open.length
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

/** Never makes one word of two: inside a word the answer must have come to the word's own end. */
function guardWord(kept: string, text: string, { lineBefore, lineAfter }: CursorContext): string {
  const word = wordStart.exec(lineAfter)?.[0]
  if (word === undefined) return kept
  const overlap = text.length - kept.length
  if (wordEnd.test(lineBefore)) return overlap >= word.length ? kept : ''
  return wordEnd.test(kept) && overlap < word.length ? '' : kept
}

function trimEnd(text: string, { lineAfter }: CursorContext): string {
  if (!isClosing(lineAfter)) return /^\s/.test(lineAfter) ? text.trimEnd() : text
  // `{|}` filled with lines of its own: the brace goes on a line of its own, too.
  const lastLine = /\n[ \t]*$/.exec(text)?.[0]
  const isBlockOfItsOwn = /^[ \t]*\n/.test(text) && /^\s*[)}\]]/.test(lineAfter)
  return text.trimEnd() === '' ? '' : text.trimEnd() + (isBlockOfItsOwn ? (lastLine ?? '') : '')
}

function isWorthless(text: string, { lineAfter }: CursorContext): boolean {
  const said = text.trim()
  return said === '' || (/^[\p{P}\p{S}]+$/u.test(said) && lineAfter.trim().startsWith(said))
}
