// Open Dashboard: the service's own page about plan and keys.
import { env, Uri, window } from 'vscode'
import type { Account } from '../../core/auth/account.ts'
import type { EditorSettings } from '../settings.ts'

/** On the host of the authorization server where one is known, else on the service's. */
export async function openDashboard(account: Account, settings: EditorSettings): Promise<void> {
  const { state } = account
  const issuer = state.is === 'in' || state.is === 'refused' ? state.account.issuer : undefined
  const base = issuer ?? settings.service?.origin
  if (base) await env.openExternal(Uri.parse(`${base}/dashboard`, true))
  else void window.showInformationMessage('Sign in first: Kourier does not know your service yet.')
}
