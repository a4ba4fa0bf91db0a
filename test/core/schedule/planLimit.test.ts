// How many requests at once: fixed by a setting, or learnt from the service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PlanLimit } from '../../../src/core/schedule/planLimit.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const minute = 60_000

function learning() {
  const clock = new FakeClock()
  const limit = new PlanLimit(clock)
  const answers = (count: number, held: number) => {
    for (let answer = 0; answer < count; answer++) limit.recordAnswer(held)
  }
  return { clock, limit, answers }
}

test('begins at the smallest plan, falls at once with refusals, never below one', () => {
  const { limit } = learning()
  const seen = [limit.current]
  for (let refusal = 0; refusal < 4; refusal++) {
    limit.recordRefusal(limit.current)
    seen.push(limit.current)
  }
  assert.deepEqual(seen, [3, 2, 1, 1, 1])
})

test('falls below what was open when it was refused, however many it took for granted', () => {
  const { limit } = learning()
  limit.adopt({ limit: 7, avoided: [] })
  limit.recordRefusal(4)
  assert.equal(limit.current, 3)
})

test('rises by one after a quiet while with every slot in use', () => {
  const { limit, answers } = learning()
  answers(100, 2)
  assert.equal(limit.current, 3, 'free slots say nothing about the plan')
  answers(19, 3)
  assert.equal(limit.current, 3)
  answers(1, 3)
  assert.equal(limit.current, 4)
  answers(20, 4)
  assert.equal(limit.current, 5)
})

test('a number that was refused is left alone for ten minutes, and then for twice as long', async () => {
  const { clock, limit, answers } = learning()
  const refusedAgainAfter = async (ms: number) => {
    limit.recordRefusal(4)
    assert.equal(limit.current, 3)
    await clock.advance(ms - 1)
    answers(100, 3)
    assert.equal(limit.current, 3, 'too early')
    await clock.advance(1)
    answers(100, 3)
    assert.equal(limit.current, 4)
  }
  answers(20, 3)
  await refusedAgainAfter(10 * minute)
  await refusedAgainAfter(20 * minute)
  await refusedAgainAfter(40 * minute)
})

test('the next coordinator knows what was refused, and how often', async () => {
  const first = learning()
  first.limit.adopt({ limit: 4, avoided: [] })
  first.limit.recordRefusal(4)
  await first.clock.advance(4 * minute)
  const learned = first.limit.learned
  assert.deepEqual(learned, { limit: 3, avoided: [{ limit: 4, times: 1, forMs: 6 * minute }] })
  const { clock, limit, answers } = learning()
  limit.adopt(learned)
  answers(100, 3)
  assert.equal(limit.current, 3)
  await clock.advance(6 * minute)
  answers(1, 3)
  assert.equal(limit.current, 4)
  assert.deepEqual(limit.learned, { limit: 4, avoided: [] })
  limit.recordRefusal(4)
  assert.deepEqual(limit.learned, { limit: 3, avoided: [{ limit: 4, times: 2, forMs: 20 * minute }] })
  limit.recordRefusal(3)
  assert.deepEqual(
    limit.learned.avoided.map(({ limit }) => limit),
    [4, 3],
    'what was refused before is not forgotten over a smaller number',
  )
})

test('below the smallest plan somebody else is on the account: back after a quiet minute, slot by slot', async () => {
  const { clock, limit, answers } = learning()
  limit.recordRefusal(3)
  limit.recordRefusal(2)
  assert.equal(limit.current, 1)
  answers(100, 1)
  assert.equal(limit.current, 1)
  await clock.advance(minute)
  answers(1, 1)
  assert.equal(limit.current, 2)
  answers(1, 2)
  assert.equal(limit.current, 3)
  answers(19, 3)
  assert.equal(limit.current, 3, 'more than the smallest plan takes longer')
})

test('the first refusal after a cancel is the service being slow to notice; the next is the plan', async () => {
  const { clock, limit } = learning()
  limit.recordCancel()
  await clock.advance(3_000)
  limit.recordRefusal(3)
  assert.equal(limit.current, 3)
  limit.recordRefusal(3)
  assert.equal(limit.current, 2)
  await clock.advance(minute)
  limit.recordCancel()
  await clock.advance(3_001)
  limit.recordRefusal(2)
  assert.equal(limit.current, 1, 'a cancel long ago explains nothing')
  const alone = learning()
  alone.limit.recordCancel()
  alone.limit.recordRefusal(1)
  assert.equal(alone.limit.current, 1, 'with the cancelled one these are fewer than work: another program is there')
  const trying = learning()
  trying.answers(20, 3)
  trying.limit.recordCancel()
  trying.limit.recordRefusal(4)
  assert.equal(trying.limit.current, 3, 'what has never worked is explained by the plan')
})

test('a setting outranks what is learnt, now and later', () => {
  const { limit } = learning()
  limit.fixed = 7
  limit.recordRefusal(3)
  assert.equal(limit.current, 7)
  limit.fixed = 0
  assert.equal(limit.current, 2)
})

test('stays between one and the largest guess, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 2_000 }), fc.integer({ min: 1, max: 32 }), (answers, first) => {
      const { limit } = learning()
      limit.adopt({ limit: first, avoided: [] })
      for (const isAnswer of answers) {
        if (isAnswer) for (let times = 0; times < 10; times++) limit.recordAnswer(limit.current)
        else limit.recordRefusal(limit.current)
        assert.ok(limit.current >= 1 && limit.current <= 32)
      }
    }),
    { numRuns: 30 },
  )
})
