// `joinDeltas`: two deltas of the same part as one event.
import type { ConversationEvent } from './conversation.ts'
import { firstNumber, isDelta } from './conversationState.ts'

/**
 * One event that has the effect of both, if they are deltas of the same part that follow each other directly, else
 * undefined. It has the number and the time of the later one.
 */
export function joinDeltas(earlier: ConversationEvent, later: ConversationEvent): ConversationEvent | undefined {
  if (!isDelta(earlier) || !isDelta(later)) return undefined
  const isSamePart = later.kind === earlier.kind && later.part === earlier.part && later.turn === earlier.turn
  if (!isSamePart || later.conversation !== earlier.conversation) return undefined
  const follows = firstNumber(later) === earlier.n + 1 && later.offset === earlier.offset + earlier.text.length
  if (!follows) return undefined
  return { ...later, first: firstNumber(earlier), offset: earlier.offset, text: earlier.text + later.text }
}

/** The events, with deltas joined where possible. */
export function joinedEvents(events: Iterable<ConversationEvent>): ConversationEvent[] {
  const joined: ConversationEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    const both = last && joinDeltas(last, event)
    if (both) joined[joined.length - 1] = both
    else joined.push(event)
  }
  return joined
}
