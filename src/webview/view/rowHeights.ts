// `RowHeights`: the heights of messages that were drawn, and estimates for the others.
import type { Message } from '../state/messages.ts'

const usualPx = { user: 56, assistant: 320 } as const
/** The estimate for the others is settled by so many messages, and then stays, because a change would move them all. */
const SETTLED_BY = 8

export class RowHeights {
  readonly #known = new Map<string, number>()
  readonly #estimates = { user: new Estimate(usualPx.user), assistant: new Estimate(usualPx.assistant) }

  set({ id, role }: Message, px: number): void {
    if (!this.#known.has(id)) this.#estimates[role].learn(px)
    this.#known.set(id, px)
  }

  of({ id, role }: Message): number {
    return this.#known.get(id) ?? this.#estimates[role].px
  }

  /** The height of the messages from `from` to `to`, exclusive. */
  between(messages: readonly Message[], from: number, to: number): number {
    let px = 0
    for (let at = from; at < to; at++) {
      const message = messages[at]
      if (message) px += this.of(message)
    }
    return Math.round(px)
  }

  /** The index of the message that is `px` below the top of message `from`, which may be negative. */
  indexAt(messages: readonly Message[], from: number, px: number): number {
    let at = from
    let left = px
    while (left < 0 && at > 0) left += this.#ofIndex(messages, --at)
    while (at < messages.length - 1 && left >= this.#ofIndex(messages, at)) left -= this.#ofIndex(messages, at++)
    return at
  }

  #ofIndex(messages: readonly Message[], at: number): number {
    const message = messages[at]
    return message ? this.of(message) : 0
  }
}

class Estimate {
  px: number
  #sum = 0
  #count = 0

  constructor(px: number) {
    this.px = px
  }

  learn(px: number): void {
    this.#sum += px
    if (++this.#count === SETTLED_BY) this.px = Math.round(this.#sum / SETTLED_BY)
  }
}
