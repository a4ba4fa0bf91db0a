// Sign Out: asks which way, and says what became of the key.
import { window } from 'vscode'
import type { Account, Revocation } from '../../core/account/account.ts'
import { ENVIRONMENT_NAME } from '../../core/account/environmentKey.ts'
import { runCommand } from '../ui/commands.ts'
import { inform } from '../ui/inform.ts'
import { sanitize } from '../ui/sanitize.ts'
import { type OpenDashboard, sayAsking, sayUnrevoked, type Ways, warn } from './unrevoked.ts'

const REVOKE = 'Sign Out and Revoke Key'
const KEEP = 'Sign Out Only'

export async function signOut(account: Account, openDashboard: OpenDashboard): Promise<void> {
  // In the first moment of a window nobody knows yet, and who is signed in would be told that he is not.
  await account.whenKnown
  const { state } = account
  if (state.is !== 'in' && state.is !== 'refused') {
    void window.showInformationMessage('You are signed out already.')
    return
  }
  if (state.account.origin === 'environment') {
    const text = `Nobody is signed in here: the key comes from the environment variable ${ENVIRONMENT_NAME}. Unset it and start the editor again.`
    void inform(text, 'Sign In', () => runCommand('kourier.signIn'))
    return
  }
  const service = sanitize(state.account.service)
  const chosen = await window.showInformationMessage(
    `Sign out of ${service}?`,
    {
      modal: true,
      detail: 'Revoking makes the key of this editor worthless everywhere. Signing out only forgets it here.',
    },
    REVOKE,
    KEEP,
  )
  if (!chosen) return
  const revocation = await signOutOf(account, service, chosen === REVOKE)
  const isUnwanted = chosen !== REVOKE && revocation === 'not tried'
  await sayGoodbye(service, isUnwanted ? 'not wanted' : revocation, {
    account,
    openDashboard,
    issuer: state.account.issuer,
  })
}

/** From the editor's Accounts menu, which has asked already. */
export async function signOutAndRevoke(account: Account, openDashboard: OpenDashboard): Promise<void> {
  await account.whenKnown
  const { state } = account
  if (state.is !== 'in' && state.is !== 'refused') return
  const { issuer } = state.account
  const service = sanitize(state.account.service)
  const revocation = await signOutOf(account, service, true)
  void sayGoodbye(service, revocation, { account, openDashboard, issuer })
}

/** Nothing is left to wait for here; a service that takes its time with the key is told of while it does. */
function signOutOf(account: Account, service: string, revoke: boolean): Promise<Revocation> {
  const done = account.signOut(revoke, new AbortController().signal)
  return revoke ? sayAsking(`Signed out here. Asking ${service} to revoke the key…`, done) : done
}

async function sayGoodbye(service: string, revocation: Revocation | 'not wanted', ways: Ways): Promise<void> {
  if (ways.account.state.is === 'in')
    void window.showInformationMessage(`Kourier goes on with the key of the environment variable ${ENVIRONMENT_NAME}.`)
  switch (revocation) {
    case 'revoked':
      void window.showInformationMessage(`Signed out of ${service}; the key was revoked.`)
      return
    case 'not wanted':
      void inform(
        `Signed out of ${service}. The key still works until you revoke it on the dashboard.`,
        'Open Dashboard',
        () => ways.openDashboard(ways.issuer),
      )
      return
    case 'not confirmed':
      return sayUnrevoked(
        `Signed out here, but ${service} did not confirm that the key was revoked. It may still work: try again, or revoke it on the dashboard under API Keys.`,
        ways,
      )
    case 'not tried':
      return warn(
        `Signed out here. ${service} names no place to revoke the key, which may still work: revoke it on the dashboard under API Keys.`,
        ways,
      )
    case 'not forgotten':
      return sayNotForgotten(service, ways)
  }
}

async function sayNotForgotten(service: string, ways: Ways): Promise<void> {
  const text = `Signed out here, but this machine’s keyring did not delete the key, and it may still work: revoke it on the dashboard of ${service} under API Keys.`
  await (ways.account.unrevoked.length > 0 ? sayUnrevoked(text, ways) : warn(text, ways))
}
