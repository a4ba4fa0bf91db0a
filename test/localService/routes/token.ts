// Credentials for what a person has agreed to, by either grant.
import { Hono } from 'hono'
import { CallsPerHour } from '../callsPerHour.ts'
import { pollClaim } from '../claimGrant.ts'
import { exchangeCode } from '../codeGrant.ts'
import { claimGrantOf } from '../metadata.ts'
import { oauthError } from '../oauthError.ts'
import type { Env, Parts } from '../parts.ts'

const callsPerHour = 300

export function token(parts: Parts): Hono<Env> {
  const calls = new CallsPerHour(parts.clock)
  return new Hono<Env>().post('/oauth2/token', c => {
    const isLimited = parts.dialect.tokenCalls === '300-an-hour'
    const seconds = isLimited ? calls.secondsToWait(c.env.incoming.socket.remoteAddress ?? '', callsPerHour) : 0
    if (seconds > 0) {
      const wait = { 'retry-after': String(seconds) }
      return oauthError(parts, 'rate_limited', 'Too many calls from this address in an hour.', 429, wait)
    }
    const body = c.get('body')
    if (body.kind !== 'form') return oauthError(parts, 'invalid_request', 'The body must be form-encoded.')
    return grant(body.fields, parts)
  })
}

function grant(fields: URLSearchParams, parts: Parts): Response {
  const [type, second] = fields.getAll('grant_type')
  if (!type) return oauthError(parts, 'invalid_request', "'grant_type' is missing.")
  if (second !== undefined) return oauthError(parts, 'invalid_request', "'grant_type' was sent more than once.")
  const isOffered = parts.dialect.browserSignIn === 'offered'
  if (isOffered && type === 'authorization_code') return exchangeCode(fields, parts)
  const claimGrant = claimGrantOf(parts)
  if (type === claimGrant) return pollClaim(fields, parts)
  const supported = isOffered ? `authorization_code and ${claimGrant} are` : `${claimGrant} is`
  return oauthError(parts, 'unsupported_grant_type', `Only ${supported} supported.`)
}
