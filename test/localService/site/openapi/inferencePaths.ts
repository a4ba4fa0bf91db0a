// The API: the model list and the three surfaces, with what each refuses and how.
import type { Parts } from '../../parts.ts'
import { contextTokens, inputTokens } from '../../tokens.ts'
import { answer, body, type Described, events, header, json, retryAfter } from './content.ts'
import type { SchemaName } from './schemas.ts'

export function inferencePaths({ addresses, state, options }: Parts): Described {
  const model = state.grantedModels[0] ?? options.model
  const { baseUrl, siteUrl } = addresses
  const gateway = gatewayRefusals(baseUrl, siteUrl)
  return {
    '/v1/models': { get: models(model, gateway) },
    '/v1/chat/completions': { post: chatCompletions(model, gateway) },
    '/v1/responses': { post: responses(model, gateway) },
    '/anthropic/v1/messages': { post: messages(model, messagesRefusals(baseUrl, siteUrl)) },
  }
}

/** Each refusal's status, with its words and what else comes with it. */
type Refusals = Readonly<Record<number, Described>>

const challenge = (baseUrl: string) => ({
  'WWW-Authenticate': header(
    'Where to learn who gives out keys (RFC 9728 5.1).',
    `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`,
  ),
})

interface Refusal {
  readonly status: number
  readonly when: string
  readonly message: string
  /** The error's type below `/v1`. */
  readonly type: string
  readonly code: string
  /** The same on the messages surface. */
  readonly messagesType: string
  readonly headers?: Described
}

const refusals = (baseUrl: string, siteUrl: string): readonly Refusal[] => [
  {
    status: 400,
    when: 'The request is not right, or longer than the model can read.',
    message: "'messages' is required.",
    type: 'invalid_request_error',
    code: 'invalid_request',
    messagesType: 'invalid_request_error',
  },
  {
    status: 401,
    when: 'There is no key, or it has been revoked.',
    message: 'No API key was sent.',
    type: 'authentication_error',
    code: 'missing_api_key',
    messagesType: 'authentication_error',
    headers: challenge(baseUrl),
  },
  {
    status: 403,
    when: 'The plan has no API access, or the key is not granted the model.',
    message: `The Free plan has no API access. Choose a plan at ${siteUrl}/dashboard.`,
    type: 'permission_error',
    code: 'plan_required',
    messagesType: 'permission_error',
  },
  {
    status: 413,
    when: 'The body is too large.',
    message: 'A request has at most 33554432 bytes.',
    type: 'invalid_request_error',
    code: 'too_large',
    messagesType: 'request_too_large',
  },
  {
    status: 415,
    when: 'The body is not JSON.',
    message: 'The body must be of the type application/json.',
    type: 'invalid_request_error',
    code: 'invalid_type',
    messagesType: 'invalid_request_error',
  },
  {
    status: 429,
    when: 'As many requests as the plan allows are under way, over all keys and surfaces of the account.',
    message: "The plan's limit of simultaneous requests is reached.",
    type: 'rate_limit_error',
    code: 'concurrency_limit_reached',
    messagesType: 'rate_limit_error',
    headers: retryAfter,
  },
]

const gatewayRefusals = (baseUrl: string, siteUrl: string): Refusals =>
  described(baseUrl, siteUrl, 'GatewayErrorResponse', ({ status, message, type, code }) => ({
    status_code: status,
    is_bifrost_error: false,
    error: { message, type, param: null, code },
  }))

const messagesRefusals = (baseUrl: string, siteUrl: string): Refusals =>
  described(baseUrl, siteUrl, 'MessagesErrorResponse', ({ message, messagesType }) => ({
    type: 'error',
    error: { type: messagesType, message },
    request_id: 'req_0bZr6kMv',
  }))

function described(baseUrl: string, siteUrl: string, schema: SchemaName, example: (one: Refusal) => unknown): Refusals {
  const entries = refusals(baseUrl, siteUrl).map(one => [
    one.status,
    answer(one.when, json(schema, example(one)), one.headers),
  ])
  return Object.fromEntries(entries)
}

const limits = `A request brings up to ${inputTokens} tokens; with its answer it has up to ${contextTokens}.`

