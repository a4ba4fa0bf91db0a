// A keyring that throws, hangs, forgets or returns rubbish: at most fifteen seconds, and a fault that names which.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SecretStorage } from 'vscode'
import { Account } from '../../../src/core/account/account.ts'
import { recordOf } from '../../../src/core/account/credentialRecord.ts'
import { KeyringError } from '../../../src/core/account/credentialStore.ts'
import { SecretCredentialStore } from '../../../src/core/account/secretCredentialStore.ts'
import { SharedCredentialStore } from '../../../src/core/account/sharedCredentialStore.ts'
import { ProblemError } from '../../../src/core/http/errors.ts'
import { Log } from '../../../src/core/log/log.ts'
import { SignInFile } from '../../../src/node/account/signInFile.ts'
import type { StoredCredential } from '../../../src/protocol/stored.ts'
import { made, textOf } from '../../support/credential.ts'
import { whileTimePasses } from '../../support/diskPace.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { ScriptedHttp } from '../../support/scriptedHttp.ts'
import { sweepFolder } from '../../support/sweep.ts'
import { eventually, faultOf, never } from '../../support/wire.ts'

const credential: StoredCredential = {
  version: 1,
  key: 'sk-bf-0123456789',
  resource: 'https://api.example.com',
  service: 'Example',
  origin: 'pasted',
}

/** A keyring in which everything can go wrong, and everything that was ever written into it. */
class Keyring {
  readonly kept = new Map<string, string>()
  readonly written: [string, string][] = []
  readonly storage: SecretStorage

  constructor(broken: Partial<SecretStorage> = {}) {
    this.storage = {
      get: async name => this.kept.get(name),
      store: async (name, value) => {
        this.written.push([name, value])
        this.kept.set(name, value)
      },
      delete: async name => void this.kept.delete(name),
      keys: async () => [...this.kept.keys()],
      onDidChange: () => ({ dispose() {} }),
      ...broken,
    }
  }

  open(clock = new FakeClock()) {
    return new SecretCredentialStore(this.storage, clock, new Log())
  }
}

/** What windows of one machine share beside the keyring. */
class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'kourier-keyring-'))

  window(keyring: Keyring, clock = new FakeClock()) {
    const log = new Log()
    const http = new ScriptedHttp({})
    const notes = new SignInFile(this.path, clock, log)
    const store = new SharedCredentialStore(keyring.open(clock), notes)
    return { http, account: new Account(http.send, store, () => credential.resource, log) }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true })
  }
}

const hang = () => new Promise<never>(() => {})
const fail = () => Promise.reject(new Error('org.freedesktop.secrets is not there'))

async function whyOf(promise: Promise<unknown>): Promise<string> {
  const fault = await faultOf(promise)
  assert.ok(fault instanceof KeyringError, String(fault))
  return fault.why
}

test('one record under one name, read back as it was written', async () => {
  const keyring = new Keyring()
  const store = keyring.open()
  assert.equal(await store.load(), undefined)
  await store.save(made(credential))
  const loaded = await store.load()
  assert.ok(loaded?.isSame(made(credential)))
  assert.deepEqual(JSON.parse(keyring.kept.get('kourier.credential') ?? ''), credential)
  assert.deepEqual(
    keyring.written.map(([name]) => name),
    ['kourier.credential'],
  )
  await store.clear()
  assert.equal(await store.load(), undefined)
})

test('the record of 0.1.0 is loaded with all that stands in it', async () => {
  const keyring = new Keyring()
  const record = {
    ...credential,
    issuer: 'https://auth.example.com',
    revocationEndpoint: 'https://auth.example.com/oauth2/revoke',
    email: 'ada@example.com',
    origin: 'registration',
    id: '0b9d7a52-5a43-4c8d-9a55-8d6d8b7c6f11',
  }
  keyring.kept.set('kourier.credential', JSON.stringify(record))
  const loaded = await keyring.open().load()
  assert.ok(loaded)
  const { version: _, key, ...facts } = record
  assert.deepEqual({ ...loaded }, facts)
  assert.equal(textOf(loaded), key)
})

test('[R41] a keyring that throws is a fault of its own, whatever was asked of it', async () => {
  assert.equal(await whyOf(new Keyring({ get: fail }).open().load()), 'failed')
  assert.equal(await whyOf(new Keyring({ store: fail }).open().save(made(credential))), 'failed')
  assert.equal(await whyOf(new Keyring({ get: fail }).open().save(made(credential))), 'failed')
  assert.equal(await whyOf(new Keyring({ delete: fail }).open().clear()), 'failed')
})

const hanging: readonly [string, (clock: FakeClock) => Promise<unknown>][] = [
  ['load', clock => new Keyring({ get: hang }).open(clock).load()],
  ['save', clock => new Keyring({ store: hang }).open(clock).save(made(credential))],
  ['clear', clock => new Keyring({ delete: hang }).open(clock).clear()],
]
for (const [what, ask] of hanging) {
  test(`[R41] a keyring that hangs is waited for fifteen seconds: ${what}`, async () => {
    const clock = new FakeClock()
    let isOver = false
    const why = whyOf(ask(clock)).finally(() => {
      isOver = true
    })
    await clock.advance(14_999)
    assert.equal(isOver, false)
    await clock.advance(1)
    assert.equal(await why, 'silent')
  })
}

test('[R41] a start with a keyring that hangs ends in knowing nothing, and in no request', async () => {
  const clock = new FakeClock()
  using folder = new Folder()
  let isAsked = false
  const get = () => {
    isAsked = true
    return hang()
  }
  const { account, http } = folder.window(new Keyring({ get }), clock)
  const restored = account.restore()
  await eventually('the keyring is asked', () => isAsked)
  await clock.advance(15_000)
  await restored
  assert.deepEqual(account.state, { is: 'out', why: 'unreadable' })
  assert.equal(http.requests.length, 0)
})

