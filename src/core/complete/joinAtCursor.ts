// `joinAtCursor`: fits the beginning of an answer to the text before the cursor: line breaks and the blank behind a word.
import { type CursorContext, indentOf, isBlank } from './cursorContext.ts'
import { isMarkup, lex } from './lex.ts'

/**
 * A model often begins a line behind its tag. In the middle of a statement that line break is dropped; behind an opener
 * one is kept.
 */
export function dropLineBreak(text: string, cursor: CursorContext): string {
  const lead = /^(?:[ \t]*\n)+/.exec(text)?.[0]
  if (lead === undefined || isBlank(cursor.lineBefore) || !isOfStatement(cursor)) return text
  const next = text.slice(lead.length)
  return isLineBreakOfCode(next, cursor) ? oneLineBreak(next, lead, cursor) : joined(next, cursor)
}

/** In prose, and in markup, only a blank shows that the line goes on. */
function isOfStatement({ isProse, inside, language, lineBefore }: CursorContext): boolean {
  if (isProse || isMarkup(language)) return /[\p{L}\p{N},;:] $/u.test(lineBefore)
  return inside.kind === 'code' || inside.until === '\n' || (inside.kind === 'string' && /^["']$/.test(inside.until))
}

const opener = /(?:[([{:]|=>|->|\b(?:do|then|else|begin|in))$/i
/** What a statement does not end with. */
const operator = /[-+*=/%&|^~?!<,]$/

function isLineBreakOfCode(next: string, cursor: CursorContext): boolean {
  const { lineBefore, lineAfter, inside, language } = cursor
  if (/[ \t]$/.test(lineBefore)) return false
  if (inside.kind !== 'code') return inside.kind === 'comment'
  if (/(?:[\p{L}\p{N}_$)\]}"'?!]|^\s*)\.$/u.test(lineBefore)) return false
  const indent = indentOf(next)
  if (indent === ' ') return false
  const isBetween = !isBlank(lineAfter) && indent === '' && !/^[)\]}]/.test(next)
  if (isBetween && !opener.test(lineBefore)) return false
  if (opener.test(lineBefore)) return !closesItself(next, cursor)
  const isOpen = /(?:\+\+|--|\*\/|\/>|\\)$/.test(lineBefore) || !operator.test(lineBefore)
  if (isOpen || indent !== '' || /^[)\]}]/.test(next)) return true
  if (lineBefore.endsWith(',')) return cursor.open.length === 0
  // An assignment without a value is one as well.
  return language === 'shellscript' && !/^["'`$]/.test(next)
}

