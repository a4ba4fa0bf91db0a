// `PlanSlots`: how many requests the server answers at once; one that was aborted counts until the server has noticed.
import type { Clock } from '../../../src/base/clock.ts'

interface Held {
  readonly releasedAt: number
}

export class PlanSlots {
  readonly #limit: number
  readonly #clock: Clock
  #held: readonly Held[] = []
  #peak = 0

  constructor(limit: number, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  /** Most requests that were open at once. */
  get peak(): number {
    return this.#peak
  }

  /** Holds a slot until its `releasedAt`, which may be set later; false if none is free. */
  take(request: Held): boolean {
    const now = this.#clock.elapsed()
    this.#held = this.#held.filter(({ releasedAt }) => releasedAt > now)
    if (this.#held.length >= this.#limit) return false
    this.#held = [...this.#held, request]
    this.#peak = Math.max(this.#peak, this.#held.length)
    return true
  }
}
