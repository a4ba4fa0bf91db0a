// `Lru`: a map of limited size that evicts the least recently used entry.

/** Holds at most `limit` entries. */
export class Lru<K, V> {
  readonly limit: number
  #entries = new Map<K, V>()

  constructor(limit: number) {
    this.limit = limit
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.limit) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  /** Newest first. */
  values(): V[] {
    return [...this.#entries.values()].reverse()
  }

  clear(): void {
    this.#entries.clear()
  }
}
