// The answer of a model, event by event, whichever surface carries it.
import type { Failure } from './failure.ts'

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  /** The part of the prompt that was read before. */
  readonly cached_tokens?: number
  /** The part of the completion that was reasoning. */
  readonly reasoning_tokens?: number
}

export type ModelEvent =
  | { readonly kind: 'text' | 'reasoning' | 'refusal'; readonly text: string }
  /** A tool call begins; calls come one after the other, also those that run side by side. */
  | { readonly kind: 'call'; readonly id: string; readonly name: string }
  /** A piece of the arguments of the call that began last. */
  | { readonly kind: 'arguments'; readonly text: string }
  | {
      readonly kind: 'end'
      /** A `finish_reason` of chat completions; null where the stream just ends, as a broken one does. */
      readonly reason: string | null
      /** The stop string that ended the answer. */
      readonly stop?: string
      readonly usage: Usage
    }
  | { readonly kind: 'failure'; readonly failure: Failure }

export type ModelEvents = AsyncGenerator<ModelEvent, void, void>
