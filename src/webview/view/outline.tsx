// `Outline`: the headings of a long answer, to jump to.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { scrollWithin } from './scrollWithin.ts'
import { useWords } from './wordsContext.ts'

const minHeadings = 4
/** Of the height of the viewport. */
const minScreens = 2
/** While an answer is being written. */
const updateMs = 500
const headingSelector = '.blocks > :is(h1, h2, h3, h4, h5, h6)'

interface Heading {
  readonly text: string
  readonly level: number
}

/** Takes no room of its own, so that nothing moves when it appears. */
export function Outline({ text }: { text: string }) {
  const words = useWords()
  const element = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  const headings = useHeadings(element, text)
  const isShown = headings.length >= minHeadings
  const top = Math.min(...headings.map(({ level }) => level))
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    // Elsewhere Escape stops the answer.
    event.stopPropagation()
    setOpen(false)
    element.current?.querySelector('button')?.focus()
  }
  const goTo = (at: number) => {
    setOpen(false)
    jumpTo(headingsIn(element.current)[at])
  }
  if (!isShown) return <nav class="outline" hidden ref={element} />
  return (
    <nav class="outline" aria-label={words.of('outline')} ref={element} onKeyDown={close}>
      <button
        type="button"
        class="icon-button outline-toggle"
        aria-label={words.of('outline')}
        aria-expanded={isOpen}
        title={words.of('outline')}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="outline" />
      </button>
      {isOpen && (
        <ol class="outline-list">
          {headings.map((heading, at) => (
            <li key={at} style={{ paddingInlineStart: `${(heading.level - top) * 12}px` }}>
              <button type="button" class="outline-heading" onClick={() => goTo(at)}>
                {heading.text}
              </button>
            </li>
          ))}
        </ol>
      )}
    </nav>
  )
}

const headingsIn = (nav: Element | null) =>
  Array.from(nav?.closest('article')?.querySelectorAll<HTMLElement>(headingSelector) ?? [])

/** Those of the article around the element, if it is long. */
function useHeadings(element: { readonly current: Element | null }, text: string): readonly Heading[] {
  const [headings, setHeadings] = useState<readonly Heading[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const update = () => {
    timer.current = undefined
    const found = isLong(element.current) ? headingsIn(element.current) : []
    const next = found.map(one => ({ text: one.textContent ?? '', level: Number(one.localName.slice(1)) }))
    setHeadings(before => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
  }
  // Not put off by further text. The blocks of a long answer are drawn in several frames.
  useEffect(() => {
    timer.current ??= setTimeout(update, updateMs)
  }, [text])
  useEffect(() => () => clearTimeout(timer.current), [])
  return headings
}

function isLong(element: Element | null): boolean {
  const article = element?.closest('article')
  return article ? article.getBoundingClientRect().height > minScreens * window.innerHeight : false
}

function jumpTo(heading: HTMLElement | undefined): void {
  if (!heading) return
  const fold = heading.closest('details')
  if (fold) fold.open = true
  heading.tabIndex = -1
  const box = heading.closest<HTMLElement>('.log')
  if (box) scrollWithin(box, heading, 'start')
  heading.focus({ preventScroll: true })
}
