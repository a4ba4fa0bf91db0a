// `safeSvg`: the text of a drawing, copied by an allow-list.
import { safeStyle } from './safeStyle.ts'

const words = (text: string) => new Set(text.split('|'))

const tags = words(
  'g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|defs|marker|clipPath|symbol|linearGradient|' +
    'radialGradient|stop|filter|feDropShadow|title|desc',
)
/** Their content is kept without them. */
const transparent = words('a|switch')
const attributes =
  /^(?:id|class|style|transform|d|points|x|y|x1|x2|y1|y2|dx|dy|cx|cy|r|rx|ry|width|height|viewBox|preserveAspectRatio|refX|refY|orient|offset|rotate|mask|filter|opacity|overflow|color|flood-[a-z]+|stdDeviation|text-anchor|text-decoration|text-rendering|textLength|lengthAdjust|letter-spacing|word-spacing|alignment-baseline|dominant-baseline|baseline-shift|vector-effect|paint-order|gradientUnits|gradientTransform|patternUnits|clipPathUnits|marker(?:Width|Height|Units|-start|-mid|-end)?|font(?:-[a-z]+)?|fill(?:-[a-z]+)?|stroke(?:-[a-z]+)?|stop-[a-z]+|clip-(?:path|rule)|display|visibility)$/
const maxNodes = 20_000
const maxChars = 1_500_000

export interface Size {
  readonly width: number
  readonly height: number
}

interface Options extends Size {
  readonly style: string
  readonly viewBox: string
}

/** Throws if it is too large. */
export function safeSvg(root: Element, { style, viewBox, width, height }: Options): string {
  const count = { nodes: 0 }
  const id = escaped(root.id)
  const content = [...root.childNodes].map(node => textOf(node, count)).join('')
  const head = `<svg xmlns="http://www.w3.org/2000/svg" id="${id}" width="${width}" height="${height}" viewBox="${viewBox}">`
  const text = `${head}<style>${escaped(safeStyle(style))}</style>${content}</svg>`
  if (text.length > maxChars) throw new Error('The drawing is too large.')
  return text
}

function textOf(node: Node, count: { nodes: number }): string {
  if (++count.nodes > maxNodes) throw new Error('The drawing has too many parts.')
  if (node.nodeType === Node.TEXT_NODE) return escaped(node.nodeValue ?? '')
  if (!(node instanceof Element)) return ''
  const tag = node.localName
  const inner = () => [...node.childNodes].map(child => textOf(child, count)).join('')
  if (transparent.has(tag)) return inner()
  if (!tags.has(tag)) return ''
  const own = [...node.attributes].filter(isAllowed).map(({ name, value }) => ` ${name}="${escaped(value)}"`)
  return `<${tag}${own.join('')}>${inner()}</${tag}>`
}

const isAllowed = ({ name, value }: Attr) => attributes.test(name) && safeStyle(value) === value

/** Without characters that XML cannot have. */
const escaped = (text: string) =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
