// `guarded`: while Mermaid draws, its styles go through CSSOM, and nothing that it sets can load or lead anywhere.
import { safeStyle } from './safeStyle.ts'

/** What Mermaid has drawn, and the style of it. */
export interface Drawing {
  readonly svg: Element | null
  readonly style: string
}

const leading = /^(?:xlink:)?(?:href|src|srcset|action|formaction|data|poster|background|ping)$/i
/** In a tag. */
const inlineStyle = /(<[a-z][^<>]*?\s)style\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi
const namespace = 'http://www.w3.org/2000/svg'

/**
 * The page's policy allows no attribute `style` and no element `style`, and would report both, so for the time of the
 * drawing the methods that set them are replaced. The rest of the page does not notice: it sets none of these.
 */
export async function guarded(draw: () => Promise<unknown>): Promise<Drawing> {
  const sheet = new CSSStyleSheet()
  const state: State = { standIn: undefined, style: '' }
  const restore = replaced(sheet, state)
  document.adoptedStyleSheets.push(sheet)
  try {
    await draw()
  } finally {
    restore()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(one => one !== sheet)
  }
  return { svg: state.standIn?.closest('svg') ?? null, style: state.style }
}

interface State {
  standIn: Element | undefined
  style: string
}

/** Returns what puts the methods back. */
function replaced(sheet: CSSStyleSheet, state: State): () => void {
  const restores = [
    ...[guardedAttributes(), guardedParser(), guardedStyles(sheet, state)],
    guardedSetter(HTMLImageElement.prototype, 'src', (_, text) => (text.startsWith('data:') ? text : '')),
    guardedSetter(Element.prototype, 'innerHTML', (element, text) => (element.isConnected ? escaped(text) : text)),
  ]
  return () => {
    for (const restore of restores) restore()
  }
}

const escaped = (text: string) => text.replace(/<(?=[a-z!/?])/gi, '&lt;')

function guardedAttributes(): () => void {
  const { setAttribute, setAttributeNS } = Element.prototype
  const { setProperty } = CSSStyleDeclaration.prototype
  Element.prototype.setAttribute = function (name: string, value: string) {
    const text = String(value)
    if (/^style$/i.test(name)) setStyle(this, text)
    else if (isHarmless(name, text)) setAttribute.call(this, name, text)
  }
  Element.prototype.setAttributeNS = function (space: string | null, name: string, value: string) {
    const text = String(value)
    if (isHarmless(name, text)) setAttributeNS.call(this, space, name, text)
  }
  CSSStyleDeclaration.prototype.setProperty = function (name: string, value: string | null, priority?: string) {
    setProperty.call(this, name, safeStyle(String(value ?? '')), priority)
  }
  return () => {
    Object.assign(Element.prototype, { setAttribute, setAttributeNS })
    Object.assign(CSSStyleDeclaration.prototype, { setProperty })
  }
}

/** Mermaid parses labels, and at the end its drawing, to sanitize them; the drawing is not read from there. */
function guardedParser(): () => void {
  const { parseFromString } = DOMParser.prototype
  DOMParser.prototype.parseFromString = function (text: string, type: DOMParserSupportedType) {
    return parseFromString.call(this, String(text).replace(inlineStyle, '$1'), type)
  }
  return () => Object.assign(DOMParser.prototype, { parseFromString })
}

function guardedStyles(sheet: CSSStyleSheet, state: State): () => void {
  const { createElement } = Document.prototype
  // as: the overloads of the method differ in types only.
  Document.prototype.createElement = function (this: Document, name: string, options?: ElementCreationOptions) {
    if (!/^style$/i.test(name)) return createElement.call(this, name, options)
    state.standIn = styleStandIn(this, css => {
      state.style = safeStyle(css)
      sheet.replaceSync(state.style)
    })
    return state.standIn
  } as typeof createElement
  return () => Object.assign(Document.prototype, { createElement })
}

/** `safe`: what is set in the place of the text. */
function guardedSetter<T extends object>(of: T, name: string, safe: (element: T, text: string) => string): () => void {
  const before = Object.getOwnPropertyDescriptor(of, name)
  if (!before?.set) return () => {}
  const { set } = before
  Object.defineProperty(of, name, {
    ...before,
    set(this: T, text: unknown) {
      set.call(this, safe(this, String(text)))
    },
  })
  return () => Object.defineProperty(of, name, before)
}

function setStyle(element: Element, text: string): void {
  if (element instanceof HTMLElement || element instanceof SVGElement) element.style.cssText = safeStyle(text)
}

const isHarmless = (name: string, value: string) =>
  !/^on/i.test(name) && !(leading.test(name) && !value.startsWith('#')) && safeStyle(value) === value

/** In the place of a `style`: its text becomes rules of the page's own, which apply before the text is measured. */
function styleStandIn(document: Document, onText: (css: string) => void): Element {
  const element = document.createElementNS(namespace, 'metadata')
  Object.defineProperty(element, 'innerHTML', { set: onText })
  Object.defineProperty(element, 'textContent', { set: onText })
  return element
}
