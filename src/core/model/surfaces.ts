// The three surfaces: where each is asked, how a request is written and how an answer is read.

import { ChatCompletionsReader } from './chatCompletionsReader.ts'
import { chatCompletionsRequest } from './chatCompletionsRequest.ts'
import { MessagesReader } from './messagesReader.ts'
import { messagesRequest } from './messagesRequest.ts'
import type { ModelRequest } from './modelClient.ts'
import type { ResponseAccumulator } from './responseAccumulator.ts'
import { ResponsesReader } from './responsesReader.ts'
import { responsesRequest } from './responsesRequest.ts'
import type { StreamDecoder } from './streamDecoder.ts'
import type { SurfaceId } from './surfaceIds.ts'

export interface Surface {
  /** Behind the service's address. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly write: (request: ModelRequest) => object
  readonly reader: (said: ResponseAccumulator) => StreamDecoder
  /** A member of the body that makes the answer tell more; it goes when a request is refused for no clear reason. */
  readonly extra?: string
  /** Members that go when a refusal names them: an answer without them is better than none. */
  readonly dispensable: readonly string[]
  /** The limit of the answer, which the surface wants in every request: a lesser one is sent where it is refused. */
  readonly limit?: string
}

export const surfaces: Readonly<Record<SurfaceId, Surface>> = {
  'chat-completions': {
    path: '/v1/chat/completions',
    write: chatCompletionsRequest,
    reader: said => new ChatCompletionsReader(said),
    extra: 'stream_options',
    dispensable: ['stream_options', 'temperature', 'stop', 'max_tokens'],
  },
  responses: {
    path: '/v1/responses',
    write: responsesRequest,
    reader: said => new ResponsesReader(said),
    extra: 'include',
    dispensable: ['include', 'temperature', 'max_output_tokens'],
  },
  messages: {
    path: '/anthropic/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    write: messagesRequest,
    reader: said => new MessagesReader(said),
    dispensable: ['temperature', 'stop_sequences'],
    limit: 'max_tokens',
  },
}
