// Request body of the messages surface.

/** `POST {base_url}/anthropic/v1/messages`. */
export interface MessagesBody extends MessagesThinkingOff {
  readonly model: string
  readonly max_tokens: number
  readonly system?: string
  /** The roles alternate, and the first message is the user's. */
  readonly messages: readonly MessagesMessage[]
  readonly stream: true
  readonly temperature?: number
  readonly stop_sequences?: readonly string[]
  readonly tools?: readonly MessagesTool[]
  readonly tool_choice?: { readonly type: 'any' }
}

/** Switches thinking off; at most one of these. */
export interface MessagesThinkingOff {
  readonly reasoning_effort?: 'none'
  readonly thinking?: { readonly type: 'disabled' }
  readonly chat_template_kwargs?: { readonly enable_thinking: false }
}

export type MessagesMessage =
  /** Tool results come first in it, directly after the message with the calls. */
  | { readonly role: 'user'; readonly content: readonly MessagesUserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly MessagesAssistantBlock[] }

export type MessagesContentBlock =
  | MessagesTextBlock
  | {
      readonly type: 'image'
      readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    }

export type MessagesUserBlock =
  | MessagesContentBlock
  | {
      readonly type: 'tool_result'
      readonly tool_use_id: string
      readonly content?: string | readonly MessagesContentBlock[]
      readonly is_error?: true
    }

export type MessagesAssistantBlock =
  | MessagesTextBlock
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | MessagesThinkingBlock

/** Sent back unchanged, because the signature covers every character. */
export type MessagesThinkingBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }

/** The surface rejects a text that is empty or only white space. */
export interface MessagesTextBlock {
  readonly type: 'text'
  readonly text: string
}

export interface MessagesTool {
  readonly name: string
  readonly description: string
  readonly input_schema: unknown
}
