// `useFindMarks`: marks what was found in the drawn messages, and scrolls to the current occurrence.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Message } from '../state/messages.ts'
import type { Place } from '../state/store.ts'
import { drawnPlace, type HitPlace, placeOfDrawn, type Section } from './findHits.ts'
import { type TextRange, textRanges } from './textRanges.ts'

const ALL = 'found'
const CURRENT = 'found-current'
/** Between two times that the marks follow a growing answer. */
const PAUSE_MS = 150
/** So long a message that is on its way, or long, is waited for. */
const ARRIVAL_MS = 3_000
/** The current occurrence is shown at this part of the height, if that is below the bar. */
const SHOWN_AT = 0.3
/** Between the bar and the current occurrence. */
const CLEAR_PX = 8

export interface FindMarksOptions {
  readonly log: RefObject<HTMLDivElement | null>
  readonly drawn: readonly Message[]
  readonly pattern: RegExp | undefined
  readonly current: HitPlace | undefined
  readonly hold: (place: Place) => void
  /** Undefined until the message has been read. */
  readonly sectionsOf: (message: Message) => readonly Section[] | undefined
  readonly unfold: (part: string) => void
}

export function useFindMarks(options: FindMarksOptions): void {
  const now = useRef(options)
  now.current = options
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { drawn, pattern, current } = options
  const source = pattern && `${pattern.flags} ${pattern.source}`
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
      clearMarks()
    },
    [],
  )
}

function mark(options: FindMarksOptions): void {
  const { log, drawn, pattern, current } = options
  clearMarks()
  if (!pattern || !log.current) return
  const all = new Highlight()
  const chosen = new Highlight()
  chosen.priority = 1
  for (const { id } of drawn) {
    const article = articleOf(log.current, id)
    const ranges = article ? textRanges(article, pattern) : []
    for (const one of ranges) add(one, all, ALL)
    if (current?.message !== id || !article) continue
    const place = placeIn(article, options)
    const one = place && 'index' in place ? ranges[Math.min(place.index, ranges.length - 1)] : undefined
    if (one) add(one, chosen, CURRENT)
  }
  CSS.highlights.set(ALL, all)
  CSS.highlights.set(CURRENT, chosen)
}

/** A formula is marked as a whole, because its glyphs are of all sizes and places. */
const FORMULA_MARK = 'data-found'

function add({ range, formulas }: TextRange, highlight: Highlight, name: string): void {
  highlight.add(range)
  for (const formula of formulas) formula.setAttribute(FORMULA_MARK, name)
}

function clearMarks(): void {
  CSS.highlights.clear()
  for (const formula of document.querySelectorAll(`[${FORMULA_MARK}]`)) formula.removeAttribute(FORMULA_MARK)
}

/** Of which `offset` is below the top of the message. */
export type Start = Exclude<Place, 'end'>

/** Where the current occurrence is drawn. */
export function currentPlace(log: HTMLElement | null): Start | undefined {
  const [range] = CSS.highlights.get(CURRENT) ?? []
  const article = range instanceof Range ? range.startContainer.parentElement?.closest('article') : undefined
  if (!(range instanceof Range) || !article?.dataset['id'] || !log?.contains(article)) return undefined
  return { message: article.dataset['id'], offset: topOf(range) - topOf(article) }
}

/** The upper end of what is in sight of the message. */
export function visiblePlace(log: HTMLElement | null, message: string | undefined): Start | undefined {
  const article = message !== undefined && log && articleOf(log, message)
  return article ? { message, offset: clearTop(log) - topOf(article) } : undefined
}

interface Searched extends Pick<FindMarksOptions, 'log' | 'sectionsOf'> {
  readonly pattern: RegExp
  readonly message: Message
}

/** How many occurrences of the message are above the place. */
export function occurrencesAbove({ log, pattern, message, sectionsOf }: Searched, { offset }: Start): number {
  const article = log.current && articleOf(log.current, message.id)
  if (!article) return 0
  const limit = topOf(article) + offset
  const drawn = textRanges(article, pattern)
  const above = drawn.findIndex(({ range }) => topOf(range) >= limit - 1)
  const index = above < 0 ? drawn.length : above
  return placeOfDrawn(sectionsOf(message) ?? [], index, fold => isDrawnIn(article, fold))
}

const topOf = (one: Range | Element) => one.getBoundingClientRect().top

const isDrawnIn = (article: Element, fold: string) =>
  article.querySelector(`[data-fold="${CSS.escape(fold)}"]`) !== null

/** Where the current occurrence is in its message, as far as that is drawn. */
function placeIn(article: Element, { drawn, current, sectionsOf }: FindMarksOptions) {
  const message = drawn.find(({ id }) => id === current?.message)
  const sections = message && sectionsOf(message)
  if (!current || !sections) return undefined
  return drawnPlace(sections, current.at, fold => isDrawnIn(article, fold))
}

/** Tries in each frame, some time long, because the content may be on its way and is drawn in steps. */
function whenArrived(attempt: () => boolean): () => void {
  const end = performance.now() + ARRIVAL_MS
  let frame = requestAnimationFrame(function next() {
    if (!attempt() && performance.now() < end) frame = requestAnimationFrame(next)
  })
  return () => cancelAnimationFrame(frame)
}

/** True once the occurrence is where it should; unfolds the part that it is in. */
function scrollTo(options: FindMarksOptions): boolean {
  const { log, pattern, current, hold, unfold } = options
  const article = current && log.current && articleOf(log.current, current.message)
  if (!article || !pattern || !log.current) return false
  const place = placeIn(article, options)
  if (place && 'fold' in place) unfold(place.fold)
  if (!place || 'fold' in place) return false
  const found = textRanges(article, pattern)[place.index]
  if (!found) return false
  openFolds(found.range.startContainer, article)
  scrollWithin(found.range, article)
  const top = found.range.getBoundingClientRect().top
  const shownAt = shownTop(log.current)
  const isShown = Math.abs(top - shownAt) < 2
  const offset = top - article.getBoundingClientRect().top - (shownAt - log.current.getBoundingClientRect().top)
  hold({ message: current.message, offset })
  if (isShown) mark(options)
  return isShown
}

/** The bar is before the log and covers its upper end. */
function shownTop(log: HTMLElement): number {
  const { top, height } = log.getBoundingClientRect()
  return Math.max(top + height * SHOWN_AT, clearTop(log) + CLEAR_PX)
}

const clearTop = (log: HTMLElement) => log.previousElementSibling?.getBoundingClientRect().bottom ?? topOf(log)

/** What the answer itself has folded away. */
function openFolds(node: Node, article: Element): void {
  for (let { parentElement } = node; parentElement && parentElement !== article; { parentElement } = parentElement)
    if (parentElement instanceof HTMLDetailsElement) parentElement.open = true
}

/** Scrolls the boxes in the article that have a scroll bar of their own, such as the output of a call. */
function scrollWithin(range: Range, article: Element): void {
  let element = range.startContainer.parentElement
  for (; element && element !== article; element = element.parentElement) {
    if (element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth) continue
    const [box, at] = [element.getBoundingClientRect(), range.getBoundingClientRect()]
    if (at.top < box.top || at.bottom > box.bottom) element.scrollTop += at.top - box.top - box.height * SHOWN_AT
    if (at.left < box.left || at.right > box.right) element.scrollLeft += at.left - box.left - box.width * SHOWN_AT
  }
}

const articleOf = (box: HTMLElement, id: string) =>
  box.querySelector<HTMLElement>(`article[data-id="${CSS.escape(id)}"]`)
