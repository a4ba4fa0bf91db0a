// The sign-in side of the service: both metadata documents, registration, codes, keys.
import { claimGrantOf } from '../../metadata.ts'
import type { Parts } from '../../parts.ts'
import { codeLifeMs } from '../../registrations.ts'
import { answer, body, type Described, form, header, json, oauthErrors, retryAfter } from './content.ts'
import { authorizeParameters } from './schemas.ts'

export function signInPaths(parts: Parts): Described {
  const { authUrl } = parts.addresses
  const servers = [{ url: authUrl }]
  return {
    '/.well-known/oauth-protected-resource': { get: resourceMetadata(parts) },
    '/.well-known/oauth-authorization-server': { servers, get: serverMetadata(parts) },
    '/agent/identity': { servers, post: register(parts) },
    '/agent/identity/claim': { servers, post: newCode(parts) },
    '/oauth2/authorize': { servers, get: authorize(parts) },
    '/oauth2/token': { servers, post: token(parts) },
    '/oauth2/register': { servers, post: registerClient },
    '/oauth2/revoke': { servers, post: revoke },
  }
}

/** Nobody has to be signed in for these: what is sent is the proof. */
const open = { tags: ['Sign-in'], security: [] }

const resourceMetadata = ({ addresses: { baseUrl, authUrl } }: Parts): Described => ({
  ...open,
  operationId: 'getResourceMetadata',
  summary: 'Says which server gives out keys (RFC 9728).',
  responses: {
    200: answer(
      'The metadata of the protected resource.',
      json('ResourceMetadata', {
        resource: baseUrl,
        resource_name: 'Kourier (local)',
        authorization_servers: [authUrl],
        scopes_supported: ['inference'],
        bearer_methods_supported: ['header'],
      }),
    ),
  },
})

const serverMetadata = (parts: Parts): Described => ({
  ...open,
  operationId: 'getServerMetadata',
  summary: 'Says where to register, to poll, to sign in and to revoke (RFC 8414).',
  responses: { 200: answer('The metadata of the authorization server.', json('ServerMetadata', serverExample(parts))) },
})

function serverExample(parts: Parts): Described {
  const { authUrl } = parts.addresses
  return {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth2/authorize`,
    token_endpoint: `${authUrl}/oauth2/token`,
    revocation_endpoint: `${authUrl}/oauth2/revoke`,
    grant_types_supported: ['authorization_code', claimGrantOf(parts)],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['inference'],
    agent_auth: {
      identity_endpoint: `${authUrl}/agent/identity`,
      claim_endpoint: `${authUrl}/agent/identity/claim`,
      identity_types_supported: ['service_auth'],
    },
  }
}

const claimExample = (authUrl: string): Described => ({
  user_code: '48215973',
  expires_in: codeLifeMs / 1000,
  verification_uri: `${authUrl}/claim?claim_attempt_token=cla_9mB2xQe7`,
  interval: 5,
})

const register = ({ addresses: { authUrl } }: Parts): Described => ({
  ...open,
  operationId: 'register',
  summary: 'Registers an agent for a user, who confirms with a code in a browser.',
  requestBody: body(
    json('RegistrationRequest', {
      type: 'service_auth',
      login_hint: 'ada@example.com',
      client_name: 'Kourier on ada-laptop (kxfm)',
    }),
  ),
  responses: {
    200: answer(
      'The registration. The claim token comes only here.',
      json('RegistrationResponse', {
        registration_id: 'reg_5tGv0sWd',
        registration_type: 'service_auth',
        claim_url: `${authUrl}/agent/identity/claim`,
        claim_token: 'clm_1hNk4yRz',
        claim_token_expires: '2026-01-15T11:00:00.000Z',
        post_claim_scopes: ['inference'],
        claim: claimExample(authUrl),
      }),
    ),
    400: oauthErrors('The request is not right.', {
      invalid_request: "'login_hint' must be the user's email.",
      invalid_login_hint: "'login_hint' must be the user's email.",
      unsupported_identity_type: "'type' must be 'service_auth'.",
    }),
    413: oauthErrors('The body is too large.', { invalid_request: 'A request has at most 8388608 bytes.' }),
    429: oauthErrors(
      'Too many registrations for this email.',
      { rate_limited: 'Too many registrations for this email in an hour.' },
      retryAfter,
    ),
  },
})

const newCode = ({ addresses: { authUrl } }: Parts): Described => ({
  ...open,
  operationId: 'renewCode',
  summary: 'Gives a new code while the registration lives. The old code and its link are worthless from then on.',
  requestBody: body(json('NewCodeRequest', { claim_token: 'clm_1hNk4yRz', email: 'ada@example.com' })),
  responses: {
    200: answer(
      'The new code.',
      json('NewCodeResponse', {
        registration_id: 'reg_5tGv0sWd',
        claim_attempt_id: 'att_7cUe3pLq',
        status: 'initiated',
        expires_at: '2026-01-15T10:20:00.000Z',
        claim_attempt: claimExample(authUrl),
      }),
    ),
    400: oauthErrors('The request is not right.', {
      invalid_request: 'The email is not that of the registration.',
    }),
    401: oauthErrors('The claim token is not known.', { invalid_claim_token: 'This claim token is not known.' }),
    409: oauthErrors('No code is needed any more.', { claimed_or_in_flight: 'The user has approved already.' }),
    410: oauthErrors('The registration is over.', {
      claim_expired: 'The registration has expired. Register again.',
    }),
    413: oauthErrors('The body is too large.', { invalid_request: 'A request has at most 8388608 bytes.' }),
  },
})

const authorize = ({ addresses: { authUrl } }: Parts): Described => ({
  ...open,
  operationId: 'authorize',
  summary: "The page for the user's browser: sign-in and consent, with PKCE (RFC 7636).",
  parameters: authorizeParameters(),
  responses: {
    200: answer('The page.', { 'text/html': { schema: { type: 'string' } } }),
    303: answer(
      'Back to the program, with `code` and `state`, or with `error`; and with `iss` (RFC 9207).',
      undefined,
      {
        Location: header(
          'The redirect address with the answer in its query.',
          `http://127.0.0.1:51004/callback?code=ac_2wYs8dHb&state=f3a1&iss=${encodeURIComponent(authUrl)}`,
        ),
      },
    ),
    400: answer('A page that says what is wrong, where the program or its address is not known.', {
      'text/html': { schema: { type: 'string' } },
    }),
  },
})

