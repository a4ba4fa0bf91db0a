// Toggle Completions: on or off, for all languages or for the one in front.
import { type QuickPickItem, window } from 'vscode'
import type { EditorSettings } from '../settings.ts'

/** Whether completions are on for a language. */
function isOn(enabled: Readonly<Record<string, boolean>>, language: string): boolean {
  return enabled[language] ?? enabled['*'] ?? true
}

/** For the language in front; for any where there is none. */
export function areCompletionsOn(settings: EditorSettings): boolean {
  return isOn(settings.get('completions.enabled'), window.activeTextEditor?.document.languageId ?? '*')
}

export async function toggleCompletions(settings: EditorSettings): Promise<void> {
  const enabled = settings.get('completions.enabled')
  const language = window.activeTextEditor?.document.languageId
  const all: QuickPickItem = {
    label: enabled['*'] === false ? 'Turn On for All Languages' : 'Turn Off for All Languages',
  }
  if (!language) return settings.set('completions.enabled', { ...enabled, '*': enabled['*'] === false })
  const one: QuickPickItem = { label: `${isOn(enabled, language) ? 'Turn Off' : 'Turn On'} for ${language}` }
  const chosen = await window.showQuickPick([all, one], { title: 'Completions' })
  if (!chosen) return
  const change = chosen === all ? { '*': enabled['*'] === false } : { [language]: !isOn(enabled, language) }
  await settings.set('completions.enabled', { ...enabled, ...change })
}
