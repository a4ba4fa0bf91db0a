// What is learnt about the pace of models, over restarts, and what it decides about requests and the editor's call.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ModelPace } from '../../../src/core/complete/modelPace.ts'
import { FakeClock } from '../../support/fakeClock.ts'

function paceOf(memory = new Map<string, unknown>(), address = 'https://a.example') {
  const clock = new FakeClock()
  return { pace: new ModelPace({ memory, address: () => address, clock }), clock, memory }
}

describe('the pace of a model', () => {
  test('follows what is measured, for each model and address alone', () => {
    const { pace, memory } = paceOf()
    assert.equal(pace.firstTextMs('m'), 350)
    for (let at = 0; at < 30; at++) pace.recordFirstText('m', 1_000)
    assert.ok(Math.abs(pace.firstTextMs('m') - 1_000) < 5)
    assert.equal(pace.firstTextMs('other'), 350)
    pace.dispose()
    assert.equal(paceOf(memory, 'https://b.example').pace.firstTextMs('m'), 350)
  })

  test('knows how often what is typed goes on as it was said', () => {
    const { pace } = paceOf()
    const usual = pace.agreement('m')
    for (let at = 0; at < 300; at++) pace.recordTyped('m', at % 2 === 0)
    assert.ok(usual > 0.95 && Math.abs(pace.agreement('m') - 0.5) < 0.05)
    for (let at = 0; at < 300; at++) pace.recordTyped('m', true)
    assert.ok(pace.agreement('m') > 0.99)
  })

  test('is kept over restarts as two numbers, and no more than once a minute', () => {
    const { pace, clock, memory } = paceOf()
    pace.recordFirstText('m', 600)
    assert.deepEqual([...memory], [['pace https://a.example m', { firstTextMs: 400, agreement: 0.985 }]])
    clock.pass(59_999)
    pace.recordFirstText('m', 900)
    assert.equal(paceOf(memory).pace.firstTextMs('m'), 400)
    clock.pass(1)
    pace.recordTyped('m', true)
    assert.equal(paceOf(memory).pace.firstTextMs('m'), 500)
    pace.recordFirstText('m', 1_000)
    pace.dispose()
    assert.equal(paceOf(memory).pace.firstTextMs('m'), 600)
  })

  test('is not taken from what no window of ours has kept', () => {
    for (const kept of ['fast', { firstTextMs: -1, agreement: 2 }, { firstTextMs: Number.NaN }, { agreement: '1' }]) {
      const { pace } = paceOf(new Map([['pace https://a.example m', kept]]))
      assert.deepEqual([pace.firstTextMs('m'), pace.agreement('m')], [350, 0.985])
    }
  })
})
