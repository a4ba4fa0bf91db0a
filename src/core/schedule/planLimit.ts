// `PlanLimit`: how many requests may be open at once, learnt from the service's answers and refusals.
import type { Clock } from '../../base/clock.ts'
import type { LearnedLimit } from '../../protocol/slots.ts'

/** The smallest paid plan (service description, Limits: Pro 3, Max 7). */
const SMALLEST_PLAN = 3
const LARGEST_GUESS = 32
/** The limit rises by one after so many answers without a refusal while all slots were in use. */
const ANSWERS_BEFORE_RISE = 20
/** A limit that was refused is not tried again for so long, and twice as long after each further refusal. */
const FIRST_AVOID_MS = 10 * 60_000
const LONGEST_AVOID_MS = 24 * 60 * 60_000
const MOST_TIMES = 20
/** For a limit up to the smallest plan's, because its refusal means that another program used the account. */
const SHORT_AVOID_MS = 60_000
/** The service may count a cancelled request for so long. */
const LATE_RELEASE_MS = 3_000

/**
 * A setting fixes the limit; otherwise it begins at the smallest plan's, falls with each refusal and rises by one after
 * many answers without one. The service's 429 decides in any case.
 */
export class PlanLimit {
  /** The setting; 0 means: learn. */
  fixed = 0
  readonly #clock: Clock
  #learned = SMALLEST_PLAN
  #answersSinceRefusal = 0
  /** The most requests at once that have been answered, at least as many as the smallest plan allows. */
  #proven = SMALLEST_PLAN
  readonly #refused = new Map<number, { readonly times: number; readonly avoidUntil: number }>()
  /** When the requests were cancelled that the service may still count. */
  #cancelledAt: readonly number[] = []
  #lateReleaseAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get current(): number {
    return this.fixed || this.#learned
  }

  /** What was learnt, for the next coordinator. */
  get learned(): LearnedLimit {
    const now = this.#clock.elapsed()
    const avoided = [...this.#refused]
      .map(([limit, { times, avoidUntil }]) => ({ limit, times, forMs: avoidUntil - now }))
      .filter(({ limit, forMs }) => limit <= LARGEST_GUESS && forMs > 0)
    return { limit: this.#learned, avoided }
  }

  /** Takes over what an earlier coordinator has learnt. */
  adopt({ limit, avoided }: LearnedLimit): void {
    this.#learned = limit
    for (const { limit: refused, times, forMs } of avoided) {
      const avoidUntil = this.#clock.elapsed() + Math.min(forMs, LONGEST_AVOID_MS)
      this.#refused.set(refused, { times, avoidUntil })
    }
  }

  /** A request was answered in full; `held` is how many were open when it began, itself included. */
  recordAnswer(held: number): void {
    this.#proven = Math.max(this.#proven, held)
    if (held < this.#learned) return
    this.#answersSinceRefusal++
    const next = this.#learned + 1
    const isEnough = this.#answersSinceRefusal >= ANSWERS_BEFORE_RISE || next <= SMALLEST_PLAN
    if (!isEnough || next > LARGEST_GUESS || this.#isAvoided(next)) return
    this.#answersSinceRefusal = 0
    this.#learned = next
  }

  /**
   * `held` is the most that were open while the refused request was, itself included; `mayCoolLonger`: cancelled requests
   * can still be counted for longer than they are. Returns the assumed cause.
   */
  recordRefusal(held: number, mayCoolLonger = false): 'limit' | 'late release' {
    this.#answersSinceRefusal = 0
    if (held <= this.#proven && this.#isLateRelease(held, mayCoolLonger)) return 'late release'
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
  recordCancel(): void {
    this.#cancelledAt = [...this.#recentCancels(), this.#clock.elapsed()].slice(-LARGEST_GUESS)
  }

  #isAvoided(next: number): boolean {
    return this.#clock.elapsed() < (this.#refused.get(next)?.avoidUntil ?? Number.NEGATIVE_INFINITY)
  }

  #recentCancels(): readonly number[] {
    return this.#cancelledAt.filter(at => this.#clock.elapsed() - at <= LATE_RELEASE_MS)
  }

  /**
   * Whether the service still counted requests that were cancelled just before: with them more were open than were ever
   * answered at once. Assumed once a minute at most where counting them for longer has not helped.
   */
  #isLateRelease(held: number, mayCoolLonger: boolean): boolean {
    const now = this.#clock.elapsed()
    if (held + this.#recentCancels().length <= this.#proven) return false
    if (!mayCoolLonger && now - this.#lateReleaseAt < SHORT_AVOID_MS) return false
    this.#lateReleaseAt = now
    return true
  }
}
