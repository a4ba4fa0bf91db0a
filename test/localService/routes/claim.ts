// A new code for a registration that still lives.
import { Hono } from 'hono'
import { plainEmail } from '../accounts.ts'
import { noStore } from '../apiError.ts'
import type { Body } from '../body.ts'
import { newCodeAnswer } from '../claimAnswer.ts'
import { judge } from '../judge.ts'
import { oauthError } from '../oauthError.ts'
import type { Env, Parts } from '../parts.ts'
import type { Registration } from '../registrations.ts'
import { newCodeRequest, otherNewCodeRequests } from '../schema/claim.ts'

export function claim(parts: Parts): Hono<Env> {
  const { state, dialect } = parts
  return new Hono<Env>().post('/agent/identity/claim', c => {
    if (dialect.newCodeAnswer === 'not-offered')
      return oauthError(parts, 'not_found', 'There are no new codes here. Register again.', 404)
    const asked = readRequest(c.get('body'), parts)
    if (asked instanceof Response) return asked
    const registration = state.registrations.byClaimToken(asked.claimToken)
    if (!registration) return oauthError(parts, 'invalid_claim_token', 'This claim token is not known.', 401)
    if (plainEmail(asked.email) !== registration.email)
      return oauthError(parts, 'invalid_request', 'The email is not that of the registration.')
    const refusal = refusalOf(registration, parts)
    if (refusal) return refusal
    const attemptToken = state.registrations.renew(registration)
    return c.json(newCodeAnswer(registration, { claimToken: asked.claimToken, attemptToken }, parts), 200, noStore)
  })
}

function readRequest(body: Body, parts: Parts): { claimToken: string; email: string } | Response {
  const sent = body.kind === 'json' ? body.value : undefined
  const { newCodeRequest: form } = parts.dialect
  if (form === 'email') {
    const { value, problem } = judge(newCodeRequest, sent)
    if (problem) return oauthError(parts, 'invalid_request', problem.sentence)
    return { claimToken: value.claim_token, email: value.email }
  }
  const { value, problem } = judge(otherNewCodeRequests[form], sent)
  if (problem) return oauthError(parts, 'invalid_request', problem.sentence)
  return { claimToken: value.claim_token, email: value.login_hint }
}

function refusalOf({ status, expiresAt }: Registration, parts: Parts): Response | undefined {
  const isOver = parts.clock.now() >= expiresAt
  if (status === 'issued' || (status === 'approved' && !isOver))
    return oauthError(parts, 'claimed_or_in_flight', 'The user has approved already.', 409)
  if (isOver) return oauthError(parts, 'claim_expired', 'The registration has expired. Register again.', 410)
  return status === 'denied'
    ? oauthError(parts, 'claim_expired', 'The user has denied the request. Register again.', 410)
    : undefined
}
