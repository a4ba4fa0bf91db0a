// `endOfRest`: where an answer has closed everything that the rest of the cursor's line closes.
import { type CursorContext, insideOfRest } from './cursorContext.ts'
import { closerOf, type Inside, isMarkup, lex, offsetOfState } from './lex.ts'

/**
 * The offset in `text` behind the closer with which it has closed all brackets and strings that the rest of the line
 * closes; undefined if it does not, or if the rest closes nothing.
 */
export function endOfRest(text: string, cursor: CursorContext): number | undefined {
  const { language, inside, unclosedBelow: open, lineAfter, before } = cursor
  if (isMarkup(language)) return endInMarkup(text, lineAfter)
  const from = { inside: insideOfRest(cursor), open, before }
  const { state, fewestOpen } = lex(lineAfter, language, from)
  const closesNothing = fewestOpen >= open.length && state.inside.kind === inside.kind
  const target = { inside: state.inside, open: open.slice(0, fewestOpen) }
  const end = closesNothing ? undefined : offsetOfState(text, language, { inside, open, before }, target)
  const angles = anglesIn(lineAfter)
  if (angles === 0) return end
  const angleEnd = closingTag.test(lineAfter) ? endInMarkup(text, lineAfter) : endOfAngles(text, angles)
  if (closesNothing || angleEnd === undefined) return angleEnd
  return end && Math.max(end, angleEnd)
}

/**
 * What closes the brackets that the text has opened, with those that the rest of the line closes; undefined if it leaves
 * none open.
 */
export function closersOf(
  text: string,
  { language, inside, unclosedBelow: open, unclosed, before }: CursorContext,
): string | undefined {
  const { state, fewestOpen } = lex(text, language, { inside, open, before }, 'strict')
  if (state.inside.kind !== 'code' || state.open.length <= fewestOpen) return undefined
  const kept = Math.min(fewestOpen, unclosed.length)
  return state.open
    .slice(kept)
    .reverse()
    .map(bracket => closerOf[bracket])
    .join('')
}

/** The text leaves more brackets open that it has opened itself than the rest of the line does. */
export function opensBracket(text: string, cursor: CursorContext): boolean {
  return openedIn(text, cursor, cursor.inside) > openedIn(cursor.lineAfter, cursor, insideOfRest(cursor))
}

function openedIn(text: string, { language, unclosedBelow: open, before }: CursorContext, inside: Inside): number {
  const { state, fewestOpen } = lex(text, language, { inside, open, before }, 'strict')
  return state.open.length - fewestOpen
}

const closingTag = /<\/[\w:.-]*>/

/** Quotes, angle brackets and closing tags of markup, which the lexer does not know, in their order. */
function endInMarkup(text: string, rest: string): number | undefined {
  const closers = rest.match(/<\/[\w:.-]*>|["'>]/g) ?? []
  const part = rest.includes('</') ? text : (text.split('\n', 1)[0] ?? '')
  const end = closers.reduce((at, closer) => (at < 0 ? at : endOfCloser(part, closer, at)), 0)
  return end > 0 ? end : undefined
}

/** Behind the closer; -1 if the text does not have it. */
function endOfCloser(text: string, closer: string, from: number): number {
  if (!closer.startsWith('</')) return text.indexOf(closer, from) + 1 || -1
  let depth = 0
  for (const { 0: tag, index } of text.slice(from).matchAll(tags)) {
    if (nameOf(tag) !== nameOf(closer) || tag.endsWith('/>')) continue
    if (!tag.startsWith('</')) depth++
    else if (depth > 0) depth--
    else return from + index + tag.length
  }
  return -1
}

const tags = /<\/?[\p{L}][\w:.-]*(?:"[^"]*"|'[^']*'|=>|[^<>"'])*>|<\/?>/gu
const nameOf = (tag: string) => /^<\/?([\w:.-]*)/.exec(tag)?.[1]

/** How many elements the text leaves open; below zero if it closes more than it opens. */
export function openElements(text: string): number {
  const found = text.match(tags)?.filter(tag => !tag.endsWith('/>')) ?? []
  return found.reduce((depth, tag) => depth + (tag.startsWith('</') ? -1 : 1), 0)
}

/** How many closing angle brackets the rest has, the arrows not counted. */
function anglesIn(rest: string): number {
  return rest.match(/(?<![=-])>/g)?.length ?? 0
}

const angleBrackets = /(?<=[\p{L}\p{N}_$:])<|(?<![=-])>/gu

/** The text has an angle bracket behind a name, as type arguments begin. */
export function opensAngle(text: string): boolean {
  return text.match(angleBrackets)?.includes('<') === true
}

/** Behind the closing angle bracket with which the text has closed so many that it has not opened. */
export function endOfAngles(text: string, count: number): number | undefined {
  let depth = 0
  let left = count
  for (const { 0: angle, index } of text.matchAll(angleBrackets)) {
    if (angle === '<') depth++
    else if (depth > 0) depth--
    else if (--left === 0) return index + 1
  }
  return undefined
}

/** The rest of the line up to its last closer, and the punctuation behind that. */
export function splitRest(rest: string): { readonly closers: string; readonly tail: string } {
  const closers = /^.*[)\]}>"'`]/.exec(rest)?.[0] ?? ''
  return { closers, tail: rest.slice(closers.length) }
}

/** All characters of `part` occur in `text` in their order, as the editor demands of what a suggestion replaces. */
export function isSubsequence(part: string, text: string): boolean {
  let at = 0
  for (const character of part) {
    at = text.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}
