// Keys that were given up and whose end the service did not confirm: says so, with one more try.
import { window } from 'vscode'
import { systemClock } from '../../base/clock.ts'
import type { Account } from '../../core/account/account.ts'
import { sanitize } from '../ui/sanitize.ts'
import { showIfLong } from './showIfLong.ts'

/** A notification that is gone again at once would only flicker. */
const SOON_MS = 300
const AGAIN = 'Try Again'
const DASHBOARD = 'Open Dashboard'

export interface Ways {
  readonly account: Account
  readonly openDashboard: OpenDashboard
  /** Who made the key that it is about; else it is about the key that was given up last. */
  readonly issuer?: string | undefined
}

/** `issuer`: on whose dashboard the key is, where that is not the one in use. */
export type OpenDashboard = (issuer?: string) => void

/** Whoever closes the notification finds the same try in the menu, as long as this window lives. */
export async function sayUnrevoked(text: string, ways: Ways): Promise<void> {
  const issuer = issuerOf(ways)
  const chosen = await window.showWarningMessage(text, AGAIN, DASHBOARD)
  if (chosen === DASHBOARD) ways.openDashboard(issuer)
  if (chosen === AGAIN) await revokeAgain({ ...ways, issuer })
}

/** The keys are kept in memory for this one try. */
export async function revokeAgain(ways: Ways): Promise<void> {
  const service = unrevokedAt(ways.account)
  const issuer = issuerOf(ways)
  const done = ways.account.revokeAgain(new AbortController().signal)
  const revocation = await sayAsking(`Asking ${service} again to revoke the key…`, done)
  if (revocation === 'revoked') void window.showInformationMessage(`${service} has revoked the key.`)
  else if (revocation === 'not tried')
    await warn(
      'Kourier no longer has that key. If nothing said that it was revoked, revoke it on the dashboard under API Keys.',
      { ...ways, issuer },
    )
  else
    await warn(
      `${service} did not confirm it this time either, and Kourier no longer has the key. Revoke it on the dashboard under API Keys.`,
      { ...ways, issuer },
    )
}

/** Says so while a service is silent, which may be some fifteen seconds; one that answers at once is not told of. */
export function sayAsking<T>(title: string, done: Promise<T>): Promise<T> {
  return showIfLong({ title, done, afterMs: SOON_MS }, systemClock)
}

/** The services that can be asked once more, by name; empty where there are none. */
export function unrevokedAt({ unrevoked }: Account): string {
  return [...new Set(unrevoked.map(({ service }) => sanitize(service)))].join(' and ')
}

export async function warn(text: string, { openDashboard, issuer }: Ways): Promise<void> {
  if (await window.showWarningMessage(text, DASHBOARD)) openDashboard(issuer)
}

function issuerOf({ issuer, account }: Ways): string | undefined {
  return issuer ?? account.unrevoked.at(-1)?.issuer
}
