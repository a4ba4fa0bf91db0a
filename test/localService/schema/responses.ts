// Requests and answers of the responses surface, as schemas.
import * as z from 'zod'
import { imageUrl, modelId, tokenCount, toolName } from './common.ts'

const inputText = z.looseObject({ type: z.literal('input_text'), text: z.string() })
const inputImage = z.looseObject({
  type: z.literal('input_image'),
  image_url: imageUrl,
  detail: z.enum(['auto', 'low', 'high', 'original']).nullish(),
})
const outputText = z.looseObject({ type: z.literal('output_text'), text: z.string() })
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })

const message = z.looseObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [inputText, inputImage, outputText, refusal]))]),
})

const functionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1),
  name: toolName(64),
  arguments: z.string(),
})

const functionCallOutput = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string().min(1),
  output: z.union([z.string(), z.array(z.discriminatedUnion('type', [inputText, inputImage]))]),
})

const reasoning = z.looseObject({
  type: z.literal('reasoning'),
  id: z.string().nullish(),
  summary: z.array(z.looseObject({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string().nullish(),
})

const item = z.discriminatedUnion('type', [message, functionCall, functionCallOutput, reasoning])

const tool = z.looseObject({
  type: z.literal('function'),
  name: toolName(64),
  description: z.string().nullish(),
  parameters: z.looseObject({}).nullish(),
  strict: z.boolean().nullish(),
})

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), name: z.string() }),
])

/** `POST /v1/responses`. Nothing is stored, so every request brings its whole history. */
export const responsesRequest = z.looseObject({
  model: modelId,
  input: z.union([z.string(), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  include: z.array(z.string()).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: tokenCount.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  previous_response_id: z.string().nullish(),
  background: z.boolean().nullish(),
})

export type ResponsesRequest = z.infer<typeof responsesRequest>
export type InputItem = z.infer<typeof item>

const outputItem = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message'),
    id: z.string(),
    role: z.literal('assistant'),
    status: z.enum(['in_progress', 'completed', 'incomplete']),
    content: z.array(z.discriminatedUnion('type', [outputText, refusal])),
  }),
  z.looseObject({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status: z.enum(['in_progress', 'completed', 'incomplete']),
  }),
  z.looseObject({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.looseObject({ type: z.literal('summary_text'), text: z.string() })),
    encrypted_content: z.string().optional(),
  }),
])

/** The answer when `stream` is not true, and what the first and last events of a stream carry. */
export const responseObject = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  model: z.string(),
  output: z.array(outputItem),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  usage: z
    .looseObject({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.looseObject({ cached_tokens: z.int() }),
      output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
    })
    .nullable(),
})

/** The data of one event of a stream; what else it has hangs on `type`. */
export const responsesEvent = z.looseObject({
  type: z.string(),
  sequence_number: z.int(),
  response: responseObject.optional(),
  output_index: z.int().optional(),
  content_index: z.int().optional(),
  item: outputItem.optional(),
  delta: z.string().optional(),
})
