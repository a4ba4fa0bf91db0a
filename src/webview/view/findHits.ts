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

/** The page searches the messages that it has, also while they grow; `found` is for those that it lacks. */
export function findHits(messages: readonly Message[], pattern: RegExp, found: Found | undefined): Hit[] {
  const counts = new Map(found?.turns.map(turn => [turn.turn, turn]))
  return messages.flatMap((message, index) => {
    const elsewhere = counts.get(message.turn)
    const count =
      message.lacks.length === 0
        ? countIn(message, pattern)
        : ((message.role === 'user' ? elsewhere?.question : elsewhere?.answer) ?? 0)
    return count > 0 ? [{ index, message: message.id, count }] : []
  })
}

const counted = new WeakMap<Message, { readonly pattern: string; readonly count: number }>()

function countIn(message: Message, pattern: RegExp): number {
  const known = counted.get(message)
  if (known?.pattern === pattern.source) return known.count
  const text = message.role === 'user' ? message.text : shownText(message.text)
  const count = occurrencesIn(text, pattern)
  counted.set(message, { pattern: pattern.source, count })
  return count
}

export const totalOf = (hits: readonly Hit[]) => hits.reduce((sum, { count }) => sum + count, 0)

/** Which of all occurrences it is, from 1; 0 if it is none of them. */
export function numberOf(hits: readonly Hit[], place: HitPlace | undefined): number {
  const at = hits.findIndex(({ message }) => message === place?.message)
  const hit = hits[at]
  if (!hit || !place) return 0
  return totalOf(hits.slice(0, at)) + Math.min(place.at, hit.count - 1) + 1
}

/** The first occurrence in or after the message at this index, else the first of all. */
export function firstPlace(hits: readonly Hit[], fromIndex: number): HitPlace | undefined {
  const hit = hits.find(({ index }) => index >= fromIndex) ?? hits[0]
  return hit && { message: hit.message, at: 0 }
}

/** The occurrence after this one, or before it; after the last one comes the first. */
export function placeBeside(hits: readonly Hit[], place: HitPlace | undefined, by: 1 | -1): HitPlace | undefined {
  const at = hits.findIndex(({ message }) => message === place?.message)
  const hit = hits[at]
  if (!hit || !place) return firstPlace(hits, 0)
  const moved = Math.min(place.at, hit.count - 1) + by
  if (moved >= 0 && moved < hit.count) return { message: hit.message, at: moved }
  const next = hits.at((at + by) % hits.length)
  return next && { message: next.message, at: by > 0 ? 0 : next.count - 1 }
}
