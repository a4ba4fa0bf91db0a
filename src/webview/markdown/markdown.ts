// Model text into safe blocks, block by block as it streams; a finished block is never made twice.
import MarkdownIt, { type Env, type MarkdownIt as Parser, type Token } from 'markdown-it'
import { visible } from './visible.ts'

export interface Code {
  readonly language: string
  readonly text: string
}

export type Block =
  | ({ readonly kind: 'code' } & Code)
  /** `html` still has to pass the sanitiser. Its n-th `pre` is empty and stands for the n-th of `codes`. */
  | {
      readonly kind: 'html'
      readonly source: string
      readonly html: string
      readonly codes: readonly Code[]
      readonly hiddenRows: number
    }
  /** Shown as it came, because it is too deep, too long or broke the parser. */
  | { readonly kind: 'plain'; readonly text: string }

export interface Blocks {
  readonly text: string
  readonly blocks: readonly Block[]
  /** Up to here the text and its blocks are final, whatever comes. */
  readonly settled: { readonly chars: number; readonly blocks: number }
  /** The source of each block after the settled ones. */
  readonly sources: readonly string[]
}

export const noBlocks: Blocks = { text: '', blocks: [], settled: { chars: 0, blocks: 0 }, sources: [] }

const maxNesting = 100
const maxRows = 200
const maxInlineChars = 100_000
const maxTokens = 30_000
const maxUrlChars = 2_048

/** The blocks of `text`, taking from `before` all that the new end of the text cannot change. Never throws. */
export function continueBlocks(before: Blocks, text: string): Blocks {
  if (text === before.text) return before
  const start = text.startsWith(before.text) ? before : noBlocks
  const tail = text.slice(start.settled.chars)
  const pieces = cut(visible(tail))
  const kept = start.blocks.slice(start.settled.blocks)
  const made = pieces.map((piece, at) => {
    const same = start.sources[at] === piece.source ? kept[at] : undefined
    return same ?? makeBlock(piece, maxRows)
  })
  const done = settledPieces(pieces, tail)
  return {
    text,
    blocks: [...start.blocks.slice(0, start.settled.blocks), ...made],
    settled: {
      chars: start.settled.chars + lineStart(tail, pieces[done]?.line ?? 0),
      blocks: start.settled.blocks + done,
    },
    sources: pieces.slice(done).map(piece => piece.source),
  }
}

/** A block again, this time with every row of its tables. */
export function wholeBlock(source: string): Block {
  const [piece] = cut(source)
  return piece ? makeBlock(piece, Number.POSITIVE_INFINITY) : { kind: 'plain', text: source }
}

interface Piece {
  readonly line: number
  readonly source: string
  /** Missing where the parser failed. */
  readonly tokens?: Token[]
}

/** The top-level blocks of a text. Definitions of references are off, so no block can change another. */
function cut(text: string): Piece[] {
  try {
    const tokens: Token[] = []
    md.block.parse(text, md, {}, tokens)
    const lines = text.split('\n')
    return groups(tokens).map(group => {
      const [line, end] = group[0]?.map ?? [0, lines.length]
      return { line, source: lines.slice(line, end).join('\n'), tokens: group }
    })
  } catch {
    return [{ line: 0, source: text }]
  }
}

function groups(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = []
  for (const token of tokens) {
    if (token.level === 0 && token.nesting >= 0) found.push([])
    found.at(-1)?.push(token)
  }
  return found
}

/**
 * How many pieces no further text can change: all before the last one that has two whole lines. One line is not
 * enough: `***` is a rule until it goes on as `***bold`, and a line over `|-|-` is a table's head until it goes on
 * as `|-|-x`; then both belong to the paragraph before.
 */
function settledPieces(pieces: readonly Piece[], tail: string): number {
  const wholeLines = tail.match(/\r\n|\n|\r(?!$)/g)?.length ?? 0
  return Math.max(
    0,
    pieces.findLastIndex(piece => piece.line + 2 <= wholeLines),
  )
}

function lineStart(text: string, line: number): number {
  if (line === 0) return 0
  const ends = /\r\n|\n|\r/g
  for (let left = line; left > 0; left--) ends.exec(text)
  return ends.lastIndex
}

function makeBlock(piece: Piece, rows: number): Block {
  const plain: Block = { kind: 'plain', text: piece.source }
  try {
    const [first] = piece.tokens ?? []
    if (!first || !piece.tokens) return plain
    if (isCode(first)) return { kind: 'code', ...codeOf(first) }
    const { tokens, hiddenRows } = withoutRows(piece.tokens, rows)
    if (isTooMuch(tokens)) return plain
    const codes: Code[] = []
    return { kind: 'html', source: piece.source, html: htmlOf(piece.source, tokens, codes), codes, hiddenRows }
  } catch {
    return plain
  }
}

