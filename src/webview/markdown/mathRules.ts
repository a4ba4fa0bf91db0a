// `addMathRules`: formulas in Markdown: `$…$`, `\(…\)`, `$$…$$`, `\[…\]` and fences with the language `math`.
import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'

const maxInlineChars = 2_000

/**
 * A formula becomes an element whose text is its source; the page typesets it later. What has no end is text, so that
 * a formula that is still being written is shown as it is.
 */
export function addMathRules(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'math', inlineMath)
  parser.block.ruler.before('fence', 'math', blockMath, { alt: ['paragraph', 'blockquote', 'list'] })
  const { escapeHtml } = parser.utils
  parser.renderer.rules['math_inline'] = (tokens, at) =>
    `<span class="k-math">${escapeHtml(tokens[at]?.content ?? '')}</span>`
  parser.renderer.rules['math_block'] = (tokens, at) => block(tokens[at]?.content ?? '', escapeHtml)
}

type Escaped = (text: string) => string

const block = (source: string, escaped: Escaped) => `<p class="k-display">${escaped(source)}</p>\n`

/** The HTML of a formula whose delimiters are those of a fence. */
export const displayed = (tex: string, escaped: Escaped) => block(`$$\n${tex.trim()}\n$$`, escaped)

/** A fence with the language `math` that has its end; until then it is code. */
export function isMathFence({ type, info, content, map }: Token): boolean {
  if (type !== 'fence' || info.trim() !== 'math' || !map || content.trim() === '' || !content.endsWith('\n'))
    return false
  const lines = content.split('\n').length - 1
  return map[1] - map[0] === lines + 2
}

/** The TeX between the delimiters of a formula's source, and whether it is on lines of its own. */
export function formulaOf(source: string): { readonly tex: string; readonly isDisplay: boolean } {
  const text = source.trim()
  const isDisplay = text.startsWith('$$') || text.startsWith('\\[')
  const length = text.startsWith('$') && !isDisplay ? 1 : 2
  return { tex: text.slice(length, -length).trim(), isDisplay }
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const end = endOfInline(state)
  if (end === undefined) return false
  if (!silent) state.push('math_inline', 'span', 0).content = state.src.slice(state.pos, end)
  state.pos = end
  return true
}

/** Undefined where no formula begins at the position. */
function endOfInline(state: StateInline): number | undefined {
  const { src, pos } = state
  const opening = src.slice(pos, pos + 2)
  if (opening === '$$') return endAt(state, '$$')
  if (opening === '\\(') return endAt(state, '\\)')
  if (opening === '\\[') return endAt(state, '\\]')
  return src[pos] === '$' ? endOfDollar(state) : undefined
}

/** Within a limit, because each of many openings would otherwise search the rest of the text. */
function endAt({ src, pos, posMax }: StateInline, closing: string): number | undefined {
  const rest = src.slice(pos + 2, Math.min(posMax, pos + maxInlineChars))
  const length = rest.indexOf(closing)
  const inside = rest.slice(0, Math.max(0, length))
  return inside.trim() === '' || inside.includes('`') ? undefined : pos + length + 4
}

/**
 * Pandoc's rule: no white space follows the opening dollar; the next one closes, after no white space and before no digit.
 * And the guards that keep amounts of money and names of variables text.
 */
function endOfDollar({ src, pos, posMax }: StateInline): number | undefined {
  if (/[\w$\\]/.test(src[pos - 1] ?? '') || /[\s$]/.test(src[pos + 1] ?? ' ')) return undefined
  const length = src.slice(pos + 1, Math.min(posMax, pos + maxInlineChars)).search(/(?<!\\)\$/)
  const at = pos + 1 + length
  if (length < 1 || /\s/.test(src[at - 1] ?? '') || /[\w$]/.test(src[at + 1] ?? '')) return undefined
  const inside = src.slice(pos + 1, at)
  return inside.includes('`') || isMoney(inside) ? undefined : at + 1
}

/** An amount and words up to the next amount, such as `20 (or 20`. */
const isMoney = (inside: string) => /^\d.*\s/s.test(inside) && !/[\\^_{}=<>+*|]|\s[-−/]\s/.test(inside)

const closings: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' }

/**
 * A block reaches to its end or to the next empty line, even where it has no end: with further text it could have one,
 * and the blocks that are settled by then must not change.
 */
function blockMath(state: StateBlock, start: number, endLine: number, silent: boolean): boolean {
  const first = lineOf(state, start)
  const closing = closings[first.slice(0, 2)]
  if (closing === undefined || state.sCount[start] === undefined || isIndented(state, start)) return false
  const inFirst = first.indexOf(closing, 2)
  if (inFirst >= 0 && first.slice(inFirst + 2).trim() !== '') return false
  if (silent) return true
  const last = inFirst >= 0 ? start : lastLine(state, { start, endLine, closing })
  const source = state.getLines(start, last + 1, state.blkIndent, false).trim()
  const isWhole = source.length > 4 && source.endsWith(closing)
  state.line = last + 1
  if (isWhole) pushMath(state, source, start)
  else pushParagraph(state, source, start)
  return true
}

const lineOf = (state: StateBlock, line: number) =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])

const isIndented = (state: StateBlock, line: number) => (state.sCount[line] ?? 0) - state.blkIndent >= 4

interface Scan {
  readonly start: number
  readonly endLine: number
  readonly closing: string
}

function lastLine(state: StateBlock, { start, endLine, closing }: Scan): number {
  for (let line = start + 1; line < endLine; line++) {
    const isOutside = (state.sCount[line] ?? 0) < state.blkIndent
    if (state.isEmpty(line) || isOutside) return line - 1
    if (lineOf(state, line).trimEnd().endsWith(closing)) return line
  }
  return endLine - 1
}

function pushMath(state: StateBlock, source: string, start: number): void {
  const token = state.push('math_block', 'p', 0)
  token.block = true
  token.content = source
  token.map = [start, state.line]
}

function pushParagraph(state: StateBlock, source: string, start: number): void {
  state.push('paragraph_open', 'p', 1).map = [start, state.line]
  const token = state.push('inline', '', 0)
  token.content = source
  token.map = [start, state.line]
  token.children = []
  state.push('paragraph_close', 'p', -1)
}
