// How many requests at once: fixed by a setting, or learnt from the service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PlanLimit } from '../../../src/core/schedule/planLimit.ts'

test('begins at the smallest plan, falls with refusals, never below one', () => {
  const limit = new PlanLimit(() => 0)
  const seen = [limit.now]
  for (let refusal = 0; refusal < 4; refusal++) {
    limit.sawRefusal()
    seen.push(limit.now)
  }
  assert.deepEqual(seen, [3, 2, 1, 1, 1])
})

test('rises by one after a quiet while with every slot in use', () => {
  const limit = new PlanLimit(() => 0)
  for (let answer = 0; answer < 100; answer++) limit.sawAnswer(2)
  assert.equal(limit.now, 3, 'free slots say nothing about the plan')
  for (let answer = 0; answer < 19; answer++) limit.sawAnswer(3)
  assert.equal(limit.now, 3)
  limit.sawAnswer(3)
  assert.equal(limit.now, 4)
  for (let answer = 0; answer < 19; answer++) limit.sawAnswer(4)
  limit.sawRefusal()
  assert.equal(limit.now, 3)
  for (let answer = 0; answer < 19; answer++) limit.sawAnswer(3)
  assert.equal(limit.now, 3, 'a refusal begins the quiet while anew')
})

test('a setting outranks what was learnt, now and later', () => {
  let fixed = 7
  const limit = new PlanLimit(() => fixed)
  limit.sawRefusal()
  assert.equal(limit.now, 7)
  fixed = 0
  assert.equal(limit.now, 2)
})

test('stays between one and the largest guess, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 2_000 }), answers => {
      const limit = new PlanLimit(() => 0)
      for (const isAnswer of answers) {
        if (isAnswer) for (let times = 0; times < 10; times++) limit.sawAnswer(limit.now)
        else limit.sawRefusal()
        assert.ok(limit.now >= 1 && limit.now <= 32)
      }
    }),
    { numRuns: 30 },
  )
})
