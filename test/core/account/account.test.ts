// Who is signed in: stored before it is reported, kept to its origin, cleared before it is revoked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account, type AccountState } from '../../../src/core/account/account.ts'
import {
  AnotherSignInError,
  KeyringError,
  MemoryCredentialStore,
  type SharedStore,
} from '../../../src/core/account/credentialStore.ts'
import { type AllowedOrigins, EnvironmentKey, environmentCredential } from '../../../src/core/account/environmentKey.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { Log } from '../../../src/core/log/log.ts'
import { Redactor } from '../../../src/core/log/redact.ts'
import type { StoredCredential } from '../../../src/protocol/stored.ts'
import { startService } from '../../localService/server.ts'
import { made, madeOf, textOf } from '../../support/credential.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { type Script, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { bytePeer, eventually, faultOf, never, Wire } from '../../support/wire.ts'

const api = 'https://api.example.com'
const credential: StoredCredential = {
  version: 1,
  key: 'sk-bf-0123456789',
  resource: api,
  issuer: 'https://auth.example.com',
  revocationEndpoint: 'https://auth.example.com/oauth2/revoke',
  service: 'Example',
  email: 'ada@example.com',
  origin: 'registration',
}
const signedIn = {
  service: 'Example',
  resource: api,
  issuer: 'https://auth.example.com',
  email: 'ada@example.com',
  origin: 'registration',
}

interface Setup {
  readonly stored?: StoredCredential
  readonly store?: SharedStore
  readonly answer?: Script
  readonly environment?: string
  readonly allowed?: AllowedOrigins
}

/** Where the key of the environment may go, as one editor remembers it. */
function remembered() {
  let kept: readonly string[] = []
  return {
    read: () => kept,
    write: (origins: readonly string[]) => {
      kept = origins
    },
  }
}

async function setup({
  stored,
  store = new MemoryCredentialStore(),
  answer = {},
  environment,
  allowed = remembered(),
}: Setup = {}) {
  const place = { origin: api as string | undefined }
  if (stored) await store.save(made(stored))
  const http = new ScriptedHttp(answer)
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const environmentKey = new EnvironmentKey(environment, allowed, log.redactor)
  const clock = new FakeClock()
  const service = () => (place.origin === undefined ? undefined : new URL(place.origin))
  const account = new Account(
    http.send,
    store,
    () => place.origin,
    log,
    () => environmentKey.for(service()),
    clock,
  )
  const states: AccountState['is'][] = []
  account.onDidChange(state => states.push(state.is))
  return { account, store, http, place, states, lines, environmentKey, clock }
}

test('is known when the keyring was read, whatever it said: a question waits for its key so long', async () => {
  for (const isWell of [true, false]) {
    const reading = Promise.withResolvers<ReturnType<typeof made> | undefined>()
    const store: SharedStore = Object.assign(new MemoryCredentialStore(), { load: () => reading.promise })
    const { account } = await setup({ store })
    let isKnown = false
    const known = account.whenKnown.then(() => {
      isKnown = true
    })
    void account.restore()
    await settled()
    assert.equal(isKnown, false)
    if (isWell) reading.resolve(made(credential))
    else reading.reject(new KeyringError('failed'))
    await known
    assert.equal(account.state.is, isWell ? 'in' : 'out')
  }
})

