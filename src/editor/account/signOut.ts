// Sign Out: asks which way, and says what became of the key.
import { window } from 'vscode'
import type { Account, Revocation } from '../../core/auth/account.ts'
import { inert } from '../notify.ts'

const REVOKE = 'Sign Out and Revoke Key'
const KEEP = 'Sign Out Only'

export async function signOut(account: Account, openDashboard: () => void): Promise<void> {
  const { state } = account
  if (state.is !== 'in' && state.is !== 'refused') {
    void window.showInformationMessage('You are signed out already.')
    return
  }
  const service = inert(state.account.service)
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
  const revocation = await account.signOut(chosen === REVOKE, new AbortController().signal)
  await sayGoodbye(service, chosen === REVOKE ? revocation : 'not wanted', openDashboard)
}

async function sayGoodbye(
  service: string,
  revocation: Revocation | 'not wanted',
  openDashboard: () => void,
): Promise<void> {
  switch (revocation) {
    case 'revoked':
      void window.showInformationMessage(`Signed out of ${service}; the key was revoked.`)
      return
    case 'not wanted':
      void window.showInformationMessage(
        `Signed out of ${service}. The key still works until you revoke it on the dashboard.`,
      )
      return
    case 'not confirmed':
    case 'not tried': {
      const text = `Signed out here, but ${service} did not confirm that the key was revoked. It may still work: revoke it on the dashboard under API Keys.`
      if (await window.showWarningMessage(text, 'Open Dashboard')) openDashboard()
    }
  }
}
