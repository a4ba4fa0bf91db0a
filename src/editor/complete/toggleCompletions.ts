// `toggleCompletions`: turns completions on or off, for all languages or for that of the active editor.
import { l10n, type QuickPickItem, window } from 'vscode'
import { isEnabledFor, switchedForAll } from '../../core/complete/completionSettings.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import { completionSettings } from './completionSettings.ts'

/** For the active editor's document; for any document where there is no active editor. */
export function areCompletionsOn(settings: EditorSettings): boolean {
  const document = window.activeTextEditor?.document
  if (!document) return isEnabledFor('*', { enabled: settings.userValue('completions.enabled') })
  const { languageId: language, uri } = document
  return isEnabledFor(language, completionSettings({ id: uri.toString(), language }))
}

/** Changes the user's value, even where a workspace adds to it. */
export async function toggleCompletions(settings: EditorSettings): Promise<void> {
  const language = window.activeTextEditor?.document.languageId
  const enabled = settings.userValue('completions.enabled', language)
  const isOffForAll = enabled['*'] === false
  const switchAll = () => settings.updateAll('completions.enabled', table => switchedForAll(table, isOffForAll))
  if (!language) return switchAll()
  const isOn = isEnabledFor(language, { enabled })
  const all: QuickPickItem = {
    label: isOffForAll ? l10n.t('Turn On for All Languages') : l10n.t('Turn Off for All Languages'),
  }
  const one: QuickPickItem = {
    label: isOn ? l10n.t('Turn Off for {language}', { language }) : l10n.t('Turn On for {language}', { language }),
  }
  const chosen = await window.showQuickPick([all, one], { title: l10n.t('Completions') })
  if (chosen === all) await switchAll()
  if (chosen === one) await settings.updateAll('completions.enabled', table => ({ ...table, [language]: !isOn }))
}
