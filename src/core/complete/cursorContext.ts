// What there is to know about the cursor's place, found once and handed to every step.

import { type DocumentSnapshot, placeOf } from '../workspace/documentSnapshot.ts'
import { type Bracket, endsByIndentation, type Inside, isProse, lex, type Standing } from './lex.ts'

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
  /** Brackets that nothing after the cursor closes: closing them is up to us. */
  readonly own: readonly Bracket[]
  readonly isProse: boolean
  readonly endsByIndentation: boolean
}

const LINES_ABOVE = 12
/** Reading more than this for brackets would be felt in the typing. */
const LEX_LIMIT_CHARS = 200_000

export function cursorContextOf(snapshot: DocumentSnapshot): CursorContext {
  const { path, language, indent } = snapshot
  const { prefix, suffix, lineBefore, lineAfter } = placeOf(snapshot)
  const standing = standingBefore(prefix, language)
  return {
    path,
    language,
    indent,
    lineBefore,
    lineAfter,
    above: linesAbove(prefix.slice(0, prefix.length - lineBefore.length)),
    below: nextLine(suffix.slice(lineAfter.length)),
    inside: standing.inside,
    own: ownBrackets(standing, suffix, language),
    isProse: isProse(language),
    endsByIndentation: endsByIndentation(language),
  }
}

/** True where prose is at home: a comment, a string, a text. */
export function isAmongWords(spot: CursorContext): boolean {
  return spot.isProse || spot.inside.kind !== 'code'
}

/** Closers, quotes and punctuation: text that an answer may well bring along itself. */
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

function standingBefore(prefix: string, language: string): Standing {
  if (prefix.length <= LEX_LIMIT_CHARS) return lex(prefix, language).standing
  const near = prefix.indexOf('\n', prefix.length - LEX_LIMIT_CHARS / 4) + 1
  return lex(prefix.slice(near), language).standing
}

/**
 * Each closer after the cursor that closes nothing there belongs to the outermost open bracket of its kind: what is
 * being typed is the innermost, and closers far below were there before it.
 */
function ownBrackets({ inside, open }: Standing, suffix: string, language: string): Bracket[] {
  const after = suffix.slice(0, LEX_LIMIT_CHARS)
  const own = [...open]
  const hole = own.lastIndexOf('${')
  const { standing, foreign } = lex(after, language, { inside, open: hole < 0 ? [] : ['${'] })
  if (hole >= 0 && !standing.open.includes('${')) own.splice(hole, 1)
  for (const at of foreign) {
    const reserved = own.findIndex(bracket => closers[bracket] === after[at])
    if (reserved >= 0) own.splice(reserved, 1)
  }
  return own
}

const closers: Readonly<Record<Bracket, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' }
