// `useFindMarks`: marks what was found in the drawn messages, and scrolls to the current occurrence.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Message } from '../state/messages.ts'
import type { Place } from '../state/store.ts'
import type { HitPlace } from './findHits.ts'
import { textRanges } from './textRanges.ts'

const ALL = 'found'
const CURRENT = 'found-current'
/** Between two times that the marks follow a growing answer. */
const PAUSE_MS = 150
/** So long a message that is on its way, or long, is waited for. */
const ARRIVAL_MS = 3_000
/** The current occurrence is shown at this part of the height. */
const SHOWN_AT = 0.3

export interface FindMarksOptions {
  readonly log: RefObject<HTMLDivElement | null>
  readonly drawn: readonly Message[]
  readonly pattern: RegExp | undefined
  readonly current: HitPlace | undefined
  readonly hold: (place: Place) => void
}

export function useFindMarks(options: FindMarksOptions): void {
  const now = useRef(options)
  now.current = options
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { drawn, pattern, current } = options
  const source = pattern?.source
  useEffect(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        mark(now.current)
      },
      source === undefined ? 0 : PAUSE_MS,
    )
  }, [drawn, source])
  useEffect(() => {
    mark(now.current)
    if (!current) return
    return whenArrived(() => scrollTo(now.current))
  }, [current, source])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      CSS.highlights.clear()
    },
    [],
  )
}

function mark({ log, drawn, pattern, current }: FindMarksOptions): void {
  CSS.highlights.clear()
  if (!pattern || !log.current) return
  const all = new Highlight()
  const chosen = new Highlight()
  chosen.priority = 1
  for (const { id } of drawn) {
    const article = articleOf(log.current, id)
    const ranges = article ? textRanges(article, pattern) : []
    for (const range of ranges) all.add(range)
    const range = current?.message === id ? ranges[Math.min(current.at, ranges.length - 1)] : undefined
    if (range) chosen.add(range)
  }
  CSS.highlights.set(ALL, all)
  CSS.highlights.set(CURRENT, chosen)
}

/** Tries in each frame, some time long, because the content may be on its way and is drawn in steps. */
function whenArrived(attempt: () => boolean): () => void {
  const end = performance.now() + ARRIVAL_MS
  let frame = requestAnimationFrame(function next() {
    if (!attempt() && performance.now() < end) frame = requestAnimationFrame(next)
  })
  return () => cancelAnimationFrame(frame)
}

/** True once the occurrence is where it should. */
function scrollTo({ log, pattern, current, hold, ...rest }: FindMarksOptions): boolean {
  const article = current && log.current && articleOf(log.current, current.message)
  if (!article || !pattern || !log.current) return false
  const range = textRanges(article, pattern)[current.at]
  if (!range) return false
  const box = log.current.getBoundingClientRect()
  const top = range.getBoundingClientRect().top
  const isShown = Math.abs(top - box.top - box.height * SHOWN_AT) < 2
  const offset = top - article.getBoundingClientRect().top - box.height * SHOWN_AT
  hold({ message: current.message, offset })
  if (isShown) mark({ log, pattern, current, hold, ...rest })
  return isShown
}

const articleOf = (box: HTMLElement, id: string) =>
  box.querySelector<HTMLElement>(`article[data-id="${CSS.escape(id)}"]`)
