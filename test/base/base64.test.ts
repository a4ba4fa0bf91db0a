// Base64 as Node writes it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { base64, base64Url } from '../../src/base/base64.ts'

test('both alphabets agree with those of Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      assert.equal(base64(bytes), Buffer.from(bytes).toString('base64'))
      assert.equal(base64Url(bytes), Buffer.from(bytes).toString('base64url'))
    }),
  )
})

test('a picture of many chunks', () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)
  assert.equal(base64(bytes), Buffer.from(bytes).toString('base64'))
})
