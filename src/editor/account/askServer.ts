// Asks the user before a sign-in server is contacted on a host that the user has not named.
import { l10n, window } from 'vscode'
import { sanitized } from '../ui/sanitize.ts'

/** Both are hosts. */
export async function askServer(api: string, server: string): Promise<boolean> {
  const values = sanitized({ api, server })
  const chosen = await window.showInformationMessage(
    l10n.t('Sign in to {api} at {server}?', values),
    {
      modal: true,
      detail: l10n.t(
        '{api} names {server}, which is another host, as the server that signs you in. Nothing has been sent to {server} yet. Continue only if you expect this host.',
        values,
      ),
    },
    l10n.t('Continue'),
  )
  return chosen !== undefined
}
