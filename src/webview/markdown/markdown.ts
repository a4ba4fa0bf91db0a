// `continueBlocks`: converts streamed Markdown to blocks, and renders only the blocks that can still change.
import MarkdownIt, { type Env, type MarkdownIt as Parser, type StateCore, type Token } from 'markdown-it'
import { fileReference } from '../../base/fileReference.ts'
import { MAX_LABEL_CHARS, readFenceLabel } from '../../protocol/fenceLabel.ts'
import type { Words } from '../words.ts'
import { drawCallout, markCallouts } from './calloutRule.ts'
import { addFoldRule } from './foldRule.ts'
import { addFootnoteRule } from './footnoteRule.ts'
import { addMathRules, displayed, isMathFence } from './mathRules.ts'
import {
  addReferenceRule,
  changedLabels,
  noReferences,
  type References,
  referencesOf,
  refersTo,
  withDefinitions,
} from './referenceRule.ts'
import { addSafeTagRule } from './safeTagRule.ts'
import { visible } from './visible.ts'

export interface Code {
  /** Empty where the text names none. */
  readonly language: string
  /** The rest of the line that opens a fence, such as `ts src/a.ts`; empty for an indented block. */
  readonly label: string
  readonly text: string
  /** The fence has its end, so no more of the code can come. */
  readonly isClosed: boolean
}

export type Block =
  | ({ readonly kind: 'code' } & Code)
  /** `html` still has to be sanitized. Its n-th `pre` is an empty placeholder for the n-th of `codes`. */
  | {
      readonly kind: 'html'
      readonly source: string
      readonly html: string
      readonly codes: readonly Code[]
      readonly hiddenRows: number
      readonly isOwn: boolean
      /** What its links refer to by a label. */
      readonly references: References
    }
  /** Shown unformatted, because it is too deep or too long, or the parser failed. */
  | { readonly kind: 'plain'; readonly text: string }

export interface Blocks {
  readonly text: string
  readonly blocks: readonly Block[]
  /** The length of the text, and the number of its blocks, that further text cannot change. */
  readonly settled: { readonly chars: number; readonly blocks: number }
  /** The source of each block after the settled ones. */
  readonly sources: readonly string[]
  /** The HTML of each text in the blocks that were made last, such as the items of a list that still grows. */
  readonly inline: InlineHtml
  /** What links refer to: by the settled text, and by all of it. */
  readonly references: { readonly settled: References; readonly all: References }
}

type InlineHtml = ReadonlyMap<string, string>

export const noBlocks: Blocks = {
  text: '',
  blocks: [],
  settled: { chars: 0, blocks: 0 },
  sources: [],
  inline: new Map(),
  references: { settled: noReferences, all: noReferences },
}

const maxNesting = 100
const maxRows = 200
const maxInlineChars = 100_000
const maxTokens = 30_000
const maxUrlChars = 2_048

/**
 * The blocks of `text`. Reuses those of `before` that the added text does not change: of the settled ones it can change
 * only those whose links refer to what it defines. Never throws. `isOwn`: the user has written it, as a rule without
 * Markdown in mind: its line ends are kept, and `_` and `$` are no marks, because names and commands have them.
 */
