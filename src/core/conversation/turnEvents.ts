// `turnEvents`: the events that make a copy of turns that have ended, for a branch or an import.
import type { EventBody } from '../../protocol/conversation.ts'
import { pathOf } from '../../protocol/conversationPath.ts'
import type { ConversationState, Step, Summary, Turn } from '../../protocol/conversationState.ts'

/** The path up to the end of the turn; the whole path if the turn is not on it. A running turn is copied as interrupted. */
export function pathEvents(state: ConversationState, last: string): EventBody[] {
  const path = pathOf(state)
  const end = path.findIndex(({ id }) => id === last)
  const turns = end < 0 ? path : path.slice(0, end + 1)
  const summaries = state.summaries.filter(({ turn }) => turns.some(({ id }) => id === turn))
  return [...turns.flatMap((turn, at) => turnEvents(turn, turns[at - 1]?.id)), ...summaries.map(summaryEvent)]
}

function summaryEvent({ id: summary, turn, text, steps }: Summary): EventBody {
  return { kind: 'summary', turn, summary, text, ...(steps !== undefined && { steps }) }
}

/** The ids are those of the turn: they are unique in one conversation only. */
function turnEvents({ id: turn, prompt, steps, state, fault }: Turn, parent: string | undefined): EventBody[] {
  const end = state === 'running' ? 'interrupted' : state
  return [
    { kind: 'turn-started', turn, ...(parent !== undefined && { parent }), origin: { is: 'new' }, prompt },
    ...steps.flatMap(step => stepEvents(turn, step)),
    { kind: 'turn-ended', turn, state: end, ...(fault && { fault }) },
  ]
}

function stepEvents(turn: string, { model = '', messages, parts, why, usage }: Step): EventBody[] {
  const queued = messages.map(({ id }) => id)
  return [
    ...messages.map(({ id, parts }) => ({ kind: 'message-queued', message: id, parts }) as const),
    { kind: 'step-started', turn, model, ...(queued.length > 0 && { queued }) },
    ...parts.map(value => ({ kind: 'part-started', turn, value }) as const),
    ...(why ? [{ kind: 'step-ended', turn, why, ...(usage && { usage }) } as const] : []),
  ]
}
