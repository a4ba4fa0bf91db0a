// Who is signed in: stored before it is told, kept to its origin, cleared before it is revoked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account, type AccountState } from '../../../src/core/auth/account.ts'
import { type CredentialStore, MemoryCredentialStore } from '../../../src/core/auth/credentialStore.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { TransportError } from '../../../src/core/http/errors.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { Credential } from '../../../src/protocol/stored.ts'
import { startService } from '../../localService/server.ts'
import { settled } from '../../support/fakeClock.ts'
import { type Script, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { faultOf, never, Wire } from '../../support/wire.ts'

const api = 'https://api.example.com'
const credential: Credential = {
  version: 1,
  key: 'sk-bf-0123456789',
  resource: api,
  issuer: 'https://auth.example.com',
  revocationEndpoint: 'https://auth.example.com/oauth2/revoke',
  service: 'Example',
  email: 'ada@example.com',
  origin: 'registration',
}
const signedIn = { service: 'Example', resource: api, issuer: 'https://auth.example.com', email: 'ada@example.com' }

interface Setup {
  readonly stored?: Credential
  readonly store?: CredentialStore
  readonly answer?: Script
}

async function setup({ stored, store = new MemoryCredentialStore(), answer = {} }: Setup = {}) {
  const place = { origin: api as string | undefined }
  if (stored) await store.save(stored)
  const http = new ScriptedHttp(answer)
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const account = new Account(http.send, store, () => place.origin, log)
  const states: AccountState['is'][] = []
  account.onDidChange(state => states.push(state.is))
  return { account, store, http, place, states, lines }
}

test('what is stored is found, without a request', async () => {
  const { account, http, states } = await setup({ stored: credential })
  assert.deepEqual(account.state, { is: 'unknown' })
  assert.equal(account.token(api), undefined)
  await account.restore()
  assert.deepEqual(account.state, { is: 'in', account: signedIn })
  assert.equal(account.token(api), credential.key)
  await account.restore()
  assert.deepEqual(states, ['in'], 'the same again is no change')
  assert.equal(http.requests.length, 0)
})

test('nothing stored, or nothing that can be read, is signed out', async () => {
  const { account } = await setup()
  await account.restore()
  assert.deepEqual(account.state, { is: 'out' })
  const locked = new MemoryCredentialStore()
  locked.load = () => Promise.reject(new Error('the keyring is locked'))
  const { account: other, lines } = await setup({ store: locked })
  await other.restore()
  assert.deepEqual(other.state, { is: 'out' })
  assert.match(lines.join(), /keyring is locked/)
})

test('a keyring that is locked for a moment signs nobody out', async () => {
  const store = new MemoryCredentialStore()
  const { account, place } = await setup({ store, stored: credential })
  await account.restore()
  store.load = () => Promise.reject(new Error('locked'))
  store.changed.fire()
  await settled()
  assert.equal(account.state.is, 'in')
  place.origin = 'https://other.test'
  await account.restore()
  assert.equal(account.state.is, 'out', 'but the key of another service is not used')
})

test('a key belongs to its origin: another address reads as signed out, back again as signed in', async () => {
  const { account, place } = await setup({ stored: credential })
  const strangers = [
    'https://evil.test',
    'http://api.example.com',
    `${api}:8443`,
    'https://auth.example.com',
    undefined,
  ]
  for (const origin of strangers) {
    place.origin = origin
    await account.restore()
    assert.deepEqual(account.state, { is: 'out' }, String(origin))
    assert.equal(account.token(origin ?? ''), undefined)
  }
  place.origin = api
  await account.restore()
  assert.equal(account.state.is, 'in')
  for (const origin of strangers) assert.equal(account.token(origin ?? ''), undefined)
})

test('stored first, told then; what could not be stored is not told', async () => {
  const order: string[] = []
  const store = new MemoryCredentialStore()
  const save = store.save.bind(store)
  store.save = async kept => {
    await settled()
    await save(kept)
    order.push('stored')
  }
  const { account } = await setup({ store })
  account.onDidChange(({ is }) => order.push(`told ${is}`))
  await account.accept(credential)
  assert.deepEqual(order, ['stored', 'told in'])

  const full = new MemoryCredentialStore()
  full.save = () => Promise.reject(new Error('no room'))
  const { account: other, states } = await setup({ store: full })
  assert.match(String(await faultOf(other.accept(credential))), /no room/)
  assert.deepEqual(states, [])
  assert.equal(other.token(api), undefined)
})

test('another window signs in, and out', async () => {
  const store = new MemoryCredentialStore()
  const { account, states } = await setup({ store })
  await account.restore()
  await store.save(credential)
  store.changed.fire()
  await settled()
  await store.clear()
  store.changed.fire()
  await settled()
  assert.deepEqual(states, ['out', 'in', 'out'])
})

test('a refused key is told once and kept until the user decides', async () => {
  const { account, states, store } = await setup({ stored: credential })
  await account.restore()
  const answers = await Promise.all([1, 2, 3].map(() => account.onUnauthorized(credential.key)))
  assert.deepEqual(answers, [undefined, undefined, undefined])
  assert.deepEqual(states, ['in', 'refused'])
  assert.deepEqual(account.state, { is: 'refused', account: signedIn })
  assert.equal(await store.load(), credential)
  await account.accept({ ...credential, key: 'sk-bf-another-key' })
  assert.equal(account.state.is, 'in')
})

test('another window has signed in anew: its key is used', async () => {
  const { account, store, states } = await setup({ stored: credential })
  await account.restore()
  await store.save({ ...credential, key: 'sk-bf-newer-key' })
  assert.equal(await account.onUnauthorized(credential.key), 'sk-bf-newer-key')
  assert.ok(!states.includes('refused'))
})

test('signing out clears here first, then gives the key up', async () => {
  const order: string[] = []
  const { account, store, http } = await setup({
    stored: credential,
    answer: async () => {
      order.push(`asked while ${account.state.is}, stored: ${(await store.load()) !== undefined}`)
      return { status: 200 }
    },
  })
  await account.restore()
  assert.equal(await account.signOut(true, never), 'revoked')
  assert.deepEqual(order, ['asked while out, stored: false'])
  assert.equal(http.requests[0]?.url, credential.revocationEndpoint)
  assert.equal(http.requests[0]?.body, `token=${credential.key}`)
  assert.equal(http.requests[0]?.headers?.['authorization'], undefined)
  assert.equal(account.token(api), undefined)
})

test('a revocation that is not confirmed is said; here it is over all the same', async () => {
  const answers: Script[] = [
    { status: 503 },
    { status: 302, headers: { location: 'https://evil.test' } },
    { fault: new TransportError('h', 'before', 'refused') },
  ]
  for (const answer of answers) {
    const { account, store, lines } = await setup({ stored: credential, answer })
    await account.restore()
    assert.equal(await account.signOut(true, never), 'not confirmed')
    assert.deepEqual([account.state.is, await store.load()], ['out', undefined])
    assert.ok(!lines.join().includes(credential.key))
  }
})

test('only signing out, or no place to revoke: nothing is asked', async () => {
  const { revocationEndpoint: _, ...pasted } = credential
  for (const [stored, revoke] of [
    [credential, false],
    [pasted, true],
  ] as const) {
    const { account, http } = await setup({ stored })
    await account.restore()
    assert.equal(await account.signOut(revoke, never), 'not tried')
    assert.equal(http.requests.length, 0)
    assert.equal(account.state.is, 'out')
  }
})

test('a key does not come into the log, from whichever way it came', async () => {
  const log = new Log()
  const key = 'made-by-hand-without-a-known-shape'
  const account = new Account(new ScriptedHttp({}).send, new MemoryCredentialStore(), () => api, log)
  await account.accept({ ...credential, key })
  assert.ok(!log.redactor.redact(`x ${key}`).includes(key))
})

test('over the wire: a key that is revoked meanwhile is refused, and its successor is used', async () => {
  await using local = await startService({ plan: 'pro' })
  using wire = new Wire()
  const store = new MemoryCredentialStore()
  const account = new Account(wire.send, store, () => local.baseUrl, new Log())
  const revocationEndpoint = `${local.authUrl}/oauth2/revoke`
  const own = (key: string): Credential => ({ ...credential, key, resource: local.baseUrl, revocationEndpoint })
  const first = local.state.issueKey('ada@example.com', 'first')
  await account.accept(own(first))
  const http = bearer(wire.send, account)
  const models = async () => {
    const answer = await http({ method: 'GET', url: `${local.baseUrl}/v1/models`, signal: never })
    answer.close()
    return answer.status
  }
  assert.equal(await models(), 200)
  const key = local.state.keys.find(first)
  assert.ok(key)
  local.state.keys.revoke(key, local.clock.now())
  assert.equal(await models(), 401)
  assert.equal(account.state.is, 'refused')
  await store.save(own(local.state.issueKey('ada@example.com', 'second')))
  assert.equal(await models(), 200)
  assert.equal(account.state.is, 'in')
  assert.equal(await account.signOut(true, never), 'revoked')
  assert.ok(local.state.keys.all.every(({ revokedAt }) => revokedAt !== undefined))
})

test('a key that the keyring cannot keep works for this window, at its own origin, until signing out', async () => {
  const { account, store, place } = await setup()
  await account.hold(credential)
  assert.equal(await store.load(), undefined)
  await account.restore()
  assert.equal(account.token(api), credential.key, 'reading the empty keyring does not forget it')
  place.origin = 'https://other.example.com'
  await account.restore()
  assert.deepEqual(account.state, { is: 'out' })
  place.origin = api
  await account.restore()
  assert.equal(account.token(api), credential.key)
  await account.signOut(false, never)
  await account.restore()
  assert.deepEqual(account.state, { is: 'out' })
})

test('a key that nobody will keep is given back to the service that made it', async () => {
  await using service = await startService({ plan: 'pro' })
  using wire = new Wire()
  const key = service.state.issueKey('ada@example.com', 'test')
  const account = new Account(wire.send, new MemoryCredentialStore(), () => service.baseUrl, new Log())
  const given = { ...credential, key, revocationEndpoint: `${service.baseUrl}/oauth2/revoke` }
  assert.equal(await account.giveUp(given, never), 'revoked')
  const answer = await wire.send({
    method: 'GET',
    url: `${service.baseUrl}/v1/models`,
    headers: { authorization: `Bearer ${key}` },
    signal: never,
  })
  answer.close()
  assert.equal(answer.status, 401)
})

test('a refusal that came without a 401 is told once as well', async () => {
  const { account, states } = await setup({ stored: credential })
  await account.restore()
  account.learn({ ask: 'retry' })
  account.learn({ ask: 'signIn' })
  account.learn({ ask: 'signIn' })
  assert.deepEqual(states, ['in', 'refused'])
  assert.equal(account.token(api), credential.key, 'the key is kept until the user decides')
})
