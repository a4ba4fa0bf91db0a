// `drawDiagram`: draws a Mermaid diagram; the page loads this file when the user asks for the first one.
import '@mermaid-js/tiny'
import { type DiagramLook, type DiagramResult, offer } from '../lazyFiles.ts'
import { guarded } from './guardedDocument.ts'
import { safeSvg } from './safeSvg.ts'

const maxChars = 20_000
const maxEdges = 300
const maxSide = 8_000
const padding = 8
const drawnOne = { count: 0, last: Promise.resolve() }

/** Rejects if the source is faulty or the drawing too large. One at a time, because Mermaid keeps its configuration. */
export function drawDiagram(source: string, look: DiagramLook): Promise<DiagramResult> {
  const drawn = drawnOne.last.then(() => draw(source, look))
  drawnOne.last = drawn.then(
    () => {},
    () => {},
  )
  return drawn
}

async function draw(source: string, look: DiagramLook): Promise<DiagramResult> {
  if (source.length > maxChars) throw new Error('The diagram is too long.')
  const container = document.createElement('div')
  container.className = 'diagram-scratch'
  document.body.append(container)
  try {
    mermaid.initialize(configOf(look))
    const id = `diagram-${++drawnOne.count}`
    const text = withoutConfiguration(source)
    const { svg, style } = await guarded(() => mermaid.render(id, text, container))
    if (!svg) throw new Error('Nothing was drawn.')
    return resultOf(svg, style, container)
  } finally {
    container.remove()
  }
}

/** Mermaid has taken the drawing out of the page, where alone its size can be measured. */
function resultOf(svg: Element, style: string, container: Element): DiagramResult {
  const [x = 0, y = 0, w = 0, h = 0] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  container.append(svg)
  const box = svg instanceof SVGGraphicsElement && !(w > 0) ? svg.getBBox() : { x, y, width: w, height: h }
  const edge = w > 0 ? 0 : padding
  const size = { width: Math.ceil(box.width + 2 * edge), height: Math.ceil(box.height + 2 * edge) }
  if (!(size.width > 0 && size.height > 0 && size.width <= maxSide && size.height <= maxSide)) {
    throw new Error('The drawing is too large.')
  }
  const viewBox = [box.x - edge, box.y - edge, size.width, size.height].join(' ')
  return { ...size, svg: safeSvg(svg, { ...size, viewBox, style }) }
}

/** The theme is the editor's, and the rest of the configuration is ours, so what a diagram brings along is left out. */
const withoutConfiguration = (source: string) =>
  source
    .replace(/^\s*---\n[\s\S]*?\n---\s*\n/, '')
    .replace(/%%\{[\s\S]*?(?:\}%%|$)/g, '')
    .trim()

function configOf({ colours, isDark, fontFamily, fontSizePx }: DiagramLook): object {
  const secured = ['securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering', 'htmlLabels']
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: maxChars,
    maxEdges,
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false },
    class: { htmlLabels: false },
    secure: [
      'secure',
      ...secured,
      'theme',
      'themeCSS',
      'themeVariables',
      'fontFamily',
      'altFontFamily',
      'dompurifyConfig',
    ],
    logLevel: 'fatal',
    fontFamily,
    theme: 'base',
    darkMode: isDark,
    themeVariables: { ...themeOf(colours), darkMode: isDark, fontFamily, fontSize: `${fontSizePx}px` },
  }
}

function themeOf({ background, foreground, box, edge, line, note }: DiagramLook['colours']): object {
  return {
    background,
    primaryColor: box,
    primaryTextColor: foreground,
    primaryBorderColor: edge,
    secondaryColor: note,
    tertiaryColor: background,
    lineColor: line,
    textColor: foreground,
    mainBkg: box,
    nodeBorder: edge,
    clusterBkg: background,
    clusterBorder: edge,
    edgeLabelBackground: background,
    titleColor: foreground,
    noteBkgColor: note,
    noteTextColor: foreground,
    noteBorderColor: edge,
  }
}

offer('diagram', drawDiagram)
