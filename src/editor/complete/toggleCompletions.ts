// Toggle Completions: on or off, for all languages or for the one in front.
import { type QuickPickItem, window } from 'vscode'
import { isEnabledFor, switchedForAll } from '../../core/complete/completionSettings.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import { completionSettings } from './completionSettings.ts'

/** For the document in front; for any where there is none. */
export function areCompletionsOn(settings: EditorSettings): boolean {
  const document = window.activeTextEditor?.document
  if (!document) return isEnabledFor('*', { enabled: settings.own('completions.enabled') })
  const { languageId: language, uri } = document
  return isEnabledFor(language, completionSettings({ id: uri.toString(), language }))
}

/** Changes what the user has, whatever a workspace adds to it. */
export async function toggleCompletions(settings: EditorSettings): Promise<void> {
  const language = window.activeTextEditor?.document.languageId
  const enabled = settings.own('completions.enabled', language)
  const isOffForAll = enabled['*'] === false
  const switchAll = () => settings.change('completions.enabled', table => switchedForAll(table, isOffForAll))
  if (!language) return switchAll()
  const isOn = isEnabledFor(language, { enabled })
  const all: QuickPickItem = { label: isOffForAll ? 'Turn On for All Languages' : 'Turn Off for All Languages' }
  const one: QuickPickItem = { label: `${isOn ? 'Turn Off' : 'Turn On'} for ${language}` }
  const chosen = await window.showQuickPick([all, one], { title: 'Completions' })
  if (chosen === all) await switchAll()
  if (chosen === one) await settings.change('completions.enabled', table => ({ ...table, [language]: !isOn }))
}
