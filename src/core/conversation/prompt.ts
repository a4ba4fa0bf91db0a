// `chatPrompt`: the system prompt and messages of a chat request.
import type { ConversationState } from '../../protocol/conversationState.ts'
import type { ModelMessage } from '../model/modelClient.ts'
import { promptMessages } from './promptMessages.ts'

const SYSTEM = [
  'You are Kourier, a programming assistant inside a code editor.',
  'Answer in Markdown. Put code into fenced blocks that name their language.',
  'Be short and exact. Say so when you do not know something.',
].join('\n')

/** The messages of the chosen path, the last question at the end. Events that are appended only append messages. */
export function chatPrompt(state: ConversationState): {
  readonly system: string
  readonly messages: readonly ModelMessage[]
} {
  return { system: SYSTEM, messages: promptMessages(state) }
}
