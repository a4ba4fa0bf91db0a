// A key that the keyring could not keep: says so, and what can be done about it.
import { window } from 'vscode'
import type { Account } from '../../core/account/account.ts'
import { AnotherSignInError, KeyringError } from '../../core/account/credentialStore.ts'
import type { Credential } from '../../core/http/credential.ts'
import { runCommand } from '../ui/commands.ts'
import { keyringFault } from '../ui/notices.ts'
import { sanitize } from '../ui/sanitize.ts'
import type { OpenDashboard } from './unrevoked.ts'

const AGAIN = 'Retry'
/** A notification cuts the buttons that do not fit beside each other. */
const KEEP = 'Keep for This Window'
const ENVIRONMENT = 'Use Environment Variable'

export interface KeyringTrouble {
  readonly account: Account
  readonly credential: Credential
  readonly openDashboard: OpenDashboard
}

/** The key works meanwhile: whoever closes the question has lost nothing but its storage. */
export async function explainKeyring(fault: unknown, trouble: KeyringTrouble): Promise<void> {
  const what = fault instanceof KeyringError ? keyringFault(fault) : 'could not be used'
  const text = `You are signed in, but this machine’s keyring ${what}, so the key is kept in memory and works until this window closes. Sign out before that, or revoke it on the dashboard later.`
  const chosen = await window.showErrorMessage(text, AGAIN, KEEP, ENVIRONMENT)
  if (chosen === ENVIRONMENT) await explainEnvironment(trouble)
  if (chosen === AGAIN) await tryAgain(trouble)
}

async function tryAgain(trouble: KeyringTrouble): Promise<void> {
  const { account, credential } = trouble
  if (!account.isHeld(credential)) {
    void window.showInformationMessage('This key is not in use any more, so it was not stored.')
    return
  }
  try {
    await account.accept(credential)
    void window.showInformationMessage('The key is in this machine’s keyring now.')
  } catch (fault) {
    await (fault instanceof AnotherSignInError ? explainOther(trouble) : explainKeyring(fault, trouble))
  }
}

/** Where the windows share a keyring, the other key is in use here by now, and that has been said. */
async function explainOther({ account, credential }: KeyringTrouble): Promise<void> {
  if (!account.isHeld(credential)) return
  const text =
    'Another window has signed in meanwhile, so the key of this window was not stored and works until it closes. Sign out to revoke it, then reload this window to use the other one.'
  if (await window.showWarningMessage(text, 'Sign Out')) runCommand('kourier.signOut')
}

/** The key itself is never shown: one made for the purpose can be revoked without signing anybody out. */
async function explainEnvironment({ credential, openDashboard }: KeyringTrouble): Promise<void> {
  const service = sanitize(credential.service)
  const chosen = await window.showInformationMessage(
    'Use the environment variable KOURIER_API_KEY',
    {
      modal: true,
      detail: `Make a key on the dashboard of ${service} under API Keys, put it into the environment variable KOURIER_API_KEY, and start the editor again with it. Nothing is stored in a keyring then.\n\nUntil then the key of this sign-in works in this window. Sign out here to revoke it.`,
    },
    'Open Dashboard',
  )
  if (chosen) openDashboard(credential.issuer)
}
