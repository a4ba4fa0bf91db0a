// Revocation: whoever holds a key may end it (RFC 7009).
import { Hono } from 'hono'
import { noStore, oauthError } from '../apiError.ts'
import type { Env, Parts } from '../parts.ts'

export function revoke({ state, clock }: Parts): Hono<Env> {
  return new Hono<Env>().post('/oauth2/revoke', c => {
    const body = c.get('body')
    const secret = body.kind === 'form' ? body.fields.get('token') : undefined
    if (!secret) return oauthError('invalid_request', "'token' must be sent as a form field.")
    const key = state.keys.find(secret)
    if (key) state.keys.revoke(key, clock.now())
    // RFC 7009 2.2: an unknown token is no error, since what the caller wants is already so.
    return c.body(null, 200, noStore)
  })
}
