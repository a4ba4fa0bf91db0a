// A claim token for a key: pending, slow down, expired, denied, and once only the key.
import { judgeFields } from './judge.ts'
import { grantKey, keyNotCreated, refuseKey } from './keyGrant.ts'
import { oauthError } from './oauthError.ts'
import type { Parts } from './parts.ts'
import type { Registration } from './registrations.ts'
import { resourceProblem } from './resource.ts'
import { claimGrantRequest } from './schema/token.ts'

/** A caller's timer and the wire are not exact; being a moment early is not being too fast. */
const graceMs = 50
const slowDownMs = 5000

export function pollClaim(fields: URLSearchParams, parts: Parts): Response {
  const { value: asked, problem } = judgeFields(claimGrantRequest, fields)
  if (problem) return oauthError(parts, 'invalid_request', problem.sentence)
  const target = resourceProblem(asked.resource, parts)
  if (target !== undefined) return oauthError(parts, 'invalid_target', target)
  const registration = parts.state.registrations.byClaimToken(asked.claim_token)
  return registration ? poll(registration, parts) : oauthError(parts, 'invalid_grant', 'This claim token is not known.')
}

/** The table of claim states, in the order in which one outranks the other. */
function poll(registration: Registration, parts: Parts): Response {
  const { state, clock, dialect } = parts
  const now = clock.now()
  const { status } = registration
  if (status === 'issued' && dialect.issue === 'once')
    return oauthError(parts, 'invalid_grant', 'The key has been handed out already.')
  if (now >= registration.expiresAt) return expired('The registration has expired. Register again.', parts)
  if (status === 'denied') return denied(registration, parts)
  // Also after the code ran out: what was approved in time stays collectable.
  if (status === 'approved' || status === 'issued') return issue(registration, parts)
  if (state.registrations.linkState(registration) !== 'open')
    return expired('The code has expired. Ask for a new code at the claim endpoint.', parts)
  const isTooFast = now - (registration.lastPolledAt ?? 0) < registration.intervalMs - graceMs
  registration.lastPolledAt = now
  if (!isTooFast) return oauthError(parts, 'authorization_pending', 'The user has not confirmed yet.')
  registration.intervalMs += slowDownMs
  return oauthError(parts, 'slow_down', `Wait at least ${registration.intervalMs / 1000} seconds between polls.`)
}

const expired = (description: string, parts: Parts) =>
  oauthError(
    parts,
    'expired_token',
    parts.dialect.expiredDescription === 'same' ? 'Unknown or expired claim token.' : description,
  )

const denied = ({ denial }: Registration, parts: Parts) =>
  denial === keyNotCreated ? refuseKey(parts) : oauthError(parts, 'access_denied', denial)

function issue(registration: Registration, parts: Parts): Response {
  const granted = grantKey(parts, registration.email, registration.clientName ?? 'Agent', 'registration')
  if (!granted) {
    registration.status = 'denied'
    registration.denial = keyNotCreated
    return refuseKey(parts)
  }
  registration.status = 'issued'
  return granted.answer
}
