// `Pace`: the measured speed of typing, and the backoff after a fault.
import type { Clock } from '../../base/clock.ts'
import { meaningOf } from '../http/fault.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { type Change, changeBetween } from './trigger.ts'

const FIRST_BACKOFF_MS = 2_000
const LONGEST_BACKOFF_MS = 30_000
const RATE_LIMITED_MS = 60_000
const KEYS_REMEMBERED = 15
/** A longer gap is a pause, and does not count for the typing speed. */
const LONGEST_KEY_GAP_MS = 2_000

export class Pace {
  readonly #clock: Clock
  #last: DocumentSnapshot | undefined
  #lastAt = 0
  #gaps: number[] = []
  #faults = 0
  #backoffUntil = Number.NEGATIVE_INFINITY
  #retryAfterUntil = Number.NEGATIVE_INFINITY
  #limitedAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Median time between two keys. */
  get keyMs(): number {
    return this.#gaps.toSorted((a, b) => a - b)[Math.floor(this.#gaps.length / 2)] ?? 200
  }

  /** An explicit request is held back only by a Retry-After of the service. */
  isBackingOff(isExplicit: boolean): boolean {
    return this.#clock.elapsed() < (isExplicit ? this.#retryAfterUntil : this.#backoffUntil)
  }

  /** The service reported its limit within the last minute. */
  get isRateLimited(): boolean {
    return this.#clock.elapsed() - this.#limitedAt < RATE_LIMITED_MS
  }

  /** What was recorded last, with which the next change is compared. */
  get last(): DocumentSnapshot | undefined {
    return this.#last
  }

  /** Another document is in front, not changed yet. */
  enter(snapshot: DocumentSnapshot): void {
    this.#last = snapshot
  }

  recordSnapshot(snapshot: DocumentSnapshot): Change {
    const change = changeBetween(this.#last, snapshot)
    const now = this.#clock.elapsed()
    const gap = now - this.#lastAt
    if (change === 'typed' && gap < LONGEST_KEY_GAP_MS) this.#gaps = [...this.#gaps, gap].slice(-KEYS_REMEMBERED)
    this.#last = snapshot
    this.#lastAt = now
    return change
  }

  /** The service answers. */
  recordText(): void {
    this.#faults = 0
  }

  /** Backs off for the time that the service asked for, else for 2, 4, 8 … 30 s; returns that time. */
  recordFault(fault: unknown): number {
    const { kind, retryAfterMs } = meaningOf(fault)
    if (kind === 'problem: limit') this.#limitedAt = this.#clock.elapsed()
    const waitMs = retryAfterMs || Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#faults)
    this.#faults++
    this.#backoffUntil = this.#clock.elapsed() + waitMs
    if (retryAfterMs) this.#retryAfterUntil = this.#backoffUntil
    return waitMs
  }
}
