// Open Dashboard: opens the service's own page about plan and keys.
import { env, l10n, Uri } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import type { Account } from '../../core/account/account.ts'
import { plainAddress } from '../../core/account/address.ts'
import { dashboardAddress } from '../../core/account/dashboard.ts'
import type { Http } from '../../core/http/http.ts'
import { runCommand } from '../ui/commands.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import { inform } from '../ui/inform.ts'

export interface DashboardOptions {
  /** The one without credential. */
  readonly http: Http
  readonly account: Account
  readonly settings: EditorSettings
  readonly clock: Clock
}

/** `issuer`: that of the key in question. Throws a fault where the service has to be asked and does not answer. */
export async function openDashboard(options: DashboardOptions, issuer?: string): Promise<void> {
  const { http, account, settings, clock } = options
  const { service } = settings
  const find =
    service &&
    (async () => {
      const { findApi } = await import('../../core/account/discovery.ts')
      return plainAddress((await findApi(http, service, clock, new AbortController().signal)).issuer)
    })
  const address = await dashboardAddress(account, find, issuer)
  if (address) await env.openExternal(Uri.parse(address, true))
  else
    void inform(l10n.t('Sign in first: Kourier does not know your service yet.'), l10n.t('Sign In'), () =>
      runCommand('kourier.signIn'),
    )
}
