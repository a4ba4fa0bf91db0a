// Every choice of the dialect, seen on the wire: for each value what an agent receives, by a table that must be complete.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Choice, choices, type Dialect, plainDialect } from '../localService/dialect.ts'
import { type Service, startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import {
  type Answer,
  bearer,
  chat,
  claimGrant,
  email,
  get,
  type Json,
  poll,
  postForm,
  postJson,
  question,
  register,
} from './caller.ts'
import { attemptAt, clientId, codeFor, exchange, redirectUri, signedIn, wayBack } from './codeFlow.ts'

interface Row<Name extends Choice> {
  /** What the service answers when the choice is made, with its addresses as `{auth}` and `{api}`. */
  readonly look: (service: Service) => Promise<unknown>
  readonly expected: Readonly<Record<Dialect[Name], unknown>>
}

const serverDocument = '/.well-known/oauth-authorization-server'
const resourceDocument = '/.well-known/oauth-protected-resource'

const plainly = (value: unknown, { authUrl, baseUrl }: Service): Json =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value).replaceAll(authUrl, '{auth}').replaceAll(baseUrl, '{api}'))

const document = async (service: Service, path: string): Promise<Json> =>
  plainly((await get(service.baseUrl + path)).json, service)

const agentBlock = async (service: Service): Promise<Json> => (await document(service, serverDocument)).agent_auth

/** An object without some of its fields. */
const without = (object: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const outcome = ({ status, json }: Answer): string => {
  const error = json?.error?.code ?? json?.error ?? json?.message
  return error === undefined ? String(status) : `${status} ${error}`
}

const ask = (service: Service, fields: Readonly<Record<string, unknown>> = {}) =>
  postJson(`${service.baseUrl}/agent/identity`, { type: 'service_auth', login_hint: email, ...fields })

const askNewCode = (service: Service, body: unknown) => postJson(`${service.baseUrl}/agent/identity/claim`, body)

const approve = (service: Service, registration: Json) =>
  postJson(`${service.controlUrl}/approve`, {
    registration_id: registration.registration_id,
    user_code: service.state.registrations.all.at(-1)?.attempt.code,
  })

const approved = async (service: Service): Promise<Json> => {
  const registration = await register(service)
  assert.equal((await approve(service, registration)).status, 200)
  return registration
}

const revoke = (service: Service, fields: Readonly<Record<string, string>>) =>
  postForm(`${service.baseUrl}/oauth2/revoke`, fields)

const keyStatus = async (service: Service, key: string) =>
  (await get(`${service.baseUrl}/v1/models`, bearer(key))).status

const registerClient = (service: Service, redirect_uris: readonly string[] = ['http://127.0.0.1:7/back']) =>
  postJson(`${service.baseUrl}/oauth2/register`, { client_name: 'Stranger', redirect_uris })

/** Texts that differ each time as what they are. */
const shapeOf = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
  if (typeof value !== 'string') return value
  return value
    .replace(/\b(reg|clm|cla|att)_[\w-]+/, '$1')
    .replace(/^\d{8}$/, 'code')
    .replace(/user_code=\d{8}/, 'user_code=code')
    .replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'time')
}

const registrationShape = async (service: Service): Promise<Json> => shapeOf(plainly(await register(service), service))

const newCodeAnswer = async (service: Service): Promise<unknown> => {
  const { claim_token } = await register(service)
  const { status, json } = await askNewCode(service, { claim_token, email })
  return status === 200 ? shapeOf(plainly(json, service)) : outcome({ status, json, headers: new Headers() })
}

const link = '{auth}/claim?claim_attempt_token=cla'
const usualCode = { user_code: 'code', expires_in: 600, verification_uri: link, interval: 5 }
const claimEndpoint = '{auth}/agent/identity/claim'
const identityEndpoint = '{auth}/agent/identity'

