// `DropArea`: has the whole page take what is dropped, and covers it meanwhile with what a drop does.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { holdsDrop } from './attach.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  /** Nothing is taken while it is covered. */
  box: RefObject<HTMLTextAreaElement | null>
  onDrop: (data: DataTransfer, box: HTMLTextAreaElement) => void
}

export function DropArea({ box, onDrop }: Props) {
  const words = useWords()
  const [isOver, setOver] = useState(false)
  const drop = useRef(onDrop)
  drop.current = onDrop
  useEffect(() => {
    // What is dragged from the page itself is text of the chat.
    let isOwn = false
    const target = () => (box.current?.checkVisibility({ visibilityProperty: true }) ? box.current : undefined)
    const listeners = {
      dragstart: () => {
        isOwn = true
      },
      dragend: () => {
        isOwn = false
        setOver(false)
      },
      dragover: (event: DragEvent) => {
        if (isOwn || !event.dataTransfer || !holdsDrop(event.dataTransfer) || !target()) return
        event.preventDefault()
        setOver(true)
      },
      dragleave: (event: DragEvent) => {
        // It has left the page, and not one element for another.
        if (!event.relatedTarget) setOver(false)
      },
      drop: (event: DragEvent) => {
        setOver(false)
        const element = target()
        // The editor of a question has taken it.
        if (isOwn || event.defaultPrevented || !element || !event.dataTransfer || !holdsDrop(event.dataTransfer)) return
        event.preventDefault()
        drop.current(event.dataTransfer, element)
      },
    }
    const end = new AbortController()
    for (const [type, listener] of Object.entries(listeners))
      document.addEventListener(type, listener as EventListener, { signal: end.signal })
    return () => end.abort()
  }, [])
  if (!isOver) return null
  return (
    <div class="drop-area" aria-hidden="true">
      <p>
        <Icon name="attach" />
        {words.of('dropHere')}
      </p>
    </div>
  )
}
