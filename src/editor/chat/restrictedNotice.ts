// `restrictedNotice`: what is not available in Restricted Mode, for the chat.
import { l10n, workspace } from 'vscode'
import type { Notice } from '../../protocol/panel.ts'
import { notice } from '../ui/notices.ts'

/** Undefined in a trusted workspace. */
export function restrictedNotice(): Notice | undefined {
  if (workspace.isTrusted) return undefined
  return notice(
    l10n.t(
      'In Restricted Mode Kourier reads nothing of this workspace: the chat knows only what you write, and completions are off.',
    ),
    'manage-trust',
  )
}
