// `safeNodes`: sanitizes the HTML of the Markdown renderer and converts it to elements.
import DOMPurify, { type Config } from 'dompurify'
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { FromPage } from '../../protocol/panel.ts'
import { leadsElsewhere } from '../markdown/leadsElsewhere.ts'
import { codeCandidate } from '../markdown/linkCandidates.ts'
import type { Code } from '../markdown/markdown.ts'
import { FencedBlock } from './fencedBlock.tsx'
import { Formula } from './formula.tsx'
import type { ItemNodes } from './itemNodes.ts'
import { Marked } from './marked.tsx'
import { Name, NameLink, TextWithNames } from './nameLink.tsx'
import { TableFrame } from './tableFrame.tsx'
import { useWords } from './wordsContext.ts'

const tags =
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del s kbd sub sup table thead tbody tr th td a span details summary'
const harmless = ['start', 'align', 'colspan', 'rowspan']
const attributes = ['href', 'title', 'class', ...harmless]

export const allowed: Config = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: attributes,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  // Otherwise DOMPurify would require that their values are URIs.
  ADD_URI_SAFE_ATTR: harmless,
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  SANITIZE_NAMED_PROPS: true,
}

DOMPurify.addHook('uponSanitizeAttribute', (_node, data) => {
  if (data.attrName === 'class' && !/^k-[a-z]+$/.test(data.attrValue)) data.keepAttr = false
})

interface DrawContext {
  codes: readonly Code[]
  announce: (text: string) => void
  send: (message: FromPage) => void
  /** Shows the rows of tables that are folded away. */
  unfold: () => void
  isInLink?: boolean
  /** As they were drawn before; undefined within one of them. */
  items?: ItemNodes
}

/** Elements instead of `innerHTML`, so that a block keeps its nodes, focus and selection while text is added. */
export function safeNodes(html: string, context: DrawContext): ComponentChild[] {
  const fragment = sanitized(context.items?.begin(html) ?? html)
  const codes = context.codes.values()
  return drawn(fragment, () => codes.next().value, context)
}

export function sanitized(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, { ...allowed, RETURN_DOM_FRAGMENT: true })
}

function drawn(parent: Node, nextCode: () => Code | undefined, context: DrawContext): ComponentChild[] {
  return Array.from(parent.childNodes, node => {
    if (!(node instanceof Element)) return textOf(node.textContent ?? '', parent, context)
    const tag = node.localName
    if (tag === 'li' || tag === 'tr') return drawnItem(node, nextCode, context)
    if (tag === 'pre') return <FencedBlock {...(nextCode() ?? noCode)} {...context} />
    if (isFormula(node)) return formulaIn(node, context)
    const children = drawn(node, nextCode, tag === 'a' ? { ...context, isInLink: true } : context)
    if (tag === 'a') return linkOf(node, children, context)
    const element = h(tag, attributesOf(node), children)
    if (tag === 'table') return <TableFrame announce={context.announce} unfold={context.unfold} children={element} />
    return element
  })
}

function drawnItem(node: Element, nextCode: () => Code | undefined, context: DrawContext): ComponentChild {
  const { items, ...rest } = context
  const draw = () => {
    const box = isTask(node) && <TaskBox isDone={node.className === 'k-done'} />
    return h(node.localName, attributesOf(node), box, drawn(node, nextCode, rest))
  }
  return items ? items.next(draw) : draw()
}

const noCode: Code = { language: '', text: '', label: '', isClosed: true }
function textOf(text: string, parent: Node, { isInLink }: DrawContext): ComponentChild {
  if (isInLink) return <Marked text={text} />
  const isCode = parent instanceof Element && parent.localName === 'code'
  return isCode ? <Name {...codeCandidate(text)} /> : <TextWithNames text={text} />
}

function linkOf(node: Element, children: ComponentChild[], { send }: DrawContext): ComponentChild {
  const file = node.className === 'k-file' ? node.getAttribute('title') : null
  if (file !== null) return <NameLink kind="file" text={file} title={file} children={children} />
  return <Link url={node.getAttribute('href')} text={node.textContent ?? ''} onOpen={send} children={children} />
}

const isTask = ({ className }: Element) => className === 'k-open' || className === 'k-done'

function TaskBox({ isDone }: { isDone: boolean }) {
  const words = useWords()
  return (
    <input
      type="checkbox"
      class="task-box"
      disabled
      checked={isDone}
      aria-label={isDone ? words.of('taskDone') : words.of('taskOpen')}
    />
  )
}

const isFormula = ({ className }: Element) => className === 'k-math' || className === 'k-display'

/** With its source, which a search reads. */
function formulaIn(node: Element, { send }: DrawContext): ComponentChild {
  const source = node.textContent ?? ''
  const formula = <Formula source={source} onFault={text => send({ kind: 'report', text })} />
  return h(node.localName, { ...attributesOf(node), 'data-source': source }, formula)
}

const attributesOf = (node: Element) =>
  Object.fromEntries(
    attributes.flatMap(name => {
      const value = node.getAttribute(name)
      return value === null ? [] : [[name, value]]
    }),
  )

interface LinkProps {
  url: string | null
  text: string
  onOpen: (message: FromPage) => void
  children: ComponentChildren
}

/** Without `href`, because the editor's webview would open the address; the extension has to check it first. */
function Link({ url, text, onOpen, children }: LinkProps) {
  const words = useWords()
  if (url === null) return <span>{children}</span>
  const host = leadsElsewhere(text, url)
  const title = host === undefined ? url : words.of('leadsElsewhere', { host, url })
  const open = () => onOpen({ kind: 'open', url })
  const openByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an `a` is only a link with the `href` that it must not have
    <span role="link" tabIndex={0} class="link" title={title} onClick={open} onKeyDown={openByKey}>
      {children}
    </span>
  )
}
