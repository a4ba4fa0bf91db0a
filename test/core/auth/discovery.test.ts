// Both documents: found in their places, taken only when they belong together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discover, type Service } from '../../../src/core/auth/discovery.ts'
import { ContractError, ProblemError, TooLargeError } from '../../../src/core/http/errors.ts'
import { startService } from '../../localService/server.ts'
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
  })
})

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
  const traps = { registration_endpoint: `${auth}/clients`, agent_auth: { register_uri: null } }
  const trapped = await findIn({ [serverPlace]: { body: { ...server, ...traps } } })
  assert.equal(trapped.identityEndpoint, `${auth}/agent/identity`, 'clients are registered elsewhere than agents')
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
  ['an issuer over http', { [serverPlace]: { body: { ...server, issuer: 'http://auth.example.com' } } }, /issuer/],
  ['no issuer', { [serverPlace]: { body: { ...server, issuer: undefined } } }, /issuer/],
  [
    'tokens elsewhere',
    { [serverPlace]: { body: { ...server, token_endpoint: 'https://evil.test/token' } } },
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
  ['a login page', { [resourcePlace]: { body: '<html>', headers: { 'content-type': 'text/html' } } }, /html/],
  ['a redirect', { [serverPlace]: { status: 302, headers: { location: 'https://evil.test/x' } } }, /redirect/],
]

for (const [name, changes, place] of hostile) {
  test(`${name}: not taken`, async () => {
    const http = web({ ...usual, ...changes })
    assert.match(await refused(find(http)), place)
    const hosts = http.requests.map(({ url }) => new URL(url).host)
    assert.ok(
      hosts.every(host => ['api.example.com', 'auth.example.com'].includes(host)),
      `asked ${hosts}`,
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

test('a 401 that sends us elsewhere, or nowhere, is not followed', async () => {
  for (const url of ['https://evil.test/x', 'http://169.254.169.254/x', 'http://api.example.com/x', 'junk']) {
    const http = web({ [`${api}/v1/models`]: challenge(url) })
    assert.match(await refused(find(http)), /resource metadata/)
    assert.ok(http.requests.every(request => request.url.startsWith(api)))
  }
  assert.match(await refused(find(web({}))), /resource metadata/)
})
