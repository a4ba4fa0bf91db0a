// `useSteadyPresses`: what moves under a resting pointer does not take the press that was meant for what was there.
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

/**
 * `onClickCapture` belongs to the element; what moves it are the elements around it. `asked`: what it asks now, where a
 * press gives a right: then no press counts so soon after that is new or has moved, wherever the pointer was.
 */
export function useSteadyPresses(
  element: RefObject<HTMLElement | null>,
  asked?: string,
): {
  onClickCapture: (event: MouseEvent) => void
} {
  const isAsking = asked !== undefined
  const pointer = useRef<Place>(undefined)
  const moved = useRef<{ readonly at: number; readonly pointer: Place | undefined }>(undefined)
  const pressedAt = useRef(Number.NEGATIVE_INFINITY)
  const top = useRef<number>(undefined)
  const look = () => {
    const now = element.current?.getBoundingClientRect().top
    const hasMoved = now !== undefined && top.current !== undefined && Math.abs(now - top.current) >= 1
    top.current = now
    const at = performance.now()
    const isSurprise = isAsking || (pointer.current !== undefined && at - pressedAt.current > ANSWER_MS)
    if (hasMoved && isSurprise) moved.current = { at, pointer: pointer.current }
  }
  useLayoutEffect(look)
  useLayoutEffect(() => {
    if (isAsking) moved.current = { at: performance.now(), pointer: pointer.current }
  }, [asked])
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
    if (!isByKey && isSoon && (isAsking || isNear(before.pointer, { x: event.clientX, y: event.clientY }))) {
      event.preventDefault()
      return event.stopPropagation()
    }
    pressedAt.current = performance.now()
  }
  return { onClickCapture }
}

const isNear = (a: Place | undefined, b: Place) => a !== undefined && Math.hypot(a.x - b.x, a.y - b.y) < REST_PX
