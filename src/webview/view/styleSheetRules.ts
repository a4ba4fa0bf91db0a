// `StyleSheetRules`: the classes of token styles, in a style sheet that the page makes itself.
import type { StyleRules } from '../state/pageColours.ts'

/** The class of a style. */
export const styleClass = (index: number) => `token-${index}`

const italic = 1
const bold = 2
const underline = 4
const strikethrough = 8

/** The page's policy forbids styles in markup; it allows a sheet that a script fills. */
export class StyleSheetRules implements StyleRules {
  readonly #sheet = new CSSStyleSheet()

  constructor(document: Document) {
    document.adoptedStyleSheets.push(this.#sheet)
  }

  define(index: number, foreground: string, font: number): void {
    const at = this.#sheet.insertRule(`.${styleClass(index)} {}`, this.#sheet.cssRules.length)
    const rule = this.#sheet.cssRules[at]
    if (!(rule instanceof CSSStyleRule)) return
    const { style } = rule
    style.color = foreground
    if (font & italic) style.fontStyle = 'italic'
    if (font & bold) style.fontWeight = 'bold'
    const lines = [font & underline && 'underline', font & strikethrough && 'line-through'].filter(Boolean)
    style.textDecorationLine = lines.join(' ')
  }

  clear(): void {
    this.#sheet.replaceSync('')
  }
}
