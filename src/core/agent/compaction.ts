// `compact`: has a model write the summary that replaces the beginning of a conversation in what is sent.
import type { PromptPart } from '../../protocol/conversation.ts'
import { pathOf } from '../../protocol/conversationPath.ts'
import type { ConversationState, Turn } from '../../protocol/conversationState.ts'
import { type Cut, cutOf, messagesBefore } from '../conversation/growth.ts'
import { chatPrompt } from '../conversation/prompt.ts'
import { sentTurns } from '../conversation/sentTurns.ts'
import { firstTokens } from '../conversation/shortenedWords.ts'
import { collect } from '../model/collect.ts'
import type { ModelClient, ModelRequest } from '../model/modelClient.ts'
import type { QueuedRequest } from '../model/queuedClient.ts'
import { textMessage } from '../model/textMessage.ts'
import type { Limits } from '../model/tokenBudgetClient.ts'
import type { TokenCounter } from '../model/tokenCounter.ts'
import type { Session } from './session.ts'
import { declarations } from './turnRequest.ts'

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

/** The last turns stay as they are, because the next question is most often about them, but no more of them than this. */
const KEPT_TURNS = 2
export const KEPT_TOKENS = 30_000
/** Of a summary. */
const MOST_TOKENS = 4_096
/** Longer than that: a model that thinks first needs room for that as well. */
const ANSWER_TOKENS = 8_192

const INSTRUCTION = [
  'Summarize this conversation up to here, so that you can continue it from your summary and the messages of the user alone, which are kept word for word.',
  'Write down: the goal, as the user wants it; the decisions, and why they were made; the findings, with the paths, names, commands and values that matter; what was changed; the open points, and what the next step is.',
  'Keep what is done apart from what is open, and what is certain from what was only supposed. Rules and limits that the user has set belong to the goal. Do not answer open questions, and do not repeat code that is in the files.',
  'Call no tools. At most 1,500 words of Markdown, without a heading before them.',
].join('\n')

export const mayCompact = (state: ConversationState): boolean => cutBehind(state) !== undefined

/** Whether a summary would shorten what is sent once `next` is asked, which may be a question of another branch. */
export function wouldShorten(state: ConversationState, next: ConversationState): boolean {
  const cut = cutBehind(state)
  return cut !== undefined && pathOf(next).some(({ id }) => id === cut.turn)
}

/** Rejects with the fault of the request; the conversation is then as before. */
export async function compact(
  session: Session,
  needs: CompactionNeeds,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  if (session.isBusy || session.state.is === 'following') return 'busy'
  const { conversation: state } = session
  const cut = cutBehind(state)
  if (!cut) return 'nothing'
  const model = await needs.model(signal)
  const tools = declarations(await session.tools())
  const { system } = chatPrompt(state, tools)
  const text = await summaryText(
    state,
    cut,
    { ...needs, request: { model, system, tools, lane: 'background' } },
    signal,
  )
  if (text === undefined) return 'incomplete'
  const extras = await session.summaryExtras(signal)
  signal.throwIfAborted()
  const summary = { kind: 'summary', ...cut, summary: needs.newId(), text, ...(extras && { extras }) } as const
  return (await session.record(summary)) ? 'done' : 'busy'
}

/** Where the turns begin that stay when the user asks for a summary. */
function cutBehind(state: ConversationState): Cut | undefined {
  const { turns } = sentTurns(state)
  if (turns.some(({ state: end }) => end === 'running')) return undefined
  const last = turns.at(-1 - KEPT_TURNS)
  const cut = cutOf(state, { keep: KEPT_TOKENS, least: 0 })
  // The later of both places.
  const isLater = cut !== undefined && turns.slice(-KEPT_TURNS).some(({ id }) => id === cut.turn)
  return isLater ? cut : last && { turn: last.id }
}

export interface SummaryRequest extends Pick<CompactionNeeds, 'models' | 'counter' | 'limitsOf'> {
  readonly request: Omit<QueuedRequest, 'messages' | 'maxTokens'>
}

/** What a model writes of everything before the cut; undefined if it wrote no whole summary. */
export async function summaryText(
  state: ConversationState,
  cut: Cut,
  needs: SummaryRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { text, why } = await collect(needs.models.stream(compactionRequest(state, cut, needs), signal))
  signal.throwIfAborted()
  return why === 'done' && text.trim() !== '' ? firstTokens(text.trim(), MOST_TOKENS) : undefined
}

/** Begins as the requests of the conversation do, because services cache requests by their beginning. */
function compactionRequest(
  state: ConversationState,
  cut: Cut,
  { counter, limitsOf, request: { tools, ...rest } }: SummaryRequest,
): ModelRequest {
  const request = { ...rest, ...(tools?.length && { tools }), maxTokens: ANSWER_TOKENS }
  const instruction = textMessage('user', INSTRUCTION)
  const whole = { ...request, messages: [...messagesBefore(state, cut), instruction] }
  if (counter.count(whole).tokens <= limitsOf(request.model).input) return whole
  return { ...request, messages: [...messagesBefore(state, cut, withoutAttachedText), instruction] }
}

/** What was attached is the largest part, and is only named where the whole does not fit. */
function withoutAttachedText(turn: Turn): Turn {
  return { ...turn, prompt: turn.prompt.map(withoutText) }
}

function withoutText(part: PromptPart): PromptPart {
  return part.kind === 'attachment' ? { ...part, text: '(left out of this summary)' } : part
}
