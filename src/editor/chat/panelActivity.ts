// What a conversation is doing, as the page draws it.
import type { Session } from '../../core/agent/session.ts'
import type { Wait } from '../../core/model/queuedClient.ts'
import type { PanelActivity } from '../../protocol/panel.ts'
import type { Names } from '../ui/faultSentence.ts'
import { noticeOf } from '../ui/notices.ts'
import { heldQuestion, heldWait, panelWait } from '../ui/waitText.ts'

/** `names`: without the model; the one that was asked is named. `now`: elapsed time in milliseconds. */
export function panelActivity(
  { state, unanswered }: Pick<Session, 'state' | 'unanswered'>,
  names: Names,
  now: number,
): PanelActivity {
  switch (state.is) {
    case 'idle':
      return { is: 'idle' }
    case 'answering':
      return { is: 'answering' }
    case 'following':
      return { is: 'answering', wait: { text: 'Another window answers in this chat' } }
    case 'waiting':
      return waitingOf(state.wait, now)
    case 'held':
      return { is: 'waiting', wait: unanswered ? heldQuestion() : heldWait(), mayRetryNow: true, maySend: true }
    case 'failed':
      return { is: 'failed', notice: noticeOf(state.fault, { ...names, model: state.model, isAnswer: true }) }
  }
}

/** Whoever waits for the first word has been sent already: there is nothing to try again or to leave. */
function waitingOf(wait: Wait, now: number): PanelActivity {
  if (wait.is === 'slow') return { is: 'answering', wait: panelWait(wait, now) }
  return { is: 'waiting', wait: panelWait(wait, now), mayRetryNow: wait.is === 'trying again' }
}
