// Both metadata documents, and what every call without a good key is told.
import { Hono } from 'hono'
import type { Env, Parts } from '../parts.ts'

export const claimGrant = 'urn:kourier:agent-auth:grant-type:claim'

export function wellKnown({ addresses: { baseUrl, authUrl } }: Parts): Hono<Env> {
  return new Hono<Env>()
    .get('/.well-known/oauth-protected-resource', c =>
      c.json({
        resource: baseUrl,
        resource_name: 'Kourier (local)',
        authorization_servers: [authUrl],
        scopes_supported: ['inference'],
        bearer_methods_supported: ['header'],
      }),
    )
    .get('/.well-known/oauth-authorization-server', c =>
      c.json({
        issuer: authUrl,
        token_endpoint: `${authUrl}/oauth2/token`,
        revocation_endpoint: `${authUrl}/oauth2/revoke`,
        grant_types_supported: [claimGrant],
        // Required by RFC 8414; empty, since there is no way in through the browser yet.
        response_types_supported: [],
        token_endpoint_auth_methods_supported: ['none'],
        scopes_supported: ['inference'],
        agent_auth: {
          identity_endpoint: `${authUrl}/agent/identity`,
          claim_endpoint: `${authUrl}/agent/identity/claim`,
          identity_types_supported: ['service_auth'],
        },
      }),
    )
}
