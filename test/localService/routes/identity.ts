// Registration: an agent asks for a code that the owner of an email is to type.
import { Hono } from 'hono'
import { plainEmail } from '../accounts.ts'
import { noStore } from '../apiError.ts'
import type { Body } from '../body.ts'
import { registrationAnswer } from '../claimAnswer.ts'
import { isObject, isString } from '../json.ts'
import { judge, type Problem } from '../judge.ts'
import { oauthError } from '../oauthError.ts'
import type { Env, Parts } from '../parts.ts'
import { registrationRequest, strictRegistrationRequest } from '../schema/identity.ts'

export function identity(parts: Parts): Hono<Env> {
  const { state, dialect } = parts
  return new Hono<Env>().post('/agent/identity', c => {
    const body = jsonOf(c.get('body'))
    const schema = dialect.registrationFields === 'strict' ? strictRegistrationRequest : registrationRequest
    const { value: asked, problem } = judge(schema, body)
    if (problem) return oauthError(parts, errorOf(problem, body), problem.sentence)
    if (dialect.serviceAuth !== 'enabled') {
      const status = dialect.serviceAuth === 'refused-with-403' ? 403 : 400
      return oauthError(parts, 'service_auth_not_enabled', 'This service takes no registrations by email.', status)
    }
    const email = plainEmail(asked.login_hint)
    const seconds = state.registrations.secondsToWait(email)
    if (seconds > 0) {
      const wait = { 'retry-after': String(seconds) }
      return oauthError(parts, 'rate_limited', 'Too many registrations for this email in an hour.', 429, wait)
    }
    const { registration, ...tokens } = state.registrations.open(email, asked.client_name?.trim())
    return c.json(
      registrationAnswer(registration, tokens, parts),
      dialect.registrationStatus === '201' ? 201 : 200,
      noStore,
    )
  })
}

const jsonOf = (body: Body): unknown => (body.kind === 'json' ? body.value : undefined)

/** A text that is there and not right has an error of its own; all else is not well formed. */
function errorOf({ field }: Problem, body: unknown): string {
  if (!isObject(body) || !isString(body[field])) return 'invalid_request'
  if (field === 'type') return 'unsupported_identity_type'
  return field === 'login_hint' ? 'invalid_login_hint' : 'invalid_request'
}
