// `Disposable`, a store that disposes several at once, and a disposable made of a function.

export interface Disposable {
  dispose(): void
}

/**
 * Disposes its members in reverse order of their addition, all of them even if some throw, and then throws the first
 * fault. A member that is added after `dispose` is disposed at once.
 */
export class DisposableStore implements Disposable {
  #members: Disposable[] = []
  #isDisposed = false

  add<T extends Disposable>(member: T): T {
    if (this.#isDisposed) member.dispose()
    else this.#members.push(member)
    return member
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    const faults: unknown[] = []
    for (const member of this.#members.splice(0).reverse()) {
      try {
        member.dispose()
      } catch (fault) {
        faults.push(fault)
      }
    }
    if (faults.length > 0) throw faults[0]
  }
}

/** A disposable that runs `end` once, however often it is disposed. */
export function onEnd(end: () => void): Disposable {
  let isDisposed = false
  return {
    dispose() {
      if (isDisposed) return
      isDisposed = true
      end()
    },
  }
}
