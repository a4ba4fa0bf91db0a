// The reader of frequent events agrees with the schema about every value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { conversationEvent } from '../../src/protocol/conversation.ts'
import { readHotEvent } from '../../src/protocol/hotEvent.ts'
import { conversations } from '../support/randomConversation.ts'

const events = conversations.filter(all => all.length > 0).chain(all => fc.constantFrom(...all))
const stray = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', 'x', 0, -1, 1.5, Number.NaN, Infinity, true, [], {}, 'x'.repeat(201)),
  fc.constantFrom<unknown>({ is: 'new' }, { is: 'new', of: 'x' }, [{ kind: 'text', id: 'p', text: 'x', more: 1 }]),
  fc.constantFrom<unknown>({ kind: 'text', id: 'p', text: 'x' }, { kind: 'text', id: '', text: 'x' }, 'done', 'tools'),
)

function assertAgreed(value: unknown): void {
  const hot = readHotEvent(value)
  if (!hot) return
  const read = conversationEvent.safeParse(value)
  assert.ok(read.success, `the schema refuses ${JSON.stringify(value)}`)
  assert.deepEqual(hot, read.data)
}

test('what a session writes is read as the schema reads it', () => {
  fc.assert(fc.property(events, assertAgreed), { numRuns: 500 })
})

test('an event with a member of another value, one more or one less is judged as by the schema', () => {
  const names = ['kind', 'conversation', 'n', 'time', 'turn', 'part', 'first', 'offset', 'text', 'value', 'prompt']
  const name = fc.constantFrom(
    ...names,
    'origin',
    'parent',
    'usage',
    'why',
    'state',
    'fault',
    'model',
    'queued',
    '__proto__',
  )
  fc.assert(
    fc.property(events, name, stray, fc.boolean(), (event, member, value, isRemoved) => {
      const changed = { ...event, [member]: value }
      if (isRemoved) Reflect.deleteProperty(changed, member)
      assertAgreed(changed)
      assertAgreed(JSON.parse(JSON.stringify(changed)))
    }),
    { numRuns: 5_000 },
  )
})

test('the pieces of an answer and the usual turns need no schema', () => {
  const envelope = { conversation: 'c', n: 1, time: 1, turn: 't' }
  const usual = [
    { ...envelope, kind: 'turn-started', origin: { is: 'new' }, prompt: [{ kind: 'text', id: 'p', text: 'Why?' }] },
    { ...envelope, kind: 'step-started', model: 'm' },
    { ...envelope, kind: 'part-started', value: { kind: 'text', id: 'p', text: '' } },
    { ...envelope, kind: 'text-delta', part: 'p', offset: 0, text: 'x' },
    { ...envelope, kind: 'text-delta', part: 'p', first: 1, offset: 0, text: 'x' },
    { ...envelope, kind: 'part-ended', part: 'p' },
    { ...envelope, kind: 'step-ended', why: 'done', usage: { input: 1, output: 2 } },
    { ...envelope, kind: 'turn-ended', state: 'done' },
  ]
  for (const event of usual) assert.equal(readHotEvent(event), event)
})
