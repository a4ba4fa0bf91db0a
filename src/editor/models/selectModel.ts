// `selectModel`: the command Select Model; it also retries a prompt that failed for lack of a model.
import type { SessionState } from '../../core/agent/session.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import { meaningOf } from '../../core/http/fault.ts'
import type { ModelSelection } from './modelSelection.ts'

export async function selectModel(selection: ModelSelection, sessions: Pick<Sessions, 'current'>): Promise<void> {
  const chosen = await selection.select()
  // The user may have begun another conversation meanwhile.
  const { current } = sessions
  if (chosen && lacksModel(current.state)) void current.retry()
}

/** The turn failed without a model, or because the service refused its model. */
function lacksModel(state: SessionState): boolean {
  return state.is === 'failed' && (state.model === undefined || meaningOf(state.fault).remedy === 'select-model')
}
