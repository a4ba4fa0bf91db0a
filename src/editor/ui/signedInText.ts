// `signedInText`: who is signed in to which service, and with which key.
import { l10n } from 'vscode'
import type { SignedIn } from '../../core/account/account.ts'
import { ENVIRONMENT_NAME } from '../../core/account/environmentKey.ts'
import { sanitized } from './sanitize.ts'

/** Does not name the plan, because the service shows it only on its dashboard. */
export function signedInText({
  service,
  email,
  origin,
}: Pick<SignedIn, 'service' | 'email'> & Partial<SignedIn>): string {
  const values = { ...sanitized({ service, email: email ?? '' }), variable: ENVIRONMENT_NAME }
  if (origin === 'environment')
    return email
      ? l10n.t('Signed in to {service} as {email} with the key of {variable}.', values)
      : l10n.t('Signed in to {service} with the key of {variable}.', values)
  return email ? l10n.t('Signed in to {service} as {email}.', values) : l10n.t('Signed in to {service}.', values)
}

export function revokeText(): string {
  return l10n.t('The key can use your plan until you sign out here or revoke it on the dashboard.')
}
