// `lex`: where code, comments and strings begin and end, precise enough to match brackets in any language.

/** What the text at an offset is part of. `until` is what ends it. */
export type Inside =
  | { readonly kind: 'code' }
  | { readonly kind: 'comment'; readonly until: string }
  | { readonly kind: 'string'; readonly until: string }

export interface LexState {
  readonly inside: Inside
  /** Brackets opened and not closed, the outermost first. */
  readonly open: readonly Bracket[]
  /** What is before the text, where that decides what its first characters mean: the pattern of a shell's `case`. */
  readonly before?: string | undefined
}

/** `${` opens a template expression; its closer leads back into the string. */
export type Bracket = '(' | '[' | '{' | '${'

export const closerOf: Readonly<Record<Bracket, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' }

const code: Inside = { kind: 'code' }
export const atStart: LexState = { inside: code, open: [] }

export interface LexResult {
  readonly state: LexState
  /** Offsets of closers that match no bracket opened in this text or in the state it started from. */
  readonly unmatched: readonly number[]
  /** The smallest number of brackets that were open at some place. */
  readonly fewestOpen: number
}

interface Rules {
  readonly line: readonly string[]
  readonly block: readonly (readonly [open: string, close: string])[]
  readonly quotes: readonly string[]
  /** `'` begins a character, not a string; in Rust it may also begin a lifetime. */
  readonly hasCharacters?: boolean
  readonly hasRegex?: boolean
  /** A closing parenthesis may end a pattern of `case`, and closes nothing then. */
  readonly hasCasePatterns?: boolean
  /** `#` begins a comment only behind one of these characters, or at the beginning: elsewhere it is part of a word. */
  readonly beforeHash?: RegExp
  /** `'` may end a name. */
  readonly hasPrimes?: boolean
}

/** `tokens` finds what may change the state. */
interface Syntax extends Rules {
  readonly tokens: RegExp
}

const syntax = (rules: Rules): Syntax => ({ ...rules, tokens: tokensOf(rules) })

