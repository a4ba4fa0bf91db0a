// `dropTags`: takes an answer out of the tags, control tokens and invented turns around it.
import { type CursorContext, isInProse } from './cursorContext.ts'
import { hasAnyElement, isMarkup } from './lex.ts'
import { type PromptMarks, usualMarks } from './promptMarks.ts'

/** Text before the tag is a preamble; a tag further down would belong to code that contains tags. */
const LONGEST_PREAMBLE_CHARS = 400

const inventedTurn = /\n(?:User|Human|Assistant): ?/
const controlToken = /<[|｜][\w▁]+[|｜]>/
const leadingTokens = /^\s*(?:<[|｜][\w▁]+[|｜]>\s*)+/
const leadingInstruction = /^\s*(?:<s>|\[\/?(?:INST|SUFFIX|PREFIX|MIDDLE)\])\s*(?=[\w<"'(])/
/** A list or an index in capitals looks the same, but is behind a name or an operator. */
const instruction = /<\/s>|(?<![\w\])])(?<!(?:[=,([:+]|\breturn)\s*)\[(?:\/?INST|SUFFIX|PREFIX|MIDDLE)\]/g

/** True once the answer contains its end, so that later text is ignored. */
export function isAnswerClosed(raw: string, { closingTag } = usualMarks): boolean {
  return closingTag.test(raw) || inventedTurn.test(raw)
}

export function dropTags(text: string, cursor: CursorContext, { openingTag, end }: PromptMarks): string {
  const isInstruction = !isElementLanguage(cursor) && !isInProse(cursor)
  const mayLead = isInstruction && !/[\w\])]$/.test(cursor.lineBefore)
  const unmarked = text.replace(leadingTokens, '')
  const inner = mayLead ? unmarked.replace(leadingInstruction, '') : unmarked
  const own = openingTag.exec(inner)
  const body = own && own.index < LONGEST_PREAMBLE_CHARS ? inner.slice(own.index + own[0].length) : inner
  const marked = [end, controlToken, inventedTurn].reduce((rest, mark) => rest.split(mark, 1)[0] ?? '', body)
  const kept = isInstruction ? cutAtInstruction(marked, cursor) : marked
  return unwrap(dropHalfTag(kept, cursor), cursor)
}

/** An answer in the form that was asked for, without its tags. */
export function withoutOwnTags(text: string, { opening, closing }: PromptMarks): string {
  const inner = text.startsWith(opening) ? text.slice(opening.length) : text
  return inner.split(closing, 1)[0] ?? ''
}

/**
 * The answer begins with the tag of another prompt and does not close it; behind a word that may be a type argument, so
 * only its end shows what it is.
 */
export function isHalfWrapped(text: string, cursor: CursorContext): boolean {
  return otherTagOf(text, cursor) !== undefined
}

function cutAtInstruction(text: string, { lineBefore }: CursorContext): string {
  instruction.lastIndex = lineBefore.length
  const match = instruction.exec(lineBefore + text)
  return match ? text.slice(0, match.index - lineBefore.length) : text
}

/** What the limit has left of a tag or a token at the end. */
function dropHalfTag(text: string, cursor: CursorContext): string {
  if (/^\s*<(?:\/?|i|in)$/i.test(text) && !isMarkup(cursor.language)) return ''
  const half = isElementLanguage(cursor)
    ? /<\/?in(?:s(?:e(?:r(?:t[^<>\n]*)?)?)?)?$/i
    : /<(?:\/(?:i(?:n(?:s(?:e(?:r(?:t[^<>\n]*)?)?)?)?)?)?|ins(?:e(?:r(?:t[^<>\n]*)?)?)?)$/i
  return text.replace(half, '').replace(/<[|｜][\w▁]*[|｜]?$/, '')
}

/** Takes the answer out of the tag of another prompt, where the language has no such element at this place. */
function unwrap(text: string, cursor: CursorContext): string {
  const tag = otherTagOf(text, cursor)
  if (!tag) return text
  const body = text.slice(tag.end)
  const closing = body.toLowerCase().indexOf(`</${tag.name}>`)
  if (closing >= 0) return unwrap(body.slice(0, closing), cursor)
  if (/[\p{L}\p{N}_$]$/u.test(cursor.lineBefore)) return text
  return unwrap(withoutHalf(body, `</${tag.name}>`), cursor)
}

function withoutHalf(text: string, tag: string): string {
  const at = text.lastIndexOf('<')
  return at >= 0 && tag.startsWith(text.slice(at).toLowerCase()) ? text.slice(0, at) : text
}

function otherTagOf(text: string, cursor: CursorContext) {
  const match = /^\s*<(completion|answer|output|code|fill|middle)>/i.exec(text)
  const name = match?.[1]?.toLowerCase()
  if (!match || !name || hasElement(name, cursor)) return undefined
  return { name, end: match[0].length }
}

function hasElement(name: string, cursor: CursorContext): boolean {
  if (hasAnyElement(cursor.language)) return true
  return /^(?:code|output)$/.test(name) && (isElementLanguage(cursor) || isInProse(cursor))
}

function isElementLanguage({ language }: CursorContext): boolean {
  return isMarkup(language) || /^(?:typescriptreact|javascriptreact|markdown|php|astro|razor|erb)$/.test(language)
}
