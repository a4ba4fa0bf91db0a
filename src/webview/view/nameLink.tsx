// `NameLink`: the name of a file or a symbol, which becomes a link when the extension has found it.
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { type Candidate, linkCandidates } from '../markdown/linkCandidates.ts'
import { LinkBudgetContext, LinksContext } from './linksContext.ts'
import { Marked } from './marked.tsx'
import { useWords } from './wordsContext.ts'

/** A name that is still being written changes sooner. */
const settledMs = 400

/** A text with the names of files in it. */
export function TextWithNames({ text }: { text: string }) {
  const hasLinks = useContext(LinksContext) !== undefined
  const parts = hasLinks ? linkCandidates(text) : [{ text }]
  return parts.map((part, at) => <Name key={at} {...part} />)
}

export function Name({ text, kind }: Candidate) {
  return kind ? <NameLink kind={kind} text={text} children={text} /> : <Marked text={text} />
}

interface Props extends Required<Candidate> {
  /** The tooltip while it is no link. */
  title?: string
  children: ComponentChildren
}

export function NameLink({ kind, text, title, children }: Props) {
  const words = useWords()
  const links = useContext(LinksContext)
  const element = useRef<HTMLSpanElement>(null)
  const isSettled = useSettled(text, element)
  const isAllowed = useBudget(kind, isSettled)
  const isLink = isAllowed && links?.page.isLink(kind, text).value === true
  const open = () => links?.page.open(kind, text)
  const openByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open()
  }
  if (!isLink) {
    return (
      <span ref={element} title={title}>
        {children}
      </span>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an `a` is only a link with the `href` that it must not have
    <span
      ref={element}
      role="link"
      tabIndex={0}
      class="link"
      title={words.of('openNamed', { name: text })}
      onClick={open}
      onKeyDown={openByKey}
    >
      {children}
    </span>
  )
}

/** Near the viewport, and unchanged for a while. */
function useSettled(text: string, element: { readonly current: Element | null }): boolean {
  const near = useContext(LinksContext)?.near
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    if (!near || !element.current || settled === text) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch = near.watch(element.current, isNear => {
      clearTimeout(timer)
      if (isNear) timer = setTimeout(() => setSettled(text), settledMs)
    })
    return () => {
      clearTimeout(timer)
      watch.dispose()
    }
  }, [text, near, settled])
  return settled === text
}

/** Once allowed, a name stays allowed. */
function useBudget(kind: 'file' | 'symbol', isWanted: boolean): boolean {
  const budget = useContext(LinkBudgetContext)
  const isAllowed = useRef(false)
  const left = kind === 'file' ? 'files' : 'symbols'
  if (isWanted && !isAllowed.current && (!budget || budget[left] > 0)) {
    isAllowed.current = true
    if (budget) budget[left]--
  }
  return isWanted && isAllowed.current
}
