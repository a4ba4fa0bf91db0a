// One run per key shared by all callers; or one after another.

/** Whoever asks while a run for the same key is under way gets the same promise. */
export class SingleFlight<K, V> {
  #runs = new Map<K, Promise<V>>()

  join(key: K, run: () => Promise<V>): Promise<V> {
    const under = this.#runs.get(key)
    if (under) return under
    const started = run().finally(() => this.#runs.delete(key))
    this.#runs.set(key, started)
    return started
  }
}

/** Runs in the order of asking, one at a time. A failed run does not stop the next. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  add<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(run, run)
    this.#last = mine.catch(() => {})
    return mine
  }
}