const rows: { readonly [Name in Choice]: Row<Name> } = {
  identityEndpointName: {
    look: async service => without(await agentBlock(service), 'claim_endpoint', 'identity_types_supported'),
    expected: {
      identity_endpoint: { identity_endpoint: identityEndpoint },
      register_uri: { register_uri: identityEndpoint },
      registration_endpoint: { registration_endpoint: identityEndpoint },
      'identity_endpoint-and-register_uri': { identity_endpoint: identityEndpoint, register_uri: identityEndpoint },
      null: { register_uri: null },
      manual: { register_uri: '{auth}/signup', registration_type: 'manual' },
    },
  },
  claimEndpointName: {
    look: async service => without(await agentBlock(service), 'identity_endpoint', 'identity_types_supported'),
    expected: {
      claim_endpoint: { claim_endpoint: claimEndpoint },
      claim_uri: { claim_uri: claimEndpoint },
      'anonymous.claim_uri': { anonymous: { claim_uri: claimEndpoint } },
      'service_auth.claim_uri': { service_auth: { claim_uri: claimEndpoint } },
      absent: {},
    },
  },
  agentAuthPlace: {
    look: async service => ({
      resource: (await document(service, resourceDocument)).agent_auth?.identity_endpoint,
      server: (await document(service, serverDocument)).agent_auth?.identity_endpoint,
    }),
    expected: {
      'authorization-server': { resource: undefined, server: identityEndpoint },
      'protected-resource': { resource: identityEndpoint, server: undefined },
      nowhere: { resource: undefined, server: undefined },
    },
  },
  identityTypes: {
    look: async service => without(await agentBlock(service), 'identity_endpoint', 'claim_endpoint'),
    expected: {
      service_auth: { identity_types_supported: ['service_auth'] },
      'without-service_auth': { identity_types_supported: ['anonymous', 'identity_assertion'] },
      none: { identity_types_supported: ['none'] },
      absent: {},
      methods_supported: { methods_supported: ['service_auth'] },
      methods: { methods: [{ type: 'service_auth' }] },
    },
  },
  agentAuthExtras: {
    look: async service => {
      const { revocation_uri, anonymous, skill } = await agentBlock(service)
      return { revocation_uri, anonymous, skill: skill?.startsWith('{auth}/.well-known/agent-skills/') }
    },
    expected: {
      none: { revocation_uri: undefined, anonymous: undefined, skill: undefined },
      all: {
        revocation_uri: '{auth}/agent/identity/logout',
        anonymous: { credential_types_supported: ['api_key'], revocation_uri: '{auth}/agent/identity/logout' },
        skill: true,
      },
    },
  },
  issuer: {
    look: async service => {
      const named = (await document(service, resourceDocument)).authorization_servers[0]
      const path = named.replace('{auth}', '').replace(/\/$/, '')
      const atPath = await get(service.baseUrl + serverDocument + path)
      const atRoot = await get(service.baseUrl + serverDocument)
      return { named, issuer: plainly(atPath.json, service).issuer, root: atRoot.status }
    },
    expected: {
      plain: { named: '{auth}', issuer: '{auth}', root: 200 },
      path: { named: '{auth}/tenant', issuer: '{auth}/tenant', root: 404 },
      'slash-in-server': { named: '{auth}', issuer: '{auth}/', root: 200 },
      'slash-in-resource': { named: '{auth}/', issuer: '{auth}', root: 200 },
      foreign: { named: '{auth}', issuer: 'https://issuer.example', root: 200 },
    },
  },
  resourceFields: {
    look: async service => {
      const { resource, authorization_servers } = await document(service, serverDocument)
      return { resource, authorization_servers }
    },
    expected: {
      apart: { resource: undefined, authorization_servers: undefined },
      repeated: { resource: '{api}', authorization_servers: ['{auth}'] },
    },
  },
  metadataBytes: {
    look: async service => {
      const looks = [serverDocument, resourceDocument].map(async path => {
        const answer = await fetch(service.baseUrl + path)
        const bytes = Buffer.from(await answer.arrayBuffer())
        return `${answer.headers.get('content-type')} ${bytes.subarray(0, 4).toString('hex')}`
      })
      const [server, resource] = await Promise.all(looks)
      assert.equal(server?.split(' ')[0], resource?.split(' ')[0])
      return server
    },
    expected: {
      json: 'application/json 7b226973',
      'byte-order-mark': 'application/json efbbbf7b',
      'text/plain': 'text/plain 7b226973',
      'text/html': 'text/html 7b226973',
    },
  },
  metadataDocuments: {
    look: async service =>
      Promise.all([serverDocument, resourceDocument].map(async path => (await get(service.baseUrl + path)).status)),
    expected: { both: [200, 200], 'no-authorization-server': [404, 200], 'no-protected-resource': [200, 404] },
  },
  claimGrant: {
    look: async service => {
      const { grant_types_supported } = await document(service, serverDocument)
      const { claim_token } = await register(service)
      const grants = [
        claimGrant,
        'urn:workos:agent-auth:grant-type:claim',
        'urn:agent-artifacts:params:oauth:grant-type:claim_token',
      ]
      const answers = grants.map(grant_type =>
        postForm(`${service.baseUrl}/oauth2/token`, { grant_type, claim_token }).then(({ json }) => json.error),
      )
      const taken = (await Promise.all(answers)).map(error => error === 'authorization_pending')
      return { named: grant_types_supported?.[1], taken: grants.filter((_, index) => taken[index]) }
    },
    expected: {
      kourier: { named: claimGrant, taken: [claimGrant] },
      workos: {
        named: 'urn:workos:agent-auth:grant-type:claim',
        taken: ['urn:workos:agent-auth:grant-type:claim'],
      },
      'agent-artifacts': {
        named: 'urn:agent-artifacts:params:oauth:grant-type:claim_token',
        taken: ['urn:agent-artifacts:params:oauth:grant-type:claim_token'],
      },
      unlisted: { named: undefined, taken: ['urn:workos:agent-auth:grant-type:claim'] },
    },
  },

  serviceAuth: {
    look: async service => outcome(await ask(service)),
    expected: {
      enabled: '200',
      'refused-with-400': '400 service_auth_not_enabled',
      'refused-with-403': '403 service_auth_not_enabled',
    },
  },
  registrationFields: {
    look: async service => [
      outcome(await ask(service, { client_name: 'Test' })),
      outcome(await ask(service, { scopes: ['inference'] })),
      outcome(await ask(service, { scopes: ['inference'], more: 1 })),
    ],
    expected: { lenient: ['200', '200', '200'], strict: ['400 invalid_request', '200', '400 invalid_request'] },
  },
  registrationStatus: {
    look: async service => outcome(await ask(service)),
    expected: { 200: '200', 201: '201' },
  },
  claimTokenPlace: {
    look: async service => {
      const { json } = await ask(service)
      const polled = await poll(service, json.claim_token ?? json.claim.token)
      return [shapeOf(json.claim_token), shapeOf(json.claim.token), polled.json.error]
    },
    expected: {
      claim_token: ['clm', undefined, 'authorization_pending'],
      'claim.token': [undefined, 'clm', 'authorization_pending'],
    },
  },
  registrationEnd: {
    look: async service => {
      const { claim_token_expires, claim } = await registrationShape(service)
      return [claim_token_expires, claim.expires_at]
    },
    expected: {
      claim_token_expires: ['time', undefined],
      'claim.expires_at': [undefined, 'time'],
      absent: [undefined, undefined],
    },
  },
  scopesPlace: {
    look: async service => {
      const { post_claim_scopes, scopes } = await registrationShape(service)
      return { post_claim_scopes, scopes }
    },
    expected: {
      post_claim_scopes: { post_claim_scopes: ['inference'], scopes: undefined },
      'scopes.post_claim': { post_claim_scopes: undefined, scopes: { post_claim: ['inference'] } },
    },
  },

  userCode: {
    look: async service => {
      const { user_code } = (await register(service)).claim
      const { code = '' } = service.state.registrations.all.at(-1)?.attempt ?? {}
      const forms: Record<string, unknown> = {
        'as it is': code,
        'as a number': Number(code),
        'in two groups': `${code.slice(0, 4)}-${code.slice(4)}`,
      }
      const form = Object.keys(forms).find(name => forms[name] === user_code)
      return { form, isShort: service.dialect.userCode === 'leading-zeros' && code.startsWith('00') }
    },
    expected: {
      digits: { form: 'as it is', isShort: false },
      'leading-zeros': { form: 'as it is', isShort: true },
      hyphen: { form: 'in two groups', isShort: false },
      number: { form: 'as a number', isShort: false },
      absent: { form: undefined, isShort: false },
    },
  },
  verificationLink: {
    look: async service => (await registrationShape(service)).claim,
    expected: {
      verification_uri: usualCode,
      verification_uri_complete: { ...usualCode, verification_uri_complete: `${link}&user_code=code` },
      'claim.attempt': { user_code: 'code', attempt: { verification_uri: link, expires_in: 600 }, interval: 5 },
      fragment: { ...usualCode, verification_uri: `${link}#login_hint=ada%40example.com` },
    },
  },
  codeLife: {
    look: async service =>
      without((await registrationShape(service)).claim, 'user_code', 'verification_uri', 'interval'),
    expected: {
      expires_in: { expires_in: 600 },
      text: { expires_in: '600' },
      expires_at: { expires_at: 'time' },
      absent: {},
    },
  },
  interval: {
    look: async service =>
      without((await registrationShape(service)).claim, 'user_code', 'verification_uri', 'expires_in'),
    expected: {
      number: { interval: 5 },
      absent: {},
      zero: { interval: 0 },
      negative: { interval: -5 },
      text: { interval: '5' },
      hour: { interval: 3600 },
    },
  },
  newCodeRequest: {
    look: async service => {
      const { claim_token } = await register(service)
      const bodies = [
        { email },
        { login_hint: email },
        { type: 'login_hint', login_hint: email },
        { type: 'service_auth', login_hint: email },
      ]
      const answers = []
      for (const body of bodies) answers.push((await askNewCode(service, { claim_token, ...body })).status)
      return answers
    },
    expected: {
      email: [200, 400, 400, 400],
      // Fields that it does not know do not trouble it.
      login_hint: [400, 200, 200, 200],
      'type-login_hint': [400, 400, 200, 400],
      'type-service_auth': [400, 400, 400, 200],
    },
  },
  newCodeAnswer: {
    look: newCodeAnswer,
    expected: {
      reference: {
        registration_id: 'reg',
        claim_attempt_id: 'att',
        status: 'initiated',
        expires_at: 'time',
        claim_attempt: usualCode,
      },
      'claim_attempt-only': { claim_attempt: usualCode },
      'without-code': { attempt: { verification_uri: link, expires_at: 'time' } },
      'by-mail': { status: 'pending', message: 'A code is on its way by mail.' },
      assertion: { status: 'claimed', identity_assertion: 'e30.e30.', assertion_expires: 'time' },
      registration: {
        registration_id: 'reg',
        registration_type: 'service_auth',
        claim_url: claimEndpoint,
        claim_token: 'clm',
        claim_token_expires: 'time',
        post_claim_scopes: ['inference'],
        claim: usualCode,
      },
      'not-offered': '404 not_found',
    },
  },

  errorBody: {
    look: async service => [
      (await ask(service, { type: 'other' })).json,
      Object.keys((await poll(service, 'clm_unknown')).json),
      Object.keys((await revoke(service, {})).json),
    ],
    expected: {
      error_description: [
        { error: 'unsupported_identity_type', error_description: "'type' must be 'service_auth'." },
        ['error', 'error_description'],
        ['error', 'error_description'],
      ],
      message: [
        { error: 'unsupported_identity_type', message: "'type' must be 'service_auth'." },
        ['error', 'message'],
        ['error', 'message'],
      ],
      nested: [
        { error: { code: 'unsupported_identity_type', message: "'type' must be 'service_auth'." } },
        ['error'],
        ['error'],
      ],
      'message-is-code': [{ message: 'unsupported_identity_type' }, ['message'], ['message']],
    },
  },
  pendingStatus: {
    look: async service => outcome(await poll(service, (await register(service)).claim_token)),
    expected: { 400: '400 authorization_pending', 202: '202 authorization_pending' },
  },
  slowDownStatus: {
    look: async service => {
      const { claim_token } = await register(service)
      await poll(service, claim_token)
      const answer = await poll(service, claim_token)
      return [outcome(answer), answer.headers.get('retry-after')]
    },
    expected: { 400: ['400 slow_down', null], 429: ['429 slow_down', '60'] },
  },
  deniedStatus: {
    look: async service => {
      const { claim_token, registration_id } = await register(service)
      await postJson(`${service.controlUrl}/deny`, { registration_id })
      return outcome(await poll(service, claim_token))
    },
    expected: { 400: '400 access_denied', 403: '403 access_denied' },
  },
  keyCreationError: {
    look: async service => {
      const { claim_token } = await approved(service)
      const fields = await codeFor(service)
      service.state.keyCreationFails = true
      const first = outcome(await poll(service, claim_token))
      return [first, outcome(await poll(service, claim_token)), outcome(await exchange(service, fields))]
    },
    expected: {
      access_denied: ['400 access_denied', '400 access_denied', '400 access_denied'],
      token_mint_failed: ['400 token_mint_failed', '400 token_mint_failed', '400 token_mint_failed'],
    },
  },
  expiredDescription: {
    look: async service => {
      const { claim_token } = await register(service)
      service.clock.advance(600_000)
      const code = (await poll(service, claim_token)).json
      service.clock.advance(3_000_000)
      const registration = (await poll(service, claim_token)).json
      assert.deepEqual([code.error, registration.error], ['expired_token', 'expired_token'])
      return code.error_description === registration.error_description
    },
    expected: { apart: false, same: true },
  },
  issue: {
    look: async service => {
      const { claim_token } = await approved(service)
      const first = await poll(service, claim_token)
      const second = await poll(service, claim_token)
      return [outcome(first), outcome(second), first.json.access_token === second.json.access_token]
    },
    expected: { once: ['200', '400 invalid_grant', false], repeatable: ['200', '200', false] },
  },
  tokenResource: {
    look: async service => {
      const { claim_token } = await register(service)
      const withResource = (resource: string) =>
        postForm(`${service.baseUrl}/oauth2/token`, { grant_type: claimGrant, claim_token, resource })
      const browser = await codeFor(service)
      return [
        outcome(await poll(service, claim_token)),
        outcome(await withResource(`${service.baseUrl}/v1`)),
        outcome(await withResource('https://other.example')),
        outcome(await exchange(service, browser)),
        outcome(await exchange(service, { ...browser, resource: service.baseUrl })),
      ]
    },
    expected: {
      optional: ['400 authorization_pending', '400 slow_down', '400 invalid_target', '200', '400 invalid_grant'],
      required: ['400 invalid_target', '400 authorization_pending', '400 invalid_target', '400 invalid_target', '200'],
    },
  },
  tokenAnswer: {
    look: async service => without((await poll(service, (await approved(service)).claim_token)).json, 'access_token'),
    expected: {
      plain: { token_type: 'Bearer', scope: 'inference' },
      'lower-case-type': { token_type: 'bearer', scope: 'inference' },
      'more-fields': {
        token_type: 'Bearer',
        scope: 'inference',
        credential_type: 'api_key',
        expires_in: 315_360_000,
      },
      'without-scope': { token_type: 'Bearer' },
    },
  },
  tokenCalls: {
    look: async service => {
      const { claim_token } = await register(service)
      for (let count = 0; count < 300; count += 1) await postForm(`${service.baseUrl}/oauth2/token`, {})
      const next = await poll(service, claim_token)
      const wait = Number(next.headers.get('retry-after') ?? 0)
      service.clock.advance(wait * 1000)
      const later = await poll(service, claim_token)
      return [outcome(next), wait > 3500 && wait <= 3600, later.status === 429]
    },
    expected: {
      unlimited: ['400 authorization_pending', false, false],
      '300-an-hour': ['429 rate_limited', true, false],
    },
  },

  revokeAnswer: {
    look: async service => {
      const key = service.state.issueKey(email, 'Test')
      const { baseUrl } = service
      const answer = await fetch(`${baseUrl}/oauth2/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: key }),
      })
      const text = await answer.text()
      const wait = answer.headers.get('retry-after')
      return [answer.status, text.length > 4 ? JSON.parse(text).error : text, wait, await keyStatus(service, key)]
    },
    expected: {
      empty: [200, '', null, 401],
      object: [200, '{}', null, 401],
      null: [200, 'null', null, 401],
      204: [204, '', null, 401],
      503: [503, 'temporarily_unavailable', '5', 200],
      unsupported_token_type: [400, 'unsupported_token_type', null, 200],
    },
  },
  revokeClient: {
    look: async service => {
      const key = service.state.issueKey(email, 'Test')
      const alone = outcome(await revoke(service, { token: key, token_type_hint: 'access_token' }))
      const other = outcome(await revoke(service, { token: key, client_id: 'somebody' }))
      const after = await keyStatus(service, key)
      return [alone, other, after, outcome(await revoke(service, { token: key, client_id: clientId }))]
    },
    expected: {
      anyone: ['200', '200', 401, '200'],
      client_id: ['401 invalid_client', '401 invalid_client', 200, '200'],
    },
  },

  browserSignIn: {
    look: async service => {
      const server = await document(service, serverDocument)
      const page = await new Browser().open(attemptAt(service).url())
      const fields = { code: 'unknown', code_verifier: 'v'.repeat(43) }
      return {
        named: server.authorization_endpoint,
        types: server.response_types_supported,
        grants: server.grant_types_supported.length,
        page: page.status,
        token: (await exchange(service, fields)).json.error,
      }
    },
    expected: {
      offered: { named: '{auth}/oauth2/authorize', types: ['code'], grants: 2, page: 200, token: 'invalid_grant' },
      absent: { named: undefined, types: [], grants: 1, page: 404, token: 'unsupported_grant_type' },
    },
  },
  issParameter: {
    look: async service => {
      const { authorization_response_iss_parameter_supported: isAnnounced } = await document(service, serverDocument)
      const back = wayBack(await (await signedIn(service)).press('Deny'))
      return plainly({ isAnnounced, iss: back.searchParams.get('iss') }, service)
    },
    expected: {
      sent: { isAnnounced: true, iss: '{auth}' },
      unannounced: { iss: '{auth}' },
      absent: { iss: null },
      missing: { isAnnounced: true, iss: null },
      foreign: { isAnnounced: true, iss: 'https://issuer.example' },
    },
  },
  clientRegistration: {
    look: async service => {
      const { registration_endpoint, token_endpoint_auth_methods_supported } = await document(service, serverDocument)
      const { status, json } = await registerClient(service)
      return [registration_endpoint, token_endpoint_auth_methods_supported, status, typeof json.client_secret]
    },
    expected: {
      off: [undefined, ['none'], 404, 'undefined'],
      open: ['{auth}/oauth2/register', ['none'], 201, 'undefined'],
      secret: ['{auth}/oauth2/register', ['none', 'client_secret_post'], 201, 'string'],
    },
  },
  redirectPort: {
    look: async service => {
      service.dialect.clientRegistration = 'open'
      const { client_id } = (await registerClient(service)).json
      const browser = await signedIn(service)
      const statusFor = async (redirect_uri: string) =>
        (await browser.open(attemptAt(service).url({ client_id, redirect_uri }))).status
      const known = await browser.open(attemptAt(service).url({ redirect_uri: redirectUri }))
      return [await statusFor('http://127.0.0.1:7/back'), await statusFor('http://127.0.0.1:8/back'), known.status]
    },
    expected: { any: [200, 200, 200], registered: [200, 400, 200] },
  },
  thinking: {
    look: async service => (await thoughtsByWay(service)).join(' '),
    expected: {
      never: 'no no no no',
      'unless-effort': 'yes no yes yes',
      'unless-type': 'yes yes no yes',
      'unless-template': 'yes yes yes no',
      always: 'yes yes yes yes',
    },
  },
  unknownMembers: {
    look: async service => (await thoughtsByWay(service)).join(' '),
    expected: {
      ignored: 'no no no no',
      refused:
        "no Unknown parameter: 'reasoning_effort'. Unknown parameter: 'thinking'. Unknown parameter: 'chat_template_kwargs'.",
    },
  },
  prefill: {
    look: async service =>
      await answerAfter(service, [
        { role: 'system', content: 'You complete code at the cursor' },
        { role: 'user', content: hole },
        { role: 'assistant', content: '<insert>' },
      ]),
    expected: {
      'begun-anew': '<insert>wall)</insert>',
      continued: 'wall)</insert>',
      refused: 'This model does not support assistant message prefill.',
    },
  },
  fillInTokens: {
    look: async service => {
      const content = '<|fim_prefix|>first = paint(wall)\nsecond = paint(<|fim_suffix|>\n<|fim_middle|>'
      return (await answerAfter(service, [{ role: 'user', content }])).slice(0, 11)
    },
    expected: { unknown: 'I am the **', known: 'wall)' },
  },
}

/** What the demo model answers where the caller has begun the answer, or the words of the refusal. */
async function answerAfter(service: Service, messages: readonly object[]): Promise<string> {
  const key = service.state.issueKey(email, 'Test')
  const { json } = await chat(service, key, { ...question(''), messages })
  return json.error?.message ?? json.choices[0].message.content
}

/** Whether there are thoughts, without a switch and with each; or the words of the refusal. */
async function thoughtsByWay(service: Service): Promise<string[]> {
  const key = service.state.issueKey(email, 'Test')
  const ways = [
    {},
    { reasoning_effort: 'none' },
    { thinking: { type: 'disabled' } },
    { chat_template_kwargs: { enable_thinking: false } },
  ]
  const answers = await Promise.all(ways.map(way => chat(service, key, { ...question('Hello'), ...way })))
  return answers.map(({ json }) => json.error?.message ?? (json.choices[0].message.reasoning ? 'yes' : 'no'))
}

const hole =
  '<through_cursor_line>\nfirst = paint(wall)\nsecond = paint(▮</through_cursor_line>\nAt ▮: the rest of this line only.'

const claims: Partial<Record<Choice, string>> = {
  identityEndpointName: '[discovery.older-spellings]',
  claimEndpointName: '[discovery.older-spellings]',
  newCodeAnswer: '[new-code.families]',
  errorBody: '[token.families]',
  pendingStatus: '[token.families]',
  issue: '[token.families]',
  clientRegistration: '[authorize.registration]',
}

describe('the dialect', () => {
  for (const name of Object.keys(rows) as Choice[])
    for (const value of choices[name])
      it(`${claims[name] ?? ''} ${name} ${value}`.trim(), async () => {
        await using service = await startService({ plan: 'pro', dialect: { [name]: value } })
        const { look, expected } = rows[name]
        assert.deepEqual(await look(service), (expected as Readonly<Record<string, unknown>>)[value])
      })
})

describe('choosing the dialect', () => {
  it('goes at run time, a choice at a time, and back to the plain one', async () => {
    await using service = await startService()
    const url = `${service.controlUrl}/dialect`
    const { claim_token } = await register(service)
    const changed = await postJson(url, { errorBody: 'nested', pendingStatus: '202' })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.json, { ...plainDialect(), errorBody: 'nested', pendingStatus: '202' })
    assert.equal((await poll(service, claim_token)).json.error.code, 'authorization_pending')
    service.clock.advance(5000)
    await postJson(url, { errorBody: 'message' })
    const pending = await poll(service, claim_token)
    assert.equal(`${pending.status} ${pending.json.message}`, '202 The user has not confirmed yet.')
    assert.equal((await fetch(url, { method: 'DELETE' })).status, 200)
    assert.deepEqual(service.dialect, plainDialect())
  })

  it('says which choices there are, and changes nothing, where there is no such one', async () => {
    await using service = await startService()
    const url = `${service.controlUrl}/dialect`
    const noName = await postJson(url, { issue: 'repeatable', spelling: 'old' })
    assert.equal(noName.status, 400)
    assert.match(noName.json.error, /^There is no choice 'spelling'; there are identityEndpointName, .*fillInTokens\.$/)
    const noValue = await postJson(url, { issue: 'twice' })
    assert.equal(noValue.json.error, "'issue' is one of once, repeatable, not 'twice'.")
    assert.deepEqual(service.dialect, plainDialect())
  })
})
