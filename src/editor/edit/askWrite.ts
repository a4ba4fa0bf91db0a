// `askWrite`: asks the user about one write to a file where more than the file itself is at stake.
import { l10n, window } from 'vscode'
import { raceAbort } from '../../base/abort.ts'
import { sanitizeLine } from '../../base/text.ts'
import type { WriteConcern } from '../../core/tools/writeGuard.ts'
import { listed } from '../ui/listed.ts'
import { fileLabel } from './fileLabel.ts'

/** Modal; closing it means No. */
export async function askWrite(uri: string, concerns: readonly WriteConcern[], signal: AbortSignal): Promise<boolean> {
  const change = l10n.t('Change the File')
  const question = l10n.t('May Kourier change {file}?', { file: fileLabel(uri) })
  const detail = concerns.map(concernText).join('\n')
  const chosen = window.showWarningMessage(question, { modal: true, detail }, change)
  return (await raceAbort(Promise.resolve(chosen), signal)) === change
}

function concernText(concern: WriteConcern): string {
  switch (concern.is) {
    case 'outside':
      return l10n.t('It is outside of this workspace: {target}', { target: sanitizeLine(concern.target) })
    case 'protected':
      return l10n.t('It controls what runs on this machine, or what tools may do: {target}', {
        target: sanitizeLine(concern.target),
      })
    case 'link':
      return l10n.t('Its path is a link. What is changed is {target}', { target: sanitizeLine(concern.target) })
    case 'hard-link':
      return l10n.t('The file also has another name, which may be outside of this workspace.')
    case 'remote-schema':
      return l10n.t('The editor would fetch a schema from {hosts}.', {
        hosts: listed(
          concern.hosts.map(host => sanitizeLine(host)),
          'conjunction',
        ),
      })
  }
}
