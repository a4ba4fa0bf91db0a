// Credentials: pending, slow down, expired, denied, and once only the key.
import { Hono } from 'hono'
import { noStore, oauthError } from '../apiError.ts'
import type { Env, Parts } from '../parts.ts'
import type { Registration } from '../registrations.ts'
import { claimGrant } from './wellKnown.ts'

/** A caller's timer and the wire are not exact; being a moment early is not being too fast. */
const graceMs = 50
const slowDownMs = 5000

export function token(parts: Parts): Hono<Env> {
  return new Hono<Env>().post('/oauth2/token', c => {
    const body = c.get('body')
    if (body.kind !== 'form') return oauthError('invalid_request', 'The body must be form-encoded.')
    const repeated = [...new Set(body.fields.keys())].find(name => body.fields.getAll(name).length > 1)
    // RFC 6749 3.2: parameters must not be included more than once.
    if (repeated !== undefined) return oauthError('invalid_request', `'${repeated}' was sent more than once.`)
    const grant = body.fields.get('grant_type')
    if (!grant) return oauthError('invalid_request', "'grant_type' is missing.")
    if (grant !== claimGrant) return oauthError('unsupported_grant_type', `Only ${claimGrant} is supported.`)
    const claimToken = body.fields.get('claim_token')
    if (!claimToken) return oauthError('invalid_request', "'claim_token' is missing.")
    const registration = parts.state.registrations.byClaimToken(claimToken)
    return registration ? poll(registration, parts) : oauthError('invalid_grant', 'This claim token is not known.')
  })
}

/** The table of claim states, in the order in which one outranks the other. */
function poll(registration: Registration, { state, clock }: Parts): Response {
  const now = clock.now()
  if (registration.status === 'issued') return oauthError('invalid_grant', 'The key has been handed out already.')
  if (now >= registration.expiresAt) return oauthError('expired_token', 'The registration has expired. Register again.')
  if (registration.status === 'denied') return oauthError('access_denied', registration.denial)
  // Also after the code ran out: what was approved in time stays collectable.
  if (registration.status === 'approved') return issue(registration, state)
  if (state.registrations.linkState(registration) !== 'open')
    return oauthError('expired_token', 'The code has expired. Ask for a new code at the claim endpoint.')
  const isTooFast = now - (registration.lastPolledAt ?? 0) < registration.intervalMs - graceMs
  registration.lastPolledAt = now
  if (!isTooFast) return oauthError('authorization_pending', 'The user has not confirmed yet.')
  registration.intervalMs += slowDownMs
  return oauthError('slow_down', `Wait at least ${registration.intervalMs / 1000} seconds between polls.`)
}

function issue(registration: Registration, state: Parts['state']): Response {
  if (state.keyCreationFails) {
    registration.status = 'denied'
    registration.denial = 'The key could not be created.'
    return oauthError('access_denied', registration.denial)
  }
  registration.status = 'issued'
  const key = state.issueKey(registration.email, registration.clientName ?? 'Agent')
  return Response.json({ access_token: key, token_type: 'Bearer', scope: 'inference' }, { headers: noStore })
}
