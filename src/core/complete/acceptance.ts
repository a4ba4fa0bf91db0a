// `Acceptance`: the chance that a suggestion is accepted, by the last ones.
import type { Answer } from './answer.ts'

const RATE = 0.1
/** Below this chance the text after a suggestion is not requested. */
const LEAST_FOR_NEXT = 0.3
/** Who takes most of what is shown soon needs more. */
const USUAL = 0.6

export class Acceptance {
  #chance = 0.4
  /** The last suggestion, as long as it is not known whether it is accepted. */
  #unjudged: Answer | undefined

  get isWorthMore(): boolean {
    return this.#chance >= LEAST_FOR_NEXT
  }

  get isUsual(): boolean {
    return this.#chance >= USUAL
  }

  /** What was replaced by another suggestion was not accepted. */
  shown(answer: Answer): void {
    if (this.#unjudged && this.#unjudged !== answer) this.#chance -= RATE * this.#chance
    this.#unjudged = answer
  }

  accepted(): void {
    this.#chance += RATE * (1 - this.#chance)
    this.#unjudged = undefined
  }
}
