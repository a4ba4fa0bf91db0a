// Several calls in one task run the work once, and later calls run it again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesced } from '../../src/base/coalesced.ts'
import { settled } from '../support/fakeClock.ts'

test('calls in one task run the work once, after it; a later call runs it again', async () => {
  let runs = 0
  const call = coalesced(() => {
    runs++
  })
  call()
  call()
  assert.equal(runs, 0)
  await settled()
  assert.equal(runs, 1)
  call()
  await settled()
  assert.equal(runs, 2)
})
