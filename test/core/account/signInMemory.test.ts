// What outlives a window in the middle of a sign-in, and that remembering it takes nothing away from another window.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Memento } from 'vscode'
import { Account } from '../../../src/core/account/account.ts'
import { SecretCredentialStore } from '../../../src/core/account/secretCredentialStore.ts'
import { SharedCredentialStore } from '../../../src/core/account/sharedCredentialStore.ts'
import { SignInMemory } from '../../../src/core/account/signInMemory.ts'
import { Log } from '../../../src/core/log/log.ts'
import { AttemptFiles } from '../../../src/node/account/attemptFiles.ts'
import { FileHeartbeat } from '../../../src/node/account/fileHeartbeat.ts'
import { SignInFile } from '../../../src/node/account/signInFile.ts'
import { systemProcesses } from '../../../src/node/systemProcesses.ts'
import type { LastSignIn, StoredCredential } from '../../../src/protocol/stored.ts'
import { BrowserSecrets } from '../../support/browserSecrets.ts'
import { made, textOf } from '../../support/credential.ts'
import { whileWaitedFor } from '../../support/diskPace.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { ScriptedHttp } from '../../support/scriptedHttp.ts'
import { never } from '../../support/wire.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-memory-'))
after(() => rmSync(root, { recursive: true }))
const api = 'https://api.example.com'
const record = 'kourier.credential'
const remembered = 'kourier.lastSignIn'
const agreed: LastSignIn = {
  email: 'eve@example.com',
  issuer: 'https://auth.example.com',
  resource: api,
  service: 'Example',
}
const credential: StoredCredential = {
  version: 1,
  key: 'sk-bf-key-of-ada',
  resource: api,
  issuer: 'https://auth.example.com',
  service: 'Example',
  email: 'ada@example.com',
  origin: 'registration',
}
let harnesses = 0

/** The windows of one machine, in one browser. */
class MemoryHarness {
  readonly browser = new BrowserSecrets()
  readonly #folder = join(root, String(harnesses++))
  readonly clock = new FakeClock()
  readonly #attempts = join(this.#folder, 'signIns')
  readonly #heartbeat = new FileHeartbeat(this.#attempts, this.clock)

