// `titleOf`: the title of a conversation: the one that was set, else the beginning of its first question.
import { clip } from '../../base/text.ts'
import { titleText } from '../../protocol/conversationPath.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import { sanitize } from '../ui/sanitize.ts'

/** Empty where there is neither. */
export function titleOf(conversation: ConversationState, maxChars: number): string {
  return sanitize(clip(titleText(conversation).replace(/\s+/g, ' ').trim(), maxChars))
}
