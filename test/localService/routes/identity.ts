// Registration: an agent asks for a code that the owner of an email is to type.
import { Hono } from 'hono'
import { readEmail } from '../accounts.ts'
import { noStore, oauthError } from '../apiError.ts'
import type { Body } from '../body.ts'
import { isObject, isString } from '../json.ts'
import type { Env, Parts } from '../parts.ts'
import { codeLifeMs } from '../registrations.ts'

export function identity({ state, addresses }: Parts): Hono<Env> {
  return new Hono<Env>().post('/agent/identity', c => {
    const asked = readRequest(c.get('body'))
    if (asked instanceof Response) return asked
    const seconds = state.registrations.secondsToWait(asked.email)
    if (seconds > 0) {
      const wait = { 'retry-after': String(seconds) }
      return oauthError('rate_limited', 'Too many registrations for this email in an hour.', 429, wait)
    }
    const { registration, claimToken, attemptToken } = state.registrations.open(asked.email, asked.clientName)
    return c.json(
      {
        registration_id: registration.id,
        registration_type: 'service_auth',
        claim_url: `${addresses.authUrl}/agent/identity/claim`,
        claim_token: claimToken,
        claim_token_expires: new Date(registration.expiresAt).toISOString(),
        post_claim_scopes: ['inference'],
        claim: {
          user_code: registration.attempt.code,
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

export const verificationUri = (authUrl: string, attemptToken: string): string =>
  `${authUrl}/claim?claim_attempt_token=${attemptToken}`

function readRequest(body: Body): { email: string; clientName: string | undefined } | Response {
  if (body.kind !== 'json' || !isObject(body.value))
    return oauthError('invalid_request', 'The body must be a JSON object.')
  const { type, login_hint: loginHint, client_name: clientName } = body.value
  if (!isString(type)) return oauthError('invalid_request', "'type' must be 'service_auth'.")
  if (type !== 'service_auth')
    return oauthError('unsupported_identity_type', "Only registrations of the type 'service_auth' are supported.")
  if (!isString(loginHint)) return oauthError('invalid_request', "'login_hint' must be the user's email.")
  const email = readEmail(loginHint)
  if (email === undefined) return oauthError('invalid_login_hint', "'login_hint' is not an email address.")
  if (clientName !== undefined && !isName(clientName))
    return oauthError('invalid_request', "'client_name' must be a text of 1 to 100 characters on one line.")
  return { email, clientName: clientName?.trim() }
}

const isName = (value: unknown): value is string =>
  isString(value) && value.trim() !== '' && value.length <= 100 && !/\p{Cc}/u.test(value)
