// Requests and answers of the chat completions surface, as schemas.
import * as z from 'zod'
import { imageUrl, modelId, tokenCount, toolName } from './common.ts'

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })

const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: imageUrl, detail: z.enum(['auto', 'low', 'high', 'original']).nullish() }),
})

const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })

const text = z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart])).min(1)])

export const chatToolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.looseObject({ name: toolName(64), arguments: z.string() }),
})

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: text }),
  z.looseObject({ role: z.literal('developer'), content: text }),
  z.looseObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart])).min(1)]),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, refusalPart])).min(1)]).nullish(),
    tool_calls: z.array(chatToolCall).min(1).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: text }),
])

const tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: toolName(64),
    description: z.string().nullish(),
    parameters: z.looseObject({}).nullish(),
    strict: z.boolean().nullish(),
  }),
})

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
])

/** `POST /v1/chat/completions`. */
export const chatCompletionRequest = z.looseObject({
  model: modelId,
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(tool).min(1).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tokens: tokenCount.nullish(),
  max_completion_tokens: tokenCount.nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(4)]).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  n: z.literal(1).nullish(),
})

export type ChatCompletionRequest = z.infer<typeof chatCompletionRequest>

const usage = z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })

const finishReason = z.string().nullable()

const reasoningDetail = z.looseObject({ type: z.literal('reasoning.text'), index: z.int(), text: z.string() })

/** The answer when `stream` is not true. */
export const chatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.literal(0),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().optional(),
        reasoning: z.string().optional(),
        reasoning_details: z.array(reasoningDetail).optional(),
        tool_calls: z.array(chatToolCall).optional(),
      }),
      finish_reason: finishReason,
    }),
  ),
  usage,
})

/** The data of one event of a stream; the last event is `[DONE]`. */
export const chatCompletionChunk = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.literal(0),
      delta: z.looseObject({
        role: z.literal('assistant').optional(),
        content: z.string().nullish(),
        refusal: z.string().optional(),
        reasoning: z.string().optional(),
        reasoning_details: z.array(reasoningDetail).optional(),
        tool_calls: z
          .array(
            z.looseObject({
              index: z.int(),
              id: z.string().optional(),
              type: z.literal('function').optional(),
              function: z.looseObject({ name: z.string().optional(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      finish_reason: finishReason,
    }),
  ),
  usage: usage.nullish(),
})
