// `FakeMemento`: state of the editor's that is kept in memory.
import type { Memento } from 'vscode'

/** `onUpdate` receives what is kept from now on; undefined for what is removed. */
export class FakeMemento implements Memento {
  readonly #values: Map<string, unknown>
  readonly #onUpdate: (key: string, value: unknown) => void

  constructor(values: Iterable<readonly [string, unknown]> = [], onUpdate = (_key: string, _value: unknown) => {}) {
    this.#values = new Map(values)
    this.#onUpdate = onUpdate
  }

  keys(): string[] {
    return [...this.#values.keys()]
  }

  get<T>(key: string): T | undefined
  get<T>(key: string, fallback: T): T
  get(key: string, fallback?: unknown): unknown {
    return this.#values.get(key) ?? fallback
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key)
    else this.#values.set(key, value)
    this.#onUpdate(key, value)
  }

  setKeysForSync(): void {}
}
