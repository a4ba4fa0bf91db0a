// Where the reader is in the conversation, and staying at its end while it grows.
import type { RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Place } from '../store.ts'

const nearEndPx = 24
const restMs = 150

type Box = RefObject<HTMLDivElement | null>

export function useFollowing(log: Box, content: Box, onRest: (place: Place) => void) {
  const [isAtEnd, setAtEnd] = useState(true)
  const isFollowing = useRef(true)
  const toEnd = useCallback(() => {
    isFollowing.current = true
    setAtEnd(true)
    scrollToEnd(log.current)
  }, [])
  useEffect(() => {
    const box = log.current
    if (!box || !content.current) return
    const growth = new ResizeObserver(() => isFollowing.current && scrollToEnd(box))
    growth.observe(box)
    growth.observe(content.current)
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      isFollowing.current = isNearEnd(box)
      setAtEnd(isFollowing.current)
      clearTimeout(timer)
      timer = setTimeout(() => onRest(placeOf(box)), restMs)
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      growth.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [])
  return { isAtEnd, toEnd }
}

function scrollToEnd(box: HTMLElement | null): void {
  if (box) box.scrollTop = box.scrollHeight
}

const isNearEnd = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx

/** By message and not by height: heights of what was never drawn are only estimated. */
function placeOf(box: HTMLElement): Place {
  if (isNearEnd(box)) return 'end'
  const top = box.getBoundingClientRect().top
  const first = [...box.querySelectorAll<HTMLElement>('article')].find(
    article => article.getBoundingClientRect().bottom > top,
  )
  const message = first?.dataset['id']
  return first && message ? { message, offset: top - first.getBoundingClientRect().top } : 'end'
}

/** Whether the place was there to go to. */
export function scrollToPlace(box: HTMLElement, place: Place): boolean {
  if (place === 'end') return true
  const article = box.querySelector(`article[data-id="${CSS.escape(place.message)}"]`)
  if (!article) return false
  box.scrollTop += article.getBoundingClientRect().top - box.getBoundingClientRect().top + place.offset
  return true
}
