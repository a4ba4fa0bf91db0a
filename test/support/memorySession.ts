// A session whose conversation lives in memory, and what a reader sees of it.
import { Session, type SessionOptions } from '../../src/core/agent/session.ts'
import { ConversationLog } from '../../src/core/conversation/conversationLog.ts'
import { type ConversationState, emptyConversation, replay } from '../../src/protocol/conversationState.ts'
import { type Message, messagesOf } from '../../src/webview/state/messages.ts'
import { MemoryJournal } from './memoryJournal.ts'

/** Without tools, unless they are given. */
export function memorySession(options: SessionOptions, journal = new MemoryJournal('chat')): Session {
  return new Session(ConversationLog.empty({ journal, clock: options.clock }), options)
}

export interface Seen {
  readonly role: Message['role']
  readonly text: string
  readonly state: Extract<Message, { role: 'assistant' }>['state']
  /** How many answers there are to choose from. */
  readonly attempts: number
}

/** The messages as they are drawn. */
export function messagesIn({ conversation }: { readonly conversation: ConversationState }): Seen[] {
  return messagesOf(conversation).map(message => ({
    role: message.role,
    text: message.text,
    state: message.role === 'assistant' ? message.state : 'whole',
    attempts: message.role === 'assistant' ? message.variants.turns.length : 0,
  }))
}

/** The state that a window would load from the journal now. */
export async function kept(journal: MemoryJournal): Promise<ConversationState> {
  let state = emptyConversation(journal.conversation)
  for await (const events of journal.read(1)) state = replay(events, state)
  return state
}
