// `MemoryJournal`: a conversation that lives as long as the window, for a window without a folder for it.
import { Emitter } from '../../base/event.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { joinDeltas } from '../../protocol/joinDeltas.ts'
import type { Journal } from './journal.ts'

export class MemoryJournal implements Journal {
  readonly conversation: string
  readonly isWriter = true
  readonly onDidFollow = new Emitter<readonly ConversationEvent[]>().event
  readonly onDidFallVacant = new Emitter<void>().event
  readonly onDidChangeKeeping = new Emitter<boolean>().event
  #events: ConversationEvent[] = []

  constructor(conversation: string) {
    this.conversation = conversation
  }

  async *load(): AsyncGenerator<readonly ConversationEvent[], void, void> {
    yield [...this.#events]
  }

  async *read(from: number): AsyncGenerator<readonly ConversationEvent[], void, void> {
    yield this.#events.filter(({ n }) => n >= from)
  }

  async claim(): Promise<boolean> {
    return true
  }

  async release(): Promise<void> {}

  async append(event: ConversationEvent): Promise<void> {
    const last = this.#events.at(-1)
    const both = last && joinDeltas(last, event)
    if (both) this.#events[this.#events.length - 1] = both
    else this.#events.push(event)
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}
}
