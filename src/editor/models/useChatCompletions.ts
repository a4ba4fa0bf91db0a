// `useChatCompletions`: switches to the chat completions surface, and retries a prompt that failed on another one.
import type { Session } from '../../core/agent/session.ts'
import { meaningOf } from '../../core/http/fault.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'

export async function useChatCompletions(settings: EditorSettings, session: Session): Promise<void> {
  await settings.set('surface', 'chat-completions')
  const { state } = session
  if (state.is === 'failed' && meaningOf(state.fault).remedy === 'use-chat-completions') void session.retry()
}
