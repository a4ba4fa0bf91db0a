// Says what became of an issued key, where the user has to know it beside how the sign-in ended.
import { window } from 'vscode'
import type { Account } from '../../core/account/account.ts'
import type { KeyReport } from '../../core/account/issuedKeys.ts'
import { sanitize } from '../ui/sanitize.ts'
import { explainKeyring } from './keyringTrouble.ts'
import { type OpenDashboard, sayUnrevoked } from './unrevoked.ts'

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
        'Another window has signed in meanwhile; the pasted key was not stored.',
      )
    case 'second key not revoked': {
      const { service, issuer } = report.credential
      const text = `Another window has signed in meanwhile, and ${sanitize(service)} did not confirm that the second key was revoked. It may still work: try again, or revoke the newest key under API Keys on the dashboard.`
      return void sayUnrevoked(text, { ...options, issuer })
    }
    case 'late key not revoked': {
      const { service, issuer } = report.credential
      const text = `${sanitize(service)} had made a key for the sign-in that has ended, and did not confirm that it was revoked. It may still work: try again, or revoke the newest key under API Keys on the dashboard.`
      return void sayUnrevoked(text, { ...options, issuer })
    }
    case 'key lost':
      return warnOfDashboard(
        `The sign-in has ended, but ${sanitize(report.service)} may have made a key for it that was lost on the way. If so, revoke it on the dashboard under API Keys.`,
        options,
      )
    case 'key before lost':
      return warnOfDashboard(
        `You are signed in, but ${sanitize(report.service)} may have made a key before this one that was lost on the way. If the dashboard shows two new ones under API Keys, revoke the older.`,
        options,
      )
  }
}

function warnOfDashboard(text: string, { openDashboard }: KeyReportOptions): void {
  void window.showWarningMessage(text, 'Open Dashboard').then(chosen => chosen && openDashboard())
}
