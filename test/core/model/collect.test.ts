// Events into one answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelEvent, ReasoningBlock } from '../../../src/core/model/modelClient.ts'

async function* told(...events: ModelEvent[]) {
  yield* events
}

const thought: ReasoningBlock = {
  surface: 'messages',
  item: { type: 'redacted_thinking', data: 'd' },
  afterText: 0,
  afterCalls: 0,
}

test('gathers text, calls, the end and the usage', async () => {
  const answer = await collect(
    told(
      { kind: 'reasoning-delta', text: 'h' },
      { kind: 'reasoning-delta', text: 'm' },
      { kind: 'thought', thought },
      { kind: 'text-delta', text: 'a' },
      { kind: 'text-delta', text: 'b' },
      { kind: 'tool-call', id: '1', name: 'f', input: {} },
      { kind: 'finish', why: 'tools', usage: { input: 1, output: 2 } },
    ),
  )
  const calls = [{ id: '1', name: 'f', input: {} }]
  assert.deepEqual(answer, {
    text: 'ab',
    reasoning: 'hm',
    thoughts: [thought],
    calls,
    why: 'tools',
    usage: { input: 1, output: 2 },
  })
})

test('an answer without its end is cut off', async () => {
  assert.deepEqual(await collect(told({ kind: 'text-delta', text: 'a' })), {
    text: 'a',
    reasoning: '',
    thoughts: [],
    calls: [],
    why: 'cut-off',
    usage: undefined,
  })
  assert.equal((await collect(told({ kind: 'finish', why: 'done' }))).usage, undefined)
})
