// Explains that the keyring could not store a key, and offers what the user can do about it.
import { l10n, window } from 'vscode'
import type { Account } from '../../core/account/account.ts'
import { AnotherSignInError, KeyringError } from '../../core/account/credentialStore.ts'
import type { Credential } from '../../core/http/credential.ts'
import { runCommand } from '../ui/commands.ts'
import { sanitize } from '../ui/sanitize.ts'
import type { OpenDashboard } from './unrevoked.ts'

export interface KeyringTrouble {
  readonly account: Account
  readonly credential: Credential
  readonly openDashboard: OpenDashboard
}

/** The key works from memory meanwhile, also when the user closes the notification. */
export async function explainKeyring(fault: unknown, trouble: KeyringTrouble): Promise<void> {
  const again = l10n.t('Retry')
  const environment = l10n.t('Use Environment Variable')
  // The labels are short, because a notification cuts off buttons that do not fit in one row.
  const chosen = await window.showErrorMessage(keyringText(fault), again, l10n.t('Keep for This Window'), environment)
  if (chosen === environment) await explainEnvironment(trouble)
  if (chosen === again) await tryAgain(trouble)
}

function keyringText(fault: unknown): string {
  switch (fault instanceof KeyringError ? fault.why : undefined) {
    case 'failed':
      return l10n.t(
        "You are signed in, but this machine's keyring reports a failure, so the key is kept in memory and works until this window closes. Sign out before that, or revoke it on the dashboard later.",
      )
    case 'silent':
      return l10n.t(
        "You are signed in, but this machine's keyring does not answer, so the key is kept in memory and works until this window closes. Sign out before that, or revoke it on the dashboard later.",
      )
    case 'forgot':
      return l10n.t(
        "You are signed in, but this machine's keyring does not keep what it is given, so the key is kept in memory and works until this window closes. Sign out before that, or revoke it on the dashboard later.",
      )
    case undefined:
      return l10n.t(
        "You are signed in, but this machine's keyring could not be used, so the key is kept in memory and works until this window closes. Sign out before that, or revoke it on the dashboard later.",
      )
  }
}

async function tryAgain(trouble: KeyringTrouble): Promise<void> {
  const { account, credential } = trouble
  if (!account.isHeld(credential)) {
    void window.showInformationMessage(l10n.t('This key is not in use any more, so it was not stored.'))
    return
  }
  try {
    await account.accept(credential)
    void window.showInformationMessage(l10n.t("The key is in this machine's keyring now."))
  } catch (fault) {
    await (fault instanceof AnotherSignInError ? explainOther(trouble) : explainKeyring(fault, trouble))
  }
}

/** Does nothing where this window uses the other key already, because the user has been notified of that. */
async function explainOther({ account, credential }: KeyringTrouble): Promise<void> {
  if (!account.isHeld(credential)) return
  const text = l10n.t(
    'Another window has signed in meanwhile, so the key of this window was not stored and works until it closes. Sign out to revoke it, then reload this window to use the other one.',
  )
  if (await window.showWarningMessage(text, l10n.t('Sign Out'))) runCommand('kourier.signOut')
}

/** Does not show the key of the sign-in, because a separate key can be revoked without signing out. */
async function explainEnvironment({ credential, openDashboard }: KeyringTrouble): Promise<void> {
  const service = sanitize(credential.service)
  const chosen = await window.showInformationMessage(
    l10n.t('Use the environment variable KOURIER_API_KEY'),
    {
      modal: true,
      detail: l10n.t(
        'Make a key on the dashboard of {service} under API Keys, put it into the environment variable KOURIER_API_KEY, and start the editor again with it. Nothing is stored in a keyring then.\n\nUntil then the key of this sign-in works in this window. Sign out here to revoke it.',
        { service },
      ),
    },
    l10n.t('Open Dashboard'),
  )
  if (chosen) openDashboard(credential.issuer)
}