const token = (parts: Parts): Described => ({
  ...open,
  operationId: 'getKey',
  summary: 'Hands out a key for what a user has agreed to: by polling a claim, or for an authorization code.',
  description: 'Poll a claim no faster than its `interval`. The answer to `slow_down` is to wait 5 seconds longer.',
  requestBody: body(
    form('TokenRequest', {
      claim: { grant_type: claimGrantOf(parts), claim_token: 'clm_1hNk4yRz' },
      authorization_code: {
        grant_type: 'authorization_code',
        code: 'ac_2wYs8dHb',
        client_id: 'kourier-vscode',
        redirect_uri: 'http://127.0.0.1:51004/callback',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
    }),
  ),
  responses: {
    200: answer(
      'The key. It never expires by time.',
      json('TokenResponse', { access_token: 'sk-bf-EXAMPLE', token_type: 'Bearer', scope: 'inference' }),
    ),
    400: oauthErrors('Not yet, no more, or not right.', {
      authorization_pending: 'The user has not confirmed yet.',
      slow_down: 'Wait at least 10 seconds between polls.',
      expired_token: 'The code has expired. Ask for a new code at the claim endpoint.',
      access_denied: 'The user denied the request.',
      invalid_grant: 'The key has been handed out already.',
      invalid_request: "'claim_token' is missing.",
      unsupported_grant_type: `Only authorization_code and ${claimGrantOf(parts)} are supported.`,
    }),
    413: oauthErrors('The body is too large.', { invalid_request: 'A request has at most 8388608 bytes.' }),
  },
})

const registerClient: Described = {
  ...open,
  operationId: 'registerClient',
  summary: 'Makes a program known, so that it may use the authorize page (RFC 7591). Off unless it is switched on.',
  requestBody: body(
    json('ClientRegistrationRequest', { redirect_uris: ['http://127.0.0.1/callback'], client_name: 'My tool' }),
  ),
  responses: {
    201: answer(
      'The client.',
      json('ClientRegistrationResponse', {
        client_id: 'client_6jXo1fTa',
        client_id_issued_at: 1_768_471_200,
        client_name: 'My tool',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }),
    ),
    400: oauthErrors('The request is not right.', {
      invalid_redirect_uri: "Each address must begin with 'http://127.0.0.1' or 'http://[::1]'.",
      invalid_client_metadata: "Only the grant 'authorization_code' is for clients.",
    }),
    404: oauthErrors('It is switched off.', { not_found: 'Clients cannot register here.' }),
    413: oauthErrors('The body is too large.', { invalid_request: 'A request has at most 8388608 bytes.' }),
  },
}

const revoke: Described = {
  ...open,
  operationId: 'revokeKey',
  summary: 'Gives a key up (RFC 7009). From then on the API answers it with 401.',
  requestBody: body(form('RevokeRequest', { key: { token: 'sk-bf-EXAMPLE' } })),
  responses: {
    200: answer('The key is worth nothing now, or was not worth anything before.'),
    400: oauthErrors('The request is not right.', { invalid_request: "'token' must be sent as a form field." }),
    413: oauthErrors('The body is too large.', { invalid_request: 'A request has at most 8388608 bytes.' }),
  },
}
