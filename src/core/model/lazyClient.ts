// `ModelClient` that is made at its first request: what speaks to the service is not loaded before.
import { lazy } from '../../base/lazy.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'

export class LazyClient implements ModelClient {
  readonly #client: () => Promise<ModelClient>

  constructor(make: () => Promise<ModelClient>) {
    this.#client = lazy(make)
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const client = await this.#client()
    yield* client.stream(request, signal)
  }
}
