// `useAutoScroll`: keeps the scroll position at the end while content is added, and reports where the user scrolls.
import type { RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Place } from '../state/store.ts'

const nearEndPx = 24
const restMs = 150

type Box = RefObject<HTMLDivElement | null>

/**
 * Keeps the end, or initially the restored place, at the same position when the content grows, until the user scrolls.
 */
export function useAutoScroll(log: Box, content: Box, first: Place, onRest: (place: Place) => void) {
  const [isAtEnd, setAtEnd] = useState(first === 'end')
  const held = useRef<Place | undefined>(first)
  const hold = useCallback((place: Place | undefined) => {
    held.current = place
    setAtEnd(place === 'end')
    settle(log.current, place)
  }, [])
  useEffect(() => {
    const box = log.current
    if (!box || !content.current) return
    const growth = new ResizeObserver(() => settle(box, held.current))
    growth.observe(box)
    growth.observe(content.current)
    const stopListening = listen(box, held, hold, onRest)
    return () => {
      growth.disconnect()
      stopListening()
    }
  }, [])
  const toEnd = useCallback(() => hold('end'), [])
  return { isAtEnd, toEnd }
}

type Held = RefObject<Place | undefined>

/**
 * Only scrolling up stops following the end: the scroll event of `scrollToEnd` may arrive after more content was added,
 * and the position is then not at the end although the user has not scrolled.
 */
function listen(box: HTMLElement, held: Held, hold: (place: Place | undefined) => void, onRest: (at: Place) => void) {
  let before = { top: box.scrollTop, height: box.scrollHeight }
  let timer: ReturnType<typeof setTimeout> | undefined
  const onScroll = () => {
    const now = { top: box.scrollTop, height: box.scrollHeight }
    const isUp = now.top < before.top && now.height >= before.height
    before = now
    const isHeldHere = typeof held.current === 'object'
    if (!isHeldHere && isNearEnd(box) && held.current !== 'end') hold('end')
    else if (!isHeldHere && isUp && !isNearEnd(box)) hold(undefined)
    clearTimeout(timer)
    timer = setTimeout(() => onRest(placeOf(box)), restMs)
  }
  const onMove = () => {
    if (typeof held.current === 'object') hold(undefined)
  }
  const moves = ['wheel', 'keydown', 'pointerdown', 'touchstart']
  box.addEventListener('scroll', onScroll, { passive: true })
  for (const move of moves) box.addEventListener(move, onMove, { passive: true })
  return () => {
    clearTimeout(timer)
    box.removeEventListener('scroll', onScroll)
    for (const move of moves) box.removeEventListener(move, onMove)
  }
}

function settle(box: HTMLElement | null, place: Place | undefined): void {
  if (!box || place === undefined) return
  if (place === 'end') scrollToEnd(box)
  else scrollToPlace(box, place)
}

function scrollToEnd(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight
}

const isNearEnd = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx

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
