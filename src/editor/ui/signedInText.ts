// Who is signed in, and how that ends: for whoever looks, wherever that is drawn.
import type { SignedIn } from '../../core/account/account.ts'
import { ENVIRONMENT_NAME } from '../../core/account/environmentKey.ts'
import { sanitize } from './sanitize.ts'

/** Without the plan, which the service tells on its dashboard only. */
export function signedInText({
  service,
  email,
  origin,
}: Pick<SignedIn, 'service' | 'email'> & Partial<SignedIn>): string {
  const who = email ? ` as ${sanitize(email)}` : ''
  const how = origin === 'environment' ? ` with the key of ${ENVIRONMENT_NAME}` : ''
  return `Signed in to ${sanitize(service)}${who}${how}.`
}

export const REVOKE_TEXT = 'The key can use your plan until you sign out here or revoke it on the dashboard.'
