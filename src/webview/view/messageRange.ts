// `nextRange`: which messages of a long conversation are in the document, and how it changes while the user scrolls.

/** Positions in the list of messages; `to` is exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** A conversation of so many messages is drawn whole. */
export const WHOLE = 80
/** So many messages beyond the visible ones are drawn on each side, for selecting, copying and tabbing. */
const BEYOND = 40
/** The range is moved when fewer than so many are left on a side. */
const LEAST_BEYOND = 20
/** So many messages are added at most on each side per frame, so that no frame takes long. */
const STEP = 4
/** The first frame of a place shows so many on each side of it. */
const FIRST = 5

/** The messages to begin with at a place. */
export function rangeAround(index: number, total: number): Range {
  return { from: Math.max(0, index - FIRST), to: Math.min(total, index + FIRST) }
}

/** The range that the visible messages ask for; the present one while that is good enough. */
export function wantedRange(now: Range, visible: Range, total: number): Range {
  if (total <= WHOLE) return { from: 0, to: total }
  const isEnoughBefore = now.from === 0 || visible.from - now.from >= LEAST_BEYOND
  const isEnoughAfter = now.to === total || now.to - visible.to >= LEAST_BEYOND
  const isTooMany = now.to - now.from > visible.to - visible.from + 4 * BEYOND
  if (isEnoughBefore && isEnoughAfter && !isTooMany) return now
  return { from: Math.max(0, visible.from - BEYOND), to: Math.min(total, visible.to + BEYOND) }
}

/** One step from the present range towards the wanted one. */
export function nextRange(now: Range, wanted: Range, visible: Range, total: number): Range {
  const isFar = visible.to <= now.from || visible.from >= now.to
  if (isFar) return rangeAround(visible.from, total)
  return {
    from: Math.max(wanted.from, Math.min(now.from, total) - STEP),
    to: Math.min(wanted.to, Math.max(now.to, 0) + STEP),
  }
}

/** The range in a list that has grown or shrunk; one that reached the end still does. */
export function rangeIn(total: number, range: Range, totalBefore: number): Range {
  const to = range.to >= totalBefore ? total : Math.min(range.to, total)
  return { from: Math.min(range.from, Math.max(0, to - 1)), to }
}
