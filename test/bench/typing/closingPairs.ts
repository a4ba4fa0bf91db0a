// Which brackets and quotes the editor closes by itself, as its built-in languages define.
import { type Inside, insideAt } from './inside.ts'

interface Pairs {
  /** Quotes that are closed. */
  readonly quotes: string
  /** Quotes are closed also in comments and strings. */
  readonly quotesAnywhere?: true
  /** Brackets are not closed in comments and strings. */
  readonly bracketsInCode?: true
  /** Letters directly before a quote that belong to its string. */
  readonly prefixes?: string
  /** Before which characters a pair is closed; brackets also before quotes where the language does not define it. */
  readonly before?: string
}

export const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

const BEFORE = ';:.,=}])> \n\t'
const QUOTES = '\'"`'
const ecma: Pairs = { quotes: QUOTES, before: `${BEFORE}\`` }

const pairsOf: Readonly<Record<string, Pairs>> = {
  c: { quotes: '\'"' },
  csharp: { quotes: '\'"' },
  css: { quotes: '\'"', bracketsInCode: true },
  go: { quotes: QUOTES },
  html: { quotes: '\'"', quotesAnywhere: true },
  java: { quotes: '\'"' },
  json: { quotes: QUOTES, bracketsInCode: true },
  markdown: { quotes: '' },
  python: { quotes: QUOTES, prefixes: 'bBfFrRuU' },
  rust: { quotes: '"' },
  shellscript: { quotes: QUOTES },
  sql: { quotes: '\'"' },
  typescript: ecma,
  typescriptreact: ecma,
  yaml: { quotes: '\'"', quotesAnywhere: true },
}

/**
 * What the editor puts behind the cursor when this character is typed at it; nothing for most. Left out are the pairs of
 * comments, the quotes behind an attribute's `=`, and the tags that HTML and TypeScript close by a server.
 */
export function closerFor(character: string, text: string, cursor: number, language: string): string {
  const pairs = pairsOf[language] ?? ecma
  const bracket = BRACKETS[character]
  const next = text[cursor] ?? '\n'
  const before = text.slice(0, cursor)
  const inside = (): Inside => insideAt(before, language)
  if (bracket !== undefined) {
    const mayStandBefore = pairs.before ?? BEFORE + QUOTES
    if (!mayStandBefore.includes(next)) return ''
    return pairs.bracketsInCode && inside() !== 'code' ? '' : bracket
  }
  if (!pairs.quotes.includes(character) || !(pairs.before ?? BEFORE).includes(next)) return ''
  if (before.endsWith(character) || !mayFollow(before, character, pairs)) return ''
  return pairs.quotesAnywhere || inside() === 'code' ? character : ''
}

/** Not behind a word, but for the prefix of a string; a backtick also there, since it may be a template's tag. */
function mayFollow(before: string, quote: string, { prefixes = '' }: Pairs): boolean {
  const word = /[\p{L}\p{N}_]+$/u.exec(before)?.[0] ?? ''
  return word === '' || quote === '`' || (word.length === 1 && prefixes.includes(word))
}
