// What a surface does: it reads requests in its own form and writes answers in it.
import type { Collected } from '../collected.ts'
import type { Failure } from '../failure.ts'
import type { JsonObject } from '../json.ts'
import type { ModelEvent } from '../modelEvent.ts'
import type { ModelRequest } from '../modelRequest.ts'
import type { LimitWords } from '../tokens.ts'

/** What every piece of one answer has in common. */
export interface Head {
  readonly id: string
  /** Seconds since 1970, by the service's clock. */
  readonly created: number
  readonly model: string
  /** The name of the request, as in its header. */
  readonly requestId: string
}

export interface Surface {
  readonly path: string
  /** How the ids of its answers begin. */
  readonly idPrefix: string
  readonly limitWords: LimitWords
  /** The request, or what is wrong with it. */
  read(json: unknown): ModelRequest | Failure
  /** The answer in one piece. */
  whole(head: Head, request: ModelRequest, answer: Collected): JsonObject
  /** The answer as the frames of an event stream. */
  frames(head: Head, request: ModelRequest, events: AsyncIterable<ModelEvent>): AsyncGenerator<string>
}
