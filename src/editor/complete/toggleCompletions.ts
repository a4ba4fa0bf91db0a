// Toggle Completions: on or off, for all languages or for the one in front.
import { type QuickPickItem, window } from 'vscode'
import { isEnabledFor } from '../../core/complete/completionSettings.ts'
import type { EditorSettings } from '../settings.ts'

/** For the language in front; for any where there is none. */
export function areCompletionsOn(settings: EditorSettings): boolean {
  return isEnabledFor(languageInFront() ?? '*', { enabled: settings.get('completions.enabled') })
}

export async function toggleCompletions(settings: EditorSettings): Promise<void> {
  const enabled = settings.get('completions.enabled')
  const language = languageInFront()
  const isOffForAll = enabled['*'] === false
  if (!language) return settings.set('completions.enabled', { ...enabled, '*': isOffForAll })
  const isOn = isEnabledFor(language, { enabled })
  const all: QuickPickItem = { label: isOffForAll ? 'Turn On for All Languages' : 'Turn Off for All Languages' }
  const one: QuickPickItem = { label: `${isOn ? 'Turn Off' : 'Turn On'} for ${language}` }
  const chosen = await window.showQuickPick([all, one], { title: 'Completions' })
  if (!chosen) return
  const change = chosen === all ? { '*': isOffForAll } : { [language]: !isOn }
  await settings.set('completions.enabled', { ...enabled, ...change })
}

function languageInFront(): string | undefined {
  return window.activeTextEditor?.document.languageId
}
