// The service's time, which a test can move forward.
export class Clock {
  #aheadMs = 0
  #heldAt: number | undefined
  readonly #sleepers = new Set<() => void>()

  now(): number {
    return (this.#heldAt ?? Date.now()) + this.#aheadMs
  }

  /** From now on only `advance` moves it, however long the machine takes. */
  hold(): void {
    this.#heldAt ??= Date.now()
  }

  advance(ms: number): void {
    this.#aheadMs += ms
    for (const look of [...this.#sleepers]) look()
  }

  /** Waits until it is `due`, whether the time passes by itself or is moved; false where the signal came first. */
  until(due: number, signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    let timer: NodeJS.Timeout | undefined
    const look = () => {
      clearTimeout(timer)
      const left = due - this.now()
      if (left > 0 && !signal.aborted) {
        timer = setTimeout(look, Math.min(left, longestTimerMs))
        return
      }
      this.#sleepers.delete(look)
      signal.removeEventListener('abort', look)
      resolve(!signal.aborted)
    }
    this.#sleepers.add(look)
    signal.addEventListener('abort', look)
    look()
    return promise
  }
}

/** Longer ones fire at once. */
const longestTimerMs = 2 ** 31 - 1
