// Who asks for a slot, and what that entitles to.

/** The most important first. */
export const lanes = ['chat', 'edit', 'agent', 'completion', 'background'] as const
export type Lane = (typeof lanes)[number]

/** A person asked and watches: never waits for somebody who can give way. */
export const isUrgent = (lane: Lane): boolean => lane === 'chat' || lane === 'edit'

/** Nobody reads these yet: their request may be cancelled for a person's. An answer that is read is never taken away. */
export const givesWay = (lane: Lane): boolean => lane === 'completion' || lane === 'background'

/** Work that goes on by itself: the last slot stays free for a person. */
export const leavesOneFree = (lane: Lane): boolean => lane === 'agent' || lane === 'background'

/** So long in line counts as one lane more important. */
const AGEING_MS = 10_000

/** What decides between two that wait; the smaller goes first, compared from left to right. */
export type Rank = readonly [lane: number, share: number, askedAt: number]

/**
 * By lane; within a lane the window that holds least, then the first to come. Waiting makes up for both, so that
 * nobody starves behind busy lanes or busy windows; but it never lifts anybody above a person.
 */
export function rankOf(lane: Lane, heldByWindow: number, askedAt: number, now: number): Rank {
  const steps = Math.floor((now - askedAt) / AGEING_MS)
  const best = isUrgent(lane) ? 0 : lanes.indexOf('agent')
  return [Math.max(lanes.indexOf(lane) - steps, best), heldByWindow - steps, askedAt]
}

export function compareRanks(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}
