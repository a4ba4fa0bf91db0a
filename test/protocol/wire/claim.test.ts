// A new code, under whichever name a service puts it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCode } from '../../../src/protocol/wire/claim.ts'

const attempt = { user_code: '1234', verification_uri: 'https://a/claim', expires_in: 600, interval: 5 }

const bodies: readonly [string, object][] = [
  ['claim_attempt', { status: 'initiated', claim_attempt: attempt }],
  ['claim', { registration_id: 'reg_1', claim: attempt }],
  ['claim.attempt', { claim: { token: 'x', attempt } }],
  ['attempt', { attempt }],
  ['the top level', attempt],
]

for (const [name, body] of bodies) {
  test(`is found under ${name}`, () => {
    const read = newCode.parse(body)
    assert.equal(read.attempt?.user_code, '1234')
    assert.equal(read.attempt?.verification_uri, 'https://a/claim')
    assert.equal(read.claim_token, undefined)
  })
}

test('a claim token that was changed with the code is read, an odd one is not', () => {
  assert.equal(newCode.parse({ claim_token: 'clm_new', claim: attempt }).claim_token, 'clm_new')
  assert.equal(newCode.parse({ claim_token: 'a\nb', claim: attempt }).claim_token, undefined)
})

test('an answer without a page holds no code, and may say only how things stand', () => {
  for (const body of [{}, { claim: {} }, { claim_attempt: null }, { user_code: [] }]) {
    assert.equal(newCode.parse(body).attempt, undefined)
  }
  assert.equal(newCode.parse({ status: 'pending', message: 'Look into your mail.' }).status, 'pending')
  assert.ok(!newCode.safeParse('x').success)
})
