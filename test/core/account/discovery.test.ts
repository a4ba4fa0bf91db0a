// Both documents: found in their places, taken only when they belong together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Service } from '../../../src/core/account/discovery.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { ContractError, ProblemError, TooLargeError, TransportError } from '../../../src/core/http/errors.ts'
import { startService } from '../../localService/server.ts'
import { discover } from '../../support/discover.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { faultOf, never, Wire } from '../../support/wire.ts'

const api = 'https://api.example.com'
const auth = 'https://auth.example.com'
const resourcePlace = `${api}/.well-known/oauth-protected-resource`
const serverPlace = `${auth}/.well-known/oauth-authorization-server`
const grant = 'urn:vendor:agent-auth:grant-type:claim'

const resource = { resource: api, resource_name: 'Example', authorization_servers: [auth] }
const server = {
  issuer: auth,
  token_endpoint: `${auth}/token`,
  revocation_endpoint: `${auth}/revoke`,
  grant_types_supported: ['authorization_code', grant],
  agent_auth: { identity_endpoint: `${auth}/register`, claim_endpoint: `${auth}/again` },
}

/** A web in which only these places exist. */
function web(places: Readonly<Record<string, Scripted>>): ScriptedHttp {
  return new ScriptedHttp(({ url }) => places[url] ?? { status: 404, body: 'nothing here' })
}

const usual = { [resourcePlace]: { body: resource }, [serverPlace]: { body: server } }
const find = (http: ScriptedHttp, base = api): Promise<Service> =>
  discover(http.send, new URL(base), new FakeClock(), never)
const findIn = (changes: Readonly<Record<string, Scripted>>, base = api) => find(web({ ...usual, ...changes }), base)

async function refused(promise: Promise<unknown>): Promise<string> {
  const fault = await faultOf(promise)
  assert.ok(fault instanceof ContractError, String(fault))
  return fault.message
}

test('the local service is found over the wire', async () => {
  await using local = await startService()
  using wire = new Wire()
  const service = await discover(wire.send, new URL(local.baseUrl), wire.clock, never)
  assert.deepEqual(service, {
    name: 'Kourier (local)',
    baseUrl: local.baseUrl,
    resource: local.baseUrl,
    issuer: local.authUrl,
    identityEndpoint: `${local.authUrl}/agent/identity`,
    claimEndpoint: `${local.authUrl}/agent/identity/claim`,
    tokenEndpoint: `${local.authUrl}/oauth2/token`,
    revocationEndpoint: `${local.authUrl}/oauth2/revoke`,
    claimGrantType: 'urn:kourier:agent-auth:grant-type:claim',
    isRegistrationOffered: true,
    browser: { ...service.browser, authorizationEndpoint: `${local.authUrl}/oauth2/authorize`, namesIssuer: true },
  })
})

for (const certificate of ['self-signed', 'expired', 'not yet valid', 'wrong host'] as const) {
  test(`[T18] a service whose certificate is ${certificate} hears nothing`, async () => {
    await using local = await startService({ https: { certificate } })
    using wire = new Wire()
    const fault = await faultOf(discover(wire.send, new URL(local.baseUrl), wire.clock, never))
    assert.ok(
      fault instanceof TransportError && fault.why === 'certificate' && fault.where === 'before sending',
      String(fault),
    )
    assert.deepEqual(local.log.calls, [])
  })
}

test('two documents that agree make a service, and are asked for without anything secret', async () => {
  const http = web(usual)
  const service = await find(http)
  assert.deepEqual(
    [service.identityEndpoint, service.claimEndpoint, service.tokenEndpoint, service.revocationEndpoint],
    [`${auth}/register`, `${auth}/again`, `${auth}/token`, `${auth}/revoke`],
  )
  assert.equal(service.claimGrantType, grant)
  assert.deepEqual(
    http.requests.map(({ url, headers, body }) => [url, headers, body]),
    [resourcePlace, serverPlace].map(url => [url, { accept: 'application/json' }, undefined]),
  )
})

test('a byte order mark and a wrong content type are put up with', async () => {
  const written = (body: object) => ({
    body: `\ufeff${JSON.stringify(body)}`,
    headers: { 'content-type': 'text/html' },
  })
  await findIn({ [resourcePlace]: written(resource), [serverPlace]: written(server) })
})

