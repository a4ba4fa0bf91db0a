// Stops, steers, messages and windows that end, at random moments: no message is lost or doubled, no call runs twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interruptChats } from '../../support/interruptedChat.ts'
import { watchRuns } from '../../support/watchedRuns.ts'

test('whatever interrupts a turn, each message is in one place, and each call has run at most once and has a result', async () => {
  const { lost, doubled, ranTwice, open, stops, steers, kills } = await interruptChats(24)
  assert.deepEqual({ lost, doubled, ranTwice, open }, { lost: 0, doubled: 0, ranTwice: 0, open: 0 })
  assert.ok(stops > 3 && steers > 3 && kills > 3, JSON.stringify({ stops, steers, kills }))
})

test('every recorded loop pauses the turn within five rounds, and no good run is taken for one', () => {
  for (const { name, isLoop, isNoticed, isPaused } of watchRuns())
    assert.deepEqual([name, isNoticed, isPaused], [name, isLoop, isLoop])
})
