// A slot is held once and given back once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemorySlots } from '../../../src/core/schedule/slots.ts'

test('as many as the limit, and each comes back once', () => {
  const slots = new MemorySlots()
  let freed = 0
  slots.onDidFree(() => void freed++)
  const first = slots.take(2)
  const second = slots.take(2)
  assert.ok(first && second)
  assert.equal(slots.take(2), undefined)
  assert.equal(slots.held, 2)
  first.dispose()
  first.dispose()
  assert.deepEqual([slots.held, freed], [1, 1])
  assert.equal(slots.take(1), undefined, 'a limit that has fallen holds')
  assert.ok(slots.take(2))
})
