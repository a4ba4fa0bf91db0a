// What is read from the bytes of a journal, whatever has happened to them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LaterJournalError } from '../../../src/core/conversation/journal.ts'
import { eventLine, headerLine, JournalReader } from '../../../src/core/conversation/journalLines.ts'
import type { ConversationEvent } from '../../../src/protocol/conversation.ts'
import { emptyConversation, replay } from '../../../src/protocol/conversationState.ts'
import { joinedEvents } from '../../../src/protocol/joinDeltas.ts'
import { CONVERSATION, conversations } from '../../support/randomConversation.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const linesOf = (events: readonly ConversationEvent[]) => [headerLine(CONVERSATION), ...events.map(eventLine)]
const title = (n: number, text: string): ConversationEvent => ({
  kind: 'title',
  conversation: CONVERSATION,
  n,
  time: n,
  text,
  by: 'user',
})

function read(bytes: Uint8Array, chunkBytes = Number.MAX_SAFE_INTEGER) {
  const reader = new JournalReader(CONVERSATION)
  const events: ConversationEvent[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) events.push(...reader.take(bytes.subarray(at, at + chunkBytes)))
  events.push(...reader.finish())
  return { reader, events }
}

test('a journal cut at any byte loads without its torn line, and nothing else is missing', () => {
  fc.assert(
    fc.property(conversations, events => {
      const expected = joinedEvents(events)
      const lines = linesOf(expected)
      const whole = bytesOf(lines.join(''))
      const ends: number[] = []
      for (const line of lines) ends.push((ends.at(-1) ?? 0) + bytesOf(line).length)
      for (let cut = 0; cut <= whole.length; cut++) {
        const { reader, events: loaded } = read(whole.subarray(0, cut))
        // A line that lacks only its line end lacks nothing.
        const lineCount = ends.filter(end => end - 1 <= cut).length
        assert.deepEqual(loaded, expected.slice(0, Math.max(0, lineCount - 1)))
        assert.equal(reader.goodBytes, Math.min(cut, ends[lineCount - 1] ?? 0), `cut at ${cut}`)
        assert.equal(reader.damagedLines, 0)
      }
    }),
    { numRuns: 5 },
  )
})

test('it does not matter in which pieces the bytes come', () => {
  fc.assert(
    fc.property(conversations, fc.integer({ min: 1, max: 40 }), (events, chunkBytes) => {
      const bytes = bytesOf(linesOf(events).join(''))
      assert.deepEqual(read(bytes, chunkBytes).events, events)
      const reader = new JournalReader(CONVERSATION)
      // As a reader of a file uses the same memory again for the next piece.
      const memory = new Uint8Array(chunkBytes)
      const loaded: ConversationEvent[] = []
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        const chunk = bytes.subarray(at, at + chunkBytes)
        memory.set(chunk)
        loaded.push(...reader.take(memory.subarray(0, chunk.length)))
      }
      assert.deepEqual(loaded, events)
    }),
  )
})

test('[R42] a damaged line costs itself and no other', () => {
  fc.assert(
    fc.property(conversations, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 30 }), (events, place, noise) => {
      fc.pre(events.length > 0)
      const at = place % events.length
      const garbage = new TextDecoder('latin1').decode(noise.map(byte => (byte === 10 ? 11 : byte)))
      const lines = linesOf(events).with(at + 1, `${garbage}\n`)
      const { reader, events: loaded } = read(bytesOf(lines.join('')))
      assert.deepEqual(loaded, events.toSpliced(at, 1))
      assert.equal(reader.damagedLines, 1)
    }),
  )
})

test('[R42] zeros that a loss of power has left before a line do not cost the line', () => {
  const text = headerLine(CONVERSATION) + eventLine(title(1, 'a')) + '\0'.repeat(500) + eventLine(title(2, 'b'))
  const { reader, events } = read(bytesOf(text))
  assert.deepEqual(events, [title(1, 'a'), title(2, 'b')])
  assert.equal(reader.damagedLines, 1)
  const zeroed = read(new Uint8Array(4_096))
  assert.deepEqual([zeroed.events, zeroed.reader.isJournal, zeroed.reader.goodBytes], [[], false, 0])
})

test('the journal of a later version is not read; that of another conversation gives no events', () => {
  const later = headerLine(CONVERSATION).replace('"version":1', '"version":2') + eventLine(title(1, 'a'))
  assert.throws(() => read(bytesOf(later)), LaterJournalError)
  const other = { ...title(1, 'a'), conversation: 'another' }
  assert.deepEqual(read(bytesOf(eventLine(other))).events, [])
})

test('a journal whose header is lost is read all the same', () => {
  assert.deepEqual(read(bytesOf(`{"form\n${eventLine(title(1, 'a'))}`)).events, [title(1, 'a')])
})

test('where two windows have written with the same numbers, both are kept, in the order of the file', () => {
  const textDelta = (n: number, first: number): ConversationEvent => ({
    kind: 'text-delta',
    conversation: CONVERSATION,
    n,
    first,
    time: n,
    turn: 't',
    part: 'p',
    offset: 0,
    text: `written as ${first} to ${n}`,
  })
  const { events } = read(bytesOf(linesOf([title(1, 'a'), title(2, 'b'), title(2, 'c'), textDelta(4, 2)]).join('')))
  assert.deepEqual(
    events.map(event => [event.n, 'first' in event ? event.first : event.n]),
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [6, 4],
    ],
  )
  const state = replay(events, emptyConversation(CONVERSATION))
  assert.equal(state.title?.text, 'c')
  assert.equal(state.n, 6)
})
