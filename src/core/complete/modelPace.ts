// `ModelPace`: learns for each model how soon its first text comes, and how often what is typed agrees with its answers.
import { countOf, objectOf } from '../../protocol/json.ts'
import type { ModelMemory } from './modelMemory.ts'

export interface ModelPaceOptions {
  readonly memory: ModelMemory
  /** The address of the service. */
  readonly address: () => string
}

interface Learnt {
  readonly firstTextMs: number
  /** Chance that the next key agrees with a text with which all before it has agreed. */
  readonly agreement: number
}

/** Of a model that nothing is known of yet. */
const usual: Learnt = { firstTextMs: 350, agreement: 0.985 }
const FIRST_TEXT_RATE = 0.2
const AGREEMENT_RATE = 0.02
const LONGEST_FIRST_TEXT_MS = 60_000

export class ModelPace {
  readonly #options: ModelPaceOptions

  constructor(options: ModelPaceOptions) {
    this.#options = options
  }

  /** Moving average of the time from a request to its first text. */
  firstTextMs(model: string): number {
    return this.#known(model).firstTextMs
  }

  /** Moving average over the keys that were typed while it was known how the text might go on. */
  agreement(model: string): number {
    return this.#known(model).agreement
  }

  recordFirstText(model: string, afterMs: number): void {
    const known = this.#known(model)
    const change = FIRST_TEXT_RATE * (Math.min(afterMs, LONGEST_FIRST_TEXT_MS) - known.firstTextMs)
    this.#keep(model, { ...known, firstTextMs: rounded(known.firstTextMs + change, 1) })
  }

  recordTyped(model: string, hasAgreed: boolean): void {
    const known = this.#known(model)
    const change = AGREEMENT_RATE * (Number(hasAgreed) - known.agreement)
    this.#keep(model, { ...known, agreement: rounded(known.agreement + change, 6) })
  }

  #known(model: string): Learnt {
    const kept = objectOf(this.#options.memory.get(this.#key(model)))
    return {
      firstTextMs: within(kept?.['firstTextMs'], LONGEST_FIRST_TEXT_MS) ?? usual.firstTextMs,
      agreement: within(kept?.['agreement'], 1) ?? usual.agreement,
    }
  }

  #keep(model: string, learnt: Learnt): void {
    this.#options.memory.set(this.#key(model), learnt)
  }

  #key(model: string): string {
    return `pace ${this.#options.address()} ${model}`
  }
}

function within(value: unknown, most: number): number | undefined {
  const count = countOf(value)
  return count !== undefined && count >= 0 && count <= most ? count : undefined
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))
