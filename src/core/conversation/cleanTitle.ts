// `cleanTitle`: what a model writes as a title, as one plain line.
import { withoutOtherKeys } from '../../base/otherKeys.ts'
import { clip, sanitizeLine } from '../../base/text.ts'

export const TITLE_CHARS = 60
const QUOTES = /^["'`“”„‟«»‹›‘’‚「『《]+|["'`“”„‟«»‹›‘’‚」』》]+$/gu

/** Empty if there is no title in it. Keys are masked. */
export function cleanTitle(text: string): string {
  const first = text.split(/\r\n?|\n/).find(line => withoutMarkdown(line) !== '') ?? ''
  const bare = withoutMarkdown(first).replace(/^(title|titel|titre|título|titolo)\s*[:：]\s*/iu, '')
  return clip(withoutOtherKeys(withoutMarkdown(bare).replace(/[.。]+$/u, '')), TITLE_CHARS)
}

function withoutMarkdown(line: string): string {
  return sanitizeLine(line, 1_000)
    .replace(/^(?:#{1,6}|>|[-*+]|\d+[.)])\s+/, '')
    .replace(/^(?:`{3,}|~{3,}).*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(QUOTES, '')
    .trim()
}
