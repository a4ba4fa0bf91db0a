// The right to have one request in flight: a port, and one in memory.
import type { Disposable } from '../../base/disposable.ts'
import { onEnd } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'

/** Whoever holds a slot may have one request open at the service. */
export interface Slots {
  /** A slot, or undefined while `limit` or more are held. Disposing it gives it back. */
  take(limit: number): Disposable | undefined
  readonly held: number
  /** Fires when a slot may have become free. */
  readonly onDidFree: Event<void>
}

/** Slots of one window. */
export class MemorySlots implements Slots {
  #held = 0
  #freed = new Emitter<void>()
  readonly onDidFree = this.#freed.event

  get held(): number {
    return this.#held
  }

  take(limit: number): Disposable | undefined {
    if (this.#held >= limit) return undefined
    this.#held++
    return onEnd(() => {
      this.#held--
      this.#freed.fire()
    })
  }
}