test('a base address with a path: behind the well-known part, then at the root', async () => {
  const base = `${api}/team/x`
  const document = { body: { ...resource, resource: base } }
  assert.equal((await findIn({ [`${resourcePlace}/team/x`]: document }, base)).baseUrl, base)
  assert.equal((await findIn({}, base)).resource, api, 'the key goes to the origin')
  const wrong = { [resourcePlace]: { body: { ...resource, resource: `${api}/te` } } }
  assert.match(await refused(findIn(wrong, `${api}/team`)), /resource/, 'a path is compared part by part')
})

test('an issuer with a path: between host and path, then behind it', async () => {
  const issuer = `${auth}/tenant`
  const documents = { body: { ...resource, authorization_servers: [issuer] } }
  const own = { body: { ...server, issuer } }
  for (const place of [`${serverPlace}/tenant`, `${issuer}/.well-known/oauth-authorization-server`]) {
    const http = web({ [resourcePlace]: documents, [place]: own })
    assert.equal((await find(http)).issuer, issuer)
  }
  const bare = await find(web({ [resourcePlace]: documents }))
  assert.equal(bare.tokenEndpoint, `${issuer}/oauth2/token`)
})

test('a slash at the end of an issuer is no difference', async () => {
  await findIn({ [serverPlace]: { body: { ...server, issuer: `${auth}/` } } })
})

test('the older names, and the paths of the description where there are none', async () => {
  const older = { register_uri: `${auth}/old`, claim_uri: `${auth}/old/claim`, revocation_uri: `${auth}/never` }
  const found = await findIn({ [serverPlace]: { body: { issuer: auth, agent_auth: older } } })
  assert.deepEqual(
    [found.identityEndpoint, found.claimEndpoint, found.tokenEndpoint, found.revocationEndpoint],
    [`${auth}/old`, `${auth}/old/claim`, `${auth}/oauth2/token`, `${auth}/oauth2/revoke`],
  )
  const traps = { registration_endpoint: `${auth}/clients`, agent_auth: {} }
  const trapped = await findIn({ [serverPlace]: { body: { ...server, ...traps } } })
  assert.equal(trapped.identityEndpoint, `${auth}/agent/identity`, 'clients are registered elsewhere than agents')
})

test('every place where services have put the address of the claim', async () => {
  const claim_uri = `${auth}/c`
  for (const agent_auth of [
    { claim_endpoint: claim_uri },
    { claim_uri },
    { service_auth: { claim_uri } },
    { anonymous: { claim_uri } },
  ]) {
    assert.equal((await findIn({ [serverPlace]: { body: { ...server, agent_auth } } })).claimEndpoint, claim_uri)
  }
})

test('the agent block may stand in the other document, and a name of its between times is known', async () => {
  const agent_auth = { registration_endpoint: `${auth}/agents` }
  const moved = await findIn({
    [resourcePlace]: { body: { ...resource, agent_auth } },
    [serverPlace]: { body: { ...server, agent_auth: undefined } },
  })
  assert.equal(moved.identityEndpoint, `${auth}/agents`)
})

test('a block that offers nothing is taken at its word', async () => {
  const nothing = [
    { register_uri: null },
    { register_uri: 'https://people.test/join', registration_type: 'manual' },
    { register_uri: `${auth}/r`, identity_types_supported: ['none'] },
  ]
  for (const agent_auth of nothing) {
    const found = await findIn({ [serverPlace]: { body: { ...server, agent_auth } } })
    assert.equal(found.isRegistrationOffered, false, JSON.stringify(agent_auth))
  }
  const unlisted = { identity_endpoint: `${auth}/r`, identity_types_supported: ['anonymous'] }
  assert.ok((await findIn({ [serverPlace]: { body: { ...server, agent_auth: unlisted } } })).isRegistrationOffered)
})

