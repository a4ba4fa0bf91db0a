// Requests and answers of the messages surface, as schemas.
import * as z from 'zod'
import { modelId, tokenCount, toolName } from './common.ts'

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() })

const imageBlock = z.looseObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, { error: 'must be base64' }),
    }),
    z.looseObject({
      type: z.literal('url'),
      url: z.string().regex(/^https?:\/\//, { error: 'must be an https: address' }),
    }),
  ]),
})

const toolUseId = z.string().regex(/^[a-zA-Z0-9_-]+$/, { error: 'must be an id of letters, digits, _ and -' })

const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: toolUseId,
  name: toolName(128),
  input: z.looseObject({}),
})

const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: toolUseId,
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))]).nullish(),
  is_error: z.boolean().nullish(),
})

const thinking = z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() })
const redactedThinking = z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() })

const userBlock = z.discriminatedUnion('type', [textBlock, imageBlock, toolResult])
const assistantBlock = z.discriminatedUnion('type', [textBlock, toolUse, thinking, redactedThinking])

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content: z.union([z.string(), z.array(userBlock)]) }),
  z.looseObject({ role: z.literal('assistant'), content: z.union([z.string(), z.array(assistantBlock)]) }),
])

const tool = z.looseObject({
  type: z.literal('custom').nullish(),
  name: toolName(128),
  description: z.string().nullish(),
  input_schema: z.looseObject({ type: z.literal('object') }),
})

const isAlone = { disable_parallel_tool_use: z.boolean().nullish() }

const toolChoice = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('auto'), ...isAlone }),
  z.looseObject({ type: z.literal('any'), ...isAlone }),
  z.looseObject({ type: z.literal('tool'), name: z.string(), ...isAlone }),
  z.looseObject({ type: z.literal('none') }),
])

/** `POST /anthropic/v1/messages`. */
export const messagesRequest = z.looseObject({
  model: modelId,
  max_tokens: tokenCount,
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(textBlock)]).nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  stop_sequences: z.array(z.string().regex(/\S/, { error: 'must not be blank' })).nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  thread: z.looseObject({ type: z.string() }).nullish(),
  thinking: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024) }),
      z.looseObject({ type: z.literal('adaptive') }),
      z.looseObject({ type: z.literal('disabled') }),
    ])
    .nullish(),
})

export type MessagesRequest = z.infer<typeof messagesRequest>
export type UserBlock = z.infer<typeof userBlock>
export type AssistantBlock = z.infer<typeof assistantBlock>

const usage = z.looseObject({
  input_tokens: z.int(),
  cache_creation_input_tokens: z.int(),
  cache_read_input_tokens: z.int(),
  output_tokens: z.int(),
})

const contentBlock = z.discriminatedUnion('type', [textBlock, toolUse, thinking])

/** The answer when `stream` is not true, and what `message_start` carries. */
export const messageObject = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(contentBlock),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage,
})

/** The data of one event of a stream. */
export const messagesEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('message_start'), message: messageObject }),
  z.looseObject({ type: z.literal('content_block_start'), index: z.int(), content_block: contentBlock }),
  z.looseObject({ type: z.literal('ping') }),
  z.looseObject({
    type: z.literal('content_block_delta'),
    index: z.int(),
    delta: z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
      z.looseObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
      z.looseObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
      z.looseObject({ type: z.literal('signature_delta'), signature: z.string() }),
    ]),
  }),
  z.looseObject({ type: z.literal('content_block_stop'), index: z.int() }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullable(), stop_sequence: z.string().nullable() }),
    usage,
  }),
  z.looseObject({ type: z.literal('message_stop') }),
  z.looseObject({
    type: z.literal('error'),
    error: z.looseObject({ type: z.string(), message: z.string() }),
    request_id: z.string(),
  }),
])
