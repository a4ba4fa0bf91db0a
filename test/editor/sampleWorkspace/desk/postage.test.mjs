// What a parcel costs. Two of these tests fail: somebody has to find out why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postage } from './postage.mjs'

test('a kilogram that has begun is paid for', () => {
  assert.equal(postage(1500, 'near'), 399 + 2 * 120)
})

test('a place far away costs more', () => {
  assert.equal(postage(1000, 'far'), 399 + 120 + 250)
})

test('a zone that nobody knows is refused', () => {
  assert.throws(() => postage(1000, 'moon'), /zone/)
})
