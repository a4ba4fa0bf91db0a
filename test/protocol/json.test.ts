// Members of an untrusted value, whatever it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countOf, listOf, objectOf, parsedJson, textOf } from '../../src/protocol/json.ts'

test('each gives what it is named after, or what stands for nothing', () => {
  fc.assert(
    fc.property(fc.anything(), value => {
      assert.equal(textOf(value), typeof value === 'string' ? value : '')
      assert.equal(countOf(value), typeof value === 'number' && Number.isFinite(value) ? value : undefined)
      assert.deepEqual(listOf(value), Array.isArray(value) ? value : [])
      assert.equal(objectOf(value), typeof value === 'object' && value !== null ? value : undefined)
    }),
  )
})

test('what is no JSON is undefined, also where it begins like it', () => {
  assert.deepEqual(parsedJson('{"a":1}'), { a: 1 })
  for (const text of ['', '{', '{"a":1}{', 'undefined', 'NaN']) assert.equal(parsedJson(text), undefined)
})
