// Registrations in the shapes that services give them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registration } from '../../../src/protocol/wire/registration.ts'

const whole = {
  registration_id: 'reg_1',
  registration_type: 'service_auth',
  claim_url: 'https://a/agent/identity/claim',
  claim_token: 'clm_secret',
  claim_token_expires: '2026-01-01T01:00:00Z',
  post_claim_scopes: ['inference'],
  claim: { user_code: '01234567', expires_in: 600, verification_uri: 'https://a/claim?x=1', interval: 5 },
}

test('reads the shape of the service description', () => {
  const { claim, claim_token } = registration.parse(whole)
  assert.equal(claim_token, 'clm_secret')
  assert.equal(claim.user_code, '01234567')
  assert.deepEqual([claim.expires_in, claim.interval], [600, 5])
})

test('reads numbers as text and a code as a number', () => {
  const claim = { ...whole.claim, user_code: 12345678, expires_in: '600', interval: '5' }
  const read = registration.parse({ ...whole, claim }).claim
  assert.deepEqual([read.user_code, read.expires_in, read.interval], ['12345678', 600, 5])
})

test('what may be missing or odd counts as absent', () => {
  const claim = { verification_uri: 'https://a/claim', expires_in: {}, interval: 'soon', expires_at: 5 }
  const read = registration.parse({ claim_token: 'clm_x', claim })
  assert.equal(read.claim_token_expires, undefined)
  assert.deepEqual(
    [read.claim.user_code, read.claim.expires_in, read.claim.interval, read.claim.expires_at],
    [undefined, undefined, undefined, undefined],
  )
})

test('a token that could break out of a form or a header is refused, and so is an answer without a claim', () => {
  for (const claim_token of ['', 'a b', 'a\r\nb', 'ü', 5, null, 'x'.repeat(4_097)]) {
    assert.ok(!registration.safeParse({ ...whole, claim_token }).success)
    assert.ok(!registration.safeParse({ claim: { ...whole.claim, token: claim_token } }).success)
  }
  assert.ok(!registration.safeParse({ ...whole, claim: undefined }).success)
})
