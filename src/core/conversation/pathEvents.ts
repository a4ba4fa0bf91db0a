// `pathEvents`: the events that make a copy of the chosen path for a branch of its own.
import type { EventBody } from '../../protocol/conversation.ts'
import { pathOf } from '../../protocol/conversationPath.ts'
import type { ConversationState, Summary } from '../../protocol/conversationState.ts'
import { type TurnMapping, turnEvents } from './turnEvents.ts'

/** The path up to the end of the turn; the whole path if the turn is not on it. */
export function pathEvents(state: ConversationState, last: string): EventBody[] {
  const path = pathOf(state)
  const end = path.findIndex(({ id }) => id === last)
  const turns = end < 0 ? path : path.slice(0, end + 1)
  const summaries = state.summaries.filter(({ turn }) => turns.some(({ id }) => id === turn))
  const copies = turns.flatMap((turn, at) =>
    turnEvents({ ...turn, origin: { is: 'new' } }, turns[at - 1]?.id, unchanged),
  )
  return [...copies, ...summaries.map(summaryEvent)]
}

/** The ids are those of the turn: they are unique in one conversation only. */
const unchanged: TurnMapping = { idOf: id => id, promptPart: part => part, part: part => part }

/** The event that puts a summary where it was. */
export function summaryEvent({ id: summary, ...rest }: Summary): EventBody {
  return { kind: 'summary', summary, ...rest }
}
