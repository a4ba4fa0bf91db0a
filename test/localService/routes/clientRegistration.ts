// A program makes itself known, so that it may send its user to the authorize page (RFC 7591). Off unless switched on.
import { Hono } from 'hono'
import { noStore } from '../apiError.ts'
import { judge } from '../judge.ts'
import { oauthError } from '../oauthError.ts'
import type { Env, Parts } from '../parts.ts'
import { isLoopbackRedirect } from '../redirectUri.ts'
import { clientRegistrationRequest } from '../schema/clientRegistration.ts'

export function clientRegistration(parts: Parts): Hono<Env> {
  const { state, clock, dialect } = parts
  return new Hono<Env>().post('/oauth2/register', c => {
    if (dialect.clientRegistration === 'off')
      return oauthError(parts, 'not_found', 'Clients cannot register here.', 404)
    const body = c.get('body')
    const { value: asked, problem } = judge(clientRegistrationRequest, body.kind === 'json' ? body.value : undefined)
    if (problem) {
      const error = problem.field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
      return oauthError(parts, error, problem.sentence)
    }
    const disallowed = asked.redirect_uris.find(uri => !isLoopbackRedirect(uri))
    if (disallowed !== undefined)
      return oauthError(
        parts,
        'invalid_redirect_uri',
        "Each address must begin with 'http://127.0.0.1' or 'http://[::1]'.",
      )
    if (asked.grant_types?.includes('authorization_code') === false || asked.response_types?.includes('code') === false)
      return oauthError(parts, 'invalid_client_metadata', "Only the grant 'authorization_code' is for clients.")
    const hasSecret = dialect.clientRegistration === 'secret'
    const { client, secret } = state.clients.register(asked.client_name?.trim(), asked.redirect_uris, hasSecret)
    const answer = {
      client_id: client.id,
      client_id_issued_at: Math.floor(clock.now() / 1000),
      // RFC 7591 3.2.1: required with a secret; 0 means that it does not expire.
      ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      ...(asked.client_name === undefined ? {} : { client_name: client.name }),
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: hasSecret ? 'client_secret_post' : 'none',
    }
    return c.json(answer, 201, noStore)
  })
}
