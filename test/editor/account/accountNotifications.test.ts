// The notifications about a key that another one took the place of, or that is gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../src/base/abort.ts'
import { Account } from '../../../src/core/account/account.ts'
import { MemoryCredentialStore } from '../../../src/core/account/credentialStore.ts'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { ProblemError } from '../../../src/core/http/errors.ts'
import type { Http } from '../../../src/core/http/http.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { made, storedExample } from '../../support/credential.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'
import { messagesIn } from '../../support/memorySession.ts'
import { ScriptedHttp } from '../../support/scriptedHttp.ts'
import { eventually } from '../../support/wire.ts'

const { notifyAccountChanges: notifyAccountNews } = await withFakeVscode(
  () => import('../../../src/editor/account/accountNotifications.ts'),
)

/** The notifications with their buttons; nobody presses one. */
const notified = () =>
  fakeEditor.messages.map(({ text, buttons }) => [text, ...buttons.map(button => `[${button}]`)].join(' '))

const accountWith = (send: Http, store: MemoryCredentialStore, clock: FakeClock) =>
  new Account(send, store, () => storedExample.resource, new Log(), undefined, clock)

const ends: readonly [number, readonly RegExp[]][] = [
  [200, []],
  [503, [/^Example did not confirm that the key before this sign-in, which it had refused, was revoked\./]],
]
for (const [status, expected] of ends) {
  test(`a refused key that another one replaces is revoked, and ${expected.length} times told of after ${status}`, async () => {
    fakeEditor.reset()
    const clock = new FakeClock()
    const http = new ScriptedHttp({ status })
    const store = new MemoryCredentialStore()
    await store.save(made(storedExample))
    const account = accountWith(http.send, store, clock)
    using _ = startNotifying(account, clock, true)
    await account.restore()
    account.handleFault(new ProblemError('h', 401, {}), made(storedExample))
    await account.accept(made({ ...storedExample, key: 'sk-bf-another-key' }))
    await eventually('it was asked for', () => http.closed === 1)
    await eventually('what there is to say is said', () => notified().length >= expected.length)
    await settled()
    assert.deepEqual(
      http.requests.map(({ url, body }) => [url, body]),
      [[storedExample.revocationEndpoint, `token=${storedExample.key}`]],
    )
    assert.equal(notified().length, expected.length, notified().join())
    for (const [at, text] of expected.entries()) assert.match(notified()[at] ?? '', text)
  })
}

test('a key that is gone from the secret storage without a word of another window is told of, with the way on', async () => {
  fakeEditor.reset()
  const clock = new FakeClock()
  const store = Object.assign(new MemoryCredentialStore(), { absence: () => 'lost' as const })
  await store.save(made(storedExample))
  const account = accountWith(new ScriptedHttp({}).send, store, clock)
  using _ = startNotifying(account, clock)
  await account.restore()
  assert.deepEqual(notified(), [])
  await store.clear()
  await account.restore()
  await account.restore()
  assert.deepEqual(notified(), [
    'This editor was signed in to Example before, but its secret storage holds no key now. Sign in again. [Sign In]',
  ])
})

test('and not a second time beside the chat that says so', async () => {
  fakeEditor.reset()
  const clock = new FakeClock()
  const store = Object.assign(new MemoryCredentialStore(), { absence: () => 'lost' as const })
  await store.save(made(storedExample))
  const account = accountWith(new ScriptedHttp({}).send, store, clock)
  using _ = startNotifying(account, clock, true)
  await account.restore()
  await store.clear()
  await account.restore()
  assert.deepEqual([account.state, notified()], [{ is: 'out', why: 'lost' }, []])
})

test('and not in a window that finds none when it opens, where the chat says so', async () => {
  fakeEditor.reset()
  const clock = new FakeClock()
  const store = Object.assign(new MemoryCredentialStore(), { absence: () => 'lost' as const })
  const account = accountWith(new ScriptedHttp({}).send, store, clock)
  using _ = startNotifying(account, clock)
  await account.restore()
  assert.deepEqual([account.state, notified()], [{ is: 'out', why: 'lost' }, []])
})

const stopped = 'The answer under way was stopped; what arrived is kept.'
const lost = 'This editor was signed in to Example before, but its secret storage holds no key now. Sign in again.'
const places: readonly [string, boolean, string][] = [
  ['beside the chat, which says the rest', true, stopped],
  ['together with the reason where the chat is not in view', false, `${lost} ${stopped} [Sign In]`],
]
for (const [where, isChatVisible, text] of places) {
  test(`that the answer under way was stopped is told ${where}`, async () => {
    fakeEditor.reset()
    const clock = new FakeClock()
    const store = Object.assign(new MemoryCredentialStore(), { absence: () => 'lost' as const })
    await store.save(made(storedExample))
    const { send } = new ScriptedHttp({})
    const account = accountWith(send, store, clock)
    using notifying = startNotifying(account, clock, isChatVisible)
    await account.restore()
    const { current } = notifying.sessions
    const asked = current.ask('q')
    await eventually('the answer is under way', () => messagesIn(current)[1]?.text === 'Half')
    await store.clear()
    await account.restore()
    await asked
    assert.deepEqual(notified(), [text])
    assert.deepEqual([messagesIn(current)[1]?.text, messagesIn(current)[1]?.state], ['Half', 'stopped'])
  })
}

/** Sends a word and then waits to be stopped. */
const hanging: ModelClient = {
  async *stream(_, signal) {
    yield { kind: 'text-delta', text: 'Half' }
    await until(signal, () => () => {})
  },
}

function startNotifying(account: Account, clock: FakeClock, isChatVisible = false) {
  let ids = 0
  const sessions = new Sessions({
    models: hanging,
    model: async () => 'm',
    journal: id => new MemoryJournal(id),
    newId: () => `id${++ids}`,
    clock,
  })
  const news = notifyAccountNews({
    account,
    sessions,
    serviceName: () => 'Example',
    isChatVisible: () => isChatVisible,
    isSigningIn: () => false,
    openDashboard: () => assert.fail('nobody chose it'),
  })
  return { sessions, [Symbol.dispose]: () => news.dispose() }
}
