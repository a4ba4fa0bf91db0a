// `KindCounts`: how often texts of each kind were shown and came to be in the document, for each model.
import { countOf, listOf, objectOf } from '../../protocol/json.ts'
import type { ModelMemory } from './modelMemory.ts'

export interface KindCountsOptions {
  readonly memory: ModelMemory
  /** The address of the service. */
  readonly address: () => string
}

export interface KindCount {
  readonly shown: number
  readonly taken: number
}

const none: KindCount = { shown: 0, taken: 0 }
/** Those that were not shown for the longest time are forgotten first. */
const MOST_KINDS = 60
/** From here on both counts are halved, so that what is newer counts for more. */
const MOST_SHOWN = 200

export class KindCounts {
  readonly #options: KindCountsOptions

  constructor(options: KindCountsOptions) {
    this.#options = options
  }

  of(model: string, kind: string): KindCount {
    return this.#entries(model).find(([known]) => known === kind)?.[1] ?? none
  }

  record(model: string, kind: string, isTaken: boolean): void {
    const entries = this.#entries(model)
    const { shown, taken } = entries.find(([known]) => known === kind)?.[1] ?? none
    const count = halvedAtMost({ shown: shown + 1, taken: taken + Number(isTaken) })
    const others = entries.filter(([known]) => known !== kind)
    const all = [...others, [kind, count] as const].slice(-MOST_KINDS)
    const values = all.map(([known, one]) => [known, [one.shown, one.taken]])
    this.#options.memory.set(this.#key(model), Object.fromEntries(values))
  }

  #entries(model: string): [kind: string, count: KindCount][] {
    const kept = objectOf(this.#options.memory.get(this.#key(model))) ?? {}
    return Object.entries(kept).flatMap(([kind, value]) => {
      const [shown = 0, taken = 0] = listOf(value).map(countOf)
      return taken >= 0 && shown >= taken ? [[kind, { shown, taken }] as [string, KindCount]] : []
    })
  }

  #key(model: string): string {
    return `kinds ${this.#options.address()} ${model}`
  }
}

function halvedAtMost({ shown, taken }: KindCount): KindCount {
  return shown < MOST_SHOWN ? { shown, taken } : { shown: shown / 2, taken: taken / 2 }
}
