// `LazyClient`: a `ModelClient` that loads its implementation at the first request.
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