const isCode = (token: Token) => token.type === 'fence' || token.type === 'code_block'

/** The last line end is left out: pasted into a terminal it would run what was copied. */
function codeOf(token: Token): Code {
  const language = /^[\w+#.-]{1,32}/.exec(token.info.trim())?.[0] ?? 'text'
  return { language, text: token.content.replace(/\n$/, '') }
}

/** Below its deepest level the parser leaves text out in silence, so what comes near to it is not parsed at all. */
function isTooMuch(tokens: readonly Token[]): boolean {
  const chars = tokens.reduce((sum, token) => sum + (token.type === 'inline' ? token.content.length : 0), 0)
  return tokens.length > maxTokens || chars > maxInlineChars || tokens.some(token => token.level >= maxNesting - 1)
}

function withoutRows(tokens: readonly Token[], limit: number): { tokens: Token[]; hiddenRows: number } {
  let rows = 0
  let hiddenRows = 0
  const kept = tokens.filter(token => {
    if (token.type === 'tbody_open') rows = 0
    if (token.type === 'tr_open') rows++
    const isInRow = token.type !== 'tbody_close' && token.type !== 'table_close' && rows > limit
    if (isInRow && token.type === 'tr_open') hiddenRows++
    if (token.type === 'tbody_close') rows = 0
    return !isInRow
  })
  return { tokens: kept, hiddenRows }
}

function htmlOf(source: string, tokens: Token[], codes: Code[]): string {
  tokens.forEach((token, at) => {
    if (token.type === 'inline' && tokens[at - 2]?.type === 'list_item_open') token.content = withBox(token.content)
    if (token.type === 'th_open' || token.type === 'td_open') alignByAttribute(token)
  })
  const env: Env = { codes }
  const state = new md.core.State(source, md, env)
  state.tokens = tokens
  md.core.process(state)
  return md.renderer.render(tokens, md.options, env)
}

const withBox = (text: string) => text.replace(/^\[([ xX])\] /, (_, box) => (box === ' ' ? '☐ ' : '☑ '))

/** The page's policy allows no inline style. */
function alignByAttribute(token: Token): void {
  const side = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
  token.attrs = side ? [['align', side]] : null
}

/** The whole way from lines to blocks is in `cut`; what is left of the core chain is the inside of a block. */
function makeParser(): Parser {
  const parser = new MarkdownIt({ html: false, linkify: true, maxNesting })
  parser.disable('reference')
  parser.core.ruler.disable(['normalize', 'block'])
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  parser.validateLink = url => url.length <= maxUrlChars && /^(?:https?:\/\/|mailto:)/i.test(url)
  // The address of a link stays in ASCII where it is shown, so that a foreign letter cannot pose as a Latin one.
  parser.normalizeLinkText = url => url
  drawSafely(parser)
  return parser
}

function drawSafely(parser: Parser): void {
  const { escapeHtml } = parser.utils
  const { rules } = parser.renderer
  // Again here, because `&#x202e;` becomes a character only after the text was cut into blocks.
  rules['text'] = (tokens, at) => escapeHtml(visible(tokens[at]?.content ?? ''))
  rules['fence'] = rules['code_block'] = (tokens, at, _options, env) => {
    const token = tokens[at]
    const codes: unknown = env?.['codes']
    if (token && Array.isArray(codes)) codes.push(codeOf(token))
    return '<pre class="k-code"></pre>\n'
  }
  rules['link_open'] = (tokens, at) => linkOpen(escapeHtml(String(tokens[at]?.attrGet('href') ?? '')))
  rules['image'] = (tokens, at, options, env, self) => {
    const token = tokens[at]
    const alt = escapeHtml(visible(self.renderInlineAsText(token?.children ?? [], options, env))) || 'without a name'
    if (isInLink(tokens, at)) return `Image: ${alt}`
    return `${linkOpen(escapeHtml(String(token?.attrGet('src') ?? '')))}Image: ${alt}</a>`
  }
}

/** The tip says where the link goes, whatever the model would have it say. */
const linkOpen = (url: string) => `<a href="${url}" title="${url}">`

function isInLink(tokens: readonly Token[], at: number): boolean {
  const openings = tokens.slice(0, at).filter(token => token.type === 'link_open').length
  return openings > tokens.slice(0, at).filter(token => token.type === 'link_close').length
}

const md = makeParser()
