// `CursorContext`: the text around the cursor and its lexical state, computed once for each snapshot.

import { type DocumentSnapshot, splitAtCursor } from '../workspace/documentSnapshot.ts'
import { type Bracket, endsByIndentation, type Inside, isProse, type LexState, lex } from './lex.ts'

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
  readonly isProse: boolean
  readonly endsByIndentation: boolean
}

const LINES_ABOVE = 12
/** Lexing more than this would delay the suggestion noticeably. */
const LEX_LIMIT_CHARS = 200_000

export function cursorContextOf(snapshot: DocumentSnapshot): CursorContext {
  const { path, language, indent } = snapshot
  const { prefix, suffix, lineBefore, lineAfter } = splitAtCursor(snapshot)
  const state = stateBefore(prefix, language)
  return {
    path,
    language,
    indent,
    lineBefore,
    lineAfter,
    above: linesAbove(prefix.slice(0, prefix.length - lineBefore.length)),
    below: nextLine(suffix.slice(lineAfter.length)),
    inside: state.inside,
    unclosed: unclosedBrackets(state, suffix, language),
    isProse: isProse(language),
    endsByIndentation: endsByIndentation(language),
  }
}

/** In a comment, in a string, or in a prose language. */
export function isInProse(cursor: CursorContext): boolean {
  return cursor.isProse || cursor.inside.kind !== 'code'
}

/** Only closers, quotes and punctuation, which an answer may contain as well. */
export function isClosing(rest: string): boolean {
  return /^\s*[)>}\]"'`]*\s*[:{;,]?\s*$/.test(rest)
}

export const isBlank = (text: string) => text.trim() === ''

export const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ''

function linesAbove(text: string): string[] {
  return text.slice(-8_000).split('\n').slice(0, -1).slice(-LINES_ABOVE)
}

function nextLine(text: string): string | undefined {
  return /[^\n]*\S[^\n]*/.exec(text)?.[0]
}

function stateBefore(prefix: string, language: string): LexState {
  if (prefix.length <= LEX_LIMIT_CHARS) return lex(prefix, language).state
  const near = prefix.indexOf('\n', prefix.length - LEX_LIMIT_CHARS / 4) + 1
  return lex(prefix.slice(near), language).state
}

/**
 * Each closer after the cursor that matches nothing there is attributed to the outermost open bracket of its kind,
 * because the innermost one is the one being typed and closers further down existed before it.
 */
function unclosedBrackets({ inside, open }: LexState, suffix: string, language: string): Bracket[] {
  const after = suffix.slice(0, LEX_LIMIT_CHARS)
  const unclosed = [...open]
  const template = unclosed.lastIndexOf('${')
  const { state, unmatched } = lex(after, language, { inside, open: template < 0 ? [] : ['${'] })
  if (template >= 0 && !state.open.includes('${')) unclosed.splice(template, 1)
  for (const at of unmatched) {
    const reserved = unclosed.findIndex(bracket => closers[bracket] === after[at])
    if (reserved >= 0) unclosed.splice(reserved, 1)
  }
  return unclosed
}

const closers: Readonly<Record<Bracket, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' }
