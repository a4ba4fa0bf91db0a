// Request body of the responses surface.

/** `POST {base_url}/v1/responses`. Each request contains the whole history, because `store` is false. */
export interface ResponsesBody extends ResponsesThinkingOff {
  readonly model: string
  readonly instructions?: string
  readonly input: readonly ResponsesItem[]
  readonly stream: true
  readonly store: false
  /** Asks for reasoning in a form that can be sent back without being stored. */
  readonly include?: readonly ['reasoning.encrypted_content']
  readonly max_output_tokens?: number
  readonly temperature?: number
  readonly tools?: readonly ResponsesTool[]
  readonly tool_choice?: 'required'
}

/** Switches thinking off; at most one of these. */
export interface ResponsesThinkingOff {
  readonly reasoning?: { readonly effort: 'none' }
  readonly thinking?: { readonly type: 'disabled' }
  readonly chat_template_kwargs?: { readonly enable_thinking: false }
}

export type ResponsesItem =
  | { readonly type: 'message'; readonly role: 'user'; readonly content: readonly ResponsesInputPart[] }
  | {
      readonly type: 'message'
      readonly role: 'assistant'
      readonly content: readonly { readonly type: 'output_text'; readonly text: string }[]
    }
  | { readonly type: 'function_call'; readonly call_id: string; readonly name: string; readonly arguments: string }
  | {
      readonly type: 'function_call_output'
      readonly call_id: string
      readonly output: string | readonly ResponsesInputPart[]
    }
  | ResponsesReasoning

/** Sent back without its id, because the service cannot resolve the id of an item that it has not stored. */
export interface ResponsesReasoning {
  readonly type: 'reasoning'
  readonly summary: readonly unknown[]
  readonly encrypted_content: string
}

export type ResponsesInputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' }

export interface ResponsesTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}
