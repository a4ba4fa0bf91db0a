// `ModelClient`: the interface that streams an answer of a model; its request, messages and events.

import type { SealedReasoning } from '../../protocol/conversation.ts'
import type { Lane } from '../schedule/lane.ts'
import type { ThinkingOff } from './thinkingOff.ts'

/** Streams the answer to a request. The request and the events are the same for all three surfaces. */
export interface ModelClient {
  /**
   * Yields events until `finish`. Throws a fault; the events before it stay valid. With `finish` the answer is
   * complete, but the request may still be open: the iteration ends when the service has closed it, or throws
   * `AbortedError` when it is aborted before that.
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
  /** The last message is the beginning of the answer, with which the model goes on. Some services refuse that. */
  readonly continuesAnswer?: true
  /** How the request switches thinking off. */
  readonly thinkingOff?: ThinkingOff
  /** What the request is for; determines its priority in the queue. */
  readonly lane: Lane
}

/**
 * `parts` in order, those of an answer as the model wrote them. `continuesTurn`: the user sent the message during a
 * turn, so the reasoning before it still belongs to the current turn. `callId`: the call that has this result.
 */
export type ModelMessage =
  | { readonly role: 'user'; readonly parts: readonly UserPart[]; readonly continuesTurn?: boolean }
  | { readonly role: 'assistant'; readonly parts: readonly AnswerPart[] }
  | { readonly role: 'tool'; readonly callId: string; readonly parts: readonly UserPart[]; readonly isError?: boolean }

/** The parts that the model reads: texts and images of the user or of a tool. */
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

/** Reasoning that has to be sent back at its place, together with the results of the calls after it. */
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
  /** An object. Arguments that are no JSON object come as a text, and the call must not be run. */
  readonly input: unknown
}

export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  /** A JSON schema. */
  readonly parameters: unknown
}

/**
 * In the order of the parts of the answer. A `reasoning-block` ends the reasoning before it. All `tool-call` events
 * come directly before `finish`, because the calls of a cut answer must not be run. The place of a call among the parts
 * is that of its `tool-input-start`; `startedAs` is the id in that event, if the end of the call has another one.
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

/**
 * `cut-off`: the stream ended without a finish reason, or without the calls that it announced; the text may be
 * incomplete.
 */
export type FinishReason = 'done' | 'length' | 'tools' | 'filtered' | 'refused' | 'cut-off'

/** Tokens as counted by the service. */
export interface Usage {
  readonly input: number
  readonly output: number
}
