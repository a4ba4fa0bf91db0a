// Revocation: the holder of a key may end it (RFC 7009).
import { Hono } from 'hono'
import { noStore } from '../apiError.ts'
import { judgeFields } from '../judge.ts'
import { oauthError } from '../oauthError.ts'
import type { Env, Parts } from '../parts.ts'
import { revokeRequest } from '../schema/revoke.ts'

export function revoke(parts: Parts): Hono<Env> {
  const { state, clock, dialect } = parts
  return new Hono<Env>().post('/oauth2/revoke', c => {
    const body = c.get('body')
    if (body.kind !== 'form') return oauthError(parts, 'invalid_request', "'token' must be sent as a form field.")
    const { value: asked, problem } = judgeFields(revokeRequest, body.fields)
    if (problem) return oauthError(parts, 'invalid_request', problem.sentence)
    if (dialect.revokeClient === 'client_id' && !state.clients.find(asked.client_id ?? ''))
      return oauthError(parts, 'invalid_client', "'client_id' must name a known client.", 401)
    if (dialect.revokeAnswer === '503')
      return oauthError(parts, 'temporarily_unavailable', 'The key still works.', 503, { 'retry-after': '5' })
    if (dialect.revokeAnswer === 'unsupported_token_type')
      return oauthError(parts, 'unsupported_token_type', 'This service does not revoke keys. Use the dashboard.')
    const key = state.keys.find(asked.token)
    if (key) state.keys.revoke(key, clock.now())
    // RFC 7009 2.2: an unknown token is no error, since what the caller wants is already so.
    return revoked(dialect.revokeAnswer)
  })
}

function revoked(answer: 'empty' | 'object' | 'null' | '204'): Response {
  if (answer === 'object') return Response.json({}, { headers: noStore })
  if (answer === 'null') return Response.json(null, { headers: noStore })
  return new Response(null, { status: answer === '204' ? 204 : 200, headers: noStore })
}
