// Counts the calls of each caller in the last hour.
import type { Clock } from './clock.ts'

const hourMs = 60 * 60_000

export class CallsPerHour {
  readonly #clock: Clock
  readonly #callsOf = new Map<string, number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a call, unless the caller has made so many: then the seconds to wait. */
  secondsToWait(caller: string, most: number): number {
    const now = this.#clock.now()
    const recent = (this.#callsOf.get(caller) ?? []).filter(at => at > now - hourMs)
    const [first = now] = recent
    if (recent.length >= most) return Math.ceil((first + hourMs - now) / 1000)
    this.#callsOf.set(caller, [...recent, now])
    return 0
  }
}
