// `StyleTable`: the styles of tokens, each with an index that no other style has, whatever the theme.
import type { FoundBracket } from '../../core/colour/brackets.ts'
import type { TokenStyle } from '../../core/colour/tokenizer.ts'
import { DEFAULT_FOREGROUND } from '../../core/colour/tokenRules.ts'

/** Where a token's metadata have its style and its kind; vscode-textmate does not export it. */
const typeShift = 8
const typeMask = 0b11
const balancedShift = 10
const fontShift = 11
const fontMask = 0b1111
const foregroundShift = 15
const foregroundMask = 0b1_1111_1111

/** After so many levels the colours repeat, however many the theme has. */
const bracketLevels = 30

/** Neither a comment nor a string nor a regular expression, and not where brackets are something else. */
export function mayHaveBrackets(metadata: number): boolean {
  return ((metadata >>> typeShift) & typeMask) === 0 && ((metadata >>> balancedShift) & 1) === 1
}

export class StyleTable {
  readonly #byKey = new Map<string, TokenStyle>()
  readonly #byIndex = new Map<number, TokenStyle>()
  #next: number
  #colors: readonly string[] = []
  /** The indexes by metadata, under the current colours. */
  readonly #byMetadata = new Map<string, number>()

  /** `first`: the lowest index, greater than all indexes of earlier tables. */
  constructor(first: number) {
    this.#next = first
  }

  /** Greater than all indexes of this table. */
  get next(): number {
    return this.#next
  }

  /** The colours by the numbers that metadata have for them. */
  setColors(colors: readonly string[]): void {
    this.#colors = colors
    this.#byMetadata.clear()
  }

  /**
   * `tokens`: starts and metadata in turn; `brackets`: in the order of the line, each within a token. The result:
   * lengths and styles in turn.
   */
  spans(tokens: Uint32Array, lineChars: number, brackets: readonly FoundBracket[]): number[] {
    const spans: number[] = []
    const add = (length: number, style: number) => {
      if (length <= 0) return
      if (spans.at(-1) === style) spans.push((spans.splice(-2)[0] ?? 0) + length, style)
      else spans.push(length, style)
    }
    let next = 0
    for (let at = 0; at < tokens.length; at += 2) {
      const end = Math.min(tokens[at + 2] ?? lineChars, lineChars)
      const metadata = tokens[at + 1] ?? 0
      const style = this.#indexOf(metadata)
      let done = Math.min(tokens[at] ?? 0, lineChars)
      for (let bracket = brackets[next]; bracket && bracket.start < end; bracket = brackets[++next]) {
        add(bracket.start - done, style)
        const { level } = bracket
        add(
          bracket.end - bracket.start,
          level === undefined ? style : this.#indexOf(metadata, (level % bracketLevels) + 1),
        )
        done = bracket.end
      }
      add(end - done, style)
    }
    return spans.at(-1) === 0 ? spans.slice(0, -2) : spans
  }

  /** The styles that appear in lines, without the default. */
  used(lines: readonly (readonly number[])[]): TokenStyle[] {
    const indexes = new Set(lines.flatMap(line => line.filter((_, at) => at % 2 === 1)))
    return [...indexes].map(index => this.#byIndex.get(index)).filter(style => style !== undefined)
  }

  #indexOf(metadata: number, bracket = 0): number {
    const style = `${metadata & ((fontMask << fontShift) | (foregroundMask << foregroundShift))} ${bracket}`
    const known = this.#byMetadata.get(style)
    if (known !== undefined) return known
    const color = this.#colors[(metadata >>> foregroundShift) & foregroundMask] ?? DEFAULT_FOREGROUND
    const index = this.#add(color === DEFAULT_FOREGROUND ? '' : color, (metadata >>> fontShift) & fontMask, bracket)
    this.#byMetadata.set(style, index)
    return index
  }

  #add(foreground: string, font: number, bracket: number): number {
    if (!foreground && font === 0 && bracket === 0) return 0
    const key = `${foreground} ${font} ${bracket}`
    const known = this.#byKey.get(key)
    if (known) return known[0]
    const plain = [this.#next++, foreground, font] as const
    const style: TokenStyle = bracket === 0 ? plain : [...plain, bracket]
    this.#byKey.set(key, style)
    this.#byIndex.set(style[0], style)
    return style[0]
  }
}
