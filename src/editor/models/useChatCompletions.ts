// Switches to the surface that every service offers, and asks again what failed for want of it.
import type { Session } from '../../core/agent/session.ts'
import { verdictOf } from '../../core/http/verdict.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'

export async function useChatCompletions(settings: EditorSettings, session: Session): Promise<void> {
  await settings.set('surface', 'chat-completions')
  if (session.state.is === 'failed' && verdictOf(session.state.fault).ask === 'chooseSurface') void session.retry()
}
