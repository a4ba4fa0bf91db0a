// `Omissions`: counts and names what is left out, by reason.
import type { Omission, OmissionReason } from './contextSources.ts'

const MOST_NAMES = 20

export class Omissions {
  readonly #names = new Map<OmissionReason, string[]>()
  readonly #counts = new Map<OmissionReason, number>()

  add(why: OmissionReason, name: string): void {
    this.#counts.set(why, (this.#counts.get(why) ?? 0) + 1)
    const names = this.#names.get(why) ?? []
    if (names.length < MOST_NAMES) names.push(name)
    this.#names.set(why, names)
  }

  get all(): readonly Omission[] {
    return [...this.#counts].map(([why, count]) => ({ why, count, names: this.#names.get(why) ?? [] }))
  }
}
