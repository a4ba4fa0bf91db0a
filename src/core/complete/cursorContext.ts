// `CursorContext`: the text around the cursor and its lexical state, computed once for each snapshot.

import { type DocumentSnapshot, splitAtCursor } from '../workspace/documentSnapshot.ts'
import {
  type Bracket,
  closerOf,
  endsByIndentation,
  hasCharacters,
  type Inside,
  isMarkup,
  isProse,
  type LexState,
  lex,
} from './lex.ts'
import { LexMemory } from './lexMemory.ts'

export interface CursorContext {
  readonly path: string
  readonly language: string
  readonly indent: string
  readonly lineBefore: string
  readonly lineAfter: string
  /** The last lines above the cursor's, the nearest last. */
  readonly above: readonly string[]
  /** The next line below that is not blank. */
  readonly below: string | undefined
  readonly inside: Inside
  /** Brackets open at the cursor that nothing after it closes, so a completion may close them; the outermost first. */
  readonly unclosed: readonly Bracket[]
  /** The same with those that the rest of the line closes; an answer may close them too if it contains that rest. */
  readonly unclosedBelow: readonly Bracket[]
  /** All brackets open at the cursor, with those that text behind it closes. */
  readonly open: readonly Bracket[]
  /** The last lines up to the cursor, for what a bracket means there. */
  readonly before: string
  /** The word is a whole word of the file, not counting the one that ends at the cursor. */
  readonly isWordOfFile: (word: string) => boolean
  readonly isProse: boolean
  /** In the text of an element, or in a scalar of YAML without quotes. */
  readonly isPlainText: () => boolean
  readonly endsByIndentation: boolean
}

const LINES_ABOVE = 12
const BEFORE_CHARS = 300
/** Words further away are not looked for. */
const WORD_CHARS = 50_000

/** `lexed`: what remembers the text from one version to the next. */
export function cursorContextOf(snapshot: DocumentSnapshot, lexed = new LexMemory()): CursorContext {
  const { path, language, indent } = snapshot
  const { prefix, suffix, lineBefore, lineAfter } = splitAtCursor(snapshot)
  const found = lexed.stateBehind(prefix, language)
  const isCharacter = found.inside.kind === 'code' && isInCharacter(language, lineBefore, lineAfter)
  const state: LexState = isCharacter ? { ...found, inside: { kind: 'string', until: "'" } } : found
  let isText: boolean | undefined
  return {
    path,
    language,
    indent,
    lineBefore,
    lineAfter,
    above: linesAbove(prefix.slice(0, prefix.length - lineBefore.length)),
    below: nextLine(suffix.slice(lineAfter.length)),
    inside: state.inside,
    ...unclosedBrackets({ ...state, before: prefix.slice(-BEFORE_CHARS) }, suffix, lineAfter, language, lexed),
    open: state.open,
    before: prefix.slice(-BEFORE_CHARS),
    isWordOfFile: word => isWordIn(prefix.slice(-WORD_CHARS), word) || isWordIn(suffix.slice(0, WORD_CHARS), word),
    isProse: isProse(language),
    isPlainText: () => {
      isText ??= state.inside.kind === 'code' && isPlainText(prefix.slice(-TEXT_CHARS), language, state.open.length)
      return isText
    },
    endsByIndentation: endsByIndentation(language),
  }
}

/** Where an element or a block scalar begins further back, its text is taken for code. */
const TEXT_CHARS = 3_000

function isPlainText(before: string, language: string, openBrackets: number): boolean {
  if (language === 'yaml') return openBrackets === 0 && (isPlainScalar(before) || isBlockScalar(before.split('\n')))
  if (!isMarkup(language) && !/^(?:java|type)scriptreact$/.test(language)) return false
  return isElementText(before, isMarkup(language))
}