test('the browser is offered with S256 and the code grant, and not otherwise', async () => {
  const way = { authorization_endpoint: `${auth}/authorize`, code_challenge_methods_supported: ['plain', 'S256'] }
  const browser = async (change: object) =>
    (await findIn({ [serverPlace]: { body: { ...server, ...way, ...change } } })).browser
  assert.deepEqual(await browser({}), {
    authorizationEndpoint: `${auth}/authorize`,
    registrationEndpoint: undefined,
    issuer: auth,
    namesIssuer: false,
  })
  const more = { registration_endpoint: `${auth}/clients`, authorization_response_iss_parameter_supported: true }
  assert.deepEqual(await browser(more), {
    authorizationEndpoint: `${auth}/authorize`,
    registrationEndpoint: `${auth}/clients`,
    issuer: auth,
    namesIssuer: true,
  })
  for (const issuer of ['https://AUTH.example.com', `${auth}:443/`])
    assert.equal((await browser({ issuer }))?.issuer, issuer, 'as it is spelled')
  const withouts = [
    { code_challenge_methods_supported: ['plain'] },
    { code_challenge_methods_supported: undefined },
    { authorization_endpoint: null },
    { grant_types_supported: [grant] },
    { response_types_supported: ['token'] },
  ]
  for (const without of withouts) assert.equal(await browser(without), undefined, JSON.stringify(without))
  const elsewhere = { ...server, ...way, authorization_endpoint: 'https://evil.test/authorize' }
  assert.match(await refused(findIn({ [serverPlace]: { body: elsewhere } })), /oauth2\/authorize/)
})

test('[T20] of several servers the first is taken, and no other is asked, whatever is wrong with it', async () => {
  const second = 'https://spare.test'
  const list = (...authorization_servers: string[]) => ({ body: { ...resource, authorization_servers } })
  const lying = { [serverPlace]: { body: { ...server, issuer: second } } }
  const cases = {
    good: web({ ...usual, [resourcePlace]: list(auth, second) }),
    lying: web({ ...usual, ...lying, [resourcePlace]: list(auth, second) }),
    plain: web({ ...usual, [resourcePlace]: list('http://plain.test', second, auth) }),
  }
  assert.equal((await find(cases.good)).issuer, auth)
  assert.match(await refused(find(cases.lying)), /issuer/)
  assert.match(await refused(find(cases.plain)), /authorization_servers/)
  const asked = Object.values(cases).flatMap(http => http.requests.map(({ url }) => new URL(url).origin))
  assert.deepEqual([...new Set(asked)].sort(), [api, auth].sort())
})

test('[T09] http leads to http only from an address that has http itself, also on this machine and next to it', async () => {
  for (const [base, issuer, isTaken] of [
    ['https://192.168.1.5', 'http://127.0.0.1:9999', false],
    ['https://localhost:8443', 'http://localhost:9999', false],
    ['https://192.168.1.5', 'https://127.0.0.1:9999', true],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:9999', true],
  ] as const) {
    const http = web({
      [`${base}/.well-known/oauth-protected-resource`]: { body: { resource: base, authorization_servers: [issuer] } },
    })
    const found = find(http, base)
    if (isTaken) assert.equal((await found).issuer, issuer)
    else assert.match(await refused(found), /authorization_servers/)
    const isAsked = http.requests.some(({ url }) => new URL(url).origin === issuer)
    assert.equal(isAsked, isTaken, `${base} to ${issuer}`)
  }
})

test('a refusal of the documents says nothing about a key or a plan, which nobody has shown', async () => {
  for (const place of [resourcePlace, serverPlace]) {
    for (const status of [400, 402, 403]) {
      assert.match(await refused(findIn({ [place]: { status } })), /no service/, `${status} at ${place}`)
    }
    const often = await faultOf(findIn({ [place]: { status: 429, headers: { 'retry-after': '7' } } }))
    assert.ok(often instanceof SignInError && often.reason === 'too often' && often.retryAfterMs === 7_000)
    assert.ok((await faultOf(findIn({ [place]: { status: 503 } }))) instanceof ProblemError, 'what may pass')
  }
})

test('a document in the place of OpenID Connect serves as well', async () => {
  const issuer = `${auth}/tenant`
  const place = `${issuer}/.well-known/openid-configuration`
  const documents = { body: { ...resource, authorization_servers: [issuer] } }
  const found = await find(web({ [resourcePlace]: documents, [place]: { body: { ...server, issuer } } }))
  assert.equal(found.tokenEndpoint, `${auth}/token`)
})

