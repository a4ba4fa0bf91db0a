// The secrets of one browser sign-in.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { newPkce, newState } from '../../../src/core/account/pkce.ts'
import { isSameText } from '../../../src/node/account/isSameText.ts'

test('each attempt has its own verifier, of the form and length that RFC 7636 4.1 wants', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, newPkce))
  assert.equal(new Set(made.map(({ verifier }) => verifier)).size, made.length)
  for (const { verifier, challenge } of made) {
    assert.match(verifier, /^[A-Za-z0-9._~-]{43,128}$/)
    assert.equal(challenge, createHash('sha256').update(verifier).digest('base64url'))
  }
})

test('a state cannot be guessed, and is compared in full', () => {
  assert.equal(new Set(Array.from({ length: 50 }, newState)).size, 50)
  const state = newState()
  assert.ok(isSameText(state, `${state}`))
  for (const other of ['', state.slice(1), `${state}x`, state.toLowerCase().toUpperCase()]) {
    assert.ok(!isSameText(state, other))
  }
})
