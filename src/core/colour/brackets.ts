// `BracketPair`, `bracketPairs` and `Brackets`: which brackets of a line belong together, as the editor colours them.
import { listOf, objectOf, textOf } from '../../protocol/json.ts'

export interface BracketPair {
  readonly open: string
  readonly close: string
  /** The others only count as brackets. */
  readonly isColoured: boolean
}

/** The brackets that are open before a line, the outermost first. */
export type OpenBrackets = readonly BracketPair[]

/** `level`: how many coloured brackets are open around it; undefined where it has the colour of its token. */
export interface FoundBracket {
  readonly start: number
  readonly end: number
  readonly level: number | undefined
}

/** The pairs of a language, from its configuration file. */
export function bracketPairs(configuration: unknown): readonly BracketPair[] {
  const { brackets, colorizedBracketPairs } = objectOf(configuration) ?? {}
  const all = pairsIn(brackets)
  const coloured = Array.isArray(colorizedBracketPairs)
    ? pairsIn(colorizedBracketPairs)
    : all.filter(([open, close]) => open !== '<' || close !== '>')
  const keys = new Set(coloured.map(pair => pair.join(' ')))
  const others = all.filter(pair => !keys.has(pair.join(' ')))
  return [
    ...coloured.map(([open, close]) => ({ open, close, isColoured: true })),
    ...others.map(([open, close]) => ({ open, close, isColoured: false })),
  ]
}

function pairsIn(value: unknown): (readonly [open: string, close: string])[] {
  return listOf(value).flatMap(raw => {
    const [open, close] = listOf(raw).map(textOf)
    return open && close ? [[open.toLowerCase(), close.toLowerCase()] as const] : []
  })
}

export class Brackets {
  readonly #pairs: readonly BracketPair[]
  readonly #pattern: RegExp | undefined
  /** Brackets of each kind have levels of their own. */
  readonly #isByKind: boolean

  constructor(pairs: readonly BracketPair[], isByKind: boolean) {
    this.#pairs = pairs
    this.#isByKind = isByKind
    const texts = [...new Set(pairs.flatMap(({ open, close }) => [open, close]))].toSorted().toReversed()
    this.#pattern = texts.length > 0 ? new RegExp(texts.map(pattern).join('|'), 'gi') : undefined
  }

  /** The brackets in one token, after which `open` is what is open. */
  find(text: string, at: number, open: BracketPair[]): FoundBracket[] {
    if (!this.#pattern) return []
    return [...text.matchAll(this.#pattern)].map(({ 0: found, index }) => {
      const start = at + index
      return { start, end: start + found.length, level: this.#levelOf(found.toLowerCase(), open) }
    })
  }

  #levelOf(text: string, open: BracketPair[]): number | undefined {
    const opens = this.#pairs.find(pair => pair.open === text)
    if (opens) {
      const level = this.#depth(opens, open)
      open.push(opens)
      return level
    }
    const at = open.findLastIndex(pair => this.#isPair(pair, text))
    const closed = open[at]
    // Code in an answer is often a part of a file, so what closes nothing is no mistake.
    if (!closed) return undefined
    // The brackets in between were never closed.
    open.length = at
    return this.#depth(closed, open)
  }

  #isPair({ open }: BracketPair, close: string): boolean {
    return this.#pairs.some(pair => pair.open === open && pair.close === close)
  }

  #depth(of: BracketPair, open: OpenBrackets): number | undefined {
    if (!of.isColoured) return undefined
    return open.filter(pair => pair.isColoured && (!this.#isByKind || pair.open === of.open)).length
  }
}

/** A bracket that is a word is none inside of another word. */
function pattern(text: string): string {
  const escaped = text.replace(/[\\{}*+?|^$.[\]()]/g, '\\$&')
  return `${/^\w/.test(text) ? '\\b' : ''}${escaped}${/\w$/.test(text) ? '\\b' : ''}`
}
