// `showProposed`: shows a change that was not made yet as a diff against the file.
import { commands, l10n, Uri, window, workspace } from 'vscode'
import type { PendingCall } from '../../core/tools/approvals.ts'
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments.ts'

/** The name of the right side is that of the file, so that its language is the same. */
export async function showProposed(call: PendingCall | undefined, documents: ReadOnlyDocuments): Promise<void> {
  const { proposed } = call?.prepared ?? {}
  if (!proposed) return void window.showInformationMessage(l10n.t('The proposed change is not open any more.'))
  const file = Uri.parse(proposed.uri, true)
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  const { text, before } = proposed
  // As a notebook the editor would show other cells than the model changes.
  const shown = before === undefined ? name : `${name}.txt`
  const right = documents.keep(shown, text)
  const left = before === undefined && (await exists(file)) ? file : documents.keep(`before/${shown}`, before ?? '')
  await commands.executeCommand('vscode.diff', left, right, l10n.t('{name}: proposed change', { name }), {
    preview: true,
  })
}

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri)
    return true
  } catch {
    return false
  }
}
