// How many slots now: the plan's number, less what refusals taught us.

/** The smallest paid plan (service description, Limits: Pro 3, Max 7). */
const SMALLEST_PLAN = 3
const LARGEST_GUESS = 32
/** So many answers in a row without a refusal, with all slots in use, before one more is tried. */
const QUIET_ANSWERS = 20

/**
 * The number of requests that may be open at once. A setting fixes it; otherwise it begins at the smallest plan, falls
 * by one with a refusal and rises by one after a quiet while. The service's 429 stays the judge.
 */
export class PlanLimit {
  readonly #fixed: () => number
  #learned = SMALLEST_PLAN
  #quiet = 0

  /** `fixed` is the setting; 0 means: learn. */
  constructor(fixed: () => number) {
    this.#fixed = fixed
  }

  get now(): number {
    return this.#fixed() || this.#learned
  }

  /** A request that used the last slot was answered. */
  sawAnswer(heldAtStart: number): void {
    if (heldAtStart < this.#learned) return
    this.#quiet++
    if (this.#quiet < QUIET_ANSWERS) return
    this.#quiet = 0
    this.#learned = Math.min(this.#learned + 1, LARGEST_GUESS)
  }

  sawRefusal(): void {
    this.#quiet = 0
    this.#learned = Math.max(this.#learned - 1, 1)
  }
}
