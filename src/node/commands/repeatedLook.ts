// `RepeatedLook`: looks at something again and again, and at once when something has happened, but never twice at a time.
import type { Clock } from '../../base/clock.ts'

/** Between two looks, where nothing is known to have happened. */
const PAUSE_MS = 200
/** A long look is followed by a pause that is longer by this factor. */
const PAUSE_FACTOR = 4

export class RepeatedLook {
  readonly #clock: Clock
  readonly #look: () => Promise<void>
  #cancel: (() => void) | undefined
  #running: Promise<void> | undefined
  #isWanted = false
  #hasEnded = false

  /** The first look comes after a pause. */
  constructor(clock: Clock, look: () => Promise<void>) {
    this.#clock = clock
    this.#look = look
    this.#wait(PAUSE_MS)
  }

  /** Something has happened. */
  now(): void {
    if (this.#hasEnded) return
    this.#isWanted = true
    if (!this.#running) this.#run()
  }

  /** Resolves when nothing is looked at any more. */
  async end(): Promise<void> {
    this.#hasEnded = true
    this.#cancel?.()
    await this.#running
  }

  #wait(waitMs: number): void {
    this.#cancel?.()
    this.#cancel = this.#clock.later(waitMs, () => this.#run())
  }

  #run(): void {
    this.#cancel?.()
    this.#isWanted = false
    const begin = this.#clock.elapsed()
    this.#running = this.#look()
      .catch(() => {})
      .then(() => {
        this.#running = undefined
        const tookMs = this.#clock.elapsed() - begin
        if (!this.#hasEnded) this.#wait(this.#isWanted ? tookMs : Math.max(PAUSE_MS, PAUSE_FACTOR * tookMs))
      })
  }
}
