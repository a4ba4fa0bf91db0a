// What a turn needs from outside: the log it writes, the prompt, the model to ask, and the user's word.
import type { Event } from '../../base/event.ts'
import type { ConversationEvent, EventBody } from '../../protocol/conversation.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import type { ModelMessage } from '../model/modelClient.ts'

/** One conversation, of which this window is the writer. */
export interface TurnLog {
  readonly state: ConversationState
  /**
   * The state has changed when this returns. Resolves when the event is kept as safely as its kind demands; rejects
   * where this window may not write any more, which ends the turn.
   */
  append(event: EventBody): Promise<void>
  /** After the state has changed. */
  readonly onDidAppend: Event<ConversationEvent>
}

/** What a request is made of beside its tools. What is appended to the conversation must only append messages. */
export interface Prompt {
  readonly system: string
  readonly messages: readonly ModelMessage[]
}

/** `requests`: as many were sent in this turn. `repetition`: `calls` calls came `rounds` times with the same results. */
export type PauseReason =
  | { readonly is: 'requests'; readonly requests: number }
  | { readonly is: 'repetition'; readonly rounds: number; readonly calls: number }

export interface Pauses {
  /** Whether the turn shall go on. The question is withdrawn when the signal stops. */
  goOn(reason: PauseReason, signal: AbortSignal): Promise<boolean>
}
