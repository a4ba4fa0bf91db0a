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
  readonly #root: Element
  /** The names of the theme's colours for brackets, since they were last needed. */
  #bracketColors: readonly string[] | undefined

  constructor(document: Document) {
    this.#root = document.documentElement
    document.adoptedStyleSheets.push(this.#sheet)
  }

  define(index: number, foreground: string, font: number, bracket?: number): void {
    const at = this.#sheet.insertRule(`.${styleClass(index)} {}`, this.#sheet.cssRules.length)
    const rule = this.#sheet.cssRules[at]
    if (!(rule instanceof CSSStyleRule)) return
    const { style } = rule
    style.color = bracket === undefined ? foreground : this.#bracketColor(bracket, foreground)
    if (font & italic) style.fontStyle = 'italic'
    if (font & bold) style.fontWeight = 'bold'
    const lines = [font & underline && 'underline', font & strikethrough && 'line-through'].filter(Boolean)
    style.textDecorationLine = lines.join(' ')
  }

  #bracketColor(level: number, foreground: string): string {
    this.#bracketColors ??= bracketColors(this.#root)
    const name = this.#bracketColors[(level - 1) % this.#bracketColors.length]
    return name ? `var(${name})` : foreground
  }

  clear(): void {
    this.#sheet.replaceSync('')
    this.#bracketColors = undefined
  }
}

/** A theme has up to six; those without any colour do not count. */
function bracketColors(root: Element): string[] {
  const values = getComputedStyle(root)
  const names = [1, 2, 3, 4, 5, 6].map(number => `--vscode-editorBracketHighlight-foreground${number}`)
  return names.filter(name => !invisible.test(values.getPropertyValue(name).trim()))
}

const invisible = /^$|^transparent$|^#[0-9a-f]{6}00$|^#[0-9a-f]{3}0$|^rgba\(.*,\s*0\)$/i
