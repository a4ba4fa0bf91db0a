// `sentTurns`: which turns of a conversation the model is sent, and the summary in the place of those before.
import type { PromptPart } from '../../protocol/conversation.ts'
import { pathOf } from '../../protocol/conversationPath.ts'
import type { ConversationState, Step, Summary, Turn } from '../../protocol/conversationState.ts'

export interface SentTurns {
  /** Undefined where the whole path is sent. */
  readonly summary: Summary | undefined
  /** The turns that the summary covers; of the last one `rest` is sent all the same. */
  readonly covered: readonly Turn[]
  readonly rest: readonly Step[]
  /** The turns that are sent as they are. */
  readonly turns: readonly Turn[]
}

export function sentTurns(state: ConversationState): SentTurns {
  const path = pathOf(state)
  const { summary, turnIndex } = lastSummary(state.summaries, path)
  const covered = path.slice(0, turnIndex + 1)
  const last = covered.at(-1)
  const rest = summary && last ? last.steps.slice(summary.steps ?? last.steps.length) : []
  return { summary, covered, rest, turns: path.slice(turnIndex + 1) }
}

/** What goes along with the summary, and what the user has attached or written in what is sent as it is, oldest first. */
export function sentParts(state: ConversationState): readonly PromptPart[] {
  const { summary, rest, turns } = sentTurns(state)
  return [
    ...(summary?.extras?.surroundings ?? []),
    ...stepParts(rest),
    ...turns.flatMap(turn => [...turn.prompt, ...stepParts(turn.steps)]),
  ]
}

/** What the user has sent while the model worked. */
export function stepParts(steps: readonly Step[]): readonly PromptPart[] {
  return steps.flatMap(({ messages }) => messages.flatMap(({ parts }) => parts))
}

/** The summary that covers most of the path; summaries of other branches are ignored. */
function lastSummary(summaries: readonly Summary[], path: readonly Turn[]) {
  const placed = summaries
    .map(summary => ({ summary, turnIndex: path.findIndex(({ id }) => id === summary.turn) }))
    .filter(({ turnIndex }) => turnIndex >= 0)
    .sort((a, b) => a.turnIndex - b.turnIndex || reachOf(a.summary) - reachOf(b.summary))
  return placed.at(-1) ?? { summary: undefined, turnIndex: -1 }
}

const reachOf = ({ steps }: Summary) => steps ?? Number.POSITIVE_INFINITY
