// `findHits`: the messages that contain a text, and moving from one occurrence to the next.
import { occurrencesIn, shownText } from '../../protocol/shownText.ts'
import type { Message } from '../state/messages.ts'
import type { Found } from '../state/store.ts'

/** A message with `count` occurrences of the text. */
export interface Hit {
  readonly index: number
  readonly message: string
  readonly count: number
}

/** One of the occurrences in a message, from 0. */
export interface HitPlace {
  readonly message: string
  readonly at: number
}

export interface HitSources {
  /** The messages that the page has read; undefined for those that it has not. */
  readonly texts: { countIn(message: Message, pattern: RegExp): number | undefined }
  /** About how many there are in those that it lacks. */
  readonly found: Found | undefined
}

/** A stretch of a message with `count` occurrences of the text; `fold`: the part that has to be unfolded before. */
export interface Section {
  readonly fold?: string
  readonly count: number
}

/** Which of the drawn occurrences is the one at `at`, or in which folded part it is. `isDrawn`: the part is unfolded. */
export function drawnPlace(
  sections: readonly Section[],
  at: number,
  isDrawn: (fold: string) => boolean,
): { readonly index: number } | { readonly fold: string } {
  let index = 0
  let before = 0
  for (const { fold, count } of sections) {
    const isHidden = fold !== undefined && !isDrawn(fold)
    if (at < before + count) return isHidden ? { fold } : { index: index + at - before }
    before += count
    if (!isHidden) index += count
  }
  return { index: index + at - before }
}

/** Which occurrence the drawn one at `index` is, from 0; behind the last drawn one, those that are folded there count. */
export function placeOfDrawn(sections: readonly Section[], index: number, isDrawn: (fold: string) => boolean): number {
  let left = index
  let hidden = 0
  for (const { fold, count } of sections) {
    if (fold !== undefined && !isDrawn(fold)) hidden += count
    else if (left < count) break
    else left -= count
  }
  return index + hidden
}

/** The page counts in the messages that it has, also while they grow. */
export function findHits(messages: readonly Message[], pattern: RegExp, { texts, found }: HitSources): Hit[] {
  const counts = new Map(found?.turns.map(turn => [turn.turn, turn]))
  return messages.flatMap((message, index) => {
    const elsewhere = counts.get(message.turn)
    const count =
      message.lacks.length === 0
        ? (texts.countIn(message, pattern) ?? aboutIn(message, pattern))
        : ((message.role === 'user' ? elsewhere?.question : elsewhere?.answer) ?? 0)
    return count > 0 ? [{ index, message: message.id, count }] : []
  })
}

const aboutIn = ({ text }: Message, pattern: RegExp) => occurrencesIn(shownText(text), pattern)

export const totalOf = (hits: readonly Hit[]) => hits.reduce((sum, { count }) => sum + count, 0)

/** Which of all occurrences it is, from 1; 0 if it is none of them. */
export function numberOf(hits: readonly Hit[], place: HitPlace | undefined): number {
  const at = hits.findIndex(({ message }) => message === place?.message)
  const hit = hits[at]
  if (!hit || !place) return 0
  return totalOf(hits.slice(0, at)) + Math.min(place.at, hit.count - 1) + 1
}

/** The first occurrence in or after the message at this index, else the first of all; backwards, the last one before it. */
export function placeFrom(hits: readonly Hit[], index: number, by: 1 | -1 = 1): HitPlace | undefined {
  const hit = by > 0 ? hits.find(one => one.index >= index) : hits.findLast(one => one.index <= index)
  return endOf(hit ?? hits.at(by > 0 ? 0 : -1), by)
}

const endOf = (hit: Hit | undefined, by: 1 | -1) => hit && { message: hit.message, at: by > 0 ? 0 : hit.count - 1 }

/** The occurrence after this one, or before it; after the last one comes the first. */
export function placeBeside(hits: readonly Hit[], place: HitPlace | undefined, by: 1 | -1): HitPlace | undefined {
  const at = hits.findIndex(({ message }) => message === place?.message)
  const hit = hits[at]
  if (!hit || !place) return placeFrom(hits, 0, by)
  const moved = Math.min(place.at, hit.count - 1) + by
  if (moved >= 0 && moved < hit.count) return { message: hit.message, at: moved }
  return endOf(hits.at((at + by) % hits.length), by)
}