export function continueBlocks(before: Blocks, text: string, words: Words, isOwn = false): Blocks {
  if (text === before.text) return before
  const start = text.startsWith(before.text) ? before : noBlocks
  const tail = text.slice(start.settled.chars)
  const sourceBlocks = cut(visible(tail, words))
  const kept = start.blocks.slice(start.settled.blocks)
  const references = sourceBlocks.reduce(defined, start.references.settled)
  const changed = changedLabels(start.references.all, references)
  const inline = new Map<string, string>()
  const known = changed.size > 0 ? noBlocks.inline : start.inline
  const made = sourceBlocks.map((sourceBlock, at) => {
    const same = start.sources[at] === sourceBlock.source ? kept[at] : undefined
    if (same && !refers(sourceBlock.source, changed)) return same
    return makeBlock(sourceBlock, { rows: maxRows, words, references, isOwn, known, made: inline })
  })
  const done = settledCount(sourceBlocks, tail)
  const settled = start.blocks.slice(0, start.settled.blocks)
  return {
    text,
    blocks: [...(changed.size > 0 ? settled.map(relinked) : settled), ...made],
    settled: {
      chars: start.settled.chars + lineStart(tail, sourceBlocks[done]?.line ?? 0),
      blocks: start.settled.blocks + done,
    },
    sources: sourceBlocks.slice(done).map(({ source }) => source),
    inline,
    references: { settled: sourceBlocks.slice(0, done).reduce(defined, start.references.settled), all: references },
  }

  function relinked(block: Block): Block {
    if (block.kind !== 'html' || !refers(block.source, changed)) return block
    return blockAgain(block.source, { rows: maxRows, words, references, isOwn })
  }
}

/** Renders a block again, with all rows of its tables. */
export function wholeBlock({ source, references, isOwn }: Extract<Block, { kind: 'html' }>, words: Words): Block {
  return blockAgain(source, { rows: Number.POSITIVE_INFINITY, words, references, isOwn })
}

function blockAgain(source: string, needs: Omit<BlockNeeds, 'known' | 'made'>): Block {
  const [sourceBlock] = cut(source)
  if (!sourceBlock) return { kind: 'plain', text: source }
  return makeBlock(sourceBlock, { ...needs, known: noBlocks.inline, made: new Map() })
}

const defined = (known: References, { tokens = [] }: SourceBlock) => withDefinitions(known, tokens)

const refers = (source: string, labels: ReadonlySet<string>) => refersTo(source, labels, md.utils.normalizeReference)

interface SourceBlock {
  readonly line: number
  readonly source: string
  /** Undefined if the parser failed. */
  readonly tokens?: Token[]
}

