// `shownText`: the text of Markdown as a reader sees it, near enough for a search; and how often a text occurs in it.

/** Is between blocks, so that no text is found across them. */
const BLOCK_END = '\u0001'

/** Without the marks of Markdown; code stays as it is. */
export function shownText(markdown: string): string {
  let fence: string | undefined
  const lines = markdown.split(/\r\n?|\n/).map(line => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (!mark?.startsWith(fence)) return line
      fence = undefined
      return BLOCK_END
    }
    if (mark === undefined) return shownLine(line)
    fence = mark
    return BLOCK_END
  })
  return lines.join('\n')
}

/** The mark at the beginning of a heading, a list item or a quotation; the line before it ends a block. */
const BLOCK_START = /^\s*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)]|>)(?:\s+|$))+/

function shownLine(line: string): string {
  const isTableRule = line.includes('|') && /^[\s:|-]+$/.test(line)
  if (line.trim() === '' || isTableRule) return BLOCK_END
  const isTableRow = /^\s*\|/.test(line)
  const start = isTableRow || BLOCK_START.test(line) ? BLOCK_END : ''
  const text = line.replace(BLOCK_START, '')
  return start + withoutMarks(isTableRow ? text.replaceAll('|', BLOCK_END) : text)
}

/** Without the marks of Markdown in a line. */
export function withoutMarks(text: string): string {
  if (!/[*_`~[\]\\]/.test(text)) return text
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(?<![\w\\])(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)/g, '$2')
    .replace(/(`+)(.+?)\1/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
}

/** A shown text without its line ends. */
export function onOneLine(shown: string): string {
  return shown.replaceAll(BLOCK_END, ' ').replace(/\s+/g, ' ').trim()
}

export interface SearchOptions {
  readonly matchCase?: boolean | undefined
  readonly wholeWord?: boolean | undefined
}

/**
 * Finds the text with any white space in place of white space, in any case unless `matchCase`. Undefined for a text without
 * characters.
 */
export function searchPattern(text: string, { matchCase, wholeWord }: SearchOptions = {}): RegExp | undefined {
  if (text.trim() === '') return undefined
  const words = text.split(/\s+/).map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const source = words.join('\\s+')
  const flags = matchCase ? 'gu' : 'giu'
  return new RegExp(wholeWord ? `${notInWord(text, 'start')}${source}${notInWord(text, 'end')}` : source, flags)
}

/** Beside a letter of the text there is no other, as the editor has it; beside a sign of it there may be anything. */
function notInWord(text: string, side: 'start' | 'end'): string {
  const isWord = /[\p{L}\p{N}_]/u.test((side === 'start' ? [...text.trim()][0] : [...text.trim()].at(-1)) ?? '')
  if (!isWord) return ''
  return side === 'start' ? '(?<![\\p{L}\\p{N}_])' : '(?![\\p{L}\\p{N}_])'
}

export function occurrencesIn(text: string, pattern: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) count++
  return count
}
