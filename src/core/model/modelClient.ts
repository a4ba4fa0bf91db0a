// `ModelClient`, its request, its message and its events.

import type { SealedReasoning } from '../../protocol/conversation.ts'
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

/**
 * `parts` in their order: those of an answer as the model wrote them. `continuesTurn`: said while the model worked, so
 * that the reasoning before it still belongs to the turn in progress. `callId`: the call that the result answers.
 */
export type ModelMessage =
  | { readonly role: 'user'; readonly parts: readonly UserPart[]; readonly continuesTurn?: boolean }
  | { readonly role: 'assistant'; readonly parts: readonly AnswerPart[] }
  | { readonly role: 'tool'; readonly callId: string; readonly parts: readonly UserPart[]; readonly isError?: boolean }

/** What is read by the model: words and pictures of the user, or of a tool. */
export type UserPart = TextPart | ImagePart
export type AnswerPart = TextPart | ReasoningBlock | ToolCallPart

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
}

export interface ImagePart {
  readonly kind: 'image'
  /** Such as `image/png`. */
  readonly mediaType: string
  readonly base64: string
}

/** Reasoning that the service wants back, in its place, with the results of the calls that it led to. */
export interface ReasoningBlock {
  readonly kind: 'reasoning'
  readonly sealed: SealedReasoning
}

export interface ToolCallPart extends ToolCall {
  readonly kind: 'tool-call'
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** An object; anything else the model wrote comes as its text and must not be run. */
  readonly input: unknown
}

export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  /** A JSON schema. */
  readonly parameters: unknown
}

/**
 * In the order in which the answer has its parts. A `reasoning-block` ends the reasoning before it. `tool-call` events
 * come together right before the end: no call of an answer that was cut is given. The place of a call among the parts is
 * that of its `tool-input-start`; `startedAs` is the id given there, where the end of the call has corrected it.
 */
export type ModelEvent =
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'reasoning-delta'; readonly text: string }
  | { readonly kind: 'reasoning-block'; readonly sealed: SealedReasoning }
  | { readonly kind: 'tool-input-start'; readonly id: string; readonly name: string }
  | { readonly kind: 'tool-input-delta'; readonly id: string; readonly text: string }
  | {
      readonly kind: 'tool-call'
      readonly id: string
      readonly name: string
      readonly input: unknown
      readonly startedAs?: string
    }
  | { readonly kind: 'finish'; readonly why: FinishReason; readonly usage?: Usage }

/** `cut-off`: the service said that it was done but not how; the text may be incomplete. */
export type FinishReason = 'done' | 'length' | 'tools' | 'refused' | 'cut-off'

/** Tokens, as the service counted them. */
export interface Usage {
  readonly input: number
  readonly output: number
}
