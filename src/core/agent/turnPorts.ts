// The ports of a turn: the log that it writes, the prompt, and the question whether to continue.
import type { Event } from '../../base/event.ts'
import type { ConversationEvent, EventBody } from '../../protocol/conversation.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import type { ModelMessage } from '../model/modelClient.ts'
import type { QueuedRequest } from '../model/queuedClient.ts'

/** The log of one conversation, of which this window is the writer. */
export interface TurnLog {
  readonly state: ConversationState
  /**
   * The state has changed when this returns. Resolves as `Journal.append` does; rejects if this window is no longer the
   * writer, which ends the turn.
   */
  append(event: EventBody): Promise<void>
  /** Fires after the state has changed. */
  readonly onDidAppend: Event<ConversationEvent>
}

/**
 * The content of a request without its tools. Events that are appended to the conversation must only append messages.
 */
export interface Prompt {
  readonly system: string
  readonly messages: readonly ModelMessage[]
}

/**
 * `requests`: the number sent in this turn. `repetition`: `calls` calls came `rounds` times with the same results. `room`:
 * right after a summary, so many percent of the model's window are still in use.
 */
export type PauseReason =
  | { readonly is: 'requests'; readonly requests: number }
  | { readonly is: 'room'; readonly percent: number }
  | { readonly is: 'repetition'; readonly rounds: number; readonly calls: number }

export interface Pauses {
  /** Asks whether the turn continues. The question is withdrawn when the signal aborts. */
  confirmContinue(reason: PauseReason, signal: AbortSignal): Promise<boolean>
}

/** Keeps the requests of a turn within the model's window. */
export interface Growth {
  /**
   * Called before each request. How many percent of the window are still in use right after a summary, if that is more
   * than there should be.
   */
  makeRoom(request: Omit<QueuedRequest, 'messages'>, signal: AbortSignal): Promise<number | undefined>
}
