// Things that end: one dispose, late additions end at once.

export interface Disposable {
  dispose(): void
}

/**
 * Ends its members in reverse order of their making, every one of them, also where one fails at it. What is added after
 * the end is ended at once.
 */
export class DisposableStore implements Disposable {
  #members: Disposable[] = []
  #isEnded = false

  add<T extends Disposable>(member: T): T {
    if (this.#isEnded) member.dispose()
    else this.#members.push(member)
    return member
  }

  dispose(): void {
    if (this.#isEnded) return
    this.#isEnded = true
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
  let isEnded = false
  return {
    dispose() {
      if (isEnded) return
      isEnded = true
      end()
    },
  }
}
