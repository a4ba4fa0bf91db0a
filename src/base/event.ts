// A subscription in the editor's own shape, without the editor.
import { type Disposable, onEnd } from './disposable.ts'

export type Event<T> = (listener: (value: T) => void) => Disposable

/** The sending side of an event. A listener that throws does not keep the others from hearing. */
export class Emitter<T> implements Disposable {
  #listeners = new Set<{ hear: (value: T) => void }>()

  readonly event: Event<T> = hear => {
    const entry = { hear }
    this.#listeners.add(entry)
    return onEnd(() => this.#listeners.delete(entry))
  }

  fire(value: T): void {
    let firstFault: unknown
    let hasFault = false
    for (const { hear } of [...this.#listeners]) {
      try {
        hear(value)
      } catch (fault) {
        firstFault ??= fault
        hasFault = true
      }
    }
    if (hasFault) throw firstFault
  }

  dispose(): void {
    this.#listeners.clear()
  }
}
