// Completions that the user has asked to wait: until when, in which windows, and over a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../../../src/base/event.ts'
import { Snooze } from '../../../src/core/complete/snooze.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'

const minute = 60_000

function harness() {
  const clock = new FakeClock()
  let kept: number | undefined
  const changed = new Emitter<void>()
  const memory = {
    recall: async () => kept,
    async keep(until: number | undefined) {
      kept = until
    },
    onDidChange: changed.event,
  }
  /** As another window does. */
  const changeElsewhere = (until: number | undefined) => {
    kept = until
    changed.fire()
  }
  const left = (snooze: Snooze) => snooze.until !== undefined && (snooze.until - clock.now()) / minute
  return { clock, memory, left, changeElsewhere, open: () => new Snooze(memory, clock) }
}

test('it lasts five minutes, each time five more, and reports its end', async () => {
  const { clock, left, open } = harness()
  const snooze = open()
  let changes = 0
  snooze.onDidChange(() => changes++)
  assert.equal(left(snooze), false)
  snooze.extend()
  assert.equal(left(snooze), 5)
  await clock.advance(2 * minute)
  snooze.extend()
  assert.equal(left(snooze), 8)
  await clock.advance(8 * minute - 1)
  assert.equal(changes, 2)
  await clock.advance(1)
  assert.equal(left(snooze), false)
  assert.equal(changes, 3)
  assert.equal(clock.waiting, 0)
})

test('it is kept over a restart, and its end is reported there', async () => {
  const { clock, left, open } = harness()
  const before = open()
  before.extend()
  before.dispose()
  await clock.advance(minute)
  const after = open()
  let changes = 0
  after.onDidChange(() => changes++)
  await settled()
  assert.equal(left(after), 4)
  assert.equal(changes, 1)
  await clock.advance(4 * minute)
  assert.equal(changes, 2)
  assert.equal(left(open()), false)
})

test('the user ends it before its time', () => {
  const { clock, left, open } = harness()
  const snooze = open()
  snooze.extend()
  snooze.end()
  assert.equal(left(snooze), false)
  assert.equal(left(open()), false)
  assert.equal(clock.waiting, 0)
})

test('a wall clock that was set back makes it longer, and one that slept ends it', async () => {
  const { clock, left, open } = harness()
  const snooze = open()
  snooze.extend()
  clock.jump(-2 * minute)
  await clock.advance(5 * minute)
  assert.equal(left(snooze), 2)
  clock.sleep(2 * minute)
  assert.equal(left(snooze), false)
})

test('another window extends and ends it, but what the user has just chosen here is newer than what was read before', async () => {
  const { clock, left, changeElsewhere, open } = harness()
  const snooze = open()
  await settled()
  changeElsewhere(clock.now() + 7 * minute)
  await settled()
  assert.equal(left(snooze), 7)
  changeElsewhere(undefined)
  await settled()
  assert.equal(left(snooze), false)
  changeElsewhere(clock.now() + 7 * minute)
  snooze.extend()
  await settled()
  assert.equal(left(snooze), 5)
  snooze.dispose()
  assert.equal(clock.waiting, 0)
})
