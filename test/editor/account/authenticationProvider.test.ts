// What the editor's Accounts menu and other extensions receive about who is signed in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account } from '../../../src/core/account/account.ts'
import { MemoryCredentialStore } from '../../../src/core/account/credentialStore.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { StoredCredential } from '../../../src/protocol/stored.ts'
import { made, textOf } from '../../support/credential.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'
import { ScriptedHttp } from '../../support/scriptedHttp.ts'
import { never } from '../../support/wire.ts'

const { KourierAuthentication } = await withFakeVscode(
  () => import('../../../src/editor/account/authenticationProvider.ts'),
)

const credential: StoredCredential = {
  version: 1,
  key: 'sk-bf-0123456789',
  resource: 'https://api.example.com',
  service: 'Example',
  email: 'ada@example.com',
  origin: 'registration',
}

test('whoever asks in the first moment is answered when the keyring has been read', async () => {
  const store = new MemoryCredentialStore()
  const account = new Account(new ScriptedHttp({}).send, store, () => credential.resource, new Log())
  using provider = provide(account)
  const asked = provider.getSessions(['inference'])
  await store.save(made(credential))
  await account.restore()
  assert.deepEqual(
    (await asked).map(session => session.account.label),
    ['ada@example.com'],
  )
  assert.deepEqual(await provider.getSessions(['email']), [])
  await account.signOut(false, never)
  assert.deepEqual(await provider.getSessions(), [])
})

test('a key of the environment is no session: other extensions get it neither at once nor with a sign-in', async () => {
  const environment = () => made({ ...credential, origin: 'environment' })
  const { send } = new ScriptedHttp({})
  const account = new Account(send, new MemoryCredentialStore(), () => credential.resource, new Log(), environment)
  using provider = provide(account)
  await account.restore()
  assert.equal(textOf(account.credential(credential.resource)), credential.key)
  assert.deepEqual(await provider.getSessions(), [])
  await assert.rejects(provider.createSession(), /Nobody has signed in/)
})

function provide(account: Account) {
  const signIn = async () => {}
  const provider = new KourierAuthentication({ account, signIn, signOut: signIn })
  return Object.assign(provider, { [Symbol.dispose]: () => provider.dispose() })
}
