// `notice`, `showNotice`, `showFault`, `runRemedy`: a sentence with one button, and what the button does.
import { l10n, type MessageItem, window } from 'vscode'
import { isAbort } from '../../base/abort.ts'
import type { Notice } from '../../protocol/panel.ts'
import type { Remedy } from '../../protocol/remedy.ts'
import { type CommandId, type EditorCommandId, runCommand } from './commands.ts'
import type { Names } from './faultSentence.ts'

/** A text with the button of the remedy. */
export function notice(text: string, remedy?: Remedy): Notice {
  return { text, ...(remedy && { action: { id: remedy, label: labelOf(remedy) } }) }
}

function labelOf(remedy: Remedy): string {
  switch (remedy) {
    case 'retry':
      return l10n.t('Retry')
    case 'sign-in':
      return l10n.t('Sign In')
    case 'sign-in-with-browser':
      return l10n.t('Sign In with the Browser')
    case 'resume-sign-in':
      return l10n.t('Sign In Again')
    case 'use-key':
      return l10n.t('Use an API Key')
    case 'select-model':
      return l10n.t('Select Model')
    case 'use-chat-completions':
      return l10n.t('Use Chat Completions')
    case 'new-chat':
      return l10n.t('New Chat')
    case 'open-dashboard':
      return l10n.t('Open Dashboard')
    case 'change-address':
      return l10n.t('Change Address')
    case 'show-log':
      return l10n.t('Show Log')
    case 'new-code':
      return l10n.t('Get a New Code')
    case 'reload-window':
      return l10n.t('Reload Window')
    case 'manage-trust':
      return l10n.t('Manage Workspace Trust')
    case 'open-settings':
      return l10n.t('Open Settings')
    case 'open-folder':
      return l10n.t('Open Folder')
  }
}

export interface ShowOptions {
  /** What the Retry button does; without it there is no Retry button. */
  readonly retry?: (() => unknown) | undefined
  /** False where the notice follows from the user's own action; it is then shown as information. */
  readonly isFault?: boolean
}

/** Shows a notice as a notification. */
export async function showNotice({ text, action }: Notice, { retry, isFault = true }: ShowOptions = {}): Promise<void> {
  const show = isFault ? window.showErrorMessage : window.showInformationMessage
  const button: MessageItem | undefined =
    action && (action.id !== 'retry' || retry) ? { title: action.label } : undefined
  const chosen = button ? await show(text, button) : await show(text)
  if (!chosen || !action) return
  if (action.id === 'retry') retry?.()
  else runRemedy(action.id)
}

export async function showFault(fault: unknown, names: Names, retry?: () => unknown): Promise<void> {
  if (isAbort(fault)) return
  const { faultNotice } = await import('./faultNotice.ts')
  await showNotice(faultNotice(fault, names), { retry })
}

/** Buttons that run a command. Retry and a new code are handled by the view that shows them. */
const commandOf: Readonly<Record<Exclude<Remedy, 'retry' | 'new-code'>, CommandId | EditorCommandId>> = {
  'sign-in': 'kourier.signIn',
  'sign-in-with-browser': 'kourier.signInWithBrowser',
  'resume-sign-in': 'kourier.signIn.resume',
  'change-address': 'kourier.signIn.changeAddress',
  'use-key': 'kourier.useApiKey',
  'select-model': 'kourier.selectModel',
  'use-chat-completions': 'kourier.useChatCompletions',
  'new-chat': 'kourier.newChat',
  'open-dashboard': 'kourier.openDashboard',
  'show-log': 'kourier.showLog',
  'reload-window': 'workbench.action.reloadWindow',
  'manage-trust': 'workbench.trust.manage',
  'open-settings': 'workbench.action.openSettingsJson',
  'open-folder': 'vscode.openFolder',
}

export function runRemedy(remedy: Remedy): void {
  if (remedy !== 'retry' && remedy !== 'new-code') runCommand(commandOf[remedy])
}