test('[R41] a key that the keyring could not keep works here until the end, and is written nowhere', async () => {
  for (const broken of [{ store: fail }, { store: async () => {} }, { get: async () => 'rubbish' }]) {
    using folder = new Folder()
    const keyring = new Keyring(broken)
    const { account } = folder.window(keyring)
    await account.restore()
    assert.ok((await faultOf(account.accept(made(credential)))) instanceof KeyringError)
    await account.hold(made(credential))
    await account.restore()
    assert.equal(textOf(account.credential(credential.resource)), credential.key)
    assert.ok(keyring.written.every(([name]) => name === 'kourier.credential'))
    assert.deepEqual(sweepFolder(folder.path), [])
    await account.signOut(false, never)
    assert.equal(textOf(account.credential(credential.resource)), undefined)
  }
})

test('[R41] a keyring that forgets, or gives back something else, has not kept the key', async () => {
  const rubbish = [
    '',
    'null',
    '{"version":1,"key":',
    '\0\0\0',
    JSON.stringify({ ...credential, key: 'sk-bf-another1' }),
  ]
  for (const text of [undefined, ...rubbish]) {
    assert.equal(
      await whyOf(new Keyring({ get: async () => text }).open().save(made(credential))),
      'forgot',
      String(text),
    )
  }
})

test('[R41] rubbish reads as nothing stored, and is left where it is', async () => {
  const rubbish = [
    ...['', 'null', '[]', '{}', '{"version":1,"key":', '\0\0\0\0', 'sk-bf-0123456789'],
    JSON.stringify({ ...credential, version: 2 }),
    JSON.stringify({ ...credential, key: 5 }),
    JSON.stringify({ ...credential, key: 'a\r\nb: c' }),
    JSON.stringify({ ...credential, resource: undefined }),
  ]
  for (const text of rubbish) {
    const keyring = new Keyring()
    keyring.kept.set('kourier.credential', text)
    assert.equal(await keyring.open().load(), undefined, text)
    assert.equal(keyring.kept.get('kourier.credential'), text)
    assert.deepEqual(keyring.written, [])
  }
})

test('[R58] the record of a later version reads as nothing stored and is left where it is', async () => {
  const keyring = new Keyring()
  const later = JSON.stringify({ version: 2, keys: [credential] })
  keyring.kept.set('kourier.credential', later)
  using folder = new Folder()
  const { account } = folder.window(keyring)
  await account.restore()
  assert.equal(account.state.is, 'out')
  assert.deepEqual([...keyring.kept.values()], [later])
  assert.deepEqual(keyring.written, [])
})

test('[R58] who signs in over the record of a later version finds it there again after signing out', async () => {
  const later = JSON.stringify({ version: 2, keys: [credential] })
  const name = 'kourier.credential'
  for (const broken of [{}, { store: fail }]) {
    const keyring = new Keyring()
    keyring.kept.set(name, later)
    using folder = new Folder()
    const first = folder.window(keyring).account
    await first.restore()
    await first.accept(made(credential))
    const next = folder.window(keyring).account
    await next.restore()
    assert.equal(textOf(next.credential(credential.resource)), credential.key, 'the key of this version is in use')
    assert.deepEqual([...keyring.kept.values()].filter(text => text === later).length, 1, 'and nothing is lost')
    Object.assign(keyring.storage, broken)
    await next.signOut(false, never)
    assert.deepEqual([...keyring.kept.values()], [later], 'the key is forgotten, whatever the keyring does')
    assert.equal(keyring.kept.has(name), !('store' in broken))
    const last = folder.window(keyring).account
    await last.restore()
    assert.equal(last.state.is, 'out')
    await last.signOut(false, never)
    assert.deepEqual([...keyring.kept.values()], [later], 'nobody signs out what is not his')
  }
})

test('[R58] a later record that the keyring will not keep aside is not written over', async () => {
  const later = JSON.stringify({ version: 2, keys: [credential] })
  const keyring = new Keyring()
  keyring.kept.set('kourier.credential', later)
  keyring.storage.store = async () => {}
  assert.equal(await whyOf(keyring.open().save(made(credential))), 'forgot')
  assert.deepEqual([...keyring.kept.values()], [later])
})

test('[R41] a refused key in the keyring is not signed in again after a sign-out of the one in memory', async () => {
  for (const id of ['the sign-in of before', undefined]) {
    using folder = new Folder()
    const refused = made({ ...credential, origin: 'registration', ...(id && { id }), revocationEndpoint })
    const keyring = new Keyring()
    keyring.kept.set('kourier.credential', recordOf(refused))
    const clock = new FakeClock()
    const { account, http } = folder.window(keyring, clock)
    await account.restore()
    account.handleFault(new ProblemError('h', 401, {}), refused)
    assert.equal(account.state.is, 'refused')
    Object.assign(keyring.storage, { store: fail, delete: fail })
    const held = made({ ...credential, key: 'sk-bf-in-memory-only', origin: 'registration', revocationEndpoint })
    await account.hold(held)
    assert.equal(await whileTimePasses(account.signOut(true, never), clock), 'revoked')
    await whileTimePasses(account.restore(), clock)
    assert.equal(account.state.is, 'out')
    assert.deepEqual(http.requests.map(({ body }) => body).toSorted(), [
      'token=sk-bf-0123456789',
      'token=sk-bf-in-memory-only',
    ])
    if (id === undefined) continue
    const { account: next } = folder.window(keyring)
    await next.restore()
    assert.equal(next.state.is, 'out', 'nor in the next window')
  }
})

const revocationEndpoint = 'https://auth.example.com/oauth2/revoke'
