// What is kept of a conversation is read as it was written, and what a later version wrote survives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { conversationEvent, readEvent, recordOf, type SealedReasoning } from '../../src/protocol/conversation.ts'
import type { MessagesThinkingBlock } from '../../src/protocol/wire/messages.ts'
import type { ResponsesReasoning } from '../../src/protocol/wire/responses.ts'
import { conversations } from '../support/randomConversation.ts'

test('an event that is written and read again is the same event', () => {
  fc.assert(
    fc.property(conversations, events => {
      for (const event of events) {
        assert.deepEqual(readEvent(JSON.parse(JSON.stringify(recordOf(event)))), event)
        assert.deepEqual(
          conversationEvent.parse(structuredClone(event)),
          event,
          'and so it is between page and extension',
        )
      }
    }),
  )
})

const envelope = { conversation: 'c', n: 3, time: 5 }

test('[R42] a record of a later version is kept as it is: an unknown event, an unknown part, an unknown word', () => {
  const later = [
    { ...envelope, kind: 'hologram', size: { of: [1, 2] } },
    { ...envelope, kind: 'part-started', turn: 't', value: { kind: 'hologram', id: 'p', cells: 7 } },
    { ...envelope, kind: 'turn-ended', turn: 't', state: 'dreaming' },
    { ...envelope, kind: 'unknown', what: 'it names itself so' },
  ]
  for (const record of later) {
    const event = readEvent(record)
    assert.equal(event?.kind, 'unknown')
    assert.deepEqual(event && recordOf(event), record)
  }
})

test('what is no event is none: no number, no conversation, no object', () => {
  const records = [
    null,
    7,
    'text',
    [],
    {},
    { ...envelope },
    { kind: 'title', conversation: 'c', time: 1, text: 'x', by: 'user' },
  ]
  assert.deepEqual(
    records.map(readEvent),
    records.map(() => undefined),
  )
  assert.equal(readEvent({ ...envelope, n: 0, kind: 'hologram' }), undefined)
})

test('sealed reasoning fits what the surfaces send back', () => {
  // The compiler is the judge: each sealed part is what a surface takes.
  const sent = (sealed: SealedReasoning): MessagesThinkingBlock | ResponsesReasoning => sealed.item
  const sealed = { surface: 'messages', item: { type: 'redacted_thinking', data: 'x' } } as const
  assert.deepEqual(sent(sealed), sealed.item)
})
