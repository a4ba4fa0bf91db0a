// How many slots now: the plan's number, less what refusals taught us.
import type { Clock } from '../../base/clock.ts'
import type { LearnedLimit } from '../../protocol/slots.ts'

/** The smallest paid plan (service description, Limits: Pro 3, Max 7). */
const SMALLEST_PLAN = 3
const LARGEST_GUESS = 32
/** So many answers without a refusal, with all slots in use, before one more is tried. */
const QUIET_ANSWERS = 20
/** A number that was refused is left alone for so long, and twice as long each time it is refused again. */
const FIRST_AVOID_MS = 10 * 60_000
const LONGEST_AVOID_MS = 24 * 60 * 60_000
const MOST_TIMES = 20
/** No plan is this small, so somebody else used the account: soon tried again. */
const SHORT_AVOID_MS = 60_000
/** A request that was cancelled may occupy its place at the service for so long. */
const LATE_RELEASE_MS = 3_000

/**
 * The number of requests that may be open at once. A setting fixes it; otherwise it begins at the smallest plan, falls
 * at once with a refusal and rises by one after a quiet while. The service's 429 stays the judge.
 */
export class PlanLimit {
  /** The setting; 0 means: learn. */
  fixed = 0
  readonly #clock: Clock
  #learned = SMALLEST_PLAN
  #quiet = 0
  /** So many at once have been seen to work, or work in every plan. */
  #proven = SMALLEST_PLAN
  readonly #refused = new Map<number, { readonly times: number; readonly avoidUntil: number }>()
  /** When requests were cancelled that may occupy their places still. */
  #cancelledAt: readonly number[] = []
  #excusedAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get now(): number {
    return this.fixed || this.#learned
  }

  /** What was learnt, for the desk that comes after this one. */
  get learned(): LearnedLimit {
    const now = this.#clock.elapsed()
    const avoided = [...this.#refused]
      .map(([limit, { times, avoidUntil }]) => ({ limit, times, forMs: avoidUntil - now }))
      .filter(({ limit, forMs }) => limit <= LARGEST_GUESS && forMs > 0)
    return { limit: this.#learned, avoided }
  }

  /** What an earlier desk had learnt. */
  adopt({ limit, avoided }: LearnedLimit): void {
    this.#learned = limit
    for (const { limit: refused, times, forMs } of avoided) {
      const avoidUntil = this.#clock.elapsed() + Math.min(forMs, LONGEST_AVOID_MS)
      this.#refused.set(refused, { times, avoidUntil })
    }
  }

  /** An answer came whole; `held` is how many were open when it began, itself counted. */
  sawAnswer(held: number): void {
    this.#proven = Math.max(this.#proven, held)
    if (held < this.#learned) return
    this.#quiet++
    const next = this.#learned + 1
    const isEnough = this.#quiet >= QUIET_ANSWERS || next <= SMALLEST_PLAN
    if (!isEnough || next > LARGEST_GUESS || this.#isAvoided(next)) return
    this.#quiet = 0
    this.#learned = next
  }

  /** `held` is the most that were open while the refused request was, itself counted. Says what it takes it for. */
  sawRefusal(held: number): 'limit' | 'late release' {
    this.#quiet = 0
    if (held <= this.#proven && this.#isLateRelease(held)) return 'late release'
    const refused = Math.max(held, 2)
    this.#learned = Math.min(this.#learned, refused - 1)
    this.#proven = Math.min(this.#proven, refused - 1)
    const times = Math.min((this.#refused.get(refused)?.times ?? 0) + 1, MOST_TIMES)
    const longMs = Math.min(FIRST_AVOID_MS * 2 ** (times - 1), LONGEST_AVOID_MS)
    const avoidMs = refused <= SMALLEST_PLAN ? SHORT_AVOID_MS : longMs
    this.#refused.set(refused, { times, avoidUntil: this.#clock.elapsed() + avoidMs })
    return 'limit'
  }

  /** A request was cancelled while it was open. */
  sawCancel(): void {
    this.#cancelledAt = [...this.#lately(), this.#clock.elapsed()].slice(-LARGEST_GUESS)
  }

  #isAvoided(next: number): boolean {
    return this.#clock.elapsed() < (this.#refused.get(next)?.avoidUntil ?? Number.NEGATIVE_INFINITY)
  }

  #lately(): readonly number[] {
    return this.#cancelledAt.filter(at => this.#clock.elapsed() - at <= LATE_RELEASE_MS)
  }

  /**
   * Right after cancels the refusal of what had worked tells of a service that is slow to notice, if they and what was
   * open are more than ever worked together; once a minute.
   */
  #isLateRelease(held: number): boolean {
    const now = this.#clock.elapsed()
    if (held + this.#lately().length <= this.#proven || now - this.#excusedAt < SHORT_AVOID_MS) return false
    this.#excusedAt = now
    return true
  }
}
