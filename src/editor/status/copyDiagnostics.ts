// `copyDiagnostics`: copies versions, settings and the last faults for a report, without secrets.
import { env, l10n, UIKind, version, window, workspace } from 'vscode'
import { diagnosticsText } from '../../core/log/diagnosticsText.ts'
import { type SettingKey, settingsTable } from '../../core/settings.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'

export interface DiagnosticsFacts {
  readonly extensionVersion: string
  /** Such as `linux x64, Node 22.1.0`. */
  readonly system: string
  /** Such as `in`. */
  readonly account: string
  readonly model: string | undefined
  readonly settings: Pick<EditorSettings, 'get'>
  readonly faults: readonly string[]
  readonly redact: (text: string) => string
}

export async function copyDiagnostics(facts: DiagnosticsFacts): Promise<void> {
  const { extensionVersion, system, account, model, settings, faults, redact } = facts
  const text = diagnosticsText({
    facts: {
      Kourier: extensionVersion,
      Editor: `${env.appName} ${version}, ${env.language}, ${whereItRuns()}`,
      System: system,
      Workspace: `${workspace.isTrusted ? 'trusted' : 'restricted'}, ${workspace.workspaceFolders?.length ?? 0} folders`,
      Account: account,
      Model: model ?? 'none',
    },
    settings: changedSettings(settings),
    faults,
  })
  await env.clipboard.writeText(redact(text))
  await window.showInformationMessage(
    l10n.t('The diagnostics were copied, without keys and email addresses. Read them before you share them.'),
  )
}

/** Where the page of the editor is, and whether the extension is on another machine. */
function whereItRuns(): string {
  const page = env.uiKind === UIKind.Web ? 'browser' : 'desktop'
  return env.remoteName === undefined ? page : `${page}, remote ${env.remoteName}`
}

function changedSettings(settings: Pick<EditorSettings, 'get'>): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  // as: the keys of the table are the names of the settings
  for (const key of Object.keys(settingsTable) as SettingKey[]) {
    const value = settings.get(key)
    if (JSON.stringify(value) !== JSON.stringify(settingsTable[key].fallback)) changed[`kourier.${key}`] = value
  }
  return changed
}
