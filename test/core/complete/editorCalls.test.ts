// Whether the editor still calls after each change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EditorCalls } from '../../../src/core/complete/editorCalls.ts'
import { FakeClock } from '../../support/fakeClock.ts'

test('a call can be expected until one is missing, and again after the next one', async () => {
  const clock = new FakeClock()
  const calls = new EditorCalls(clock)
  const changedAfter = async (waitMs: number) => {
    await clock.advance(waitMs)
    return calls.changed()
  }
  assert.equal(await changedAfter(0), true)
  assert.equal(await changedAfter(149), true, 'the editor waits for a pause between two keys')
  assert.equal(await changedAfter(150), false)
  assert.equal(await changedAfter(20), false)
  calls.called()
  assert.equal(await changedAfter(10_000), true)
  for (let at = 0; at < 4; at++) assert.equal(await changedAfter(100), true)
  assert.equal(await changedAfter(100), false, 'nobody types for so long without a pause')
  calls.called()
  assert.equal(await changedAfter(10_000), true, 'nothing was missing while nothing changed')
})
