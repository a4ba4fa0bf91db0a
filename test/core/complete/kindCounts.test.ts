// How often each kind of text was shown and taken: counts only, bounded, and newer ones count for more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindCounts } from '../../../src/core/complete/kindCounts.ts'

const countsOf = (memory = new Map<string, unknown>()) => ({
  memory,
  counts: new KindCounts({ memory, address: () => 'https://a.example' }),
})

test('is counted for each model and kind, over restarts', () => {
  const { counts, memory } = countsOf()
  counts.record('m', 'go word short', true)
  counts.record('m', 'go word short', false)
  counts.record('m', 'go code long', false)
  assert.deepEqual([...memory], [['kinds https://a.example m', { 'go word short': [2, 1], 'go code long': [1, 0] }]])
  assert.deepEqual(countsOf(memory).counts.of('m', 'go word short'), { shown: 2, taken: 1 })
  assert.deepEqual(counts.of('other', 'go word short'), { shown: 0, taken: 0 })
})

test('forgets the kind that was not shown for the longest time, and half of what is old', () => {
  const { counts } = countsOf()
  counts.record('m', 'first', true)
  for (let at = 0; at < 59; at++) counts.record('m', `kind ${at}`, true)
  counts.record('m', 'first', true)
  counts.record('m', 'last', true)
  assert.equal(counts.of('m', 'first').shown, 2)
  assert.equal(counts.of('m', 'kind 0').shown, 0)
  for (let at = 0; at < 1_000; at++) counts.record('m', 'often', false)
  assert.ok(counts.of('m', 'often').shown <= 200)
  for (let at = 0; at < 200; at++) counts.record('m', 'often', true)
  const { shown, taken } = counts.of('m', 'often')
  assert.ok(taken / shown > 0.5)
})

test('begins anew where what was kept cannot be such counts', () => {
  for (const kept of ['none', { kind: 3 }, { kind: [1, 2] }, { kind: [-1, -2] }, { kind: ['9', '1'] }]) {
    const { counts } = countsOf(new Map([['kinds https://a.example m', kept]]))
    assert.deepEqual(counts.of('m', 'kind'), { shown: 0, taken: 0 })
  }
})