const cLike = syntax({ line: ['//'], block: [['/*', '*/']], quotes: ['"'], hasCharacters: true })
const script = syntax({ line: ['//'], block: [['/*', '*/']], quotes: ['`', '"', "'"], hasRegex: true })
const hash = syntax({ line: ['#'], block: [], quotes: ['"', "'"] })
const shell = syntax({ ...hash, beforeHash: /[\s;()|&`]/, hasCasePatterns: true })
const perl = syntax({ ...hash, beforeHash: /[\s;,(){}\]]/ })
const yaml = syntax({ ...hash, beforeHash: /\s/ })
const python = syntax({ line: ['#'], block: [], quotes: ['"""', "'''", '"', "'"] })
const dashes = syntax({ line: ['--'], block: [['/*', '*/']], quotes: ['"', "'"] })
const markup = syntax({ line: [], block: [['<!--', '-->']], quotes: [] })
const plain = syntax({ line: [], block: [], quotes: [] })

const syntaxes: Readonly<Record<string, Syntax>> = {
  javascript: script,
  javascriptreact: script,
  typescript: script,
  typescriptreact: script,
  go: syntax({ ...cLike, quotes: ['`', '"'] }),
  php: syntax({ ...script, line: ['//', '#'], hasRegex: false }),
  dart: syntax({ ...python, line: ['//'], block: cLike.block }),
  css: syntax({ line: [], block: cLike.block, quotes: ['"', "'"] }),
  scss: syntax({ ...script, hasRegex: false }),
  less: syntax({ ...script, hasRegex: false }),
  python,
  shellscript: shell,
  yaml,
  ...same(perl, 'perl', 'powershell'),
  ...same(hash, 'ruby', 'toml', 'makefile', 'dockerfile', 'r', 'elixir'),
  ...same(hash, 'coffeescript', 'julia', 'nix', 'properties', 'terraform', 'graphql', 'ignore', 'cmake'),
  lua: dashes,
  sql: syntax({ ...dashes, quotes: ['`', '"', "'"] }),
  ...same(syntax({ ...dashes, hasPrimes: true }), 'haskell', 'ada', 'elm', 'vhdl'),
  ...same(markup, 'html', 'xml', 'svg', 'vue', 'svelte', 'handlebars'),
  ...same(syntax({ line: [';'], block: [], quotes: ['"'] }), 'clojure', 'lisp', 'scheme', 'ini'),
  json: syntax({ line: [], block: [], quotes: ['"'] }),
  ...same(plain, 'plaintext', 'markdown', 'latex', 'tex', 'restructuredtext', 'asciidoc', 'git-commit', 'scminput'),
}

function same(one: Syntax, ...languages: string[]): Record<string, Syntax> {
  return Object.fromEntries(languages.map(language => [language, one]))
}

/** A language that is not listed is lexed like C. */
function syntaxOf(language: string): Syntax {
  return (Object.hasOwn(syntaxes, language) ? syntaxes[language] : undefined) ?? cLike
}

export function isProse(language: string): boolean {
  return syntaxOf(language) === plain
}

export function isMarkup(language: string): boolean {
  return syntaxOf(language) === markup
}

/** Languages in which `'` begins a character. */
export function hasCharacters(language: string): boolean {
  return syntaxOf(language).hasCharacters === true
}

/** Languages in which each name may be that of an element. */
export function hasAnyElement(language: string): boolean {
  return /^(?:xml|svg|xsl)$/.test(language)
}

/** Languages whose blocks end where the indentation does. */
export function endsByIndentation(language: string): boolean {
  return /^(?:python|yaml|coffeescript|haskell|elm|nim|pug|sass|fsharp|makefile)$/.test(language)
}

/** What a bracket or the sign of a comment means may depend on the text before it. */
export function looksBack(language: string): boolean {
  const { hasCasePatterns, beforeHash, hasPrimes } = syntaxOf(language)
  return hasCasePatterns === true || hasPrimes === true || beforeHash !== undefined
}

/** `strict`: a closer must match the innermost bracket. Otherwise brackets left open inside of its opener are dropped. */
export function lex(text: string, language: string, from: LexState = atStart, mode?: 'strict'): LexResult {
  const reader = new Lexer(text, syntaxOf(language), from, mode === 'strict')
  reader.run()
  return {
    state: { inside: reader.inside, open: reader.open },
    unmatched: reader.unmatched,
    fewestOpen: reader.fewestOpen,
  }
}

/**
 * The offset behind the token after which the text is inside of what `target` is inside of, with no more brackets open;
 * undefined if that does not happen. Closers must match the innermost bracket.
 */
export function offsetOfState(text: string, language: string, from: LexState, target: LexState): number | undefined {
  return new Lexer(text, syntaxOf(language), from, true).runTo(target)
}

const openerOf: Readonly<Record<string, Bracket>> = { ')': '(', ']': '[', '}': '{' }
const isOpener = (token: string): token is Bracket => token === '(' || token === '[' || token === '{'

class Lexer {
  readonly #text: string
  readonly #syntax: Syntax
  readonly #isStrict: boolean
  readonly #before: string
  #at = 0
  inside: Inside
  readonly open: Bracket[]
  readonly unmatched: number[] = []
  fewestOpen: number

  constructor(text: string, syntax: Syntax, from: LexState, isStrict: boolean) {
    this.#text = text
    this.#syntax = syntax
    this.#isStrict = isStrict
    this.#before = from.before ?? ''
    this.inside = from.inside
    this.open = [...from.open]
    this.fewestOpen = this.open.length
  }

  run(): void {
    while (this.#at < this.#text.length) this.#step()
  }

  runTo({ inside, open }: LexState): number | undefined {
    while (this.#at < this.#text.length && this.unmatched.length === 0) {
      this.#step()
      if (this.open.length <= open.length && isSameInside(this.inside, inside)) return this.#at
    }
    return undefined
  }

  #step(): void {
    if (this.inside.kind === 'code') this.#readCode()
    else if (this.inside.kind === 'comment') this.#leaveAt(this.#text.indexOf(this.inside.until, this.#at))
    else this.#readString(this.inside.until)
  }

  #readCode(): void {
    const { tokens } = this.#syntax
    tokens.lastIndex = this.#at
    const match = tokens.exec(this.#text)
    this.#at = match ? tokens.lastIndex : this.#text.length
    if (match) this.#take(match[0], match.index)
  }

  #take(token: string, at: number): void {
    const { line, block, quotes } = this.#syntax
    const comment = block.find(([open]) => open === token)
    if (comment) this.inside = { kind: 'comment', until: comment[1] }
    else if (line.includes(token)) this.#enterLineComment(token, at)
    else if (quotes.includes(token) && !this.#isPrime(token, at)) this.inside = { kind: 'string', until: token }
    else if (isOpener(token)) this.open.push(token)
    else if (openerOf[token] && !this.#isCasePattern(token, at)) this.#close(token, at)
    else if (token === '/' && this.#syntax.hasRegex) this.#skipRegex(at)
  }

  #enterLineComment(token: string, at: number): void {
    const { beforeHash } = this.#syntax
    const isWithinWord = token === '#' && beforeHash && !beforeHash.test(this.#characterBefore(at) ?? '\n')
    if (!isWithinWord) this.inside = { kind: 'comment', until: '\n' }
  }

  #isPrime(token: string, at: number): boolean {
    return token === "'" && this.#syntax.hasPrimes === true && /[\w']/.test(this.#characterBefore(at) ?? '')
  }

  #characterBefore(at: number): string | undefined {
    return at > 0 ? this.#text[at - 1] : this.#before.at(-1)
  }

  #isCasePattern(closer: string, at: number): boolean {
    if (closer !== ')' || !this.#syntax.hasCasePatterns) return false
    const near = this.#text.slice(Math.max(0, at - LOOK_BACK_CHARS), at)
    return casePattern.test((this.#before + near).slice(-LOOK_BACK_CHARS))
  }

  #close(closer: string, at: number): void {
    const fits = (bracket: Bracket) => bracket.at(-1) === openerOf[closer]
    const found = this.#isStrict ? this.open.length - 1 : this.open.findLastIndex(fits)
    const bracket = this.open[found]
    if (bracket === undefined || !fits(bracket)) {
      this.unmatched.push(at)
      return
    }
    this.open.length = found
    this.fewestOpen = Math.min(this.fewestOpen, found)
    if (bracket === '${') this.inside = { kind: 'string', until: '`' }
  }

  /** An unclosed `"` or `'` string ends with its line, because it is still being typed or is an apostrophe. */
  #readString(until: string): void {
    const isOneLine = until === '"' || until === "'"
    const isTemplate = until === '`' && this.#syntax.hasRegex
    const isEnd = () => this.#text.startsWith(until, this.#at) || (isOneLine && this.#text[this.#at] === '\n')
    const isTemplateExpression = () => isTemplate && this.#text.startsWith('${', this.#at)
    while (this.#at < this.#text.length && !isEnd() && !isTemplateExpression())
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    if (this.#at >= this.#text.length) return
    if (isEnd()) this.#leaveAt(this.#at)
    else this.#enterTemplateExpression()
  }

  #enterTemplateExpression(): void {
    this.open.push('${')
    this.inside = code
    this.#at += 2
  }

  #leaveAt(end: number): void {
    const until = this.inside.kind === 'code' ? '' : this.inside.until
    if (end < 0) {
      this.#at = this.#text.length
      return
    }
    this.#at = end + (this.#text.startsWith(until, end) ? until.length : 1)
    this.inside = code
  }

  /** Skips a regular expression, whose brackets and quotes do not count. A slash after a value is a division. */
  #skipRegex(at: number): void {
    const before = /(\w*)[ \t]*$/.exec(this.#text.slice(Math.max(0, at - 40), at))
    const word = before?.[1] ?? ''
    const char = this.#text[at - (before?.[0].length ?? 0) - 1] ?? '\n'
    const mayBegin = word === '' ? /[(,=:[!&|?{};+\-*%<>~^\n]/.test(char) : /^(?:return|typeof|case|in|of)$/.test(word)
    if (!mayBegin) return
    regexLiteral.lastIndex = at
    if (regexLiteral.test(this.#text)) this.#at = regexLiteral.lastIndex
  }
}

export function isSameInside(a: Inside, b: Inside): boolean {
  return a.kind === b.kind && (a.kind === 'code' || b.kind === 'code' || a.until === b.until)
}

/** So far back may the meaning of a bracket depend on the text before it. */
export const LOOK_BACK_CHARS = 300
/** Behind `case … in` or `;;`, with comments between: patterns without brackets, separated by `|`. */
const casePattern =
  /(?:\bcase\b[^\n]*\sin|;;&?|;&)(?:\s+|#[^\n]*\n)+(?:[^\s()|;"'#]|"[^"\n]*"|'[^'\n]*'|\\.)+(?:[ \t]*\|[ \t]*(?:[^\s()|;"'#]|"[^"\n]*"|'[^'\n]*'|\\.)+)*[ \t]*$/

const regexLiteral = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y

function tokensOf({ line, block, quotes, hasCharacters, hasRegex }: Rules): RegExp {
  const words = [...block.map(([open]) => open), ...line, ...quotes].sort((a, b) => b.length - a.length)
  const parts = words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (hasCharacters) parts.push(String.raw`'(?:\\[^\n']*|[^\\'\n])'`)
  if (hasRegex) parts.push('/')
  return new RegExp([...parts, '[()[\\]{}]'].join('|'), 'g')
}
