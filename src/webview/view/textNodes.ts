// `textNodes`: the text of messages as a search reads it: the text nodes and formulas of each block.
import { formulaOf } from '../markdown/mathRules.ts'

const BLOCKS = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre'
const FORMULAS = '.k-math, .k-display'
const OTHERS = 'button, .code-head, .code-note, .attachment, .tool-key'

/** The element is that of a formula, which is no text once it is typeset; its source is searched instead. */
export type TextUnit = Text | Element

/** In the order of the text. `isText`: whether the text of an element is searched. */
export function textNodes(root: Node, isText: (parent: Element) => boolean = () => true): TextUnit[][] {
  const groups: TextUnit[][] = []
  let block: Element | null | undefined
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const unit = unitOf(node)
    const parent = unit instanceof Element ? unit : unit?.parentElement
    if (!unit || !parent || !isText(parent) || parent.closest(OTHERS)) continue
    const its = parent.closest(BLOCKS)
    if (its === null || its !== block) groups.push([])
    block = its
    groups.at(-1)?.push(unit)
  }
  return groups
}

function unitOf(node: Node): TextUnit | undefined {
  if (node instanceof Element) return node.matches(FORMULAS) ? node : undefined
  return node instanceof Text && !node.parentElement?.closest(FORMULAS) ? node : undefined
}

export const joinedText = (units: readonly TextUnit[]) => units.map(textOf).join('')

/** Of a formula its source, without the delimiters. */
export function textOf(unit: TextUnit): string {
  if (unit instanceof Text) return unit.data
  return formulaOf(unit.getAttribute('data-source') ?? unit.textContent ?? '').tex
}
