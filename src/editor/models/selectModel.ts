// Has the user choose the model, and asks again what failed for want of one.
import type { SessionState } from '../../core/agent/session.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import { meaningOf } from '../../core/http/fault.ts'
import type { ModelChoice } from './modelChoice.ts'

export async function selectModel(choice: ModelChoice, sessions: Pick<Sessions, 'current'>): Promise<void> {
  const chosen = await choice.select()
  // The user may have begun another conversation meanwhile.
  const { current } = sessions
  if (chosen && lacksModel(current.state)) void current.retry()
}

/** None was found to ask, for whatever reason, or the one that was asked is not the user's to ask. */
function lacksModel(state: SessionState): boolean {
  return state.is === 'failed' && (state.model === undefined || meaningOf(state.fault).remedy === 'select-model')
}
