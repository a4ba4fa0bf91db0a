// What is made at its first use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazy } from '../../src/base/lazy.ts'

test('made at the first use, once for all who ask', async () => {
  let made = 0
  const get = lazy(async () => ++made)
  assert.equal(made, 0)
  assert.deepEqual(await Promise.all([get(), get()]), [1, 1])
  assert.equal(await get(), 1)
})

test('what could not be made is tried again', async () => {
  let tries = 0
  const get = lazy(async () => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  await assert.rejects(get(), /not yet/)
  assert.equal(await get(), 2)
})
