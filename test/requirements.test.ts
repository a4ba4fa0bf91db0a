// Every requirement on the service is claimed by a test, and no test claims what nobody asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requirements } from './requirements.ts'
import { claimedIds } from './support/claims.ts'

const claimed = claimedIds(
  ['test/service/**/*.test.ts', 'test/thirdParty/**/*.{test,page}.ts'],
  /^[a-z]+(?:-[a-z]+)*\.[a-z\d-]+$/,
)

test('no test claims a requirement that does not exist', () => {
  assert.deepEqual(
    [...claimed].filter(id => !(id in requirements)),
    [],
  )
})

test('every requirement is claimed by a test', () => {
  assert.deepEqual(
    Object.keys(requirements).filter(id => !claimed.has(id)),
    [],
  )
})
