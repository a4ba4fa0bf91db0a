// What a person is told of a key that another one took the place of, or that is gone.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { Account } from '../../../src/core/account/account.ts'
import { MemoryCredentialStore } from '../../../src/core/account/credentialStore.ts'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { MemoryJournal } from '../../../src/core/conversation/memoryJournal.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { StoredCredential } from '../../../src/protocol/stored.ts'
import { made } from '../../support/credential.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { ScriptedHttp } from '../../support/scriptedHttp.ts'
import { eventually } from '../../support/wire.ts'

/** Notifications are noted, and nobody chooses anything in them. */
const editor = `data:text/javascript,${encodeURIComponent(`
  export const said = []
  const say = async (text, ...buttons) => void said.push([text, ...buttons.map(button => '[' + button + ']')].join(' '))
  export const window = { showInformationMessage: say, showWarningMessage: say, showErrorMessage: say }
  export const commands = {}
  export const ProgressLocation = {}
`)}`
const hooks = registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: editor, shortCircuit: true } : next(name, context)),
})
const { notifyAccountNews: tellAccountNews } = await import('../../../src/editor/account/accountNews.ts')
const { said }: { said: string[] } = await import(editor)
hooks.deregister()

const credential: StoredCredential = {
  version: 1,
  key: 'sk-bf-0123456789',
  resource: 'https://api.example.com',
  issuer: 'https://auth.example.com',
  revocationEndpoint: 'https://auth.example.com/oauth2/revoke',
  service: 'Example',
  email: 'ada@example.com',
  origin: 'registration',
}

const ends: readonly [number, readonly RegExp[]][] = [
  [200, []],
  [503, [/^Example did not confirm that the key before this sign-in, which it had refused, was revoked\./]],
]
for (const [status, expected] of ends) {
  test(`a refused key that another one replaces is revoked, and ${expected.length} times told of after ${status}`, async () => {
    said.length = 0
    const clock = new FakeClock()
    const http = new ScriptedHttp({ status })
    const store = new MemoryCredentialStore()
    await store.save(made(credential))
    const account = new Account(http.send, store, () => credential.resource, new Log(), undefined, clock)
    using _ = tell(account, clock)
    await account.restore()
    account.learn({ ask: 'signIn' }, made(credential))
    await account.accept(made({ ...credential, key: 'sk-bf-another-key' }))
    await eventually('it was asked for', () => http.closed === 1)
    await eventually('what there is to say is said', () => said.length >= expected.length)
    await settled()
    assert.deepEqual(
      http.requests.map(({ url, body }) => [url, body]),
      [[credential.revocationEndpoint, `token=${credential.key}`]],
    )
    assert.equal(said.length, expected.length, said.join())
    for (const [at, text] of expected.entries()) assert.match(said[at] ?? '', text)
  })
}

test('a key that is gone from the secret storage without a word of another window is told of, with the way on', async () => {
  said.length = 0
  const clock = new FakeClock()
  const store = Object.assign(new MemoryCredentialStore(), { absence: () => 'lost' as const })
  await store.save(made(credential))
  const account = new Account(new ScriptedHttp({}).send, store, () => credential.resource, new Log(), undefined, clock)
  using _ = tell(account, clock)
  await account.restore()
  assert.deepEqual(said, [])
  await store.clear()
  await account.restore()
  await account.restore()
  assert.deepEqual(said, [
    'This editor was signed in to Example before, but its secret storage holds no key now. Sign in again. [Sign In]',
  ])
})

test('and not in a window that finds none when it opens, where the chat says so', async () => {
  said.length = 0
  const clock = new FakeClock()
  const store = Object.assign(new MemoryCredentialStore(), { absence: () => 'lost' as const })
  const account = new Account(new ScriptedHttp({}).send, store, () => credential.resource, new Log(), undefined, clock)
  using _ = tell(account, clock)
  await account.restore()
  assert.deepEqual([account.state, said], [{ is: 'out', why: 'lost' }, []])
})

function tell(account: Account, clock: FakeClock) {
  const sessions = new Sessions({
    models: { stream: () => assert.fail('nobody asks') },
    model: () => assert.fail('nobody asks'),
    journal: id => new MemoryJournal(id),
    newId: () => 'id',
    clock,
  })
  const told = tellAccountNews({
    account,
    sessions,
    serviceName: () => 'Example',
    isChatVisible: () => true,
    isSigningIn: () => false,
    openDashboard: () => assert.fail('nobody chose it'),
  })
  return { [Symbol.dispose]: () => told.dispose() }
}
