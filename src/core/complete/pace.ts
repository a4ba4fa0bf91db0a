// How fast the typing is and how fast the answers come; how long to keep quiet after a fault.
import type { Clock } from '../../base/clock.ts'
import { meaningOf } from '../http/fault.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { type Change, changeBetween } from './trigger.ts'

const FIRST_BACKOFF_MS = 2_000
const LONGEST_BACKOFF_MS = 30_000
const STRAINED_MS = 60_000
const KEYS_REMEMBERED = 15
/** A longer gap is thinking, not typing. */
const LONGEST_KEY_GAP_MS = 2_000

export class Pace {
  readonly #clock: Clock
  #last: DocumentSnapshot | undefined
  #lastAt = 0
  #gaps: number[] = []
  #firstTextMs = 350
  #faults = 0
  #quietUntil = Number.NEGATIVE_INFINITY
  #askedUntil = Number.NEGATIVE_INFINITY
  #refusedAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Time from asking to the first text, as it was lately. */
  get firstTextMs(): number {
    return this.#firstTextMs
  }

  get keyMs(): number {
    return this.#gaps.toSorted((a, b) => a - b)[Math.floor(this.#gaps.length / 2)] ?? 200
  }

  /** What the user asks for has to wait only where the service said so. */
  isQuiet(isExplicit: boolean): boolean {
    return this.#clock.elapsed() < (isExplicit ? this.#askedUntil : this.#quietUntil)
  }

  /** The service refused us within the last minute. */
  get isStrained(): boolean {
    return this.#clock.elapsed() - this.#refusedAt < STRAINED_MS
  }

  sawSnapshot(snapshot: DocumentSnapshot): Change {
    const change = changeBetween(this.#last, snapshot)
    const now = this.#clock.elapsed()
    const gap = now - this.#lastAt
    if (change === 'typed' && gap < LONGEST_KEY_GAP_MS) this.#gaps = [...this.#gaps, gap].slice(-KEYS_REMEMBERED)
    this.#last = snapshot
    this.#lastAt = now
    return change
  }

  sawFirstText(afterMs: number): void {
    this.#firstTextMs += 0.2 * (afterMs - this.#firstTextMs)
    this.#faults = 0
  }

  /** Quiet for as long as the service asked; else 2, 4, 8 … 30 s. Returns how long. */
  sawFault(fault: unknown): number {
    const { kind, retryAfterMs: asked } = meaningOf(fault)
    if (kind === 'problem: limit') this.#refusedAt = this.#clock.elapsed()
    const waitMs = asked || Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#faults)
    this.#faults++
    this.#quietUntil = this.#clock.elapsed() + waitMs
    if (asked) this.#askedUntil = this.#quietUntil
    return waitMs
  }
}
