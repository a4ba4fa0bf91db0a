// `ModelClient` that sends no key to the model, wherever in the request one stands.
import type { KeyText } from '../log/keyText.ts'
import type { ModelClient, ModelEvent, ModelMessage, ModelRequest } from './modelClient.ts'

/**
 * The last gate for what somebody pasted, what a file holds, and what a tool printed. Whoever can ask a person asks
 * before. Sealed reasoning passes as it is: it is the service's own, and nobody may change it.
 */
export class RedactingClient implements ModelClient {
  readonly #next: ModelClient
  readonly #keys: KeyText

  constructor(next: ModelClient, keys: KeyText) {
    this.#next = next
    this.#keys = keys
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { messages, ...rest } = request
    const clean = messages.map(message => this.#clean(message))
    return this.#next.stream({ ...this.#keys.withoutIn(rest), messages: clean }, signal)
  }

  #clean(message: ModelMessage): ModelMessage {
    if (message.role !== 'assistant') return this.#keys.withoutIn(message)
    const parts = message.parts.map(part => (part.kind === 'reasoning' ? part : this.#keys.withoutIn(part)))
    return { ...message, parts }
  }
}
