// `SparingMemory`: a `ModelMemory` for what changes with each key, which another one keeps once a minute.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { ModelMemory } from './modelMemory.ts'

const KEEP_EVERY_MS = 60_000

export class SparingMemory implements ModelMemory, Disposable {
  readonly #memory: ModelMemory
  readonly #clock: Clock
  readonly #values = new Map<string, unknown>()
  readonly #changed = new Set<string>()
  #keptAt = Number.NEGATIVE_INFINITY

  constructor(memory: ModelMemory, clock: Clock) {
    this.#memory = memory
    this.#clock = clock
  }

  get(key: string): unknown {
    if (!this.#values.has(key)) this.#values.set(key, this.#memory.get(key))
    return this.#values.get(key)
  }

  set(key: string, value: unknown): void {
    this.#values.set(key, value)
    this.#changed.add(key)
    if (this.#clock.elapsed() - this.#keptAt >= KEEP_EVERY_MS) this.#keep()
  }

  dispose(): void {
    this.#keep()
  }

  #keep(): void {
    this.#keptAt = this.#clock.elapsed()
    for (const key of this.#changed) this.#memory.set(key, this.#values.get(key))
    this.#changed.clear()
  }
}
