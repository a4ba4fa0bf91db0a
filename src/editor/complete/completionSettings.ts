// `completionSettings`: the settings for completions of one document, which a workspace can only make stricter.
import { Uri, workspace } from 'vscode'
import { type CompletionSettings, tighten } from '../../core/complete/completionSettings.ts'
import { readSetting, type SettingKey, type SettingValue, settingsTable } from '../../core/settings.ts'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import { fileOf } from '../ui/workspacePath.ts'

type CompletionKey = Extract<SettingKey, `completions.${string}`>

interface Layers<K extends CompletionKey> {
  readonly user: SettingValue<K>
  /** Undefined where the workspace has no value. */
  readonly workspace: SettingValue<K> | undefined
}

/** Reads user and workspace values apart, because the editor lets a workspace override the user and it is untrusted. */
export function completionSettings({ id, language }: Pick<DocumentSnapshot, 'id' | 'language'>): CompletionSettings {
  const configuration = workspace.getConfiguration('kourier', { uri: fileOf(Uri.parse(id)), languageId: language })
  const layers = <K extends CompletionKey>(key: K): Layers<K> => {
    const found = configuration.inspect(key)
    const user = found?.globalLanguageValue ?? found?.globalValue
    const workspaceValue =
      found?.workspaceFolderLanguageValue ??
      found?.workspaceLanguageValue ??
      found?.workspaceFolderValue ??
      found?.workspaceValue
    return {
      user: user === undefined ? settingsTable[key].fallback : readSetting(key, user),
      workspace: workspaceValue === undefined ? undefined : readSetting(key, workspaceValue),
    }
  }
  const enabled = layers('completions.enabled')
  const delayMs = layers('completions.delayMs')
  const mode = layers('completions.mode')
  const exclude = layers('completions.exclude')
  return tighten(
    { enabled: enabled.user, delayMs: delayMs.user, mode: mode.user, exclude: exclude.user },
    {
      ...(enabled.workspace && { enabled: enabled.workspace }),
      ...(delayMs.workspace !== undefined && { delayMs: delayMs.workspace }),
      ...(mode.workspace && { mode: mode.workspace }),
      ...(exclude.workspace && { exclude: exclude.workspace }),
    },
  )
}
