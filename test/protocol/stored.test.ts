// The record that is kept: whole, or nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StoredCredential, storedCredential } from '../../src/protocol/stored.ts'

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

test('a record survives being written down', () => {
  assert.deepEqual(storedCredential.parse(JSON.parse(JSON.stringify(credential))), credential)
})

test('a pasted key needs neither issuer nor email', () => {
  const { issuer: _, email: __, revocationEndpoint: ___, ...bare } = credential
  assert.ok(storedCredential.safeParse({ ...bare, origin: 'pasted' }).success)
})

test('[T72] what cannot go into a header, or is of another time, is not used', () => {
  const wrong: object[] = [
    { key: '' },
    { key: 'a b' },
    { key: 'a\r\nX-Evil: 1' },
    { key: 'schlüssel' },
    { key: 7 },
    { version: 2 },
    { resource: 'api.example.com' },
    { origin: 'elsewhere' },
    { service: undefined },
  ]
  for (const change of wrong) {
    assert.ok(!storedCredential.safeParse({ ...credential, ...change }).success, JSON.stringify(change))
  }
})
