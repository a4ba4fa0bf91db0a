// `ModelClient`, its request, its message and its events.

import type { MessagesThinkingBlock } from '../../protocol/wire/messages.ts'
import type { ResponsesReasoning } from '../../protocol/wire/responses.ts'
import type { Lane } from '../schedule/lane.ts'

/** One way to ask a model. Three surfaces meet it; who asks does not know which. */
export interface ModelClient {
  /**
   * Events until `finish`. Throws a fault; what was already given stays valid. With `finish` the answer is complete, but
   * the request may be open for a moment still: the iteration ends when the service has closed it, or throws `Stopped`
   * when we let go of it first.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelRequest {
  /** The model's id. */
  readonly model: string
  readonly system?: string
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ToolDeclaration[]
  /** The answer must call one of the tools. */
  readonly mustCallTool?: boolean
  readonly maxTokens?: number
  readonly temperature?: number
  readonly stop?: readonly string[]
  /** Who waits for it; decides the order in line. */
  readonly lane: Lane
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly Image[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls?: readonly ToolCall[]
      readonly thoughts?: readonly ReasoningBlock[]
    }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string; readonly isError?: boolean }

export interface Image {
  /** Such as `image/png`. */
  readonly mediaType: string
  readonly base64: string
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** An object; whatever else the model wrote comes as its text and must not be run. */
  readonly input: unknown
}

export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  /** A JSON schema. */
  readonly parameters: unknown
}

/**
 * Reasoning that the service wants back with the results of the tools it led to, sealed: nobody but the surface that
 * gave it reads or changes it.
 */
export type ReasoningBlock = (
  | { readonly surface: 'responses'; readonly item: ResponsesReasoning }
  | { readonly surface: 'messages'; readonly item: MessagesThinkingBlock }
) & {
  /** Its place in the message: behind so many characters of the text and so many calls. */
  readonly afterText: number
  readonly afterCalls: number
}

export type ModelEvent =
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'reasoning-delta'; readonly text: string }
  | { readonly kind: 'thought'; readonly thought: ReasoningBlock }
  | { readonly kind: 'tool-input-start'; readonly id: string; readonly name: string }
  | { readonly kind: 'tool-input-delta'; readonly id: string; readonly text: string }
  | { readonly kind: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'finish'; readonly why: FinishReason; readonly usage?: Usage }

/** `cut-off`: the service said that it was done but not how; the text may be incomplete. */
export type FinishReason = 'done' | 'length' | 'tools' | 'refused' | 'cut-off'

/** Tokens, as the service counted them. */
export interface Usage {
  readonly input: number
  readonly output: number
}
