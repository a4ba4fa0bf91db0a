// The names of pictures that are pasted one after the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctFileName } from '../../../src/core/context/distinctFileName.ts'

test('a name that is taken gets a number before its extension', () => {
  assert.equal(distinctFileName('image.png', ['shot.png']), 'image.png')
  assert.equal(distinctFileName('image.png', ['image.png', 'image (2).png']), 'image (3).png')
  assert.equal(distinctFileName('.env', ['.env']), '.env (2)')
})
