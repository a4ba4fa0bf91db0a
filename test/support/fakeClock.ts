// A clock that does not advance until a test moves it.
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

  /** The wall clock is set to another time; nothing has passed. */
  jump(ms: number): void {
    this.#nowMs += ms
  }

  /** How many are waiting: after a test it should be none. */
  get waiting(): number {
    return this.#timers.length
  }

  /** How long until the first of them is due. */
  get nextInMs(): number | undefined {
    if (this.#timers.length === 0) return undefined
    return Math.max(0, Math.min(...this.#timers.map(({ at }) => at)) - this.#elapsedMs)
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

  /** Time passes, and nobody is woken yet. */
  pass(ms: number): void {
    this.#moveTo(this.#elapsedMs + ms)
  }

  /** As when the machine slept: the wall clock has moved on, the other clock and all timers were frozen. */
  sleep(ms: number): void {
    this.#nowMs += ms
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
