// A key as it is granted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenGranted } from '../../../src/protocol/wire/token.ts'

const granted = { access_token: 'sk-bf-0123456789', token_type: 'Bearer', scope: 'inference' }

test('a token type is read whatever its case; what is more passes', () => {
  for (const token_type of ['Bearer', 'bearer', 'BEARER']) {
    const body = { ...granted, token_type, expires_in: 5, credential_type: 'api_key' }
    assert.equal(tokenGranted.parse(body).access_token, granted.access_token)
  }
  assert.equal(tokenGranted.parse({ ...granted, scope: null }).scope, null)
})

test('what cannot go into a header is no key', () => {
  const wrong = ['', 'short', 'sk-bf-0123\r\nX: 1', 'sk-bf-0123 456', 'sk-bf-ü0123456', 'x'.repeat(1_000_000), 5, null]
  for (const access_token of wrong) assert.ok(!tokenGranted.safeParse({ ...granted, access_token }).success)
  for (const token_type of ['mac', '', undefined]) {
    assert.ok(!tokenGranted.safeParse({ ...granted, token_type }).success)
  }
})
