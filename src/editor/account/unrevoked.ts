// Notifications about keys whose revocation the service did not confirm, with one retry.
import { l10n, window } from 'vscode'
import { systemClock } from '../../base/clock.ts'
import type { Account } from '../../core/account/account.ts'
import { listed } from '../ui/listed.ts'
import { sanitize } from '../ui/sanitize.ts'
import { showIfLong } from './showIfLong.ts'

/** A revocation that is answered sooner shows no progress, because the notification would only flicker. */
const SHOW_AFTER_MS = 300

export interface RevocationOptions {
  readonly account: Account
  readonly openDashboard: OpenDashboard
  /** The issuer of the key in question; by default that of the last unrevoked key. */
  readonly issuer?: string | undefined
}

/** `issuer`: whose dashboard to open, where the key in question is not the one in use. */
export type OpenDashboard = (issuer?: string) => void

/** After the notification is closed, the account menu offers the same retry until the window closes. */
export async function warnUnrevoked(text: string, options: RevocationOptions): Promise<void> {
  const issuer = issuerOf(options)
  const again = l10n.t('Try Again')
  const dashboard = l10n.t('Open Dashboard')
  const chosen = await window.showWarningMessage(text, again, dashboard)
  if (chosen === dashboard) options.openDashboard(issuer)
  if (chosen === again) await revokeAgain({ ...options, issuer })
}

/** The keys are kept in memory for this one retry. */
export async function revokeAgain(options: RevocationOptions): Promise<void> {
  const service = unrevokedAt(options.account)
  const issuer = issuerOf(options)
  const done = options.account.revokeAgain(new AbortController().signal)
  const revocation = await showRevoking(l10n.t('Asking {service} again to revoke the key…', { service }), done)
  if (revocation === 'revoked')
    void window.showInformationMessage(l10n.t('{service} has revoked the key.', { service }))
  else if (revocation === 'not tried')
    await warnWithDashboard(
      l10n.t(
        'Kourier no longer has that key. If nothing said that it was revoked, revoke it on the dashboard under API Keys.',
      ),
      { ...options, issuer },
    )
  else
    await warnWithDashboard(
      l10n.t(
        '{service} did not confirm it this time either, and Kourier no longer has the key. Revoke it on the dashboard under API Keys.',
        { service },
      ),
      { ...options, issuer },
    )
}

/** Shows progress while the service does not answer, which may take fifteen seconds and more. */
export function showRevoking<T>(text: string, done: Promise<T>): Promise<T> {
  return showIfLong({ text, done, afterMs: SHOW_AFTER_MS }, systemClock)
}

/** The services that can be asked once more, by name and escaped; empty where there are none. */
export function unrevokedAt({ unrevoked }: Account): string {
  return listed(new Set(unrevoked.map(({ service }) => sanitize(service))), 'conjunction')
}

export async function warnWithDashboard(text: string, { openDashboard, issuer }: RevocationOptions): Promise<void> {
  if (await window.showWarningMessage(text, l10n.t('Open Dashboard'))) openDashboard(issuer)
}

function issuerOf({ issuer, account }: RevocationOptions): string | undefined {
  return issuer ?? account.unrevoked.at(-1)?.issuer
}
