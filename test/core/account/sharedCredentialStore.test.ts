// Windows that share a secret storage and a file, or only one of the two: sign-in, sign-out, another account, refusal.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Account, type AccountState } from '../../../src/core/account/account.ts'
import {
  AnotherSignInError,
  type CredentialStore,
  KeyringError,
  MemoryCredentialStore,
} from '../../../src/core/account/credentialStore.ts'
import { SharedCredentialStore } from '../../../src/core/account/sharedCredentialStore.ts'
import type { Credential } from '../../../src/core/http/credential.ts'
import { Log } from '../../../src/core/log/log.ts'
import { SignInFile } from '../../../src/node/account/signInFile.ts'
import type { StoredCredential } from '../../../src/protocol/stored.ts'
import { made, textOf } from '../../support/credential.ts'
import { whileTimePasses } from '../../support/diskPace.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { ScriptedHttp } from '../../support/scriptedHttp.ts'
import { eventually, faultOf, never } from '../../support/wire.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-windows-'))
after(() => rmSync(root, { recursive: true }))
const api = 'https://api.example.com'
let harnesses = 0

const keyOf = (who: string): StoredCredential => ({
  version: 1,
  key: `sk-bf-key-of-${who}`,
  resource: api,
  issuer: 'https://auth.example.com',
  revocationEndpoint: 'https://auth.example.com/oauth2/revoke',
  service: 'Example',
  email: `${who}@example.com`,
  origin: 'registration',
})

/** Every window reads the same secrets and is notified of each change, as on a desktop. */
class Desktop {
  readonly kept = new MemoryCredentialStore()
  window(): CredentialStore {
    const { kept } = this
    return {
      load: () => kept.load(),
      save: async credential => {
        await kept.save(credential)
        kept.changed.fire()
      },
      clear: async () => {
        await kept.clear()
        kept.changed.fire()
      },
      onDidChange: kept.onDidChange,
    }
  }
}

/** Every window has the secrets of the moment it was opened, and the last one to write writes all: as in a browser. */
class Browser {
  sealed: Credential | undefined
  window(): CredentialStore {
    let known = this.sealed
    return {
      load: async () => known,
      save: async credential => {
        known = credential
        this.sealed = credential
      },
      clear: async () => {
        known = undefined
        this.sealed = undefined
      },
      onDidChange: () => ({ dispose() {} }),
    }
  }
}

class StoreHarness implements Disposable {
  readonly folder = join(root, String(harnesses++))
  readonly clock = new FakeClock()
  readonly http = new ScriptedHttp({ status: 200 })
  readonly #open: SignInFile[] = []

  async window(kept: CredentialStore, origin = api, isWatching = true) {
    const notes = new SignInFile(this.folder, this.clock, new Log())
    this.#open.push(notes)
    const store = new SharedCredentialStore(kept, notes)
    const account = new Account(this.http.send, store, () => origin, new Log(), undefined, this.clock)
    const states: string[] = []
    account.onDidChange(state => states.push(stateText(state)))
    await account.restore()
    if (isWatching) await notes.watch()
    return { account, states, kept }
  }

  /** Windows wait for each other by the clock. */
  run<T>(work: Promise<T>): Promise<T> {
    return whileTimePasses(work, this.clock)
  }

  async untilNotified(what: string, isSo: () => boolean): Promise<void> {
    await this.clock.advance(2_000)
    await eventually(what, isSo)
  }

  [Symbol.dispose](): void {
    for (const notes of this.#open) notes.dispose()
  }
}

/** A window of this machine and one whose extensions run on another: they share the keyring, and no folder. */
class Remote implements Disposable {
  readonly desktop = new Desktop()
  readonly here = new StoreHarness()
  readonly there = new StoreHarness()

  async windows() {
    const local = await this.here.window(this.desktop.window())
    const remote = await this.there.window(this.desktop.window())
    return { local, remote }
  }

