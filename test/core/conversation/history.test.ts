// Chats in memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryHistory } from '../../../src/core/conversation/history.ts'

test('the newest state of a chat replaces the older one', async () => {
  const history = new MemoryHistory()
  assert.equal(await history.load('a'), undefined)
  await history.save({ id: 'a', messages: [] })
  const messages = [{ id: '1', role: 'user', text: 'q', state: 'whole' }] as const
  await history.save({ id: 'a', messages })
  assert.deepEqual(await history.load('a'), { id: 'a', messages })
})
