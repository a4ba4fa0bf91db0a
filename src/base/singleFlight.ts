// `SingleFlight`: callers with the same key share one run; `Queue`: runs one after another.

/** A caller that joins while a run with the same key is pending gets the promise of that run. */
export class SingleFlight<K, V> {
  #runs = new Map<K, Promise<V>>()

  join(key: K, run: () => Promise<V>): Promise<V> {
    const running = this.#runs.get(key)
    if (running) return running
    const started = run().finally(() => this.#runs.delete(key))
    this.#runs.set(key, started)
    return started
  }
}

/** Runs in the order of the calls of `add`, one at a time. A failed run does not prevent the next. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  add<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(run, run)
    this.#last = mine.catch(() => {})
    return mine
  }
}
