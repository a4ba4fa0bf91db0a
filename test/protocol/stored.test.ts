// The record that is kept: whole, or nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedCredential } from '../../src/protocol/stored.ts'
import { storedExample } from '../support/credential.ts'

test('a record survives being written down', () => {
  assert.deepEqual(storedCredential.parse(JSON.parse(JSON.stringify(storedExample))), storedExample)
})

test('a pasted key needs neither issuer nor email', () => {
  const { issuer: _, email: __, revocationEndpoint: ___, ...bare } = storedExample
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
    assert.ok(!storedCredential.safeParse({ ...storedExample, ...change }).success, JSON.stringify(change))
  }
})