/** Behind the tag of an element that is open, apart from holes, scripts and styles. */
function isElementText(before: string, isAlwaysMarkup: boolean): boolean {
  if (/<(script|style)\b(?:(?!<\/\1)[\s\S])*$/i.test(before)) return false
  const text = withoutHoles(before)
  const found = [...text.matchAll(/(?<![\p{L}\p{N}_$.])<\/?(?:[\p{L}][\w:.-]*(?:"[^"]*"|'[^']*'|=>|[^<>"'])*)?>/gu)]
  const last = found.at(-1)
  if (!last || /[<>{}]/.test(text.slice(last.index + last[0].length))) return false
  return isAlwaysMarkup || isLeftOpen(found.map(([tag]) => tag))
}

/** A brace without its other one stays. */
function withoutHoles(text: string): string {
  const open = ['']
  for (const part of text.split(/([{}])/)) {
    if (part === '{') open.push('')
    else if (part === '}' && open.length > 1) open.pop()
    else open.push((open.pop() ?? '') + part)
  }
  return open.join('{')
}

/** The element of some tag has no closing tag behind it. */
function isLeftOpen(tags: readonly string[]): boolean {
  let closed = 0
  for (const tag of [...tags].reverse()) {
    if (tag.endsWith('/>')) continue
    if (tag.startsWith('</')) closed++
    else if (closed-- === 0) return true
  }
  return false
}

function isPlainScalar(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return /^\s*(?:- +)*(?:[\w.-]+: +|(?<=- +))(?:[^\s[\]{}"'&*!|>#].*)?$/.test(line)
}

/** Below a line that ends with the sign of a block scalar, and indented further than that. */
function isBlockScalar(lines: readonly string[]): boolean {
  let indent = indentOf(lines.at(-1) ?? '').length
  for (const line of lines.slice(0, -1).reverse()) {
    const own = indentOf(line).length
    if (isBlank(line) || own >= indent) continue
    if (/[:-] +[|>][-+\d]*\s*$/.test(line)) return true
    indent = own
  }
  return false
}

/** The lexer finds a character once it has its end, because in Rust the quote may begin a lifetime. */
function isInCharacter(language: string, lineBefore: string, lineAfter: string): boolean {
  return lineAfter.startsWith("'") && hasCharacters(language) && /(?<![\w'])'(?:\\[^'\n]*|[^'\\\n])?$/.test(lineBefore)
}

/** In a comment, in a string, or in a prose language. */
export function isInProse(cursor: CursorContext): boolean {
  return cursor.isProse || cursor.inside.kind !== 'code'
}

/** Only closers, closing tags, quotes and punctuation, with empty arguments and lists between them: an answer may contain that too. */
export function isClosing(rest: string): boolean {
  return /^(?:[\s)\]}>"'`,;:]|\/>|<\/[\w:.-]*>|\(\)|\[\]|\{\}|=>)*\{?\s*$/.test(rest)
}

/**
 * What the rest of the line is part of. Behind a quoted string of one line that nothing on this line ends, it is code:
 * the user is still typing the string.
 */
export function insideOfRest({ inside, lineAfter }: Pick<CursorContext, 'inside' | 'lineAfter'>): Inside {
  const isOpenToLineEnd =
    inside.kind === 'string' && /^["']$/.test(inside.until) && unescapedAt(lineAfter, inside.until) < 0
  return isOpenToLineEnd ? { kind: 'code' } : inside
}

/** Offset of the first quote that no backslash escapes; -1 if there is none. */
export function unescapedAt(text: string, quote: string): number {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith(quote, at)) return at
  }
  return -1
}

export const isBlank = (text: string) => text.trim() === ''

export const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ''

/** A word at the end of the text does not count, because it may be half typed. */
function isWordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    if (end < text.length && !wordCharacter.test(text[at - 1] ?? '') && !wordCharacter.test(text[end] ?? ''))
      return true
  }
  return false
}

const wordCharacter = /[\p{L}\p{N}_$]/u

function linesAbove(text: string): string[] {
  return text.slice(-8_000).split('\n').slice(0, -1).slice(-LINES_ABOVE)
}

function nextLine(text: string): string | undefined {
  return /[^\n]*\S[^\n]*/.exec(text)?.[0]
}

/**
 * Each closer below the cursor's line that matches nothing there is attributed to the outermost open bracket of its kind,
 * because the innermost one is the one being typed and closers further down existed before it. Closers of the rest of
 * the line come after that.
 */
function unclosedBrackets(
  { inside, open, before }: LexState,
  suffix: string,
  lineAfter: string,
  language: string,
  lexed: LexMemory,
): Pick<CursorContext, 'unclosed' | 'unclosedBelow'> {
  const own = [...open]
  const template = own.lastIndexOf('${')
  const from: LexState = {
    inside: insideOfRest({ inside, lineAfter }),
    open: template < 0 ? [] : ['${'],
    before,
  }
  const { state, unmatched } = lexed.lexBehind(suffix, language, from)
  const closedTemplate = template >= 0 && !state.open.includes('${')
  const isTemplateOfLine = closedTemplate && !lex(lineAfter, language, from).state.open.includes('${')
  if (closedTemplate && !isTemplateOfLine) own.splice(template, 1)
  reserve(
    own,
    unmatched.filter(at => at >= lineAfter.length),
    suffix,
  )
  const unclosedBelow = [...own]
  if (isTemplateOfLine) own.splice(own.lastIndexOf('${'), 1)
  reserve(
    own,
    unmatched.filter(at => at < lineAfter.length),
    suffix,
  )
  return { unclosed: own, unclosedBelow }
}

function reserve(open: Bracket[], unmatched: readonly number[], text: string): void {
  for (const at of unmatched) {
    const reserved = open.findIndex(bracket => closerOf[bracket] === text[at])
    if (reserved >= 0) open.splice(reserved, 1)
  }
}
