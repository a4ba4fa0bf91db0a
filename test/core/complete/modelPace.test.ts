// What is learnt about the pace of models, and that it is kept over restarts, though not with each key.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ModelPace } from '../../../src/core/complete/modelPace.ts'
import { SparingMemory } from '../../../src/core/complete/sparingMemory.ts'
import { FakeClock } from '../../support/fakeClock.ts'

function paceOf(kept = new Map<string, unknown>(), address = 'https://a.example') {
  const clock = new FakeClock()
  const memory = new SparingMemory(kept, clock)
  return { pace: new ModelPace({ memory, address: () => address }), clock, kept, memory }
}

describe('the pace of a model', () => {
  test('follows what is measured, for each model and address alone', () => {
    const { pace, kept, memory } = paceOf()
    assert.equal(pace.firstTextMs('m'), 350)
    for (let at = 0; at < 30; at++) pace.recordFirstText('m', 1_000)
    assert.ok(Math.abs(pace.firstTextMs('m') - 1_000) < 5)
    assert.equal(pace.firstTextMs('other'), 350)
    memory.dispose()
    assert.equal(paceOf(kept, 'https://b.example').pace.firstTextMs('m'), 350)
    assert.ok(Math.abs(paceOf(kept).pace.firstTextMs('m') - 1_000) < 5)
  })

  test('knows how often what is typed agrees', () => {
    const { pace } = paceOf()
    const usual = pace.agreement('m')
    for (let at = 0; at < 300; at++) pace.recordTyped('m', at % 2 === 0)
    assert.ok(usual > 0.95 && Math.abs(pace.agreement('m') - 0.5) < 0.05)
    for (let at = 0; at < 300; at++) pace.recordTyped('m', true)
    assert.ok(pace.agreement('m') > 0.99)
  })

  test('is kept over restarts as two numbers, no more than once a minute, and at the end', () => {
    const { pace, clock, kept, memory } = paceOf()
    pace.recordFirstText('m', 600)
    assert.deepEqual([...kept], [['pace https://a.example m', { firstTextMs: 400, agreement: 0.985 }]])
    clock.pass(59_999)
    pace.recordFirstText('m', 900)
    assert.equal(paceOf(kept).pace.firstTextMs('m'), 400)
    clock.pass(1)
    pace.recordTyped('m', true)
    assert.equal(paceOf(kept).pace.firstTextMs('m'), 500)
    pace.recordFirstText('m', 1_000)
    memory.dispose()
    assert.equal(paceOf(kept).pace.firstTextMs('m'), 600)
  })

  test('is not taken from what cannot be one', () => {
    for (const kept of ['fast', { firstTextMs: -1, agreement: 2 }, { firstTextMs: Number.NaN }, { agreement: '1' }]) {
      const { pace } = paceOf(new Map([['pace https://a.example m', kept]]))
      assert.deepEqual([pace.firstTextMs('m'), pace.agreement('m')], [350, 0.985])
    }
  })
})
