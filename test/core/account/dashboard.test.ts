// The dashboard's address, with a key and without.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account } from '../../../src/core/account/account.ts'
import { MemoryCredentialStore } from '../../../src/core/account/credentialStore.ts'
import { dashboardAddress } from '../../../src/core/account/dashboard.ts'
import { Log } from '../../../src/core/log/log.ts'
import { startService } from '../../localService/server.ts'
import { made } from '../../support/credential.ts'
import { discover } from '../../support/discover.ts'
import { never, Wire } from '../../support/wire.ts'

test('the dashboard is on the host of the authorization server, before, during and after a sign-in', async () => {
  await using service = await startService({ plan: 'pro' })
  using wire = new Wire()
  const account = new Account(wire.send, new MemoryCredentialStore(), () => service.baseUrl, new Log())
  let asked = 0
  const find = async () => {
    asked++
    return (await discover(wire.send, new URL(service.baseUrl), wire.clock, never)).issuer
  }
  const page = `${service.authUrl}/dashboard`
  assert.equal(await dashboardAddress(account, find), page)
  await account.accept(
    made({
      version: 1,
      key: service.state.issueKey('ada@example.com', 'test'),
      resource: service.baseUrl,
      issuer: service.authUrl,
      service: 'Example',
      origin: 'registration',
    }),
  )
  assert.equal(await dashboardAddress(account, find), page)
  assert.equal(asked, 1, 'the key in use says it')
  await account.signOut(false, never)
  assert.equal(await dashboardAddress(account, find), page)
  assert.notEqual(service.authUrl, service.baseUrl)
})

test('a key of another service has its dashboard there, and without any service there is none', async () => {
  const account = { state: { is: 'out' } } as const
  const find = () => assert.fail('nobody needs to be asked')
  assert.equal(await dashboardAddress(account, find, 'https://auth.other.test'), 'https://auth.other.test/dashboard')
  assert.equal(await dashboardAddress(account, undefined), undefined)
})
