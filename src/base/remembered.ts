// `Remembered`: answers that are asked for again with each key that is typed, kept for a short time.
import { raceAbort } from './abort.ts'
import type { Clock } from './clock.ts'
import { Lru } from './lru.ts'

interface Entry<V> {
  readonly answer: Promise<V>
  readonly until: number
}

const MOST = 50

export class Remembered<V> {
  readonly #clock: Clock
  readonly #keptMs: number
  readonly #entries = new Lru<string, Entry<V>>(MOST)

  constructor(clock: Clock, keptMs: number) {
    this.#clock = clock
    this.#keptMs = keptMs
  }

  /** `ask` is not aborted with `signal`, because the next caller waits for the same answer. A failed one is not kept. */
  get(key: string, ask: () => Promise<V>, signal: AbortSignal): Promise<V> {
    const known = this.#entries.get(key)
    if (known && known.until > this.#clock.elapsed()) return raceAbort(known.answer, signal)
    const answer = ask()
    const entry = { answer, until: this.#clock.elapsed() + this.#keptMs }
    this.#entries.set(key, entry)
    answer.catch(() => this.#entries.get(key) === entry && this.#entries.delete(key))
    return raceAbort(answer, signal)
  }
}
