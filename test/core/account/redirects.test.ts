// T08: whatever the service redirects, with whichever status, nothing that we send reaches the place it names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account } from '../../../src/core/account/account.ts'
import { askNewCode } from '../../../src/core/account/claim.ts'
import { MemoryCredentialStore } from '../../../src/core/account/credentialStore.ts'
import type { Service } from '../../../src/core/account/discovery.ts'
import { isKeyAccepted } from '../../../src/core/account/keyCheck.ts'
import { readRegistration, registrationRequest } from '../../../src/core/account/registration.ts'
import { askToken, poll } from '../../../src/core/account/token.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { throwUnlessOk } from '../../../src/core/http/body.ts'
import { ContractError } from '../../../src/core/http/errors.ts'
import type { Http } from '../../../src/core/http/http.ts'
import { layered, logged, retried } from '../../../src/core/http/layers.ts'
import { Log } from '../../../src/core/log/log.ts'
import { Catalog } from '../../../src/core/model/catalog.ts'
import { collect } from '../../../src/core/model/collect.ts'
import { type SurfaceId, surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../../src/core/model/surfaces.ts'
import { type Service as LocalService, startService } from '../../localService/server.ts'
import { startCanary } from '../../support/canary.ts'
import { made, madeOf } from '../../support/credential.ts'
import { discover } from '../../support/discover.ts'
import { userMessage } from '../../support/messages.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { never, Wire } from '../../support/wire.ts'

const email = 'ada@example.com'
const claimToken = 'clm_canary-claim-token'

/** One editor at one service, signed in, with both ways out: with the key and without. */
async function editor(local: LocalService, wire: Wire) {
  const log = new Log()
  const plain = layered(wire.send, logged(log, wire.clock), retried(wire.clock))
  const service = await discover(plain, new URL(local.baseUrl), wire.clock, never)
  const account = new Account(plain, new MemoryCredentialStore(), () => local.baseUrl, log)
  const key = local.state.issueKey(email, 'Kourier')
  const { name, resource, issuer, revocationEndpoint } = service
  await account.accept(made({ version: 1, key, resource, issuer, revocationEndpoint, service: name, origin: 'pasted' }))
  return { local, wire, log, plain, http: bearer(plain, account), service, account, key }
}

type Editor = Awaited<ReturnType<typeof editor>>

interface Endpoint {
  readonly path: (service: Service) => string
  /** Rejects, or reports that it did not get what it wanted. */
  readonly ask: (at: Editor) => Promise<unknown>
}

const pathOf = (url: string) => new URL(url).pathname
const discovering = ({ plain, local, wire }: Editor) => discover(plain, new URL(local.baseUrl), wire.clock, never)

function asking(surface: SurfaceId) {
  return ({ http, local, wire }: Editor) => {
    const request = { lane: 'chat' as const, model: local.model, messages: [userMessage('hi')] }
    return collect(surfaceClient(http, local.baseUrl, wire.clock, surface).stream(request, never))
  }
}

/** The key in the header that messages clients use, sent by our `Http` as it is. */
function withApiKey(path: string, method: 'GET' | 'POST') {
  return async ({ plain, local, key, wire }: Editor) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const body = method === 'POST' ? { body: JSON.stringify({ claim_token: claimToken }) } : {}
    await throwUnlessOk(await plain({ method, url: local.baseUrl + path, headers, signal: never, ...body }), wire.clock)
  }
}

const endpoints: Readonly<Record<string, Endpoint>> = {
  'resource metadata': { path: () => '/.well-known/oauth-protected-resource', ask: discovering },
  'server metadata': { path: () => '/.well-known/oauth-authorization-server', ask: discovering },
  registration: {
    path: ({ identityEndpoint }) => pathOf(identityEndpoint),
    ask: async ({ plain, service, wire }) => {
      const answer = await registrationRequest(plain, service, { login_hint: email, client_name: 'Kourier' }, never)
      return readRegistration(answer, service, wire.clock)
    },
  },
  'new code': {
    path: ({ claimEndpoint }) => pathOf(claimEndpoint),
    ask: ({ plain, service, wire }) =>
      askNewCode(plain, service, { claim_token: claimToken, email }, wire.clock, never),
  },
  'claim poll': {
    path: ({ tokenEndpoint }) => pathOf(tokenEndpoint),
    ask: ({ plain, service, wire }) => poll(plain, service, { claim_token: claimToken }, wire.clock),
  },
  'code exchange': {
    path: ({ tokenEndpoint }) => pathOf(tokenEndpoint),
    ask: ({ plain, service, wire }) => {
      const redirect_uri = 'http://127.0.0.1:1/callback'
      const form = { client_id: 'c', code: 'canary-code', code_verifier: 'canary-verifier', redirect_uri }
      return askToken(plain, service, { grant_type: 'authorization_code', ...form }, wire.clock)
    },
  },
  revocation: {
    path: ({ revocationEndpoint }) => pathOf(revocationEndpoint),
    ask: ({ account }) => account.signOut(true, never),
  },
  'key check': {
    path: () => '/v1/models',
    ask: ({ plain, service, key, wire }) => isKeyAccepted(plain, service, madeOf(key), wire.clock, never),
  },
  'model list': {
    path: () => '/v1/models',
    ask: ({ http, local, wire, log }) => new Catalog(http, () => local.baseUrl, wire.clock, log).refresh(never),
  },
  ...Object.fromEntries(
    surfaceIds.map(surface => [
      `${surface} with the key`,
      { path: () => surfaces[surface].path, ask: asking(surface) },
    ]),
  ),
  'messages with x-api-key': {
    path: () => surfaces.messages.path,
    ask: withApiKey(surfaces.messages.path, 'POST'),
  },
  'models with x-api-key': { path: () => '/v1/models', ask: withApiKey('/v1/models', 'GET') },
}

/** Where the fault reaches the caller, it names the host that was not followed. */
const throwing = /metadata|registration|key check|with/

for (const [name, { path, ask }] of Object.entries(endpoints)) {
  test(`[T08] ${name}: no redirect is followed`, async () => {
    await using local = await startService({ plan: 'pro' })
    await using canary = await startCanary()
    using wire = new Wire()
    for (const status of [301, 302, 303, 307, 308] as const) {
      const at = await editor(local, wire)
      const asked = path(at.service)
      local.faults.add({ kind: 'redirect', status, to: `${canary.origin}/steal`, on: asked, times: 'always' })
      const before = local.log.calls.length
      const outcome: unknown = await ask(at).catch((fault: unknown) => fault)
      const answers = local.log.calls.slice(before).filter(call => call.path === asked)
      assert.deepEqual(
        answers.map(call => call.status),
        [status],
        'asked once',
      )
      if (throwing.test(name)) {
        assert.ok(outcome instanceof ContractError && outcome.what === 'redirect', String(outcome))
        assert.ok(outcome.message.includes(new URL(canary.origin).host), 'the host is named')
      }
      if (name === 'revocation') assert.equal(outcome, 'not confirmed')
      if (name === 'model list') assert.deepEqual(outcome, [])
      assert.doesNotMatch(JSON.stringify(outcome), /"granted"|"code"/)
      local.faults.clear()
    }
    assert.deepEqual(canary.contacts, [])
  })
}

test('[T08] the canary hears who follows', async () => {
  await using canary = await startCanary()
  using wire = new Wire()
  const http: Http = wire.send
  await http({ method: 'GET', url: `${canary.origin}/steal`, signal: never }).catch(() => {})
  assert.deepEqual(canary.contacts, ['GET /steal HTTP/1.1'])
})
