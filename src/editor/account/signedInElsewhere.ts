// Before a sign-in: another window may hold a key that this one cannot see yet.
import { window } from 'vscode'
import type { AccountState } from '../../core/account/account.ts'
import { runCommand } from '../ui/commands.ts'

const RELOAD = 'Reload Window'
const HERE = 'Sign In Here'

/**
 * Signing in here as well makes a second key, and may be just what somebody with another browser wants. In the same
 * browser this window's next write takes the place of what the other one stored, so nothing is written before the answer.
 */
/** `place`: the API origin that the other window has signed in for. */
export async function wantsSignInHere(state: AccountState, place: string, service: string): Promise<boolean> {
  const isSame = state.is === 'out' && state.why === 'elsewhere'
  const chosen = await window.showInformationMessage(
    isSame
      ? `You signed in to ${service} in another window. Reload this window to use it here.`
      : `You signed in at ${new URL(place).host} in another window, which this one cannot see yet. Reload it first.`,
    {
      modal: true,
      detail:
        'Signing in here as well makes a second key. In the same browser it takes the place of the first, which works on until its window is reloaded: revoke it on the dashboard then.',
    },
    RELOAD,
    HERE,
  )
  if (chosen === RELOAD) runCommand('workbench.action.reloadWindow')
  return chosen === HERE
}
