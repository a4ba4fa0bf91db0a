// Asks before a sign-in whether to reload instead, because another window holds a key that this one cannot read yet.
import { l10n, window } from 'vscode'
import type { AccountState } from '../../core/account/account.ts'
import { runCommand } from '../ui/commands.ts'

/**
 * Signing in here as well makes a second key, which a user with another browser may want. In the same browser this
 * window's next write overwrites what the other one stored, so nothing is written before the answer. `place`: the API
 * origin that the other window has signed in for. `service` is escaped.
 */
export async function wantsSignInHere(state: AccountState, place: string, service: string): Promise<boolean> {
  const isSame = state.is === 'out' && state.why === 'elsewhere'
  const reload = l10n.t('Reload Window')
  const here = l10n.t('Sign In Here')
  const chosen = await window.showInformationMessage(
    isSame
      ? l10n.t('You signed in to {service} in another window. Reload this window to use it here.', { service })
      : l10n.t('You signed in at {host} in another window, which this one cannot see yet. Reload it first.', {
          host: new URL(place).host,
        }),
    {
      modal: true,
      detail: l10n.t(
        'Signing in here as well makes a second key. In the same browser it takes the place of the first, which works on until its window is reloaded: revoke it on the dashboard then.',
      ),
    },
    reload,
    here,
  )
  if (chosen === reload) runCommand('workbench.action.reloadWindow')
  return chosen === here
}