/** The top-level blocks of a text. Definitions are blocks as well, so no block can change another. */
function cut(text: string): SourceBlock[] {
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
 * The number of blocks that further text cannot change: all before the last one that has two complete lines. One line
 * is not enough: `***` is a rule until it continues as `***bold`, and a line before `|-|-` is the head of a table until
 * that continues as `|-|-x`; then both belong to the paragraph before.
 */
function settledCount(sourceBlocks: readonly SourceBlock[], tail: string): number {
  const wholeLines = tail.match(/\r\n|\n|\r(?!$)/g)?.length ?? 0
  return Math.max(
    0,
    sourceBlocks.findLastIndex(({ line }) => line + 2 <= wholeLines),
  )
}

function lineStart(text: string, line: number): number {
  if (line === 0) return 0
  const ends = /\r\n|\n|\r/g
  for (let left = line; left > 0; left--) ends.exec(text)
  return ends.lastIndex
}

interface BlockNeeds {
  /** The most that are shown of a table. */
  readonly rows: number
  readonly words: Words
  readonly references: References
  readonly isOwn: boolean
  readonly known: InlineHtml
  /** Receives the HTML of each text in the block. */
  readonly made: Map<string, string>
}

function makeBlock(sourceBlock: SourceBlock, { rows, ...needs }: BlockNeeds): Block {
  const plain: Block = { kind: 'plain', text: sourceBlock.source }
  try {
    const [first] = sourceBlock.tokens ?? []
    if (!first || !sourceBlock.tokens) return plain
    const lines = sourceBlock.source.split('\n')
    if (isCode(first)) return { kind: 'code', ...codeOf(first, lines, sourceBlock.line) }
    const { tokens, hiddenRows } = withoutRows(sourceBlock.tokens, rows)
    if (isTooMuch(tokens)) return plain
    const codes: Code[] = []
    const references = referencesOf(sourceBlock.source, needs.references, md.utils.normalizeReference)
    return {
      kind: 'html',
      source: sourceBlock.source,
      html: htmlOf(sourceBlock.source, tokens, { ...needs, references, codes, lines, line: sourceBlock.line }),
      codes,
      hiddenRows,
      isOwn: needs.isOwn,
      references,
    }
  } catch {
    return plain
  }
}

const isCode = (token: Token) => (token.type === 'fence' && !isMathFence(token)) || token.type === 'code_block'

/** Without the last line end, because a terminal would run the pasted text. `line`: the number of the first of `lines`. */
function codeOf(token: Token, lines: readonly string[], line: number): Code {
  const label = token.info.trim().slice(0, MAX_LABEL_CHARS)
  const text = token.content.replace(/\n$/, '')
  return { language: readFenceLabel(label).language, label, text, isClosed: isClosed(token, lines, line) }
}

/** Code without a fence counts as closed. */
function isClosed({ type, markup, map }: Token, lines: readonly string[], line: number): boolean {
  if (type !== 'fence' || !map) return true
  const [start, end] = map
  const last = lines[end - 1 - line]?.replace(/^[\s>]*/, '').trimEnd() ?? ''
  return end - start > 1 && last.startsWith(markup) && last.replaceAll(markup[0] ?? '`', '') === ''
}

/** The parser drops text below `maxNesting` without a notice, so a text that deep is shown as plain text. */
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

function htmlOf(source: string, tokens: Token[], env: DrawEnv): string {
  tokens.forEach((token, at) => {
    const item = tokens[at - 2]
    if (token.type === 'inline' && item?.type === 'list_item_open') markTask(token, item)
    if (token.type === 'th_open' || token.type === 'td_open') alignByAttribute(token)
  })
  markCallouts(tokens)
  const texts = tokens.filter(token => token.type === 'inline')
  const contents = texts.map(({ content }) => content)
  const state = new md.core.State(source, md, env)
  state.tokens = tokens
  for (const token of texts) putKnown(state, token, env.known.get(token.content))
  md.core.process(state)
  for (const [at, token] of texts.entries()) {
    const html = md.renderer.renderInline(token.children ?? [], md.options, env)
    env.made.set(contents[at] ?? '', html)
    putKnown(state, token, html)
  }
  return md.renderer.render(tokens, md.options, env)
}

/** Without content the parser leaves the token as it is. */
function putKnown(state: StateCore, token: Token, html: string | undefined): void {
  if (html === undefined) return
  const known = new state.Token('k_html', '', 0)
  known.content = html
  token.content = ''
  token.children = [known]
}

interface DrawEnv extends Env {
  readonly isOwn: boolean
  readonly known: InlineHtml
  readonly made: Map<string, string>
  readonly codes: Code[]
  readonly words: Words
  readonly lines: readonly string[]
  /** The number of the first of `lines`. */
  readonly line: number
}

/** The page draws a box in the place of the brackets. */
function markTask(token: Token, item: Token): void {
  const [brackets = '', box] = /^\[([ xX])\] /.exec(token.content) ?? []
  if (box === undefined) return
  item.attrSet('class', box === ' ' ? 'k-open' : 'k-done')
  token.content = token.content.slice(brackets.length)
}

/** By the attribute `align`, because the page's Content Security Policy allows no inline style. */
function alignByAttribute(token: Token): void {
  const side = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
  token.attrs = side ? [['align', side]] : null
}

/**
 * The core rules that split text into blocks are disabled, because `cut` does that; the others render inline content.
 */
function makeParser(): Parser {
  const parser = new MarkdownIt({ html: false, linkify: true, maxNesting })
  parser.core.ruler.disable(['normalize', 'block'])
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  parser.linkify.add('www.', { validate: charsOfAddress, normalize: addScheme })
  parser.validateLink = url => url.length <= maxUrlChars && (isAddress(url) || fileTarget(url) !== undefined)
  // Shown addresses stay in Punycode, so that a letter of another script cannot imitate a Latin one.
  parser.normalizeLinkText = url => url
  addSafeRules(parser)
  addOwnRule(parser)
  addMathRules(parser)
  addReferenceRule(parser)
  addSafeTagRule(parser)
  addFoldRule(parser)
  addFootnoteRule(parser)
  return parser
}

/** The length of what follows `www.` in an address without a scheme. */
function charsOfAddress(text: string, at: number, { re }: LinkifyIt): number {
  if (/[\w@/.]/.test(text[at - 5] ?? '')) return 0
  const address = re.get_relative_proto_validator()
  address.lastIndex = at
  return address.exec(text)?.[0].length ?? 0
}

function addScheme(match: { url: string }): void {
  match.url = `https://${match.url}`
}

function addSafeRules(parser: Parser): void {
  const { escapeHtml } = parser.utils
  const { rules } = parser.renderer
  // Applied again, because entities such as `&#x202e;` are decoded after the split into blocks.
  rules['text'] = (tokens, at, _options, env) => escapeHtml(visible(tokens[at]?.content ?? '', drawEnv(env).words))
  rules['softbreak'] = (_tokens, _at, _options, env) => (drawEnv(env).isOwn ? '<br>\n' : '\n')
  rules['k_html'] = (tokens, at) => tokens[at]?.content ?? ''
  rules['blockquote_open'] = (tokens, at, _options, env) => drawCallout(tokens[at], drawEnv(env).words)
  rules['fence'] = rules['code_block'] = (tokens, at, _options, env) => {
    const token = tokens[at]
    if (token && isMathFence(token)) return displayed(token.content, escapeHtml)
    const { codes, lines, line } = drawEnv(env)
    if (token) codes.push(codeOf(token, lines, line))
    return '<pre class="k-code"></pre>\n'
  }
  rules['link_open'] = (tokens, at) => linkOpen(String(tokens[at]?.attrGet('href') ?? ''), escapeHtml)
  rules['image'] = (tokens, at, options, env, self) => {
    const token = tokens[at]
    const { words } = drawEnv(env)
    const name = visible(self.renderInlineAsText(token?.children ?? [], options, env), words)
    const label = escapeHtml(name ? words.of('imageOf', { name }) : words.of('imageWithoutName'))
    if (isInLink(tokens, at)) return label
    return `${linkOpen(String(token?.attrGet('src') ?? ''), escapeHtml)}${label}</a>`
  }
}

// as: only `htmlOf` calls the renderer.
const drawEnv = (env: Env | undefined) => env as DrawEnv

const OWN_CHARS = new Set(['_', '$'])

function addOwnRule(parser: Parser): void {
  parser.inline.ruler.before('text', 'k_own', (state, silent) => {
    const char = state.src[state.pos] ?? ''
    if (!drawEnv(state.env).isOwn || !OWN_CHARS.has(char)) return false
    if (!silent) state.pending += char
    state.pos++
    return true
  })
}

/** The tooltip is the address, and not the title in the model's text. */
function linkOpen(url: string, escapeHtml: (text: string) => string): string {
  const file = fileTarget(url)
  if (file !== undefined) return `<a class="k-file" title="${escapeHtml(file)}">`
  return `<a href="${escapeHtml(url)}" title="${escapeHtml(url)}">`
}

const isAddress = (url: string) => /^(?:https?:\/\/|mailto:)/i.test(url)

/** The file that a link may lead to. Decoded before it is checked; what is encoded twice leads nowhere. */
function fileTarget(url: string): string | undefined {
  try {
    const text = decodeURIComponent(url)
    return fileReference(text) ? text : undefined
  } catch {
    return undefined
  }
}

function isInLink(tokens: readonly Token[], at: number): boolean {
  const openings = tokens.slice(0, at).filter(token => token.type === 'link_open').length
  return openings > tokens.slice(0, at).filter(token => token.type === 'link_close').length
}

type LinkifyIt = Parser['linkify']

const md = makeParser()