test('a server without a document has the paths of the description', async () => {
  const found = await findIn({ [serverPlace]: { status: 404 } })
  assert.deepEqual(
    [found.identityEndpoint, found.claimEndpoint, found.tokenEndpoint, found.revocationEndpoint],
    ['/agent/identity', '/agent/identity/claim', '/oauth2/token', '/oauth2/revoke'].map(path => auth + path),
  )
})

test('the grant is known by its ending', async () => {
  const offers: readonly [unknown, string][] = [
    [['x', 'urn:acme:agent-auth:grant-type:claim'], 'urn:acme:agent-auth:grant-type:claim'],
    [['urn:a:oauth:grant-type:claim_token'], 'urn:a:oauth:grant-type:claim_token'],
    [['urn:a:oauth:grant-type:claim_token', 'urn:b:agent-auth:grant-type:claim'], 'urn:b:agent-auth:grant-type:claim'],
    [['urn:a:grant-type:claim'], 'urn:a:grant-type:claim'],
    [['authorization_code'], 'urn:workos:agent-auth:grant-type:claim'],
    ['odd', 'urn:workos:agent-auth:grant-type:claim'],
  ]
  for (const [grant_types_supported, expected] of offers) {
    const found = await findIn({ [serverPlace]: { body: { ...server, grant_types_supported } } })
    assert.equal(found.claimGrantType, expected)
  }
})

test('the name is one plain line, else the host', async () => {
  const named = (resource_name: unknown) => findIn({ [resourcePlace]: { body: { ...resource, resource_name } } })
  assert.equal((await named('Ex\u202eample\n$(rm)')).name, 'Example $(rm)')
  assert.ok((await named('x'.repeat(500))).name.length <= 60)
  for (const nameless of [undefined, '', ' ', 5]) assert.equal((await named(nameless)).name, 'api.example.com')
})

const s256 = { authorization_endpoint: `${auth}/authorize`, code_challenge_methods_supported: ['S256'] }
const hostile: readonly [string, Readonly<Record<string, Scripted>>, RegExp][] = [
  ['another resource', { [resourcePlace]: { body: { ...resource, resource: 'https://evil.test' } } }, /resource/],
  ['another port', { [resourcePlace]: { body: { ...resource, resource: `${api}:8443` } } }, /resource/],
  [
    'a resource over http',
    { [resourcePlace]: { body: { ...resource, resource: 'http://api.example.com' } } },
    /resource/,
  ],
  ['a longer resource', { [resourcePlace]: { body: { ...resource, resource: `${api}/deeper` } } }, /resource/],
  ['no server', { [resourcePlace]: { body: { ...resource, authorization_servers: [] } } }, /authorization_servers/],
  [
    'a server over http',
    { [resourcePlace]: { body: { ...resource, authorization_servers: ['http://auth.example.com'] } } },
    /authorization_servers/,
  ],
  [
    'a server of this machine',
    { [resourcePlace]: { body: { ...resource, authorization_servers: ['http://127.0.0.1:1'] } } },
    /authorization_servers/,
  ],
  [
    'a server below localhost',
    { [resourcePlace]: { body: { ...resource, authorization_servers: ['https://x.localhost'] } } },
    /authorization_servers/,
  ],
  [
    'a server in the network around',
    { [resourcePlace]: { body: { ...resource, authorization_servers: ['https://10.0.0.5', 'https://[fd00::1]'] } } },
    /authorization_servers/,
  ],
  [
    'a server with a user name',
    { [resourcePlace]: { body: { ...resource, authorization_servers: ['https://a@auth.example.com'] } } },
    /authorization_servers/,
  ],
  [
    'a server with a query',
    { [resourcePlace]: { body: { ...resource, authorization_servers: [`${auth}?x=1`] } } },
    /authorization_servers/,
  ],
  ['another issuer', { [serverPlace]: { body: { ...server, issuer: 'https://evil.test' } } }, /issuer/],
  ['another issuer on the same host', { [serverPlace]: { body: { ...server, issuer: `${auth}/other` } } }, /issuer/],
  ['an issuer over http', { [serverPlace]: { body: { ...server, issuer: 'http://auth.example.com' } } }, /issuer/],
  ['no issuer', { [serverPlace]: { body: { ...server, issuer: undefined } } }, /issuer/],
  [
    'tokens elsewhere',
    { [serverPlace]: { body: { ...server, token_endpoint: 'https://evil.test/token' } } },
    /oauth2\/token/,
  ],
  [
    'tokens on a host that only ends like the issuer',
    { [serverPlace]: { body: { ...server, token_endpoint: 'https://evil-auth.example.com/token' } } },
    /oauth2\/token/,
  ],
  [
    'tokens over http',
    { [serverPlace]: { body: { ...server, token_endpoint: 'http://auth.example.com/token' } } },
    /oauth2\/token/,
  ],
  [
    'revocation elsewhere',
    { [serverPlace]: { body: { ...server, revocation_endpoint: 'https://evil.test' } } },
    /oauth2\/revoke/,
  ],
  [
    'registration elsewhere',
    { [serverPlace]: { body: { ...server, agent_auth: { identity_endpoint: 'https://evil.test' } } } },
    /agent\/identity/,
  ],
  [
    'a user name in an endpoint',
    { [serverPlace]: { body: { ...server, token_endpoint: 'https://x@auth.example.com/t' } } },
    /oauth2\/token/,
  ],
  [
    'new codes elsewhere',
    { [serverPlace]: { body: { ...server, agent_auth: { claim_endpoint: 'https://evil.test' } } } },
    /agent\/identity\/claim/,
  ],
  [
    'the page for browsers elsewhere',
    { [serverPlace]: { body: { ...server, ...s256, authorization_endpoint: 'https://evil.test' } } },
    /oauth2\/authorize/,
  ],
  [
    'the registration of clients elsewhere',
    { [serverPlace]: { body: { ...server, ...s256, registration_endpoint: 'https://evil.test' } } },
    /registration_endpoint/,
  ],
  ['a login page', { [resourcePlace]: { body: '<html>', headers: { 'content-type': 'text/html' } } }, /html/],
  ['a redirect', { [serverPlace]: { status: 302, headers: { location: 'https://evil.test/x' } } }, /redirect/],
]

