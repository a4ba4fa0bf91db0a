// Sign Out: asks whether to revoke the key, signs out, and notifies the user of what became of the key.
import { l10n, window } from 'vscode'
import type { Account, Revocation } from '../../core/account/account.ts'
import { ENVIRONMENT_NAME } from '../../core/account/environmentKey.ts'
import { runCommand } from '../ui/commands.ts'
import { inform } from '../ui/inform.ts'
import { sanitize } from '../ui/sanitize.ts'
import {
  type OpenDashboard,
  type RevocationOptions,
  showRevoking,
  warnUnrevoked,
  warnWithDashboard,
} from './unrevoked.ts'

export async function signOut(account: Account, openDashboard: OpenDashboard): Promise<void> {
  // The state is unknown until the store was read, and a user who is signed in would get "You are signed out already."
  await account.whenKnown
  const { state } = account
  if (state.is !== 'in' && state.is !== 'refused') {
    void window.showInformationMessage(l10n.t('You are signed out already.'))
    return
  }
  if (state.account.origin === 'environment') {
    const text = l10n.t(
      'Nobody is signed in here: the key comes from the environment variable {variable}. Unset it and start the editor again.',
      { variable: ENVIRONMENT_NAME },
    )
    void inform(text, l10n.t('Sign In'), () => runCommand('kourier.signIn'))
    return
  }
  const service = sanitize(state.account.service)
  const revoke = l10n.t('Sign Out and Revoke Key')
  const chosen = await window.showInformationMessage(
    l10n.t('Sign out of {service}?', { service }),
    {
      modal: true,
      detail: l10n.t(
        'If you revoke the key of this editor, it stops working everywhere. If you only sign out, it is removed here and stays valid.',
      ),
    },
    revoke,
    l10n.t('Sign Out Only'),
  )
  if (!chosen) return
  const revocation = await signOutOf(account, service, chosen === revoke)
  const isUnwanted = chosen !== revoke && revocation === 'not tried'
  await notifySignedOut(service, isUnwanted ? 'not wanted' : revocation, {
    account,
    openDashboard,
    issuer: state.account.issuer,
  })
}

/** For the editor's Accounts menu, which has asked already. */
export async function signOutAndRevoke(account: Account, openDashboard: OpenDashboard): Promise<void> {
  await account.whenKnown
  const { state } = account
  if (state.is !== 'in' && state.is !== 'refused') return
  const { issuer } = state.account
  const service = sanitize(state.account.service)
  const revocation = await signOutOf(account, service, true)
  void notifySignedOut(service, revocation, { account, openDashboard, issuer })
}

/** Signs out at once. Shows a progress notification while the service revokes the key. */
function signOutOf(account: Account, service: string, revoke: boolean): Promise<Revocation> {
  const done = account.signOut(revoke, new AbortController().signal)
  if (!revoke) return done
  return showRevoking(l10n.t('Signed out here. Asking {service} to revoke the key…', { service }), done)
}

async function notifySignedOut(
  service: string,
  revocation: Revocation | 'not wanted',
  options: RevocationOptions,
): Promise<void> {
  if (options.account.state.is === 'in')
    void window.showInformationMessage(
      l10n.t('Kourier goes on with the key of the environment variable {variable}.', { variable: ENVIRONMENT_NAME }),
    )
  switch (revocation) {
    case 'revoked':
      void window.showInformationMessage(l10n.t('Signed out of {service}; the key was revoked.', { service }))
      return
    case 'not wanted':
      void inform(
        l10n.t('Signed out of {service}. The key still works until you revoke it on the dashboard.', { service }),
        l10n.t('Open Dashboard'),
        () => options.openDashboard(options.issuer),
      )
      return
    case 'not confirmed':
      return warnUnrevoked(
        l10n.t(
          'Signed out here, but {service} did not confirm that the key was revoked. It may still work: try again, or revoke it on the dashboard under API Keys.',
          { service },
        ),
        options,
      )
    case 'not tried':
      return warnWithDashboard(
        l10n.t(
          'Signed out here. {service} names no place to revoke the key, which may still work: revoke it on the dashboard under API Keys.',
          { service },
        ),
        options,
      )
    case 'not forgotten':
      return notifyNotDeleted(service, options)
  }
}

async function notifyNotDeleted(service: string, options: RevocationOptions): Promise<void> {
  const text = l10n.t(
    "Signed out here, but this machine's keyring did not delete the key, and it may still work: revoke it on the dashboard of {service} under API Keys.",
    { service },
  )
  await (options.account.unrevoked.length > 0 ? warnUnrevoked(text, options) : warnWithDashboard(text, options))
}
