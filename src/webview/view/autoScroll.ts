// `useAutoScroll`: keeps the scroll position at the end while content is added, and reports where the user scrolls.
import type { RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Place } from '../state/store.ts'

const nearEndPx = 24
/** So far from the end, only the space below the last message is out of sight. */
const inSightPx = 48
const restMs = 150

type Box = RefObject<HTMLDivElement | null>

/**
 * Keeps the end, or initially the restored place, at the same position when the content grows, until the user scrolls.
 */
export function useAutoScroll(log: Box, content: Box, first: Place, onRest: (place: Place) => void) {
  const [isAtEnd, setAtEnd] = useState(first === 'end')
  const [isEndInSight, setEndInSight] = useState(first === 'end')
  const held = useRef<Held>({ place: first, top: 0, upAt: Number.NEGATIVE_INFINITY, firmUntil: 0 }).current
  const hold = useCallback((place: Place | undefined) => {
    held.place = place
    const now = performance.now()
    held.firmUntil = now - held.upAt < endingMs ? now + endingMs : 0
    if (place !== undefined) held.upAt = Number.NEGATIVE_INFINITY
    setAtEnd(place === 'end')
    settle(log.current, held)
    if (log.current) setEndInSight(isNearEnd(log.current, inSightPx))
  }, [])
  useEffect(() => {
    const box = log.current
    if (!box || !content.current) return
    const look = () => setEndInSight(isNearEnd(box, inSightPx))
    const growth = new ResizeObserver(() => {
      settle(box, held)
      look()
    })
    growth.observe(box)
    growth.observe(content.current)
    const stopListening = listen(box, held, hold, onRest)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      growth.disconnect()
      box.removeEventListener('scroll', look)
      stopListening()
    }
  }, [])
  /** To be called when messages have been drawn or removed before the held place. */
  const settleNow = useCallback(() => settle(log.current, held), [])
  return { isAtEnd, isEndInSight, hold, settle: settleNow }
}

interface Held {
  place: Place | undefined
  /** Where the box was last, in pixels: a smooth scroll that was under way at a jump moves it up from there. */
  top: number
  /** When the user last did what scrolls up. */
  upAt: number
  /** Until then a scroll upwards is one that the user had begun before the jump to the place. */
  firmUntil: number
}

/** So long after a key or the wheel, a scroll upwards is that of the user. */
const moveMs = 600
/** So long after a jump, a scroll that was under way may still come. */
const endingMs = 1_500

/**
 * Only the user's scrolling up stops following the end: rows that are added, removed and measured move the position too,
 * and the scroll event of `scrollToEnd` may arrive after more content was added.
 */
function listen(box: HTMLElement, held: Held, hold: (place: Place | undefined) => void, onRest: (at: Place) => void) {
  held.top = box.scrollTop
  let isPointerDown = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const onScroll = () => {
    const now = box.scrollTop
    const isUp = now < held.top
    const isByUser = isPointerDown || performance.now() - held.upAt < moveMs
    const isHeldHere = typeof held.place === 'object'
    if (!isHeldHere && !isUp && isNearEnd(box) && held.place !== 'end') hold('end')
    else if (held.place === 'end' && isUp) onUp(isByUser)
    held.top = box.scrollTop
    clearTimeout(timer)
    timer = setTimeout(() => onRest(placeOf(box)), restMs)
  }
  const onUp = (isByUser: boolean) => {
    // Screen readers scroll without a key.
    if (!isByUser && performance.now() < held.firmUntil) settle(box, held)
    else if (!isNearEnd(box)) hold(undefined)
  }
  const onMove = (event: Event) => {
    isPointerDown = event.type === 'pointerdown' || event.type === 'touchstart'
    if (isUpward(event)) held.upAt = performance.now()
    const leavesEnd = held.place === 'end' && isUpward(event) && box.scrollTop > 0
    if (leavesEnd || typeof held.place === 'object') hold(undefined)
  }
  const onRelease = () => {
    isPointerDown = false
  }
  const moves = ['wheel', 'keydown', 'pointerdown', 'touchstart']
  const releases = ['pointerup', 'pointercancel', 'touchend']
  box.addEventListener('scroll', onScroll, { passive: true })
  for (const move of moves) box.addEventListener(move, onMove, { passive: true })
  for (const release of releases) window.addEventListener(release, onRelease, { passive: true })
  return () => {
    clearTimeout(timer)
    box.removeEventListener('scroll', onScroll)
    for (const move of moves) box.removeEventListener(move, onMove)
    for (const release of releases) window.removeEventListener(release, onRelease)
  }
}

/** At once, and not when the position has changed, because rows that are drawn meanwhile would undo its beginning. */
function isUpward(event: Event): boolean {
  if (event instanceof WheelEvent) return event.deltaY < 0
  return event instanceof KeyboardEvent && ['ArrowUp', 'PageUp', 'Home'].includes(event.key)
}

function settle(box: HTMLElement | null, held: Held): void {
  const { place } = held
  if (!box || place === undefined) return
  if (place === 'end') scrollToEnd(box)
  else scrollToPlace(box, place)
  held.top = box.scrollTop
}

/** What an empty conversation shows is read from its beginning. */
function scrollToEnd(box: HTMLElement): void {
  box.scrollTop = box.querySelector('.welcome') ? 0 : box.scrollHeight
}

const isNearEnd = (box: HTMLElement, px = nearEndPx) => box.scrollHeight - box.scrollTop - box.clientHeight < px

/**
 * Relative to a message and not in pixels of the box, because the heights of messages not yet rendered are estimates.
 */
function placeOf(box: HTMLElement): Place {
  if (isNearEnd(box)) return 'end'
  const top = box.getBoundingClientRect().top
  const first = [...box.querySelectorAll<HTMLElement>('article')].find(
    article => article.getBoundingClientRect().bottom > top,
  )
  const message = first?.dataset['id']
  return first && message ? { message, offset: top - first.getBoundingClientRect().top } : 'end'
}

function scrollToPlace(box: HTMLElement, place: Exclude<Place, 'end'>): void {
  const article = articleOf(box, place.message)
  if (!article) return
  box.scrollTop += article.getBoundingClientRect().top - box.getBoundingClientRect().top + place.offset
}

const articleOf = (box: HTMLElement, id: string) => box.querySelector(`article[data-id="${CSS.escape(id)}"]`)
