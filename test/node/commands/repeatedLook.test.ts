// How often something is looked at while nothing, or a lot, is known to happen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RepeatedLook } from '../../../src/node/commands/repeatedLook.ts'
import { FakeClock } from '../../support/fakeClock.ts'

test('[A65] it looks every 200 ms, at once when something has happened, and never twice at a time', async () => {
  const clock = new FakeClock()
  const looks: number[] = []
  let isLooking = false
  const repeated = new RepeatedLook(clock, async () => {
    assert.equal(isLooking, false)
    isLooking = true
    looks.push(clock.elapsed())
    await new Promise<void>(resolve => clock.later(100, resolve))
    isLooking = false
  })
  await clock.advance(200)
  assert.deepEqual(looks, [200])
  repeated.now()
  repeated.now()
  // The one that was wished meanwhile comes after a pause as long as the look, the next after a longer one.
  await clock.advance(800)
  assert.deepEqual(looks, [200, 400, 900])
  await clock.advance(50)
  repeated.now()
  await clock.advance(400)
  assert.deepEqual(looks.slice(3), [1_050])
  const end = repeated.end()
  await clock.advance(2_000)
  await end
  assert.equal(looks.length, 4)
  assert.equal(clock.waiting, 0)
})
