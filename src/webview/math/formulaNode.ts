// `formulaNode`: copies the elements of a formula by an allow-list, as plain values.

import type { FormulaNode } from '../lazyFiles.ts'

const words = (text: string) => new Set(text.split('|'))

const tags = words(
  'span|svg|path|line|g|math|semantics|annotation|mrow|mi|mo|mn|ms|mtext|mspace|msup|msub|msubsup|mfrac|msqrt|mroot|' +
    'munder|mover|munderover|mtable|mtr|mtd|mlabeledtr|mpadded|mphantom|mstyle|menclose|mglyph|merror',
)
const attributes = words(
  'class|aria-hidden|width|height|viewBox|preserveAspectRatio|d|x1|x2|y1|y2|stroke-width|display|encoding|mathvariant|' +
    'stretchy|fence|separator|accent|accentunder|lspace|rspace|minsize|maxsize|movablelimits|largeop|linethickness|' +
    'scriptlevel|displaystyle|columnalign|columnspacing|columnlines|rowspacing|rowlines|side|notation|voffset|depth|' +
    'mathcolor|mathbackground|mathsize|symmetric|form',
)
const styles = words(
  'height|width|min-width|top|bottom|left|right|vertical-align|margin-left|margin-right|margin-top|padding-left|' +
    'padding-right|border-bottom-width|border-top-width|border-right-width|border-right-style|border-width|' +
    'border-style|border-color|border-top-style|border-bottom-style|color|background-color|position|text-shadow',
)
const maxNodes = 6_000
const maxDepth = 400

/** Throws for a formula that is too large, or has something in it that no formula has. */
export function formulaNode(root: Element): FormulaNode {
  const count = { nodes: 0 }
  return copied(root, 0, count)
}

function copied(element: Element, depth: number, count: { nodes: number }): FormulaNode {
  count.nodes++
  const tag = element.localName
  if (!tags.has(tag) || depth > maxDepth || count.nodes > maxNodes)
    throw new Error(`A formula has no element ${tag} here.`)
  return {
    tag,
    attributes: attributesOf(element),
    style: styleOf(element),
    children: Array.from(element.childNodes, node =>
      node instanceof Element ? copied(node, depth + 1, count) : (node.textContent ?? ''),
    ),
  }
}

function attributesOf(element: Element): Record<string, string> {
  const found = [...element.attributes].filter(({ name, value }) => attributes.has(name) && !/url\s*\(/i.test(value))
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}

function styleOf(element: Element): Record<string, string> {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return {}
  const { style } = element
  const names = [...style].filter(name => styles.has(name) && !/url\s*\(/i.test(style.getPropertyValue(name)))
  return Object.fromEntries(names.map(name => [name, style.getPropertyValue(name)]))
}
