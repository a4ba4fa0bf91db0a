// Every threat and every fault that we answer is claimed by a test, and no test claims one that nobody listed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimedIds } from './support/claims.ts'
import { threats } from './threats.ts'

const claimed = claimedIds(['test/**/*.{test,page,host,e2e}.ts'], /^[A-Z]\d+$/)

test('no test claims a threat that is not listed', () => {
  assert.deepEqual(
    [...claimed].filter(id => !(id in threats)),
    [],
  )
})

test('every threat and every fault is claimed by a test', () => {
  assert.deepEqual(
    Object.keys(threats).filter(id => !claimed.has(id)),
    [],
  )
})
