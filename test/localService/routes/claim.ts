// A new code for a registration that still lives.
import { Hono } from 'hono'
import { readEmail } from '../accounts.ts'
import { noStore, oauthError } from '../apiError.ts'
import { isObject, isString } from '../json.ts'
import type { Env, Parts } from '../parts.ts'
import { codeLifeMs } from '../registrations.ts'
import { verificationUri } from './identity.ts'

export function claim({ state, clock, addresses }: Parts): Hono<Env> {
  return new Hono<Env>().post('/agent/identity/claim', c => {
    const body = c.get('body')
    const { claim_token: claimToken, email } = body.kind === 'json' && isObject(body.value) ? body.value : {}
    if (!isString(claimToken) || !isString(email))
      return oauthError('invalid_request', "The body must be a JSON object with 'claim_token' and 'email'.")
    const registration = state.registrations.byClaimToken(claimToken)
    if (!registration) return oauthError('invalid_claim_token', 'This claim token is not known.', 401)
    if (readEmail(email) !== registration.email)
      return oauthError('invalid_request', 'The email is not that of the registration.')
    if (registration.status === 'approved' || registration.status === 'issued')
      return oauthError('claimed_or_in_flight', 'The user has approved already.', 409)
    if (registration.status === 'denied')
      return oauthError('claim_expired', 'The user has denied the request. Register again.', 410)
    if (clock.now() >= registration.expiresAt)
      return oauthError('claim_expired', 'The registration has expired. Register again.', 410)
    const attemptToken = state.registrations.renew(registration)
    const { attempt } = registration
    return c.json(
      {
        registration_id: registration.id,
        claim_attempt_id: attempt.id,
        status: 'initiated',
        expires_at: new Date(attempt.expiresAt).toISOString(),
        claim_attempt: {
          user_code: attempt.code,
          expires_in: codeLifeMs / 1000,
          verification_uri: verificationUri(addresses.authUrl, attemptToken),
          interval: registration.intervalMs / 1000,
        },
      },
      200,
      noStore,
    )
  })
}