  /** On the desktop, windows share their `secrets`. */
  async window(state: Memento = new FakeMemento(), secrets = this.browser.window()) {
    const log = new Log()
    const store = new SharedCredentialStore(
      new SecretCredentialStore(secrets, this.clock, log),
      new SignInFile(this.#folder, this.clock, log),
    )
    const account = new Account(new ScriptedHttp({}).send, store, () => api, log)
    await account.restore()
    const write = (work: () => Promise<void>) => account.writeIfSafe(work)
    const notes = new AttemptFiles(this.#attempts, this.clock)
    const memory = new SignInMemory(secrets, state, write, this.clock, this.#heartbeat, notes, systemProcesses)
    return { account, memory, state }
  }

  /** Two windows with one storage for secrets, as on the desktop. */
  async sharing(secrets = this.browser.window()) {
    return [await this.window(new FakeMemento(), secrets), await this.window(new FakeMemento(), secrets)] as const
  }

  /** What is in files about sign-ins under way. */
  get attempts(): readonly string[] {
    return readdirSync(this.#attempts).map(name => `${name} ${readFileSync(join(this.#attempts, name), 'utf8')}`)
  }

  /** What a window leaves in its folder that goes away in the middle of a sign-in. */
  async cutOffWindow(attempt = 'the attempt', process?: number): Promise<Memento> {
    const { memory, state } = await this.window()
    await memory.begin(agreed, attempt)
    memory.dispose()
    this.end(attempt, process)
    return state
  }

  /** The window went away in the middle of this attempt, and its process with it, unless another one has its number. */
  end(attempt: string, process = spawnSync(globalThis.process.execPath, ['--version']).pid): void {
    const file = join(this.#attempts, `${encodeURIComponent(attempt)}.json`)
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), process }))
  }

  get storedKey(): string | undefined {
    return JSON.parse(this.browser.sealed[record] ?? '{}').key
  }
}

describe('a sign-in beside another window of the same browser', () => {
  it('takes nothing away, whether it is cancelled or begins before the news has come', async () => {
    const harness = new MemoryHarness()
    const a = await harness.window()
    const b = await harness.window()
    await a.account.accept(made(credential))
    await b.account.restore()
    assert.deepEqual(b.account.state, { is: 'out', why: 'elsewhere' })
    assert.deepEqual(b.account.unread, [api])
    b.account.acknowledgeUnread()
    assert.deepEqual(b.account.unread, [])
    await b.memory.begin(agreed, 'second')
    assert.equal(harness.storedKey, credential.key)
    await b.memory.end(false)
    assert.equal(harness.storedKey, credential.key)
    const reloaded = await harness.window()
    assert.equal(textOf(reloaded.account.credential(api)), credential.key)
  })

  it('takes nothing away where the key was stored a moment ago', async () => {
    const harness = new MemoryHarness()
    const a = await harness.window()
    const b = await harness.window()
    await a.account.accept(made(credential))
    await b.memory.begin(agreed, 'second')
    await b.memory.end(false)
    assert.equal(harness.storedKey, credential.key)
  })

  it('takes no key of another service away either', async () => {
    const harness = new MemoryHarness()
    const a = await harness.window()
    const b = await harness.window()
    await a.account.accept(made({ ...credential, resource: 'https://other.example.com' }))
    await b.account.restore()
    await assert.rejects(b.account.accept(made(credential)), { name: 'AnotherSignInError' })
    assert.deepEqual(b.account.unread, ['https://other.example.com'])
    await b.account.signOut(false, never)
    assert.equal(harness.storedKey, credential.key)
  })

  it('remembers its email as soon as there is nothing to lose', async () => {
    const harness = new MemoryHarness()
    const a = await harness.window()
    await a.memory.begin(agreed, 'first')
    assert.ok(harness.browser.sealed[remembered])
    await a.memory.end(false)
    assert.deepEqual(harness.browser.sealed, {})
  })
})

describe('the email of the last sign-in', () => {
  it('is still known after one that ended before its own was agreed to', async () => {
    const { memory } = await new MemoryHarness().window()
    await memory.begin(agreed, 'first')
    await memory.end(true)
    await memory.end(false)
    assert.deepEqual(await memory.last(), agreed)
  })

  it('is known again after another one that came to nothing', async () => {
    const { memory } = await new MemoryHarness().window()
    await memory.begin(agreed, 'first')
    await memory.end(true)
    for (const attempt of ['second', 'third']) {
      assert.deepEqual(await memory.last(), agreed)
      await memory.begin({ ...agreed, email: 'ada@example.com' }, attempt)
      await memory.end(false)
    }
    assert.deepEqual(await memory.last(), agreed)
  })

  it('is none of a sign-in that was cancelled while another was under way', async () => {
    const harness = new MemoryHarness()
    const [a, b] = await harness.sharing()
    await a.memory.begin({ ...agreed, email: 'ada@example.com' }, 'first')
    await b.memory.last()
    await b.memory.begin(agreed, 'second')
    await a.memory.end(false)
    await b.memory.end(false)
    assert.equal(await b.memory.last(), undefined)
  })

  it('is left as another window has remembered it since', async () => {
    const harness = new MemoryHarness()
    const [a, b] = await harness.sharing()
    await a.memory.begin({ ...agreed, email: 'ada@example.com' }, 'first')
    await b.memory.begin(agreed, 'second')
    await a.memory.end(false)
    assert.deepEqual(await b.memory.last(), agreed)
  })

  it('leaves alone the note of a sign-in in another window on the same folder', async () => {
    const harness = new MemoryHarness()
    const a = await harness.window()
    const b = await harness.window(a.state)
    await a.memory.begin(agreed, 'first')
    await b.memory.end(false)
    harness.end('first')
    const next = await harness.window(a.state)
    assert.deepEqual(await next.memory.cutOff(), { attempt: 'first', way: 'code', last: agreed })
  })
})

describe('[R36] a window that is reloaded in the middle of a sign-in', () => {
  it('tells the next one once which attempt it was, and for which email', async () => {
    const harness = new MemoryHarness()
    const { memory, state } = await harness.window()
    await memory.begin(agreed, 'the attempt')
    const left = JSON.stringify([state.keys().map(key => state.get(key)), harness.attempts])
    assert.doesNotMatch(left, /@|sk-|clm_/)
    harness.end('the attempt')
    const next = await harness.window(state)
    assert.deepEqual(await next.memory.cutOff(), { attempt: 'the attempt', way: 'code', last: agreed })
    assert.equal(await next.memory.cutOff(), undefined)
  })

  it('tells the email also where the keyring takes ten seconds to be unlocked, and goes on without one after fifteen', async () => {
    for (const [unlockedAfterMs, email] of [
      [10_000, agreed.email],
      [20_000, undefined],
    ] as const) {
      const harness = new MemoryHarness()
      let unlocked = Promise.resolve()
      const secrets = harness.browser.window()
      const lockable = { ...secrets, get: (name: string) => unlocked.then(() => secrets.get(name)) }
      const { memory } = await harness.window(new FakeMemento(), lockable)
      await memory.begin(agreed, 'the attempt')
      await memory.end(true)
      unlocked = new Promise(resolve => harness.clock.later(unlockedAfterMs, resolve))
      const last = memory.last()
      await harness.clock.advance(15_000)
      assert.equal((await last)?.email, email)
    }
  })

  it('names no email that is another sign-in’s', async () => {
    const harness = new MemoryHarness()
    const a = await harness.window()
    const b = await harness.window()
    await a.memory.begin({ ...agreed, email: 'ada@example.com' }, 'first')
    await a.account.accept(made({ ...credential, id: 'first' }))
    await b.memory.begin(agreed, 'second')
    harness.end('second')
    const next = await harness.window(b.state)
    assert.deepEqual(await next.memory.cutOff(), { attempt: 'second', way: 'code', last: undefined })
  })

  it('names no email that another window has agreed to since', async () => {
    const harness = new MemoryHarness()
    const secrets = harness.browser.window()
    const [a, b] = await harness.sharing(secrets)
    await a.memory.begin({ ...agreed, email: 'ada@example.com' }, 'first')
    await b.memory.begin(agreed, 'second')
    harness.end('first')
    const next = await harness.window(a.state, secrets)
    assert.deepEqual(await next.memory.cutOff(), { attempt: 'first', way: 'code', last: undefined })
  })

  it('tells it also of one that was begun while the first was still being judged', async () => {
    const harness = new MemoryHarness()
    const state = await harness.cutOffWindow('first', process.ppid)
    const second = await harness.window(state)
    const judging = second.memory.cutOff()
    await second.memory.begin({ ...agreed, email: 'ada@example.com' }, 'second')
    // The window with the heartbeat and the one that listens.
    const cutOff = await whileWaitedFor(judging, harness.clock, 2)
    assert.deepEqual(cutOff, { attempt: 'first', way: 'code', last: undefined })
    second.memory.dispose()
    harness.end('second')
    const third = await harness.window(state)
    const last = { ...agreed, email: 'ada@example.com' }
    assert.deepEqual(await third.memory.cutOff(), { attempt: 'second', way: 'code', last })
  })

  it('tells it of a sign-in with the browser too, which names no email and takes none away', async () => {
    const harness = new MemoryHarness()
    const { memory, state } = await harness.window()
    await memory.begin(agreed, 'with a code')
    await memory.end(true)
    await memory.beginInBrowser('the attempt')
    harness.end('the attempt')
    const next = await harness.window(state)
    assert.deepEqual(await next.memory.cutOff(), { attempt: 'the attempt', way: 'browser', last: undefined })
    assert.deepEqual(await next.memory.last(), agreed)
    await next.memory.beginInBrowser('another')
    await next.memory.end(true)
    assert.equal(await next.memory.cutOff(), undefined, 'one that ended leaves nothing')
    assert.deepEqual(await next.memory.last(), agreed)
  })

  it('was not cut off where its key was stored in the last moment, even if the key is lost since', async () => {
    const harness = new MemoryHarness()
    const { account, memory, state } = await harness.window()
    await memory.begin(agreed, 'the attempt')
    await account.accept(made({ ...credential, id: 'the attempt' }))
    harness.end('the attempt')
    const next = await harness.window(state)
    assert.equal((await next.memory.cutOff())?.attempt, 'the attempt')
    assert.ok(next.account.wasStored('the attempt'))
    harness.browser.sealed = {}
    const later = await harness.window()
    assert.deepEqual(later.account.state, { is: 'out', why: 'lost' })
    assert.ok(later.account.wasStored('the attempt'))
    assert.ok(!later.account.wasStored('another attempt'))
  })

  it('tells it also where another program has been given the number of the process since, or the next window itself', async () => {
    for (const pid of [process.ppid, process.pid]) {
      const harness = new MemoryHarness()
      const state = await harness.cutOffWindow('the attempt', pid)
      const next = await harness.window(state)
      const cutOff = await whileWaitedFor(next.memory.cutOff(), harness.clock, 1)
      assert.deepEqual(cutOff, { attempt: 'the attempt', way: 'code', last: agreed })
      assert.ok(harness.clock.elapsed() <= 15_000, String(harness.clock.elapsed()))
    }
  })

  it('tells it one on another folder as well, but of several only one', async () => {
    const harness = new MemoryHarness()
    const state = await harness.cutOffWindow()
    const others = await Promise.all([harness.window(), harness.window()])
    const judging = Promise.all(others.map(other => other.memory.cutOff()))
    const results = await whileWaitedFor(judging, harness.clock, 2)
    assert.deepEqual(
      results.filter(cutOff => cutOff !== undefined),
      [{ attempt: 'the attempt', way: 'code', last: agreed }],
    )
    assert.deepEqual(harness.attempts, [])
    const later = await harness.window(state)
    assert.equal(await later.memory.cutOff(), undefined, 'the folder is opened again')
    assert.deepEqual(state.keys(), [])
  })

  it('tells it the one on the same folder before any other', async () => {
    const harness = new MemoryHarness()
    const state = await harness.cutOffWindow()
    const other = await harness.window()
    const judging = other.memory.cutOff()
    await harness.clock.advance(2_000)
    const same = await harness.window(state)
    assert.deepEqual(await same.memory.cutOff(), { attempt: 'the attempt', way: 'code', last: agreed })
    assert.equal(await whileWaitedFor(judging, harness.clock, 1), undefined)
  })

  it('says nothing of one that began more than an hour ago, and leaves nothing of it', async () => {
    const harness = new MemoryHarness()
    const state = await harness.cutOffWindow()
    await harness.clock.advance(3_600_001)
    const next = await harness.window(state)
    assert.equal(await next.memory.cutOff(), undefined)
    assert.deepEqual([state.keys(), harness.attempts], [[], []])
  })

  it('says nothing of a sign-in that goes on in a window which lives', async () => {
    const harness = new MemoryHarness()
    const { memory, state } = await harness.window()
    await memory.begin(agreed, 'the attempt')
    harness.end('the attempt', process.ppid)
    const next = await harness.window(state)
    // The window with the heartbeat and the one that listens.
    assert.equal(await whileWaitedFor(next.memory.cutOff(), harness.clock, 2), undefined)
    assert.equal(state.keys().length, 1, 'the note is still the other window’s')
    await memory.end(false)
    assert.deepEqual([state.keys(), harness.attempts, harness.clock.waiting], [[], [], 0])
  })

  it('says nothing of a sign-in that ended, or that is under way here', async () => {
    const harness = new MemoryHarness()
    const ended = await harness.window()
    await ended.memory.begin(agreed, 'the attempt')
    await ended.memory.end(true)
    assert.equal(await (await harness.window(ended.state)).memory.cutOff(), undefined)
    const here = await harness.window()
    await here.memory.begin(agreed, 'the attempt')
    assert.equal(await here.memory.cutOff(), undefined)
    assert.equal(here.state.keys().length, 1, 'the next window on the folder knows that it was there')
    await here.memory.end(false)
  })
})
