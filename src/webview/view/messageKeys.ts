// `useMessageKeys`: moves through the conversation by keyboard: Home, End, and the arrows from message to message.
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { scrollWithin } from './scrollWithin.ts'

export interface MessageJumps {
  readonly toStart: () => void
  readonly toEnd: () => void
}

/** Page Up and Page Down are the browser's. */
export function useMessageKeys(log: RefObject<HTMLDivElement | null>, jumps: MessageJumps): void {
  useEffect(() => {
    const box = log.current
    if (!box) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (hasModifier(event) || !isOnMessages(event.target, box)) return
      if (!isHandled(event.key, box, jumps)) return
      event.preventDefault()
    }
    box.addEventListener('keydown', onKeyDown)
    return () => box.removeEventListener('keydown', onKeyDown)
  }, [])
}

const hasModifier = ({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) => ctrlKey || metaKey || altKey || shiftKey

/** The list or a message has the focus, and not a button or a link in it. */
const isOnMessages = (target: EventTarget | null, box: HTMLElement) =>
  target === box || (target instanceof HTMLElement && target.parentElement?.parentElement === box)

function isHandled(key: string, box: HTMLElement, { toStart, toEnd }: MessageJumps): boolean {
  if (key === 'Home') toStart()
  else if (key === 'End') toEnd()
  else if (key === 'ArrowDown') return moveFocus(box, 1)
  else if (key === 'ArrowUp') return moveFocus(box, -1)
  else return false
  return true
}

/** False where the message goes on in that direction beyond the visible part: the browser then scrolls. */
function moveFocus(box: HTMLElement, by: 1 | -1): boolean {
  const articles = [...box.querySelectorAll<HTMLElement>(':scope > * > article')]
  const view = box.getBoundingClientRect()
  const focused = articles.indexOf(document.activeElement as HTMLElement) // as: only compared
  const firstVisible = articles.findIndex(article => article.getBoundingClientRect().bottom > view.top + 1)
  const at = focused < 0 ? firstVisible : focused
  const now = articles[at]?.getBoundingClientRect()
  if (!now) return false
  const goesOn = by > 0 ? now.bottom > view.bottom + 1 : now.top < view.top - 1
  const isVisible = now.bottom > view.top && now.top < view.bottom
  const next = articles[focused < 0 ? at : at + by]
  if (!next || (focused >= 0 && goesOn && isVisible)) return false
  next.tabIndex = -1
  next.focus({ preventScroll: true })
  const edge = by > 0 ? 'start' : 'end'
  scrollWithin(box, next, next.offsetHeight > box.clientHeight ? edge : 'nearest')
  return true
}
