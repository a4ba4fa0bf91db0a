// `titleOf`: the title of a conversation: the one that was set, else the beginning of its first question.
import { clip } from '../../base/text.ts'
import { pathOf, promptText } from '../../protocol/conversationPath.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import { sanitize } from '../ui/sanitize.ts'

/** Empty where there is neither. */
export function titleOf(conversation: ConversationState, maxChars: number): string {
  const first = pathOf(conversation)[0]
  const text = conversation.title?.text || (first ? promptText(first.prompt) : '')
  return sanitize(clip(text.replace(/\s+/g, ' ').trim(), maxChars))
}