  [Symbol.dispose](): void {
    this.here[Symbol.dispose]()
    this.there[Symbol.dispose]()
  }
}

const stateText = (state: AccountState) => (state.is === 'out' && state.why ? `out: ${state.why}` : state.is)

describe('on a desktop, where windows share the secret storage', () => {
  test('a sign-in, a sign-out and another account reach every window', async () => {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const a = await harness.window(desktop.window())
    const b = await harness.window(desktop.window())
    await a.account.accept(made(keyOf('ada')))
    await eventually('b is in', () => b.account.state.is === 'in')
    assert.equal(textOf(b.account.credential(api)), keyOf('ada').key)
    await b.account.signOut(true, never)
    await eventually('a is out', () => a.account.state.is === 'out')
    assert.equal(stateText(a.account.state), 'out: left')
    assert.equal(textOf(a.account.credential(api)), undefined)
    await a.account.accept(made(keyOf('eve')))
    await eventually('b is eve', () => textOf(b.account.credential(api)) === keyOf('eve').key)
    assert.equal(harness.http.requests.length, 1, 'one revocation, by the window that signed out')
  })

  test('two windows that sign in at once end with one key', async () => {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const windows = [await harness.window(desktop.window()), await harness.window(desktop.window())]
    const who = ['ada', 'eve']
    const ended = await harness.run(
      Promise.allSettled(windows.map(({ account }, at) => account.accept(made(keyOf(who[at] ?? ''))))),
    )
    const refused = ended.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
    assert.equal(refused.length, 1)
    assert.ok(refused[0] instanceof AnotherSignInError)
    const winner = textOf(await desktop.kept.load())
    await eventually('both use it', () => windows.every(({ account }) => textOf(account.credential(api)) === winner))
  })

  test('a window that has not been told yet reads before it writes', async () => {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const a = await harness.window(desktop.window())
    const b = await harness.window({ ...desktop.window(), onDidChange: () => ({ dispose() {} }) })
    await a.account.accept(made(keyOf('ada')))
    assert.ok((await faultOf(b.account.accept(made(keyOf('eve'))))) instanceof AnotherSignInError)
    assert.equal((await desktop.kept.load())?.email, 'ada@example.com')
  })

  test('a keyring that hangs is waited for once until the key is known to be homeless', async () => {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const { account, kept } = await harness.window(desktop.window())
    const asked: string[] = []
    const silent = (what: string) => async () => {
      asked.push(what)
      throw new KeyringError('silent')
    }
    Object.assign(kept, { load: silent('load'), save: silent('save') })
    const fault = await faultOf(account.accept(made(keyOf('ada'))))
    assert.ok(fault instanceof KeyringError && fault.why === 'silent')
    assert.deepEqual(asked, ['load'])
  })

  test('a window that looks at the file just before a sign-out and at the keyring just after it says which it was', async () => {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const a = await harness.window(desktop.window())
    const b = await harness.window(desktop.window(), api, false)
    await a.account.accept(made(keyOf('ada')))
    await eventually('b is in', () => b.account.state.is === 'in')
    const { load } = b.kept
    b.kept.load = async () => {
      b.kept.load = load
      await a.account.signOut(false, never)
      return load()
    }
    await b.account.restore()
    assert.deepEqual(b.states, ['out', 'in', 'out: left'])
  })

  test('a key that the keyring loses under a window is lost, and the next one is stored', async () => {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const { account, states } = await harness.window(desktop.window())
    await account.accept(made(keyOf('ada')))
    await desktop.window().clear()
    await eventually('it is out', () => account.state.is === 'out')
    assert.deepEqual([states, account.unread], [['out', 'in', 'out: lost'], []])
    assert.ok(await account.writeIfSafe(async () => {}), 'there is nothing to take away')
    await account.accept(made(keyOf('eve')))
    assert.equal((await desktop.kept.load())?.email, 'eve@example.com')
    assert.deepEqual((await harness.window(desktop.window())).states, ['in'])
  })

  test('a keyring that gives the key back after a moment keeps its user signed in', async () => {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const { account, states, kept } = await harness.window(desktop.window())
    await account.accept(made(keyOf('ada')))
    const { load } = kept
    kept.load = async () => undefined
    await account.restore()
    kept.load = load
    await account.restore()
    assert.deepEqual(states, ['out', 'in', 'out: lost', 'in'])
  })

  test('a window that was closed during a sign-in and a sign-out knows nothing of either', async () => {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const a = await harness.window(desktop.window())
    await a.account.accept(made(keyOf('ada')))
    await a.account.signOut(false, never)
    assert.deepEqual((await harness.window(desktop.window())).states, ['out'])
  })
})

describe('[R40] on a desktop beside a remote machine, whose windows share the secret storage and not the file', () => {
  for (const signer of ['local', 'remote'] as const)
    for (const revoke of [true, false])
      test(`${revoke ? 'revoking' : 'forgetting'} the key of a ${signer} window in the other one ends its sign-in, and leaves nothing in the way of the next`, async () => {
        using pair = new Remote()
        const windows = await pair.windows()
        const [a, b] = signer === 'local' ? [windows.local, windows.remote] : [windows.remote, windows.local]
        await a.account.accept(made(keyOf('ada')))
        await eventually('b is in', () => b.account.state.is === 'in')
        assert.equal(await b.account.signOut(revoke, never), revoke ? 'revoked' : 'not tried')
        await eventually('a is out', () => a.account.state.is === 'out')
        assert.deepEqual([a.states, a.account.unread], [['out', 'in', 'out: lost'], []])
        assert.ok(await a.account.writeIfSafe(async () => {}), 'the email may be remembered')
        await a.account.accept(made(keyOf('eve')))
        await eventually('b is eve', () => textOf(b.account.credential(api)) === keyOf('eve').key)
      })

  for (const revoke of [true, false])
    test(`${revoke ? 'revoking' : 'forgetting'} the second key in the window that made the first one leaves it nowhere`, async () => {
      using pair = new Remote()
      const { local, remote } = await pair.windows()
      await remote.account.accept(made(keyOf('ada')))
      await eventually('local is in', () => local.account.state.is === 'in')
      await local.account.signOut(true, never)
      await eventually('remote is out', () => remote.account.state.is === 'out')
      await local.account.accept(made(keyOf('eve')))
      await eventually('remote is eve', () => textOf(remote.account.credential(api)) === keyOf('eve').key)
      assert.equal(await remote.account.signOut(revoke, never), revoke ? 'revoked' : 'not tried')
      assert.equal(await pair.desktop.kept.load(), undefined)
      await eventually('local is out', () => local.account.state.is === 'out')
      assert.deepEqual(local.states, ['out', 'in', 'out', 'in', 'out: lost'])
      assert.deepEqual((await pair.there.window(pair.desktop.window())).states, ['out'], 'nothing was lost there')
    })

  test('a window that nobody has told yet reads the keyring before it writes', async () => {
    using pair = new Remote()
    const silent = { ...pair.desktop.window(), onDidChange: () => ({ dispose() {} }) }
    const remote = await pair.there.window(silent)
    const local = await pair.here.window(pair.desktop.window())
    await local.account.accept(made(keyOf('ada')))
    assert.ok((await faultOf(remote.account.accept(made(keyOf('eve'))))) instanceof AnotherSignInError)
    assert.equal((await pair.desktop.kept.load())?.email, 'ada@example.com')
    await eventually('remote uses it', () => textOf(remote.account.credential(api)) === keyOf('ada').key)
  })
})

describe('in a browser, where they do not', () => {
  test('a sign-out takes effect at once, whatever the old copy of the secrets holds', async () => {
    using harness = new StoreHarness()
    const browser = new Browser()
    const a = await harness.window(browser.window())
    await a.account.accept(made(keyOf('ada')))
    const b = await harness.window(browser.window())
    assert.deepEqual(b.states, ['in'])
    await a.account.signOut(true, never)
    await harness.untilNotified('b is out', () => b.account.state.is === 'out')
    assert.deepEqual(b.states, ['in', 'out: left'])
    assert.ok(await b.kept.load(), 'its own secret storage still has the key')
    await b.account.restore()
    assert.equal(textOf(b.account.credential(api)), undefined)
  })

  test('a sign-in offers a reload, and nothing is written over it', async () => {
    using harness = new StoreHarness()
    const browser = new Browser()
    const a = await harness.window(browser.window())
    const b = await harness.window(browser.window())
    await a.account.accept(made(keyOf('ada')))
    await harness.untilNotified('b knows', () => b.states.length > 1)
    assert.deepEqual(b.states, ['out', 'out: elsewhere'])
    assert.equal(browser.sealed?.email, 'ada@example.com')
    const reloaded = await harness.window(browser.window())
    assert.equal(textOf(reloaded.account.credential(api)), keyOf('ada').key)
  })

  test('two windows that sign in at once end with one key', async () => {
    using harness = new StoreHarness()
    const browser = new Browser()
    const a = await harness.window(browser.window())
    const b = await harness.window(browser.window())
    await a.account.accept(made(keyOf('ada')))
    assert.ok((await faultOf(b.account.accept(made(keyOf('eve'))))) instanceof AnotherSignInError)
    assert.equal(browser.sealed?.email, 'ada@example.com')
    await eventually('b knows', () => stateText(b.account.state) === 'out: elsewhere')
  })

  test('another account: the old key is dropped at once and the new one offered', async () => {
    using harness = new StoreHarness()
    const browser = new Browser()
    const a = await harness.window(browser.window())
    await a.account.accept(made(keyOf('ada')))
    const b = await harness.window(browser.window())
    await a.account.signOut(true, never)
    await a.account.accept(made(keyOf('eve')))
    await harness.untilNotified('b knows', () => stateText(b.account.state) === 'out: elsewhere')
    assert.equal(textOf(b.account.credential(api)), undefined)
  })

  test('who wants a key of their own gets one, and the other window keeps its own', async () => {
    using harness = new StoreHarness()
    const [laptop, tablet] = [new Browser(), new Browser()]
    const a = await harness.window(laptop.window())
    const b = await harness.window(tablet.window())
    await a.account.accept(made(keyOf('ada')))
    await harness.untilNotified('b knows', () => stateText(b.account.state) === 'out: elsewhere')
    const acknowledged = b.account.acknowledgeUnread()
    assert.deepEqual(b.account.unread, [])
    acknowledged.dispose()
    assert.deepEqual(b.account.unread, [api], 'until the user has given up on it')
    b.account.acknowledgeUnread()
    await b.account.accept(made(keyOf('eve')))
    assert.equal(b.account.state.is, 'in')
    await harness.clock.advance(2_000)
    await a.account.restore()
    assert.equal(textOf(a.account.credential(api)), keyOf('ada').key)
    await b.account.signOut(true, never)
    await a.account.restore()
    assert.equal(a.account.state.is, 'in')
    assert.deepEqual((await harness.window(tablet.window())).states, ['out'], 'nothing was lost')
  })
})

test('[R41] a refusal that is noted after the sign-in has ended does not bring it back in the next window', async () => {
  const folder = mkdtempSync(join(root, 'late-'))
  const desktop = new Desktop()
  const window = () => new SharedCredentialStore(desktop.window(), new SignInFile(folder, new FakeClock(), new Log()))
  const ended = made({ ...keyOf('ada'), id: 'ended' })
  const store = window()
  await store.save(ended)
  await store.clear(ended)
  await store.refuse(ended)
  await desktop.kept.save(ended)
  assert.equal(await window().load(), undefined, 'an old copy of the keyring still holds its key')
})

test('a sign-out does not take away the key that another window of the browser has stored since', async () => {
  using harness = new StoreHarness()
  const browser = new Browser()
  const a = await harness.window(browser.window())
  const b = await harness.window(browser.window())
  await a.account.accept(made(keyOf('ada')))
  await harness.untilNotified('b knows', () => stateText(b.account.state) === 'out: elsewhere')
  b.account.acknowledgeUnread()
  await b.account.accept(made(keyOf('eve')))
  await a.account.signOut(true, never)
  assert.equal(browser.sealed?.email, 'eve@example.com')
  assert.equal(textOf(b.account.credential(api)), keyOf('eve').key)
})

test('a key that was revoked elsewhere is told to every window, and a new window tries it once more', async () => {
  using harness = new StoreHarness()
  const browser = new Browser()
  const a = await harness.window(browser.window())
  await a.account.accept(made(keyOf('ada')))
  const b = await harness.window(browser.window())
  let reportedByB = 0
  b.account.onDidRefuse(() => reportedByB++)
  await a.account.onUnauthorized(made(keyOf('ada')))
  await harness.untilNotified('b knows', () => b.account.state.is === 'refused')
  assert.deepEqual(b.states, ['in', 'refused'])
  assert.equal(reportedByB, 0, 'one window tells it')
  const c = await harness.window(browser.window())
  assert.deepEqual(c.states, ['in'], 'it may have been a passing one')
  await harness.clock.advance(1_000)
  await c.account.onUnauthorized(made(keyOf('ada')))
  assert.deepEqual(c.states, ['in', 'refused'])
  await harness.run(a.account.accept(made(keyOf('eve'))))
  await harness.untilNotified('b lets go of it', () => stateText(b.account.state) === 'out: elsewhere')
})

test('a keyring that has lost the key is told from one that never had any', async () => {
  using harness = new StoreHarness()
  const forgetful = new Browser()
  const a = await harness.window(forgetful.window())
  await a.account.accept(made(keyOf('ada')))
  forgetful.sealed = undefined
  const next = await harness.window(forgetful.window())
  assert.deepEqual(next.states, ['out: lost'])
  await next.account.accept(made(keyOf('ada')))
  await next.account.signOut(true, never)
  assert.deepEqual((await harness.window(forgetful.window())).states, ['out'])
})

test('signing out works while the keyring is locked: what it still holds is over', async () => {
  using harness = new StoreHarness()
  const browser = new Browser()
  const a = await harness.window(browser.window())
  await a.account.accept(made(keyOf('ada')))
  a.kept.clear = () => Promise.reject(new KeyringError('failed'))
  assert.equal(await a.account.signOut(false, never), 'not forgotten')
  await a.account.restore()
  assert.equal(a.account.state.is, 'out')
  assert.deepEqual((await harness.window(browser.window())).states, ['out'])
})

test('signing out of a key in memory leaves the one that is stored for another service where it is', async () => {
  for (const isReadable of [true, false]) {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const stored = await harness.window(desktop.window())
    await stored.account.accept(made(keyOf('ada')))
    const elsewhere = 'https://another.example.com'
    const { account, kept } = await harness.window(desktop.window(), elsewhere)
    await account.hold(made({ ...keyOf('eve'), resource: elsewhere, id: 'in memory' }))
    if (!isReadable) kept.load = () => Promise.reject(new KeyringError('failed'))
    assert.equal(await account.signOut(true, never), 'revoked')
    await account.restore()
    assert.equal(account.state.is, 'out')
    assert.equal(textOf(await desktop.kept.load()), keyOf('ada').key)
    assert.deepEqual((await harness.window(desktop.window())).states, ['in'])
  }
})

test('signing out of a key in memory takes the one before it, of the same service, along', async () => {
  for (const isOfThisWindow of [true, false]) {
    using harness = new StoreHarness()
    const desktop = new Desktop()
    const first = await harness.window(desktop.window())
    await first.account.accept(made(keyOf('ada')))
    const { account } = isOfThisWindow ? first : await harness.window(desktop.window())
    await account.hold(made({ ...keyOf('eve'), id: 'in memory' }))
    await account.signOut(true, never)
    await account.restore()
    assert.equal(stateText(account.state), 'out')
    assert.equal(await desktop.kept.load(), undefined)
    assert.deepEqual((await harness.window(desktop.window())).states, ['out'], 'nothing was lost')
  }
})

test('[T15] signing out revokes the key while another window holds the lock and hangs, and is forgotten when it lets go', async () => {
  using harness = new StoreHarness()
  const a = await harness.window(new Desktop().window())
  await a.account.accept(made(keyOf('ada')))
  const lock = join(harness.folder, 'signIns.json.lock')
  writeFileSync(lock, `${process.ppid} ${hostname()} another-window`)
  const leaving = a.account.signOut(true, never)
  assert.equal(await harness.run(leaving), 'revoked')
  assert.ok(harness.clock.elapsed() < 2_000, String(harness.clock.elapsed()))
  assert.notEqual(await a.kept.load(), undefined, 'nobody has let go of it yet')
  unlinkSync(lock)
  await harness.run(a.account.restore())
  assert.deepEqual([await a.kept.load(), stateText(a.account.state)], [undefined, 'out'])
})

test('the file says nothing about key, email or service', async () => {
  using harness = new StoreHarness()
  const a = await harness.window(new Browser().window())
  await a.account.accept(made(keyOf('ada')))
  const text = readFileSync(join(harness.folder, 'signIns.json'), 'utf8')
  assert.doesNotMatch(text, /sk-bf|ada|Example|auth\./)
})