const withKey = { tags: ['Inference'], security: [{ bearer: [] }, { oauth2: ['inference'] }] }

const models = (id: string, { 401: noKey, 403: noPlan }: Refusals): Described => ({
  ...withKey,
  operationId: 'listModels',
  summary: 'The models that the key is granted.',
  responses: {
    200: answer(
      'The list.',
      json('ModelList', {
        object: 'list',
        data: [
          {
            id,
            object: 'model',
            created: 1_768_435_200,
            owned_by: 'kourier',
            context_length: contextTokens,
            max_input_tokens: inputTokens,
          },
        ],
      }),
    ),
    401: noKey,
    403: noPlan,
    404: answer(
      'There is no list; the model string stands on the dashboard.',
      json('GatewayErrorResponse', {
        status_code: 404,
        is_bifrost_error: false,
        error: {
          message: 'There is no model list here.',
          type: 'invalid_request_error',
          param: null,
          code: 'not_found',
        },
      }),
    ),
  },
})

const chatCompletions = (model: string, refused: Refusals): Described => ({
  ...withKey,
  operationId: 'createChatCompletion',
  summary: 'Answers a conversation, whole or as a stream.',
  description: `${limits} A stream ends with the event \`[DONE]\`.`,
  requestBody: body(json('ChatCompletionRequest', { model, messages: [{ role: 'user', content: 'Hello' }] })),
  responses: {
    200: answer('The answer; with `stream` its pieces.', {
      ...json('ChatCompletion', {
        id: 'chatcmpl-4fQa9uEi',
        object: 'chat.completion',
        created: 1_768_471_200,
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 6, completion_tokens: 2, total_tokens: 8 },
      }),
      ...events(
        'ChatCompletionChunk',
        frame({
          id: 'chatcmpl-4fQa9uEi',
          object: 'chat.completion.chunk',
          created: 1_768_471_200,
          model,
          choices: [{ index: 0, delta: { content: 'Good' }, finish_reason: null }],
        }),
        'data: [DONE]\n\n',
      ),
    }),
    ...refused,
  },
})

const responses = (model: string, refused: Refusals): Described => ({
  ...withKey,
  operationId: 'createResponse',
  summary: 'Answers in the responses format, whole or as a stream. Nothing is stored.',
  description: `${limits} A stream ends with \`response.completed\`, \`response.incomplete\` or \`response.failed\`.`,
  requestBody: body(json('ResponsesRequest', { model, input: 'Hello' })),
  responses: {
    200: answer('The answer; with `stream` its events.', {
      ...json('ResponseObject', {
        id: 'resp_8nCw5oXj',
        object: 'response',
        created_at: 1_768_471_200,
        status: 'completed',
        model,
        output: [
          {
            id: 'msg_8nCw5oXj0',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Good day.' }],
          },
        ],
        error: null,
        incomplete_details: null,
        usage: {
          input_tokens: 6,
          output_tokens: 2,
          total_tokens: 8,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 0 },
        },
      }),
      ...events(
        'ResponsesEvent',
        frame(
          { type: 'response.output_text.delta', sequence_number: 4, output_index: 0, content_index: 0, delta: 'Good' },
          'response.output_text.delta',
        ),
      ),
    }),
    ...refused,
  },
})

const messages = (model: string, refused: Refusals): Described => ({
  ...withKey,
  security: [{ bearer: [] }, { apiKey: [] }, { oauth2: ['inference'] }],
  operationId: 'createMessage',
  summary: 'Answers in the messages format, whole or as a stream.',
  description: `${limits} A stream goes from \`message_start\` to \`message_stop\`.`,
  requestBody: body(
    json('MessagesRequest', { model, max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] }),
  ),
  responses: {
    200: answer('The answer; with `stream` its events.', {
      ...json('MessageObject', {
        id: 'msg_3kPd7lGy',
        type: 'message',
        role: 'assistant',
        model,
        content: [{ type: 'text', text: 'Good day.' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: {
          input_tokens: 6,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 2,
        },
      }),
      ...events(
        'MessagesEvent',
        frame(
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good' } },
          'content_block_delta',
        ),
      ),
    }),
    ...refused,
  },
})

const frame = (data: unknown, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
