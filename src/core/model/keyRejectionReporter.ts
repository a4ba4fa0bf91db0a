// `KeyRejectionReporter`: a `ModelClient` that reports the fault of a request together with the key that it carried.
import type { Credential } from '../http/credential.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'

/** The owner of the credential. */
export interface KeyOwner {
  /** The credential that a request sent now would carry. */
  readonly credential: () => Credential | undefined
  /** Called for each failed request. `sent`: the credential that it carried. */
  readonly onFault: (fault: unknown, sent: Credential | undefined) => void
}

/**
 * The credential is read before the request is sent, because another key may be in use when the rejection arrives. This
 * client must directly wrap the one that sends, so that both read the same credential.
 */
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
      this.#owner.onFault(fault, sent)
      throw fault
    }
  }
}
