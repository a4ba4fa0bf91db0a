// The system's clock never fires early, whatever number it is given.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { systemClock } from '../../src/base/clock.ts'

test('junk and negative waits fire at once, and the longest wait does not overflow', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const fired: string[] = []
    const call = (name: string, waitMs: number) => systemClock.later(waitMs, () => fired.push(name))
    call('nan', Number.NaN)
    call('negative', -5)
    const cancel = call('never', 5)
    cancel()
    call('ages', 2 ** 40)
    mock.timers.tick(1)
    assert.deepEqual(fired, ['nan', 'negative'])
    mock.timers.tick(10_000)
    assert.deepEqual(fired, ['nan', 'negative'])
  } finally {
    mock.timers.reset()
  }
})

test('elapsed time does not go back', () => {
  const before = systemClock.elapsed()
  assert.ok(systemClock.elapsed() >= before)
  assert.ok(Math.abs(systemClock.now() - Date.now()) < 60_000)
})
