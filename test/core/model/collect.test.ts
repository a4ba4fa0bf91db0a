// Events into one answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelEvent } from '../../../src/core/model/modelClient.ts'
import type { SealedReasoning } from '../../../src/protocol/conversation.ts'

async function* streamOf(...events: ModelEvent[]) {
  yield* events
}

const sealed: SealedReasoning = { surface: 'messages', item: { type: 'redacted_thinking', data: 'd' } }

test('gathers text, calls, the end and the usage', async () => {
  const answer = await collect(
    streamOf(
      { kind: 'reasoning-delta', text: 'h' },
      { kind: 'reasoning-delta', text: 'm' },
      { kind: 'reasoning-block', sealed },
      { kind: 'text-delta', text: 'a' },
      { kind: 'text-delta', text: 'b' },
      { kind: 'tool-call', id: '1', name: 'f', input: {} },
      { kind: 'finish', why: 'tools', usage: { input: 1, output: 2 } },
    ),
  )
  const call = { id: '1', name: 'f', input: {} }
  assert.deepEqual(answer, {
    parts: [
      { kind: 'reasoning', sealed },
      { kind: 'text', text: 'ab' },
      { kind: 'tool-call', ...call },
    ],
    text: 'ab',
    reasoning: 'hm',
    calls: [call],
    why: 'tools',
    usage: { input: 1, output: 2 },
  })
})

test('a call stands where it began, under the id that its end gave it; one that never became whole is none', async () => {
  const { parts } = await collect(
    streamOf(
      { kind: 'tool-input-start', id: 'begun', name: 'f' },
      { kind: 'tool-input-start', id: 'half', name: 'g' },
      { kind: 'reasoning-block', sealed },
      { kind: 'text-delta', text: 'a' },
      { kind: 'tool-call', id: 'corrected', startedAs: 'begun', name: 'f', input: {} },
      { kind: 'finish', why: 'tools' },
    ),
  )
  assert.deepEqual(parts, [
    { kind: 'tool-call', id: 'corrected', name: 'f', input: {} },
    { kind: 'reasoning', sealed },
    { kind: 'text', text: 'a' },
  ])
})

test('an answer without its end is cut off', async () => {
  assert.deepEqual(await collect(streamOf({ kind: 'text-delta', text: 'a' })), {
    parts: [{ kind: 'text', text: 'a' }],
    text: 'a',
    reasoning: '',
    calls: [],
    why: 'cut-off',
    usage: undefined,
  })
  assert.equal((await collect(streamOf({ kind: 'finish', why: 'done' }))).usage, undefined)
})
