// `ModelClient`, its request, its message and its events.
import type { Lane } from '../schedule/scheduler.ts'

/** One way to ask a model. Three surfaces meet it; who asks does not know which. */
export interface ModelClient {
  /** Events until `finish`. Throws a fault; what was already given stays valid. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelRequest {
  /** The model's id. */
  readonly model: string
  readonly system?: string
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ToolDeclaration[]
  readonly maxTokens?: number
  readonly temperature?: number
  readonly stop?: readonly string[]
  /** Who waits for it; decides the order in line. */
  readonly lane: Lane
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call: string; readonly text: string }

export interface ToolCall {
  readonly call: string
  readonly name: string
  readonly input: unknown
}

export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  /** A JSON schema. */
  readonly parameters: unknown
}

export type ModelEvent =
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'reasoning-delta'; readonly text: string }
  | { readonly kind: 'tool-input-start'; readonly call: string; readonly name: string }
  | { readonly kind: 'tool-input-delta'; readonly call: string; readonly text: string }
  | { readonly kind: 'tool-call'; readonly call: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'finish'; readonly why: FinishReason; readonly usage?: Usage }

/** `cut-off`: the service said that it was done but not how; the text may be incomplete. */
export type FinishReason = 'done' | 'length' | 'tools' | 'refused' | 'cut-off'

/** Tokens, as the service counted them. */
export interface Usage {
  readonly input: number
  readonly output: number
}
