// Completions that the user has asked to wait: until when, and over a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Snooze } from '../../../src/core/complete/snooze.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const minute = 60_000

function harness() {
  const clock = new FakeClock()
  let kept: number | undefined
  const memory = {
    recall: () => kept,
    keep(until: number | undefined) {
      kept = until
    },
  }
  const left = (snooze: Snooze) => snooze.until !== undefined && (snooze.until - clock.now()) / minute
  return { clock, memory, left, open: () => new Snooze(memory, clock) }
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
  assert.equal(left(after), 4)
  let changes = 0
  after.onDidChange(() => changes++)
  await clock.advance(4 * minute)
  assert.equal(changes, 1)
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