/** The first line closes the bracket before the cursor, so it goes on in that line. */
function closesItself(next: string, { lineBefore, language, inside, open }: CursorContext): boolean {
  const [first = ''] = next.split('\n', 1)
  if (!/[([{]$/.test(lineBefore) || /^\s*[)\]}]/.test(first)) return false
  const isList = /[([]$/.test(lineBefore) && indentOf(first) === ''
  return isList || (indentOf(first) === '' && lex(first, language, { inside, open }).fewestOpen < open.length)
}

/** Blank lines between statements are kept. */
function oneLineBreak(next: string, lead: string, { lineBefore }: CursorContext): string {
  return opener.test(lineBefore) ? `\n${next}` : lead + next
}

/** A blank that the line does not have yet is a part of the answer. */
function joined(next: string, { lineBefore }: CursorContext): string {
  const start = next.trimStart()
  return indentOf(next) === ' ' && !/[ \t]$/.test(lineBefore) ? ` ${start}` : start
}

/** Puts the blank in where the line ends in a finished word and the answer begins with another one. */
export function putSpace(text: string, cursor: CursorContext): string {
  const before = /(?<![\p{L}\p{N}_$.#@/\\-])\p{L}[\p{L}\p{N}_$]*$/u.exec(cursor.lineBefore)?.[0]
  const next = /^[\p{L}\p{N}_$]+/u.exec(text)?.[0]
  if (before === undefined || next === undefined || isWordHere(before + next, text, cursor)) return text
  const rest = text.slice(next.length)
  return isFinished(before, next, rest, cursor) ? ` ${text}` : text
}

/** A name is often that of its type, in lower case. */
function isWordHere(word: string, text: string, { isWordOfFile }: CursorContext): boolean {
  const type = word.charAt(0).toUpperCase() + word.slice(1)
  return isWordOfFile(word) || isWordOfFile(type) || text.match(/[\p{L}\p{N}_$]+/gu)?.includes(word) === true
}

const words = (list: string) => new Set(list.split(' '))

/** They begin a statement or an expression, and few longer words begin with them. */
const leading = words(
  'return await import export class yield throw static public private protected async function struct const lambda match where using namespace package interface raise unless while switch typedef unsigned typeof abstract override readonly internal virtual let var val def fn func select from update insert delete create',
)
/** Between two operands only. */
const infix = words('in is as of and or instanceof extends implements if else for from where')
/** With the words above they make longer ones. */
const endings =
  /^(?:s|d|es|ed|er|ing|ly|able|al|ors?|ructor|ructors|expr|eval|ant|ance|ants?|ize|ur(?:e|al)|ault|ter|ters|iable|iables|iant|iants|ue|ues|char|tion|tions|ction|ined|ine|ines|io|lib|method|ton|sion|fied|ify|or|ion|ions|ication|ated|ates|ate|out|ness|ful|less|ity|ally|Name|Id|Key)$/
/** Function words of English text that hardly begin a longer word. */
const functionWords = words('the that this from are and of is was')
const longer = /^(?:refore|mselves|reby|rein|reafter|oretical|roid|fered|ficial|fice|sland|olate|olated)/

function isFinished(before: string, next: string, rest: string, cursor: CursorContext): boolean {
  const lower = before.toLowerCase()
  if (/^[\d_$]/.test(next) || endings.test(next) || isKeyword((lower + next).replace(/_.*/, ''))) return false
  if (isText(cursor)) return isFinishedInText(lower, next, cursor)
  if (leading.has(lower) && isAtStart(before, cursor)) return isSeparate(before, next, cursor)
  if (!cursor.isWordOfFile(before) && !isKeywordBehindOperand(before, cursor)) return false
  return (infix.has(next) && /^ /.test(rest)) || (isKeywordBehindOperand(before, cursor) && next.length > 1)
}

function isKeyword(word: string): boolean {
  return leading.has(word) || infix.has(word) || /^(?:into|order|index|inner|int|integer|isnull)$/i.test(word)
}

function isText({ isProse, inside }: CursorContext): boolean {
  return isProse || inside.kind !== 'code'
}

function isFinishedInText(before: string, next: string, cursor: CursorContext): boolean {
  if (!/^\p{Ll}/u.test(next)) return false
  if (functionWords.has(before)) return next.length > 3 && !longer.test(next)
  return before.length > 2 && next.length > 2 && cursor.isWordOfFile(before) && cursor.isWordOfFile(next)
}

/** Only other such words, or the end of a statement or a bracket, are before it. */
function isAtStart(before: string, { lineBefore }: CursorContext): boolean {
  const line = lineBefore.slice(0, -before.length).trimEnd()
  const last = /[\p{L}]+$/u.exec(line)?.[0].toLowerCase()
  return line === '' || /[;{}()=>?:&|]$/.test(line) || (last !== undefined && leading.has(last))
}

/** `returnValue` may be a name; `return Value` is one only where the file has it. */
function isSeparate(before: string, next: string, { isWordOfFile }: CursorContext): boolean {
  const isClear = before.length > 4 || /^(?:def|fn|func|let|var)$/.test(before)
  return (isClear && /^\p{Ll}/u.test(next)) || isWordOfFile(next)
}

function isKeywordBehindOperand(before: string, { lineBefore }: CursorContext): boolean {
  if (!/^(?:in|is|as|of|and|or|instanceof|extends|implements)$/.test(before)) return false
  const operand = /(\p{L}*)[\p{N}_$)\]}"'`]*[ \t]+$/u.exec(lineBefore.slice(0, -before.length))
  return operand !== null && operand[0].trim() !== '' && !isKeyword((operand[1] ?? '').toLowerCase())
}
