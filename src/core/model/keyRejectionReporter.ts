// `ModelClient` that tells which key a request had that the service refused.
import type { Credential } from '../http/credential.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'

/** The owner of the credential. */
export interface KeyOwner {
  /** What a request of now takes along, if there is anything. */
  readonly credential: () => Credential | undefined
  /** `fault`: what became of a request with `sent`. */
  readonly learn: (fault: unknown, sent: Credential | undefined) => void
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
    const sent = this.#owner.credential()
    try {
      yield* this.#next.stream(request, signal)
    } catch (fault) {
      this.#owner.learn(fault, sent)
      throw fault
    }
  }
}
