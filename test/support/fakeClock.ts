// A clock that stands still until a test moves it.
import type { Clock } from '../../src/base/clock.ts'

interface Timer {
  readonly at: number
  readonly run: () => void
}

export class FakeClock implements Clock {
  #nowMs = Date.UTC(2026, 0, 1)
  #elapsedMs = 0
  #timers: Timer[] = []

  readonly now = () => this.#nowMs
  readonly elapsed = () => this.#elapsedMs

  readonly later = (waitMs: number, run: () => void) => {
    const timer = { at: this.#elapsedMs + Math.max(0, waitMs), run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer)
    }
  }

  /** How many are waiting: after a test it should be none. */
  get waiting(): number {
    return this.#timers.length
  }

  /** Lets what is ready happen, moves on from timer to timer, and lets what they woke happen. */
  async advance(ms: number): Promise<void> {
    const goal = this.#elapsedMs + ms
    await settled()
    for (let next = this.#nextUntil(goal); next; next = this.#nextUntil(goal)) {
      this.#moveTo(Math.max(next.at, this.#elapsedMs))
      this.#timers = this.#timers.filter(timer => timer !== next)
      next.run()
      await settled()
    }
    this.#moveTo(goal)
  }

  #nextUntil(goal: number): Timer | undefined {
    return this.#timers.filter(({ at }) => at <= goal).sort((a, b) => a.at - b.at)[0]
  }

  #moveTo(elapsedMs: number): void {
    this.#nowMs += elapsedMs - this.#elapsedMs
    this.#elapsedMs = elapsedMs
  }
}

/** Everything that waits for nothing but promises has happened. */
export function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
