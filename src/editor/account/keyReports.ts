// Shows a `KeyReport` as a notification: what became of an issued key, in addition to how the sign-in ended.
import { l10n, window } from 'vscode'
import type { Account } from '../../core/account/account.ts'
import type { KeyReport } from '../../core/account/issuedKeys.ts'
import { sanitized } from '../ui/sanitize.ts'
import { explainKeyring } from './keyringTrouble.ts'
import { type OpenDashboard, warnUnrevoked } from './unrevoked.ts'

export interface KeyReportOptions {
  readonly account: Account
  readonly openDashboard: OpenDashboard
}

export function showKeyReport(report: KeyReport, options: KeyReportOptions): void {
  switch (report.is) {
    case 'held in memory':
      return void explainKeyring(report.fault, { ...options, credential: report.credential })
    case 'pasted key not stored':
      return void window.showInformationMessage(
        l10n.t('Another window has signed in meanwhile; the pasted key was not stored.'),
      )
    case 'second key not revoked':
    case 'late key not revoked':
      return void warnUnrevoked(unrevokedText(report), { ...options, issuer: report.credential.issuer })
    case 'key lost':
      return warnOfDashboard(
        l10n.t(
          'The sign-in has ended, but {service} may have made a key for it that was lost on the way. If so, revoke it on the dashboard under API Keys.',
          sanitized({ service: report.service }),
        ),
        options,
      )
    case 'key before lost':
      return warnOfDashboard(
        l10n.t(
          'You are signed in, but {service} may have made a key before this one that was lost on the way. If the dashboard shows two new ones under API Keys, revoke the older.',
          sanitized({ service: report.service }),
        ),
        options,
      )
  }
}

type NotRevoked = Extract<KeyReport, { is: 'second key not revoked' | 'late key not revoked' }>

function unrevokedText({ is, credential: { service } }: NotRevoked): string {
  return is === 'second key not revoked'
    ? l10n.t(
        'Another window has signed in meanwhile, and {service} did not confirm that the second key was revoked. It may still work: try again, or revoke the newest key under API Keys on the dashboard.',
        sanitized({ service }),
      )
    : l10n.t(
        '{service} had made a key for the sign-in that has ended, and did not confirm that it was revoked. It may still work: try again, or revoke the newest key under API Keys on the dashboard.',
        sanitized({ service }),
      )
}

function warnOfDashboard(text: string, { openDashboard }: KeyReportOptions): void {
  void window.showWarningMessage(text, l10n.t('Open Dashboard')).then(chosen => chosen && openDashboard())
}
