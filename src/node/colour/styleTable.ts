// `StyleTable`: the styles of tokens, each with an index that no other style has, whatever the theme.
import type { TokenStyle } from '../../core/colour/tokenizer.ts'
import { DEFAULT_FOREGROUND } from '../../core/colour/tokenRules.ts'

/** Where a token's metadata have its style; vscode-textmate does not export it. */
const fontShift = 11
const fontMask = 0b1111
const foregroundShift = 15
const foregroundMask = 0b1_1111_1111

export class StyleTable {
  readonly #byKey = new Map<string, TokenStyle>()
  readonly #byIndex = new Map<number, TokenStyle>()
  #next: number
  #colors: readonly string[] = []
  /** The indexes by metadata, under the current colours. */
  readonly #byMetadata = new Map<number, number>()

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

  /** `tokens`: starts and metadata in turn. The result: lengths and styles in turn. */
  spans(tokens: Uint32Array, lineChars: number): number[] {
    const spans: number[] = []
    for (let at = 0; at < tokens.length; at += 2) {
      const length = Math.min(tokens[at + 2] ?? lineChars, lineChars) - Math.min(tokens[at] ?? 0, lineChars)
      const style = this.#indexOf(tokens[at + 1] ?? 0)
      if (length <= 0) continue
      if (spans.at(-1) === style) spans.push((spans.splice(-2)[0] ?? 0) + length, style)
      else spans.push(length, style)
    }
    return spans.at(-1) === 0 ? spans.slice(0, -2) : spans
  }

  /** The styles that appear in lines, without the default. */
  used(lines: readonly (readonly number[])[]): TokenStyle[] {
    const indexes = new Set(lines.flatMap(line => line.filter((_, at) => at % 2 === 1)))
    return [...indexes].map(index => this.#byIndex.get(index)).filter(style => style !== undefined)
  }

  #indexOf(metadata: number): number {
    const style = metadata & ((fontMask << fontShift) | (foregroundMask << foregroundShift))
    const known = this.#byMetadata.get(style)
    if (known !== undefined) return known
    const color = this.#colors[(metadata >>> foregroundShift) & foregroundMask] ?? DEFAULT_FOREGROUND
    const index = this.#add(color === DEFAULT_FOREGROUND ? '' : color, (metadata >>> fontShift) & fontMask)
    this.#byMetadata.set(style, index)
    return index
  }

  #add(foreground: string, font: number): number {
    if (!foreground && font === 0) return 0
    const key = `${foreground} ${font}`
    const known = this.#byKey.get(key)
    if (known) return known[0]
    const style: TokenStyle = [this.#next++, foreground, font]
    this.#byKey.set(key, style)
    this.#byIndex.set(style[0], style)
    return style[0]
  }
}
