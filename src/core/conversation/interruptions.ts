// `interruptions`: the events that end the turns of a window that has closed.
import type { EventBody, PartOf } from '../../protocol/conversation.ts'
import { answerParts, runningTurns } from '../../protocol/conversationPath.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'

/**
 * Ends each turn that is still marked as running. A call without a result gets an `interrupted` result, because no call
 * is carried out when a conversation is loaded.
 */
export function interruptions(state: ConversationState): EventBody[] {
  return runningTurns(state).flatMap(turn => [
    ...answerParts(turn).flatMap(part =>
      part.kind === 'tool-call' && part.isWritten && !part.result ? [interruptedCall(turn.id, part)] : [],
    ),
    { kind: 'turn-ended', turn: turn.id, state: 'interrupted' } as const,
  ])
}

function interruptedCall(turn: string, { id, approval }: PartOf<'tool-call'>): EventBody {
  const text = approval?.state === 'asked' ? UNANSWERED : UNFINISHED
  return {
    kind: 'tool-result',
    turn,
    part: id,
    result: { outcome: 'interrupted', content: [{ kind: 'text', text }] },
  }
}

const UNANSWERED = 'Interrupted: the editor was closed before the user had allowed it.'
const UNFINISHED =
  'Interrupted: the editor was closed before this call had ended. It may have been carried out in part.'
