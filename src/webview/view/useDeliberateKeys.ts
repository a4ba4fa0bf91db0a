// `useDeliberateKeys`: a key that was meant for what had the focus before does not press what takes the focus.
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Two presses so soon after each other are one act, such as an Enter that is pressed twice. */
const ONE_ACT_MS = 300

/** To be used where it lasts longer than the element; `onKeyDownCapture` belongs to the element. */
export function useDeliberateKeys(element: RefObject<HTMLElement | null>): {
  onKeyDownCapture: (event: KeyboardEvent) => void
} {
  const elsewhereAt = useRef(Number.NEGATIVE_INFINITY)
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isHere = event.target instanceof Node && element.current?.contains(event.target)
      if (presses(event) && !isHere) elsewhereAt.current = performance.now()
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (!presses(event) || event.target instanceof HTMLTextAreaElement) return
    if (!event.repeat && performance.now() - elsewhereAt.current >= ONE_ACT_MS) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { onKeyDownCapture }
}

const presses = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' '
