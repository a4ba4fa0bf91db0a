// The lanes of requests: their order in the queue, and which are urgent, yield their slots, or leave one slot free.

/** In order of priority, the highest first. */
export const lanes = ['chat', 'edit', 'agent', 'completion', 'background'] as const
export type Lane = (typeof lanes)[number]

/** The user asked and watches: such a request never waits for one of a lane that yields. */
export const isUrgent = (lane: Lane): boolean => lane === 'chat' || lane === 'edit'

/** The user does not read these answers yet, so their requests may be cancelled for an urgent one. */
export const givesWay = (lane: Lane): boolean => lane === 'completion' || lane === 'background'

/** Work that continues without the user: it leaves the last slot free for an urgent request. */
export const leavesOneFree = (lane: Lane): boolean => lane === 'agent' || lane === 'background'

/** Each such time in the queue raises a request by one lane. */
const AGEING_MS = 10_000

/** Compared from left to right; the smaller rank is served first. */
export type Rank = readonly [lane: number, share: number, askedAt: number]

/**
 * By lane; within a lane the window that holds the fewest slots, then the oldest request. Waiting raises both, so that no
 * request starves behind busy lanes or busy windows, but raises none above an urgent one.
 */
export function rankOf(lane: Lane, heldByWindow: number, askedAt: number, now: number): Rank {
  const steps = Math.floor((now - askedAt) / AGEING_MS)
  const best = isUrgent(lane) ? 0 : lanes.indexOf('agent')
  return [Math.max(lanes.indexOf(lane) - steps, best), heldByWindow - steps, askedAt]
}

export function compareRanks(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}
