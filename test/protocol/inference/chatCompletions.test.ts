// One frame of a stream, whatever its sender left out or added.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chatCompletionsChunk } from '../../../src/protocol/inference/chatCompletions.ts'

const firstDelta = (chunk: unknown) => chatCompletionsChunk.parse(chunk).choices?.[0]?.delta

test('content may be a text, nothing, or parts', () => {
  const content = (value: unknown) => firstDelta({ choices: [{ delta: { content: value } }] })?.content
  assert.equal(content('x'), 'x')
  assert.equal(content(null), null)
  assert.equal(content([{ type: 'text', text: 'a' }, { type: 'thinking', text: 'no' }, { text: 'b' }, {}]), 'ab')
  assert.equal(content({ odd: true }), undefined)
  assert.equal(content(['odd']), undefined)
})

test('frames without choices, with empty ones, or without a delta pass', () => {
  for (const chunk of [{}, { choices: null }, { choices: [] }, { choices: 'odd' }, { choices: [{}] }]) {
    assert.ok(chatCompletionsChunk.safeParse(chunk).success)
  }
})

test('pieces of tool calls keep what they have', () => {
  const tool_calls = [{ index: null, id: '', function: { name: null, arguments: { q: 1 } } }, { function: 'odd' }]
  const pieces = firstDelta({ choices: [{ delta: { tool_calls } }] })?.tool_calls
  assert.deepEqual(pieces?.[0]?.function, { name: null, arguments: { q: 1 } })
  assert.equal(pieces?.[1]?.function, undefined)
})

test('any object is a frame, and nothing else is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      assert.equal(chatCompletionsChunk.safeParse(value).success, isObject)
    }),
  )
})
