// Request body of the chat completions surface.

/** `POST {base_url}/v1/chat/completions`. */
export interface ChatCompletionsBody extends ChatCompletionsThinkingOff {
  readonly model: string
  readonly messages: readonly ChatCompletionsMessage[]
  readonly stream: true
  readonly stream_options?: { readonly include_usage: true }
  readonly max_tokens?: number
  readonly temperature?: number
  readonly stop?: readonly string[]
  readonly tools?: readonly ChatCompletionsTool[]
  readonly tool_choice?: 'required'
  /** The last message is the beginning of the answer; only together. */
  readonly continue_final_message?: true
  readonly add_generation_prompt?: false
}

/** Switches thinking off; at most one of these. */
export interface ChatCompletionsThinkingOff {
  readonly reasoning_effort?: 'none'
  readonly thinking?: { readonly type: 'disabled' }
  readonly chat_template_kwargs?: { readonly enable_thinking: false }
}

export type ChatCompletionsMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatCompletionsPart[] }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly tool_calls?: readonly ChatCompletionsToolCall[]
      /** The beginning of the answer; two services name that differently. */
      readonly prefix?: true
      readonly partial?: true
    }
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
