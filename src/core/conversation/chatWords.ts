// `ChatWords`: the words of a conversation as text that are not of the conversation.

import type { TurnEnd } from '../../protocol/conversation.ts'

export interface ChatWords {
  readonly you: string
  readonly kourier: string
  readonly thinking: string
  /** Why an answer has ended before its end, as a sentence. */
  readonly ended: (state: Exclude<TurnEnd, 'done'>) => string
  readonly result: string
  readonly attached: (name: string) => string
  readonly image: (name: string) => string
  readonly tool: (name: string) => string
  readonly changed: (name: string) => string
  /** In the place of a text that nobody sees. */
  readonly hiddenCharacters: (count: number) => string
}
