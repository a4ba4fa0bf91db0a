// `panelActivity`: the state of a conversation, as the page shows it.
import { l10n } from 'vscode'
import type { Session } from '../../core/agent/session.ts'
import type { Wait } from '../../core/model/queuedClient.ts'
import type { PanelActivity } from '../../protocol/panel.ts'
import { faultNotice } from '../ui/faultNotice.ts'
import type { Names } from '../ui/faultSentence.ts'
import { heldQuestion, heldWait, panelWait } from '../ui/waitText.ts'

/** `names`: the model is added from the state. `now`: `Clock.elapsed`. */
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
      return {
        is: 'answering',
        wait: { text: l10n.t('Another window is answering in this chat; you can send when its answer has ended') },
        isElsewhere: true,
      }
    case 'waiting':
      return waitActivity(state.wait, now)
    case 'held':
      return { is: 'waiting', wait: unanswered ? heldQuestion() : heldWait(), mayRetryNow: true, maySend: true }
    case 'failed':
      return { is: 'failed', notice: faultNotice(state.fault, { ...names, model: state.model, isAnswer: true }) }
  }
}

/** A `slow` request was sent already, so it is shown as answering, and there is nothing to retry. */
function waitActivity(wait: Wait, now: number): PanelActivity {
  if (wait.is === 'slow') return { is: 'answering', wait: panelWait(wait, now) }
  return { is: 'waiting', wait: panelWait(wait, now), mayRetryNow: wait.is === 'trying again' }
}
