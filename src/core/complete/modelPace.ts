// `ModelPace`: learns for each model how soon its first text comes, and how often what is typed agrees with its answers.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { objectOf } from '../../protocol/json.ts'
import type { ModelMemory } from './modelMemory.ts'

export interface ModelPaceOptions {
  readonly memory: ModelMemory
  /** The address of the service. */
  readonly address: () => string
  readonly clock: Clock
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
/** Changes come with each key, so they are not all kept at once. */
const KEEP_EVERY_MS = 60_000

export class ModelPace implements Disposable {
  readonly #options: ModelPaceOptions
  readonly #learnt = new Map<string, Learnt>()
  readonly #changed = new Set<string>()
  #keptAt = Number.NEGATIVE_INFINITY

  constructor(options: ModelPaceOptions) {
    this.#options = options
  }

  /** Moving average of the time from a request to its first text. */
  firstTextMs(model: string): number {
    return this.#known(this.#key(model)).firstTextMs
  }

  /** Moving average over the keys that were typed while it was known how the text might go on. */
  agreement(model: string): number {
    return this.#known(this.#key(model)).agreement
  }

  recordFirstText(model: string, afterMs: number): void {
    this.#update(model, ({ firstTextMs, agreement }) => ({
      firstTextMs: firstTextMs + FIRST_TEXT_RATE * (Math.min(afterMs, LONGEST_FIRST_TEXT_MS) - firstTextMs),
      agreement,
    }))
  }

  recordTyped(model: string, hasAgreed: boolean): void {
    this.#update(model, ({ firstTextMs, agreement }) => ({
      firstTextMs,
      agreement: agreement + AGREEMENT_RATE * (Number(hasAgreed) - agreement),
    }))
  }

  dispose(): void {
    this.#keep()
  }

  #update(model: string, next: (before: Learnt) => Learnt): void {
    const key = this.#key(model)
    this.#learnt.set(key, next(this.#known(key)))
    this.#changed.add(key)
    if (this.#options.clock.elapsed() - this.#keptAt >= KEEP_EVERY_MS) this.#keep()
  }

  #keep(): void {
    this.#keptAt = this.#options.clock.elapsed()
    for (const key of this.#changed) {
      const { firstTextMs, agreement } = this.#known(key)
      this.#options.memory.set(key, {
        firstTextMs: Math.round(firstTextMs),
        agreement: Math.round(agreement * 10_000) / 10_000,
      })
    }
    this.#changed.clear()
  }

  #known(key: string): Learnt {
    const known = this.#learnt.get(key)
    if (known) return known
    const kept = objectOf(this.#options.memory.get(key))
    const learnt = {
      firstTextMs: within(kept?.['firstTextMs'], LONGEST_FIRST_TEXT_MS) ?? usual.firstTextMs,
      agreement: within(kept?.['agreement'], 1) ?? usual.agreement,
    }
    this.#learnt.set(key, learnt)
    return learnt
  }

  #key(model: string): string {
    return `pace ${this.#options.address()} ${model}`
  }
}

function within(value: unknown, most: number): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= most ? value : undefined
}
