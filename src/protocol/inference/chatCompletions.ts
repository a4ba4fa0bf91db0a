// Request body and stream chunk of the chat completions surface.
import * as z from 'zod/mini'

/** `POST {base_url}/v1/chat/completions`. */
export interface ChatCompletionsBody {
  readonly model: string
  readonly messages: readonly ChatCompletionsMessage[]
  readonly stream: true
  readonly stream_options?: { readonly include_usage: true }
  readonly max_tokens?: number
  readonly temperature?: number
  readonly stop?: readonly string[]
  readonly tools?: readonly ChatCompletionsTool[]
}

export type ChatCompletionsMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly ChatCompletionsToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface ChatCompletionsToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ChatCompletionsTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown }
}

const text = z.catch(z.nullish(z.string()), undefined)
const count = z.catch(z.nullish(z.number()), undefined)

/** `content` is text, or parts of which those of type `text` count. */
const content = z.catch(
  z.nullish(
    z.union([
      z.string(),
      z.pipe(
        z.array(z.object({ type: text, text })),
        z.transform(parts => parts.map(part => ((part.type ?? 'text') === 'text' ? (part.text ?? '') : '')).join('')),
      ),
    ]),
  ),
  undefined,
)

const toolCallPiece = z.object({
  index: count,
  id: text,
  function: z.catch(z.nullish(z.object({ name: text, arguments: z.optional(z.unknown()) })), undefined),
})

const delta = z.object({
  content,
  reasoning_content: text,
  reasoning: text,
  refusal: text,
  tool_calls: z.catch(z.nullish(z.array(toolCallPiece)), undefined),
})

/** One frame of the stream, or a whole completion (`message` in place of `delta`). Unknown members pass. */
export const chatCompletionsChunk = z.object({
  choices: z.catch(
    z.nullish(
      z.array(
        z.object({
          index: count,
          delta: z.catch(z.nullish(delta), undefined),
          message: z.catch(z.nullish(delta), undefined),
          finish_reason: text,
        }),
      ),
    ),
    undefined,
  ),
  usage: z.catch(
    z.nullish(z.object({ prompt_tokens: count, completion_tokens: count, total_tokens: count })),
    undefined,
  ),
  error: z.optional(z.unknown()),
  /** Beside `error`: what the gateway would have answered had the stream not begun, and its policy word. */
  status_code: z.catch(z.nullish(z.union([z.number(), z.string()])), undefined),
  type: text,
})

export type ChatCompletionsChunk = z.infer<typeof chatCompletionsChunk>
export type ToolCallPiece = z.infer<typeof toolCallPiece>
