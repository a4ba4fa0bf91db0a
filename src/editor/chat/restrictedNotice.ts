// What Kourier leaves out in a restricted window, in one sentence for the chat.
import { workspace } from 'vscode'
import type { Notice } from '../../protocol/panel.ts'
import { notice } from '../ui/notices.ts'

/** Undefined in a window that is trusted. */
export function restrictedNotice(): Notice | undefined {
  if (workspace.isTrusted) return undefined
  return notice(
    'In Restricted Mode Kourier reads nothing of this workspace: the chat knows only what you write, and completions are off.',
    'manage-trust',
  )
}
