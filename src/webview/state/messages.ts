// `messagesOf`: the messages that the page shows of a conversation.
import type { Part, PromptPart } from '../../protocol/conversation.ts'
import {
  answerParts,
  answerText,
  attemptsOf,
  hasAnswer,
  hasQuestion,
  isCutOffUnseen,
  pathIds,
  pathOf,
  promptText,
  questionsOf,
  shownAttempt,
} from '../../protocol/conversationPath.ts'
import type { ConversationState, QueuedMessage, Summary, Turn } from '../../protocol/conversationState.ts'

export type Message = UserMessage | AssistantMessage

/** The alternatives to a message, oldest first, by the turns that show them, and which of them is shown. */
export interface Variants {
  readonly turns: readonly string[]
  readonly at: number
}

interface AnyMessage {
  readonly id: string
  readonly turn: string
  /** The turns whose content the page has to request before it can show the message; none for most messages. */
  readonly lacks: readonly string[]
  /** Is sent in place of the conversation up to here. */
  readonly summary?: Summary
}

interface UserMessage extends AnyMessage {
  readonly role: 'user'
  readonly parts: readonly PromptPart[]
  readonly text: string
  readonly variants: Variants
}

/** `whole`, `streaming`, or why the answer has an end before its end. */
export type AnswerState = 'whole' | 'streaming' | Exclude<Turn['state'], 'done' | 'running'>

export interface AssistantMessage extends AnyMessage {
  readonly role: 'assistant'
  readonly parts: readonly Part[]
  /** The text of the answer. */
  readonly text: string
  readonly state: AnswerState
  readonly variants: Variants
  /** How many requests have led to it. */
  readonly requests: number
  /** The question is the command for a commit message. */
  readonly isForCommit: boolean
}

/** The message of an unchanged turn is the same object as before, so that it is not rendered again. */
export function messagesOf(state: ConversationState): readonly Message[] {
  const { summaries } = state
  const messages = plainMessagesOf(state)
  return summaries.length === 0 ? messages : withSummaries(messages, summaries)
}

function plainMessagesOf(state: ConversationState): readonly Message[] {
  const others = aroundCurrent(state)
  if (!others || !state.current) return pathOf(state).flatMap(turn => messagesOfTurn(state, turn))
  const current = state.current.isDeleted ? [] : messagesOfTurn(state, state.current)
  return others.length === 0 ? current : others.concat(current)
}

/** By the table of the other turns, which stays the same object while an answer grows. */
const around = new WeakMap<ConversationState['otherTurns'], { path: readonly string[]; messages: readonly Message[] }>()

/** The messages before the current turn if it is the last of the path, so that a delta costs the same in a long path. */
function aroundCurrent(state: ConversationState): readonly Message[] | undefined {
  const { current, otherTurns, tip } = state
  if (!current || current.id !== tip) return undefined
  const path = pathIds(state)
  const known = around.get(otherTurns)
  if (known?.path === path) return known.messages
  const messages = pathOf(state).flatMap(turn => (turn === current ? [] : messagesOfTurn(state, turn)))
  around.set(otherTurns, { path, messages })
  return messages
}

const summarized = new WeakMap<Message, Message>()

/** A summary is shown below the last message of its turn. */
function withSummaries(messages: readonly Message[], summaries: readonly Summary[]): readonly Message[] {
  const shown = [...messages]
  for (const summary of summaries) {
    const at = messages.findLastIndex(({ turn }) => turn === summary.turn)
    const message = messages[at]
    if (!message) continue
    const known = summarized.get(message)
    const now = known?.summary === summary ? known : { ...message, summary }
    summarized.set(message, now)
    shown[at] = now
  }
  return shown
}

interface Drawn {
  readonly siblings: readonly Turn[]
  readonly messages: readonly Message[]
}

const drawn = new WeakMap<Turn, Drawn>()

function messagesOfTurn(state: ConversationState, turn: Turn): readonly Message[] {
  const ids = state.children.get(turn.parent) ?? []
  const known = drawn.get(turn)
  // Most questions have one turn, which is compared without looking up its siblings.
  if (known && ids.length === 1 && known.siblings.length === 1) return known.messages
  const attempts = attemptsOf(state, turn)
  const questions = questionsOf(state, turn)
  const siblings = [...attempts, ...questions]
  if (known && isSame(known.siblings, siblings)) return known.messages
  const messages = [...asked(turn, questions), ...answers(turn, attempts)]
  drawn.set(turn, { siblings: ids.length === 1 ? [turn] : siblings, messages })
  return messages
}

const isSame = (a: readonly Turn[], b: readonly Turn[]) =>
  a.length === b.length && a.every((turn, at) => turn === b[at])

function asked(turn: Turn, questions: readonly Turn[]): Message[] {
  const { id, prompt: parts } = turn
  if (!hasQuestion(turn)) return []
  const variants = variantsOf(questions, turn)
  return [
    { role: 'user', id: `${id}-prompt`, turn: id, lacks: lacksOf(turn), parts, text: promptText(parts), variants },
  ]
}

/** An empty answer is a message only if it was cut off. */
function answers(turn: Turn, attempts: readonly Turn[]): Message[] {
  const shown = shownAttempt(turn, attempts)
  if (!hasAnswer(shown) && !hasReasoning(shown) && !isCutOffUnseen(shown)) return []
  const answered = attempts.filter(attempt => hasAnswer(attempt) || attempt === shown)
  const { id } = shown
  const message = { id, turn: id, lacks: lacksOf(shown), parts: shownParts(shown), text: answerText(shown) }
  return [
    {
      role: 'assistant',
      ...message,
      state: stateOf(shown),
      variants: variantsOf(answered, shown),
      requests: shown.steps.length,
      isForCommit: /^\s*\/commit(?!\S)/.test(promptText(shown.prompt)),
    },
  ]
}

/** With the messages that the user has sent meanwhile, where the model has read them. */
function shownParts(turn: Turn): readonly Part[] {
  if (turn.steps.every(({ messages }) => messages.length === 0)) return answerParts(turn)
  return turn.steps.flatMap(({ messages, parts }) => [...messages.map(sentMeanwhile), ...parts])
}

const sentMeanwhile = ({ id, parts }: QueuedMessage): Part => ({
  ...{ kind: 'notice', id, code: 'sent-meanwhile' },
  values: { text: promptText(parts) },
})

const nothing: readonly string[] = []
const lacksOf = ({ id, absent }: Turn) => (absent ? [id] : nothing)

const variantsOf = (turns: readonly Turn[], shown: Turn): Variants => ({
  turns: turns.map(({ id }) => id),
  at: turns.indexOf(shown),
})

const hasReasoning = (turn: Turn) => answerParts(turn).some(part => part.kind === 'reasoning' && part.text !== '')

function stateOf({ state }: Turn): AnswerState {
  if (state === 'running') return 'streaming'
  return state === 'done' ? 'whole' : state
}
