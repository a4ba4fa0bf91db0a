// The table of the three surfaces: path, request, decoder, and optional members of each.

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
  /** Relative to the service's address. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly write: (request: ModelRequest) => object
  readonly reader: (response: ResponseAccumulator) => StreamDecoder
  /** A member of the body that asks for more data; it is left out if a request is refused for an unclear reason. */
  readonly extra?: string
  /** Members that are left out if a refusal names them, because an answer without them is better than none. */
  readonly dispensable: readonly string[]
  /** The member with the token limit, if the surface requires it: after a refusal a lower limit is sent. */
  readonly limit?: string
}

export const surfaces: Readonly<Record<SurfaceId, Surface>> = {
  'chat-completions': {
    path: '/v1/chat/completions',
    write: chatCompletionsRequest,
    reader: response => new ChatCompletionsReader(response),
    extra: 'stream_options',
    dispensable: ['stream_options', 'temperature', 'stop', 'max_tokens'],
  },
  responses: {
    path: '/v1/responses',
    write: responsesRequest,
    reader: response => new ResponsesReader(response),
    extra: 'include',
    dispensable: ['include', 'temperature', 'max_output_tokens'],
  },
  messages: {
    path: '/anthropic/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    write: messagesRequest,
    reader: response => new MessagesReader(response),
    dispensable: ['temperature', 'stop_sequences'],
    limit: 'max_tokens',
  },
}
