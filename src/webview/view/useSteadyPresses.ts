// `useSteadyPresses`: a list that moves under a resting pointer does not take the press that was meant for what was there.
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** As long as nobody can see what is there now, and press it. */
const REACTION_MS = 300
/** A hand that does not move holds the pointer no stiller than that. */
const REST_PX = 8
/** What the list does so soon after a press is its answer, and no surprise. */
const ANSWER_MS = 1_000

interface Place {
  readonly x: number
  readonly y: number
}

/** `onClickCapture` belongs to the element; what moves it are the elements around it. */
export function useSteadyPresses(element: RefObject<HTMLElement | null>): {
  onClickCapture: (event: MouseEvent) => void
} {
  const pointer = useRef<Place>(undefined)
  const moved = useRef<{ readonly at: number; readonly pointer: Place }>(undefined)
  const pressedAt = useRef(Number.NEGATIVE_INFINITY)
  const top = useRef<number>(undefined)
  const look = () => {
    const now = element.current?.getBoundingClientRect().top
    const hasMoved = now !== undefined && top.current !== undefined && Math.abs(now - top.current) >= 1
    top.current = now
    const at = performance.now()
    if (hasMoved && pointer.current && at - pressedAt.current > ANSWER_MS)
      moved.current = { at, pointer: pointer.current }
  }
  useLayoutEffect(look)
  useLayoutEffect(() => {
    const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
      pointer.current = { x, y }
    }
    document.addEventListener('pointermove', onMove)
    return () => document.removeEventListener('pointermove', onMove)
  }, [])
  // After each drawing, because there may be others beside it then.
  useLayoutEffect(() => {
    const sizes = new ResizeObserver(look)
    for (const beside of element.current?.parentElement?.children ?? []) sizes.observe(beside)
    return () => sizes.disconnect()
  })
  const onClickCapture = (event: MouseEvent) => {
    const { current: before } = moved
    const isByKey = event.detail === 0
    const isSoon = before !== undefined && performance.now() - before.at < REACTION_MS
    if (!isByKey && isSoon && distance(before.pointer, { x: event.clientX, y: event.clientY }) < REST_PX) {
      event.preventDefault()
      return event.stopPropagation()
    }
    pressedAt.current = performance.now()
  }
  return { onClickCapture }
}

const distance = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y)
