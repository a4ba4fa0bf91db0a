// Request body of the chat completions surface.

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
  readonly tool_choice?: 'required'
}

export type ChatCompletionsMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatCompletionsPart[] }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly ChatCompletionsToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export type ChatCompletionsPart =
  | { readonly type: 'text'; readonly text: string }
  /** `url` may be a data URL. */
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

export interface ChatCompletionsToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ChatCompletionsTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown }
}
