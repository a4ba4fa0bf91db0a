// `MemoryLog`: the log of a conversation that nobody sees and that is not kept.
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ConversationEvent, EventBody } from '../../protocol/conversation.ts'
import { type ConversationState, emptyConversation, reduce } from '../../protocol/conversationState.ts'
import type { TurnLog } from './turnPorts.ts'

export class MemoryLog implements TurnLog {
  readonly #clock: Clock
  readonly #appended = new Emitter<ConversationEvent>()
  #state: ConversationState

  constructor(conversation: string, clock: Clock) {
    this.#clock = clock
    this.#state = emptyConversation(conversation)
  }

  get state(): ConversationState {
    return this.#state
  }

  readonly onDidAppend: Event<ConversationEvent> = this.#appended.event

  async append(body: EventBody): Promise<void> {
    const { conversation, n } = this.#state
    const event: ConversationEvent = { ...body, time: this.#clock.now(), conversation, n: n + 1 }
    this.#state = reduce(this.#state, event)
    this.#appended.fire(event)
  }

  dispose(): void {
    this.#appended.dispose()
  }
}
