// `useMessageRows`: keeps only the messages around the visible ones in the document, with room for the others.
import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Message } from '../state/messages.ts'
import type { Place } from '../state/store.ts'
import { nextRange, type Range, rangeAround, rangeIn, WHOLE, wantedRange } from './messageRange.ts'
import { RowHeights } from './rowHeights.ts'

type Box = RefObject<HTMLDivElement | null>

export interface MessageRows {
  readonly range: Range
  readonly pxBefore: number
  readonly pxAfter: number
  /** Draws the message at this index and those around it. */
  readonly reveal: (index: number) => void
  /** The index of the first message in sight. */
  readonly firstVisible: () => number
}

export interface MessageRowsOptions {
  readonly log: Box
  readonly content: Box
  readonly messages: readonly Message[]
  /** Where to begin. */
  readonly place: Place
  /** The end is followed while messages grow. */
  readonly isAtEnd: RefObject<boolean>
}

interface Drawn {
  readonly range: Range
  readonly total: number
}

export function useMessageRows({ log, content, messages, place, isAtEnd }: MessageRowsOptions): MessageRows {
  const heights = useRef(new RowHeights()).current
  const total = messages.length
  const [drawn, setDrawn] = useState<Drawn>(() => ({ range: rangeAround(indexOf(messages, place), total), total }))
  const range = rangeIn(total, drawn.range, drawn.total)
  const now = useRef({ messages, range })
  now.current = { messages, range }
  const step = useRef<number | undefined>(undefined)
  /** The end is followed with enough messages before it, so that growth asks for no others. */
  const isSettled = useRef(false)

  const update = useCallback(() => {
    step.current = undefined
    const { messages, range } = now.current
    const box = log.current
    if (!box || !content.current) return
    measure(content.current, messages, range, heights)
    const visible = visibleRange(box, content.current, messages, range, heights)
    const held = heldIndexes(range, content.current)
    const wanted = withHeld(wantedRange(range, visible, messages.length), held)
    const next = withHeld(nextRange(range, wanted, visible, messages.length), held)
    const isChanged = next.from !== range.from || next.to !== range.to
    isSettled.current = !isChanged && isAtEnd.current === true
    if (isChanged) keepFocus(box, content.current, range, next)
    if (isChanged) setDrawn({ range: next, total: messages.length })
  }, [])
  const updateSoon = useCallback(() => {
    step.current ??= requestAnimationFrame(update)
  }, [])
  const reveal = useCallback((index: number) => {
    const { messages, range } = now.current
    isSettled.current = false
    if (index >= range.from && index < range.to) return
    const next = rangeAround(index, messages.length)
    if (log.current && content.current) keepFocus(log.current, content.current, range, next)
    setDrawn({ range: next, total: messages.length })
  }, [])

  useLayoutEffect(() => {
    if (content.current) describe(content.current, range, total)
    updateSoon()
  }, [range.from, range.to, total])
  useEffect(() => {
    const box = log.current
    const onScroll = () => {
      if (!isSettled.current || isAtEnd.current !== true) updateSoon()
    }
    box?.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      box?.removeEventListener('scroll', onScroll)
      if (step.current !== undefined) cancelAnimationFrame(step.current)
    }
  }, [])
  const room = useMemo(() => roomBeside(messages, range, heights), [range.from, range.to, total])
  const firstVisible = useCallback(() => {
    const { messages, range } = now.current
    if (!log.current || !content.current) return 0
    measure(content.current, messages, range, heights)
    return visibleRange(log.current, content.current, messages, range, heights).from
  }, [])
  return { range, ...room, reveal, firstVisible }
}

function roomBeside(messages: readonly Message[], { from, to }: Range, heights: RowHeights) {
  if (messages.length <= WHOLE) return { pxBefore: 0, pxAfter: 0 }
  return { pxBefore: heights.between(messages, 0, from), pxAfter: heights.between(messages, to, messages.length) }
}

/** The list takes the keyboard focus of a message that leaves the document. */
function keepFocus(box: HTMLElement, content: HTMLElement, now: Range, next: Range): void {
  const [focused] = indexOfNode(document.activeElement, now, content)
  if (focused !== undefined && (focused < next.from || focused >= next.to)) box.focus({ preventScroll: true })
}

/** The message of the place; the end if it is not there. */
function indexOf(messages: readonly Message[], place: Place): number {
  const index = place === 'end' ? -1 : messages.findIndex(({ id }) => id === place.message)
  return index < 0 ? messages.length : index
}

const articlesIn = (content: HTMLElement) => content.querySelectorAll<HTMLElement>(':scope > article')

/**
 * Describes to screen readers which of all messages these are, and has them read none of them again because it is drawn again. Not
 * by the components, which are not rendered again when only their position changes.
 */
function describe(content: HTMLElement, range: Range, total: number): void {
  for (const [at, article] of articlesIn(content).entries()) {
    article.ariaPosInSet = String(range.from + at + 1)
    article.ariaSetSize = String(total)
    if (range.from + at < total - 1) article.ariaLive = 'off'
  }
}

/** A message is as high as the way from its top to that of the next one. */
function measure(content: HTMLElement, messages: readonly Message[], range: Range, heights: RowHeights): void {
  const articles = articlesIn(content)
  for (let at = 0; at < articles.length - 1; at++) {
    const [message, article, next] = [messages[range.from + at], articles[at], articles[at + 1]]
    if (message && article && next) heights.set(message, next.offsetTop - article.offsetTop)
  }
}

function visibleRange(
  box: HTMLElement,
  content: HTMLElement,
  messages: readonly Message[],
  { from }: Range,
  heights: RowHeights,
): Range {
  const [first] = articlesIn(content)
  const top = box.scrollTop - (first?.offsetTop ?? 0)
  return {
    from: heights.indexAt(messages, from, top),
    to: heights.indexAt(messages, from, top + box.clientHeight) + 1,
  }
}

/** So many messages stay because something in them is selected or has the keyboard. */
const HELD = 300

/** Messages with an end of the selection, or with the keyboard focus, stay in the document. */
function heldIndexes(range: Range, content: HTMLElement): readonly number[] {
  const selection = getSelection()
  const nodes = selection && !selection.isCollapsed ? [selection.anchorNode, selection.focusNode] : []
  return [...nodes, document.activeElement].flatMap(node => indexOfNode(node, range, content))
}

function withHeld(range: Range, held: readonly number[]): Range {
  const [from, to] = [Math.min(range.from, ...held), Math.max(range.to, ...held.map(at => at + 1))]
  return to - from <= HELD ? { from, to } : range
}

function indexOfNode(node: Node | null, { from }: Range, content: HTMLElement): number[] {
  const element = node instanceof Element ? node : node?.parentElement
  const article = element?.closest('article')
  if (!article || article.parentElement !== content) return []
  return [from + [...articlesIn(content)].indexOf(article)]
}
