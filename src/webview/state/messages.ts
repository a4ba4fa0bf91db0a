// `messagesOf`: the messages that the page shows of a conversation.
import type { Part, PromptPart } from '../../protocol/conversation.ts'
import {
  answerParts,
  answerText,
  earlierAttempts,
  hasAnswer,
  pathOf,
  promptText,
} from '../../protocol/conversationPath.ts'
import type { ConversationState, Turn } from '../../protocol/conversationState.ts'

export type Message = UserMessage | AssistantMessage

interface UserMessage {
  readonly role: 'user'
  readonly id: string
  readonly parts: readonly PromptPart[]
  readonly text: string
}

interface AssistantMessage {
  readonly role: 'assistant'
  readonly id: string
  readonly parts: readonly Part[]
  /** The text of the answer. */
  readonly text: string
  /** `stopped` by the user; `cut-off` by the network, a limit or the end of the window. */
  readonly state: 'whole' | 'streaming' | 'stopped' | 'cut-off'
  /** The texts of earlier attempts at this answer, oldest first. */
  readonly earlier: readonly string[]
}

/** The message of an unchanged turn is the same object as before, so that it is not rendered again. */
export function messagesOf(state: ConversationState): readonly Message[] {
  return pathOf(state).flatMap(turn => messagesOfTurn(state, turn))
}

interface Drawn {
  readonly shown: Turn
  readonly earlierCount: number
  readonly messages: readonly Message[]
}

const drawn = new WeakMap<Turn, Drawn>()

function messagesOfTurn(state: ConversationState, turn: Turn): readonly Message[] {
  const attempts = earlierAttempts(state, turn)
  const shown = shownAttempt(turn, attempts)
  const known = drawn.get(turn)
  if (known?.shown === shown && known.earlierCount === attempts.length) return known.messages
  const messages = [...questions(turn), ...answers(shown, attempts)]
  drawn.set(turn, { shown, earlierCount: attempts.length, messages })
  return messages
}

/** Until a retry has any content, the previous answer is shown. */
function shownAttempt(turn: Turn, attempts: readonly Turn[]): Turn {
  return hasAnswer(turn) ? turn : (attempts.findLast(hasAnswer) ?? turn)
}

function questions({ id, prompt }: Turn): Message[] {
  return prompt.length > 0 ? [{ role: 'user', id: `${id}-prompt`, parts: prompt, text: promptText(prompt) }] : []
}

/** An empty answer is a message only if it was cut off. */
function answers(turn: Turn, attempts: readonly Turn[]): Message[] {
  const state = stateOf(turn)
  if (!hasAnswer(turn) && !isCutOffUnseen(turn)) return []
  const earlier = attempts
    .filter(({ id }) => id !== turn.id)
    .map(answerText)
    .filter(text => text !== '')
  return [{ role: 'assistant', id: turn.id, parts: answerParts(turn), text: answerText(turn), state, earlier }]
}

function isCutOffUnseen({ state }: Turn): boolean {
  return state === 'interrupted' || state === 'length' || state === 'filtered'
}

function stateOf({ state }: Turn): AssistantMessage['state'] {
  switch (state) {
    case 'running':
      return 'streaming'
    case 'done':
      return 'whole'
    case 'stopped':
      return 'stopped'
    case 'interrupted':
    case 'refused':
    case 'failed':
    case 'length':
    case 'filtered':
      return 'cut-off'
  }
}