for (const [name, changes, place] of hostile) {
  test(`[T20] ${name}: not taken`, async () => {
    const http = web({ ...usual, ...changes })
    assert.match(await refused(find(http)), place)
    const hosts = http.requests.map(({ url }) => new URL(url).host)
    assert.ok(
      hosts.every(host => ['api.example.com', 'auth.example.com'].includes(host)),
      `asked ${hosts}`,
    )
    assert.ok(
      http.requests.every(({ url, method, body }) => url.startsWith('https:') && method === 'GET' && !body),
      'nothing is sent, and nothing asked for in clear',
    )
  })
}

test('a document that is too large is not held', async () => {
  const fault = await faultOf(findIn({ [resourcePlace]: { body: { ...resource, more: 'x'.repeat(70_000) } } }))
  assert.ok(fault instanceof TooLargeError)
})

test('trouble is no absence', async () => {
  for (const place of [resourcePlace, serverPlace]) {
    const fault = await faultOf(findIn({ [place]: { status: 503 } }))
    assert.ok(fault instanceof ProblemError && fault.status === 503)
  }
})

const challenge = (url: string): Scripted => ({
  status: 401,
  headers: { 'www-authenticate': `Bearer resource_metadata="${url}"` },
})

test('without a document in its place, a 401 says where it is', async () => {
  const place = `${api}/elsewhere.json`
  const hidden = {
    [serverPlace]: { body: server },
    [place]: { body: resource },
    [`${api}/v1/models`]: challenge(place),
  }
  const http = web(hidden)
  assert.equal((await find(http)).issuer, auth)
  assert.ok(http.closed > 0, 'the 401 itself is let go')
})

test('[T20] a 401 that sends us elsewhere, or nowhere, is not followed', async () => {
  for (const url of ['https://evil.test/x', 'http://169.254.169.254/x', 'http://api.example.com/x', 'junk']) {
    const http = web({ [`${api}/v1/models`]: challenge(url) })
    assert.match(await refused(find(http)), /no service/)
    assert.ok(http.requests.every(request => request.url.startsWith(api)))
  }
  assert.match(await refused(find(web({}))), /no service/)
})
