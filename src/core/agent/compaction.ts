// `compact`: has a model write the summary that replaces the beginning of a conversation in what is sent.
import type { PromptPart } from '../../protocol/conversation.ts'
import type { ConversationState, Turn } from '../../protocol/conversationState.ts'
import { chatPrompt } from '../conversation/prompt.ts'
import { turnMessages } from '../conversation/promptMessages.ts'
import { sentTurns } from '../conversation/sentTurns.ts'
import { collect } from '../model/collect.ts'
import type { ModelClient, ModelMessage, ModelRequest } from '../model/modelClient.ts'
import { textMessage } from '../model/textMessage.ts'
import type { Limits } from '../model/tokenBudgetClient.ts'
import type { TokenCounter } from '../model/tokenCounter.ts'
import type { Session } from './session.ts'

export interface CompactionNeeds {
  readonly models: ModelClient
  readonly model: (signal: AbortSignal) => Promise<string>
  readonly counter: TokenCounter
  readonly limitsOf: (model: string) => Limits
  readonly newId: () => string
}

/**
 * `nothing`: there is nothing before the turns that are kept; `incomplete`: the model wrote no whole summary; `busy`:
 * an answer is being written in this or another window. In all but `done` the conversation is as before.
 */
export type CompactionOutcome = 'done' | 'nothing' | 'incomplete' | 'busy'

/** The last turns stay as they are, because the next question is most often about them. */
const KEPT_TURNS = 2
/** Longer than a good summary: a model that thinks first needs room for that as well. */
const MOST_TOKENS = 8_192

const INSTRUCTION = [
  'Summarize this conversation up to here, so that you can continue it from your summary and the messages of the user alone, which are kept word for word.',
  'Write down: what the user wants to achieve; what was decided, and why; what was found out, with the paths, names, commands and values that matter; what was changed; what is open, and what the next step is.',
  'Keep what is certain apart from what was only supposed. Do not answer open questions, and do not repeat code that is in the files.',
  'At most 800 words of Markdown, without a heading before them.',
].join('\n')

export const mayCompact = (state: ConversationState): boolean => coveredTurns(state).length > 0

/** Rejects with the fault of the request; the conversation is then as before. */
export async function compact(
  session: Session,
  needs: CompactionNeeds,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  if (session.isBusy || session.state.is === 'following') return 'busy'
  const last = coveredTurns(session.conversation).at(-1)
  if (!last) return 'nothing'
  const request = compactionRequest(session.conversation, await needs.model(signal), needs)
  const { text, why } = await collect(needs.models.stream(request, signal))
  signal.throwIfAborted()
  if (why !== 'done' || text.trim() === '') return 'incomplete'
  const summary = { kind: 'summary', turn: last.id, summary: needs.newId(), text: text.trim() } as const
  return (await session.record(summary)) ? 'done' : 'busy'
}

function coveredTurns(state: ConversationState): readonly Turn[] {
  const { turns } = sentTurns(state)
  return turns.some(({ state: end }) => end === 'running') ? [] : turns.slice(0, -KEPT_TURNS)
}

/** Begins as the requests of the chat do, because services cache requests by their beginning. */
function compactionRequest(state: ConversationState, model: string, needs: CompactionNeeds): ModelRequest {
  const { system } = chatPrompt(state)
  const request = { model, system, maxTokens: MOST_TOKENS, lane: 'background' } as const
  const whole = { ...request, messages: messagesToSummarize(state, turn => turn) }
  if (needs.counter.count(whole).tokens <= needs.limitsOf(model).input) return whole
  return { ...request, messages: messagesToSummarize(state, withoutAttachedText) }
}

function messagesToSummarize(state: ConversationState, reduced: (turn: Turn) => Turn): readonly ModelMessage[] {
  const { messages } = chatPrompt(state)
  const sent = sentTurns(state).turns.flatMap(turn => turnMessages(turn, state.omitted))
  const summarized = messages.slice(0, messages.length - sent.length)
  const covered = coveredTurns(state).flatMap(turn => turnMessages(reduced(turn), state.omitted))
  return [...summarized, ...covered, textMessage('user', INSTRUCTION)]
}

/** What was attached is the largest part, and is only named where the whole does not fit. */
function withoutAttachedText(turn: Turn): Turn {
  return { ...turn, prompt: turn.prompt.map(withoutText) }
}

function withoutText(part: PromptPart): PromptPart {
  return part.kind === 'attachment' ? { ...part, text: '(left out of this summary)' } : part
}
