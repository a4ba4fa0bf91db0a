// The store in memory keeps one credential.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryCredentialStore } from '../../../src/core/account/credentialStore.ts'
import { madeOf } from '../../support/credential.ts'

test('keeps what was saved until it is cleared', async () => {
  const store = new MemoryCredentialStore()
  assert.equal(await store.load(), undefined)
  const credential = madeOf('sk-bf-1')
  await store.save(credential)
  assert.equal(await store.load(), credential)
  await store.clear()
  assert.equal(await store.load(), undefined)
})