test('what is stored is found, without a request', async () => {
  const { account, http, states } = await setup({ stored: credential })
  assert.deepEqual(account.state, { is: 'unknown' })
  assert.equal(textOf(account.credential(api)), undefined)
  await account.restore()
  assert.deepEqual(account.state, { is: 'in', account: signedIn })
  assert.equal(textOf(account.credential(api)), credential.key)
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
  assert.deepEqual(other.state, { is: 'out', why: 'unreadable' })
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

test('[T06] a key belongs to its origin: another address reads as signed out, back again as signed in', async () => {
  const { account, place } = await setup({ stored: credential })
  const otherOrigins = [
    'https://evil.test',
    'http://api.example.com',
    `${api}:8443`,
    'https://auth.example.com',
    undefined,
  ]
  for (const origin of otherOrigins) {
    place.origin = origin
    await account.restore()
    const moved = { is: 'out', why: 'moved', from: signedIn }
    assert.deepEqual(account.state, origin === undefined ? { is: 'out' } : moved, String(origin))
    assert.equal(textOf(account.credential(origin ?? '')), undefined)
  }
  place.origin = api
  await account.restore()
  assert.equal(account.state.is, 'in')
  for (const origin of otherOrigins) assert.equal(textOf(account.credential(origin ?? '')), undefined)
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
  await account.accept(made(credential))
  assert.deepEqual(order, ['stored', 'told in'])

  const full = new MemoryCredentialStore()
  full.save = () => Promise.reject(new Error('no room'))
  const { account: other, states } = await setup({ store: full })
  assert.match(String(await faultOf(other.accept(made(credential)))), /no room/)
  assert.deepEqual(states, [])
  assert.equal(textOf(other.credential(api)), undefined)
})

test('another window signs in, and out', async () => {
  const store = new MemoryCredentialStore()
  const { account, states } = await setup({ store })
  await account.restore()
  await store.save(made(credential))
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
  const answers = await Promise.all([1, 2, 3].map(() => account.onUnauthorized(made(credential))))
  assert.deepEqual(answers, [undefined, undefined, undefined])
  assert.deepEqual(states, ['in', 'refused'])
  assert.deepEqual(account.state, { is: 'refused', account: signedIn })
  assert.ok((await store.load())?.isSame(made(credential)))
  await account.accept(made({ ...credential, key: 'sk-bf-another-key' }))
  assert.equal(account.state.is, 'in')
})

test('another window has signed in anew: its key is used', async () => {
  const { account, store, states } = await setup({ stored: credential })
  await account.restore()
  await store.save(made({ ...credential, key: 'sk-bf-newer-key' }))
  assert.equal(textOf(await account.onUnauthorized(made(credential))), 'sk-bf-newer-key')
  assert.ok(!states.includes('refused'))
})

test('[T15] signing out clears here first, then gives the key up', async () => {
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
  assert.equal(textOf(account.credential(api)), undefined)
})

test('[T15] signing out is over here at once, however long the store takes, and nothing read meanwhile brings it back', async () => {
  const { account, store, states, http } = await setup({ stored: credential })
  await account.restore()
  const lock = Promise.withResolvers<void>()
  const clear = store.clear.bind(store)
  store.clear = () => lock.promise.then(() => clear())
  const reading = Promise.withResolvers<void>()
  const load = store.load.bind(store)
  store.load = async () => {
    const read = await load()
    await reading.promise
    return read
  }
  const begun = account.restore()
  await settled()
  const leaving = account.signOut(true, never)
  assert.deepEqual([account.state, textOf(account.credential(api))], [{ is: 'out' }, undefined])
  reading.resolve()
  await begun
  void account.restore()
  await settled()
  assert.deepEqual([account.state, textOf(account.credential(api))], [{ is: 'out' }, undefined])
  assert.equal(http.requests.length, 0, 'other windows hear of it first')
  lock.resolve()
  assert.equal(await leaving, 'revoked')
  await account.restore()
  assert.deepEqual(states.slice(0, 2), ['in', 'out'])
  assert.ok(!states.slice(2).includes('in'))
})

test('[T15] a key is revoked also while the windows’ lock or the keyring hangs', async () => {
  const { account, store, http, clock } = await setup({ stored: credential })
  await account.restore()
  const hanging = Promise.withResolvers<void>()
  store.clear = () => hanging.promise
  const leaving = account.signOut(true, never)
  await clock.advance(1_000)
  assert.deepEqual(
    http.requests.map(({ body }) => body),
    [`token=${credential.key}`],
  )
  assert.equal(await leaving, 'revoked')
  assert.deepEqual([account.state.is, textOf(account.credential(api)), clock.waiting], ['out', undefined, 0])
  hanging.resolve()
})

test('[T15] what is neither revoked nor forgotten is said when both are known', async () => {
  const { account, store, clock } = await setup({ stored: credential, answer: { status: 503 } })
  await account.restore()
  const hanging = Promise.withResolvers<void>()
  store.clear = () => hanging.promise
  const leaving = account.signOut(true, never)
  await clock.advance(1_000)
  hanging.reject(new KeyringError('silent'))
  assert.equal(await leaving, 'not forgotten')
})

test('[T15] a revocation that is not confirmed is said; here it is over all the same', async () => {
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

test('[T15] a service that never answers to a revocation keeps nobody signed in, and is not waited for without end', async () => {
  const asked: string[] = []
  await using silent = await bytePeer(socket => socket.on('data', bytes => asked.push(String(bytes))))
  using wire = new Wire()
  const store = new MemoryCredentialStore()
  await store.save(made({ ...credential, revocationEndpoint: `${silent.origin}/oauth2/revoke` }))
  const account = new Account(wire.send, store, () => api, new Log())
  await account.restore()
  const leaving = account.signOut(true, never)
  await eventually('it is asked', () => asked.join('').endsWith(`token=${credential.key}`))
  assert.deepEqual(
    [account.state, textOf(account.credential(api)), await store.load()],
    [{ is: 'out' }, undefined, undefined],
  )
  await wire.clock.advance(15_000)
  assert.equal(await leaving, 'not confirmed')
  assert.equal(wire.clock.waiting, 0)
})

test('a key that was not revoked is kept in memory for one retry', async () => {
  const { account, http } = await setup({ stored: credential, answer: { status: 503 } })
  await account.restore()
  assert.equal(await account.signOut(true, never), 'not confirmed')
  assert.equal(textOf(account.credential(api)), undefined)
  assert.equal(await account.revokeAgain(never), 'not confirmed')
  assert.equal(await account.revokeAgain(never), 'not tried')
  assert.deepEqual(
    http.requests.map(({ body }) => body),
    [`token=${credential.key}`, `token=${credential.key}`],
  )
})

test('a keyring that does not delete keeps nobody signed in, and is told of unless the key is worthless', async () => {
  for (const [answer, outcome] of [
    [{ status: 200 }, 'revoked'],
    [{ status: 503 }, 'not forgotten'],
  ] as const) {
    const { account, store } = await setup({ stored: credential, answer })
    store.clear = () => Promise.reject(new KeyringError('silent'))
    await account.restore()
    assert.equal(await account.signOut(true, never), outcome)
    assert.deepEqual(account.state, { is: 'out' })
    assert.equal(textOf(account.credential(api)), undefined)
  }
})

test('a second key is not taken while another window’s is in use', async () => {
  const { account, store } = await setup({ stored: credential })
  await account.restore()
  const fault = await faultOf(account.accept(made({ ...credential, key: 'sk-bf-another-key' })))
  assert.ok(fault instanceof AnotherSignInError)
  assert.equal(textOf(account.credential(api)), credential.key)
  assert.equal(textOf(await store.load()), credential.key)
})

test('a key of another service that is replaced is told of', async () => {
  const { account, place } = await setup({ stored: credential })
  const replaced: string[] = []
  account.onDidReplace(({ credential: one }) => replaced.push(textOf(one) ?? ''))
  await account.restore()
  place.origin = 'https://other.example.com'
  await account.restore()
  await account.accept(made({ ...credential, key: 'sk-bf-of-the-other', resource: place.origin }))
  assert.deepEqual(replaced, [credential.key])
  assert.equal(textOf(account.credential(place.origin)), 'sk-bf-of-the-other')
})

test('a refused key whose place another takes is told of, so that it is revoked: the refusal may have been a passing one', async () => {
  const another = { ...credential, key: 'sk-bf-another-key' }
  for (const [stored, next, expected] of [
    [credential, another, [`${credential.key} refused`]],
    // What the user made is not ours to revoke, and the same key is none that was replaced.
    [{ ...credential, origin: 'pasted' }, another, []],
    [credential, credential, []],
  ] as const) {
    const { account } = await setup({ stored })
    const replaced: string[] = []
    account.onDidReplace(({ credential: one, by }) =>
      replaced.push(`${textOf(one)} ${by === 'this window, after a refusal' && 'refused'}`),
    )
    await account.restore()
    account.handleFault(new ProblemError('h', 401, {}), made(stored))
    await account.accept(made(next))
    assert.deepEqual(replaced, expected)
    assert.equal(textOf(account.credential(api)), next.key)
  }
})

test('a key that was signed out of and not revoked is left to the user, who signs in again', async () => {
  const { account, http } = await setup({ stored: credential })
  account.onDidReplace(() => assert.fail('nobody has replaced it'))
  await account.restore()
  account.handleFault(new ProblemError('h', 401, {}), made(credential))
  await account.signOut(false, never)
  await account.accept(made({ ...credential, key: 'sk-bf-another-key' }))
  assert.deepEqual(http.requests, [])
})

test('the window that hears a refusal is the one that tells it', async () => {
  const { account } = await setup({ stored: credential })
  const reported: string[] = []
  account.onDidRefuse(({ service }) => reported.push(service))
  await account.restore()
  await account.onUnauthorized(made(credential))
  await account.onUnauthorized(made(credential))
  assert.deepEqual(reported, ['Example'])
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
  await account.accept(made({ ...credential, key }))
  assert.ok(!log.redactor.redact(`x ${key}`).includes(key))
})

test('over the wire: a key that is revoked meanwhile is refused, and its successor is used', async () => {
  await using local = await startService({ plan: 'pro' })
  using wire = new Wire()
  const store = new MemoryCredentialStore()
  const account = new Account(wire.send, store, () => local.baseUrl, new Log())
  const revocationEndpoint = `${local.authUrl}/oauth2/revoke`
  const own = (key: string): StoredCredential => ({ ...credential, key, resource: local.baseUrl, revocationEndpoint })
  const first = local.state.issueKey('ada@example.com', 'first')
  await account.accept(made(own(first)))
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
  await store.save(made(own(local.state.issueKey('ada@example.com', 'second'))))
  assert.equal(await models(), 200)
  assert.equal(account.state.is, 'in')
  assert.equal(await account.signOut(true, never), 'revoked')
  assert.ok(local.state.keys.all.every(({ revokedAt }) => revokedAt !== undefined))
})

test('a key that the keyring cannot keep works for this window, at its own origin, until signing out', async () => {
  const { account, store, place } = await setup()
  await account.hold(made(credential))
  assert.equal(await store.load(), undefined)
  await account.restore()
  assert.equal(textOf(account.credential(api)), credential.key, 'reading the empty keyring does not forget it')
  place.origin = 'https://other.example.com'
  await account.restore()
  assert.deepEqual(account.state, { is: 'out', why: 'moved', from: signedIn })
  place.origin = api
  await account.restore()
  assert.equal(textOf(account.credential(api)), credential.key)
  await account.signOut(false, never)
  await account.restore()
  assert.deepEqual(account.state, { is: 'out' })
})

test('a key in memory whose place another window’s takes is told of, and so is one that a sign-in here replaces', async () => {
  const { account, store, place } = await setup()
  const replaced: string[] = []
  account.onDidReplace(({ credential: one, by }) => replaced.push(`${textOf(one)} by ${by}`))
  await account.hold(made(credential))
  await store.save(made({ ...credential, key: 'sk-bf-of-another-window' }))
  await account.restore()
  assert.equal(textOf(account.credential(api)), 'sk-bf-of-another-window')
  assert.equal(account.isHeld(made(credential)), false)
  assert.deepEqual(replaced.splice(0), [`${credential.key} by another window`])

  await store.clear()
  await account.restore()
  await account.hold(made(credential))
  place.origin = 'https://other.example.com'
  await account.restore()
  await account.accept(made({ ...credential, key: 'sk-bf-of-the-other', resource: place.origin }))
  assert.deepEqual(replaced.splice(0), [`${credential.key} by this window`])

  await account.signOut(false, never)
  await account.hold(made({ ...credential, resource: place.origin }))
  await account.accept(made({ ...credential, resource: place.origin }))
  assert.deepEqual(replaced, [], 'the same key, stored at last')
})

test('signing out of one service does not forget a key in memory for another', async () => {
  const { account, place } = await setup()
  await account.hold(made(credential))
  place.origin = 'https://other.example.com'
  await account.restore()
  await account.signOut(false, never)
  assert.equal(account.isHeld(made(credential)), true)
})

test('every key that was given up in vain can be revoked once more, unless it is in use again', async () => {
  const { account, http } = await setup({ answer: { status: 503 } })
  await account.accept(made(credential))
  await account.signOut(true, never)
  const other = { ...credential, key: 'sk-bf-of-a-cancelled-sign-in', service: 'Other' }
  assert.equal(await account.revoke(made(other), never), 'not confirmed')
  assert.deepEqual(
    account.unrevoked.map(({ service }) => service),
    ['Example', 'Other'],
  )
  assert.doesNotMatch(JSON.stringify(account.unrevoked), /sk-bf/)
  await account.accept(made(credential))
  http.requests.length = 0
  assert.equal(await account.revokeAgain(never), 'not confirmed')
  assert.deepEqual(
    http.requests.map(({ body }) => body),
    [`token=${other.key}`],
  )
  assert.deepEqual(account.unrevoked, [])
})

test('of several keys that are revoked once more, one that may still work is what is reported', async () => {
  const works = new Set<string>()
  const { account } = await setup({ answer: ({ body = '' }) => ({ status: works.has(body) ? 200 : 503 }) })
  const other = { ...credential, key: 'sk-bf-of-a-cancelled-sign-in' }
  for (const unwanted of [credential, other]) await account.revoke(made(unwanted), never)
  works.add(`token=${credential.key}`)
  assert.equal(await account.revokeAgain(never), 'not confirmed')
})

test('a key that nobody will keep is given back to the service that made it', async () => {
  await using service = await startService({ plan: 'pro' })
  using wire = new Wire()
  const key = service.state.issueKey('ada@example.com', 'test')
  const account = new Account(wire.send, new MemoryCredentialStore(), () => service.baseUrl, new Log())
  const given = { ...credential, key, revocationEndpoint: `${service.baseUrl}/oauth2/revoke` }
  assert.equal(await account.revoke(made(given), never), 'revoked')
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
  account.handleFault(new ProblemError('h', 503, {}), made(credential))
  account.handleFault(new ProblemError('h', 401, {}), madeOf('sk-bf-of-another-time'))
  account.handleFault(new ProblemError('h', 401, {}), undefined)
  assert.deepEqual(states, ['in'])
  account.handleFault(new ProblemError('h', 401, {}), made(credential))
  account.handleFault(new ProblemError('h', 401, {}), made(credential))
  assert.deepEqual(states, ['in', 'refused'])
  assert.equal(textOf(account.credential(api)), credential.key, 'the key is kept until the user decides')
})

const environment = ' sk-bf-from-environment\n'
const keyText = environment.trim()

test('a key of the environment is used where nothing is stored, and written nowhere', async () => {
  const { account, store, http } = await setup({ environment })
  await account.restore()
  const { state } = account
  assert.ok(state.is === 'in' && state.account.origin === 'environment')
  assert.equal(state.account.service, 'api.example.com')
  assert.equal(textOf(account.credential(api)), keyText)
  assert.equal(textOf(account.credential('https://elsewhere.test')), undefined)
  assert.equal(await store.load(), undefined)
  assert.equal(await account.signOut(true, never), 'not tried')
  assert.deepEqual([account.state.is, http.requests.length], ['in', 0], 'it is not ours to revoke')
})

test('[T06] a key of the environment goes to no other address without a yes, by whichever way the address came', async () => {
  const other = 'https://other.example.com'
  const allowed = remembered()
  const first = await setup({ environment, allowed })
  await first.account.restore()
  for (const way of [[other], [undefined, other]]) {
    first.place.origin = api
    await first.account.restore()
    assert.equal(textOf(first.account.credential(api)), keyText)
    for (const origin of way) {
      first.place.origin = origin
      await first.account.restore()
    }
    assert.deepEqual([first.account.state, textOf(first.account.credential(other))], [{ is: 'out' }, undefined])
  }
  const next = await setup({ environment, allowed })
  next.place.origin = other
  await next.account.restore()
  assert.deepEqual(next.account.state, { is: 'out' }, 'an editor that starts with the other address')
  assert.doesNotMatch(JSON.stringify(allowed.read()), /sk-bf/)

  const asked: string[] = []
  const answer = (isYes: boolean) => async (has: string, wants: string) => {
    asked.push(`${has} to ${wants}`)
    return isYes
  }
  assert.equal(await next.environmentKey.offer(new URL(other), answer(false)), false)
  assert.equal(await next.environmentKey.offer(new URL(other), answer(true)), false, 'not again for the same address')
  assert.equal(await next.environmentKey.offer(new URL(api), answer(true)), false, 'it has the key already')
  await next.account.restore()
  assert.equal(textOf(next.account.credential(other)), undefined)
  assert.equal(await next.environmentKey.offer(new URL(other), answer(true)), true)
  assert.deepEqual(asked, Array(2).fill('api.example.com to other.example.com'))
  await next.account.restore()
  assert.equal(textOf(next.account.credential(other)), keyText)
  next.place.origin = api
  await next.account.restore()
  const { state } = next.account
  assert.ok(state.is === 'in')
  assert.equal(state.account.resource, api, 'who moves directly is in at the new address')
  assert.deepEqual([textOf(next.account.credential(api)), textOf(next.account.credential(other))], [keyText, undefined])
})

test('what is stored comes before the environment, and who signs in replaces it until signing out', async () => {
  const stored = await setup({ stored: credential, environment })
  await stored.account.restore()
  assert.equal(textOf(stored.account.credential(api)), credential.key)
  const { account } = await setup({ environment })
  await account.restore()
  await account.accept(made(credential))
  assert.equal(textOf(account.credential(api)), credential.key)
  await account.signOut(false, never)
  assert.equal(textOf(account.credential(api)), keyText)
})

test('each sign-in has its own name, which is no secret and the same after a restart', async () => {
  const { account, store } = await setup()
  assert.equal(account.signInId, undefined)
  await account.accept(made(credential))
  const first = account.signInId
  assert.ok(first && !`${credential.key} ${credential.email}`.includes(first))
  const { account: restarted } = await setup({ store })
  await restarted.restore()
  assert.equal(restarted.signInId, first)
  await account.signOut(false, never)
  assert.equal(account.signInId, undefined)
  await account.accept(made(credential))
  assert.ok(account.signInId && account.signInId !== first)
  const { account: other } = await setup({ environment })
  await other.restore()
  assert.equal(other.signInId, 'environment')
})

test('a keyring that cannot be read does not stand in the way of the environment', async () => {
  const store = new MemoryCredentialStore()
  store.load = () => Promise.reject(new KeyringError('silent'))
  const { account } = await setup({ store, environment })
  await account.restore()
  assert.equal(textOf(account.credential(api)), keyText)
})

test('a refused key of the environment is said, and no window is told', async () => {
  const store = new MemoryCredentialStore()
  store.refuse = () => assert.fail('it is not stored anywhere')
  const { account } = await setup({ store, environment })
  await account.restore()
  assert.equal(await account.onUnauthorized(madeOf(keyText)), undefined)
  assert.equal(account.state.is, 'refused')
})

test('what could not stand in a header is no key', () => {
  const service = new URL(api)
  for (const value of [
    undefined,
    '',
    '  ',
    'short',
    'two words here',
    'sk-bf-\u00e4\u00f6\u00fc123',
    'a\r\nb: cdefgh',
  ]) {
    assert.equal(environmentCredential(value, service, new Redactor()), undefined)
  }
  assert.equal(environmentCredential('sk-bf-0123456789', undefined, new Redactor()), undefined)
})
