// `RedactingClient`: a `ModelClient` that removes API keys from every text of a request.
import type { KeyText } from '../log/keyText.ts'
import type { ModelClient, ModelEvent, ModelMessage, ModelRequest } from './modelClient.ts'

/**
 * The last check of pasted text, file contents and tool output; the chat also asks the user before it sends a key.
 * Sealed reasoning is not changed, because the service requires it exactly as it sent it.
 */
export class RedactingClient implements ModelClient {
  readonly #next: ModelClient
  readonly #keys: KeyText

  constructor(next: ModelClient, keys: KeyText) {
    this.#next = next
    this.#keys = keys
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    return this.#next.stream(this.redacted(request), signal)
  }

  /** The request as it is sent. */
  redacted({ messages, ...rest }: ModelRequest): ModelRequest {
    return { ...this.#keys.withoutIn(rest), messages: messages.map(message => this.#clean(message)) }
  }

  #clean(message: ModelMessage): ModelMessage {
    if (message.role !== 'assistant') return this.#keys.withoutIn(message)
    const parts = message.parts.map(part => (part.kind === 'reasoning' ? part : this.#keys.withoutIn(part)))
    return { ...message, parts }
  }
}
