// Where chats are kept: a port, and one in memory.
import type { SealedReasoning } from '../../protocol/conversation.ts'

export interface ChatMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** `stopped` by the user; `cut-off` by the network or a limit. What arrived is kept in both cases. */
  readonly state: 'whole' | 'streaming' | 'stopped' | 'cut-off'
  /** What earlier tries of this answer had said before it was asked again, the oldest first. */
  readonly earlier?: readonly string[]
  /** Sealed reasoning before an answer, for the service alone. */
  readonly reasoning?: readonly SealedReasoning[]
}

export interface StoredChat {
  readonly id: string
  readonly messages: readonly ChatMessage[]
}

export interface HistoryStore {
  load(chat: string): Promise<StoredChat | undefined>
  /** Called as turns come; the newest state of a chat replaces the older one. */
  save(chat: StoredChat): Promise<void>
}

/** Chats live as long as the window. */
export class MemoryHistory implements HistoryStore {
  #chats = new Map<string, StoredChat>()

  async load(chat: string): Promise<StoredChat | undefined> {
    return this.#chats.get(chat)
  }

  async save(chat: StoredChat): Promise<void> {
    this.#chats.set(chat.id, chat)
  }
}
