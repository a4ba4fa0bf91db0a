// `Event` and `Emitter`: events as in the API of VS Code, without the module `vscode`.
import { type Disposable, onEnd } from './disposable.ts'

export type Event<T> = (listener: (value: T) => void) => Disposable

/** Each listener is called even if another one throws; the first fault is thrown after all calls. */
export class Emitter<T> implements Disposable {
  /** Entries and not functions, so that a function that subscribes twice is called twice. */
  #listeners = new Set<{ listener: (value: T) => void }>()

  readonly event: Event<T> = listener => {
    const entry = { listener }
    this.#listeners.add(entry)
    return onEnd(() => this.#listeners.delete(entry))
  }

  fire(value: T): void {
    let firstFault: unknown
    let hasFault = false
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(value)
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
