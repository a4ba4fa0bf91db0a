// `ModelClient` that tells which key a request had that the service refused.
import { type Verdict, verdictOf } from '../http/verdict.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'

/** Whoever owns the key. */
export interface KeyOwner {
  /** The key that a request of now takes along, if there is one. */
  readonly key: () => string | undefined
  readonly learn: (verdict: Verdict, key: string | undefined) => void
}

/** An answer may come when another key is in use already, which it says nothing about. Stands next to what sends. */
export class KeyRejectionReporter implements ModelClient {
  readonly #next: ModelClient
  readonly #owner: KeyOwner

  constructor(next: ModelClient, owner: KeyOwner) {
    this.#next = next
    this.#owner = owner
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const key = this.#owner.key()
    try {
      yield* this.#next.stream(request, signal)
    } catch (fault) {
      this.#owner.learn(verdictOf(fault), key)
      throw fault
    }
  }
}
