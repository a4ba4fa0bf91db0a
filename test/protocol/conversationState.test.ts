// The reducer: one state for session, page and history, however its events come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ConversationEvent, EventBody } from '../../src/protocol/conversation.ts'
import { answerText, pathOf } from '../../src/protocol/conversationPath.ts'
import {
  type ConversationState,
  emptyConversation,
  missesEvents,
  reduce,
  replay,
  turnOf,
} from '../../src/protocol/conversationState.ts'
import { joinDeltas, joinedEvents } from '../../src/protocol/joinDeltas.ts'
import { CONVERSATION, conversations } from '../support/randomConversation.ts'

const empty = emptyConversation(CONVERSATION)
const reduced = (events: Iterable<ConversationEvent>, from = empty) => [...events].reduce(reduce, from)

const envelope = (n: number) => ({ conversation: CONVERSATION, n, time: n })

/** Events with their numbers, one millisecond apart. */
function numbered(...bodies: EventBody[]): ConversationEvent[] {
  return bodies.map((body, at) => ({ ...body, ...envelope(at + 1) }))
}

const started = (turn: string, parent?: string): EventBody => ({
  kind: 'turn-started',
  turn,
  ...(parent && { parent }),
  origin: { is: 'new' },
  prompt: [{ kind: 'text', id: `${turn}-prompt`, text: `Question ${turn}` }],
})
const step = (turn: string): EventBody => ({ kind: 'step-started', turn, model: 'model-1' })
const textPart = (turn: string, id: string, text = ''): EventBody => ({
  kind: 'part-started',
  turn,
  value: { kind: 'text', id, text },
})
const textDelta = (turn: string, part: string, offset: number, text: string): EventBody => ({
  kind: 'text-delta',
  turn,
  part,
  offset,
  text,
})

test('a replay, in any batches, is the same as one event after the other', () => {
  fc.assert(
    fc.property(conversations, fc.nat({ max: 40 }), (events, cut) => {
      const state = reduced(events)
      assert.deepEqual(replay(events, empty), state)
      assert.deepEqual(replay(events.slice(cut), replay(events.slice(0, cut), empty)), state)
    }),
  )
})

test('no event changes a state that exists', () => {
  fc.assert(
    fc.property(conversations, events => {
      let state = empty
      for (const event of events) {
        const before = structuredClone(state)
        const next = reduce(state, event)
        replay([event], state)
        assert.deepEqual(state, before)
        state = next
      }
    }),
  )
})

test('joined pieces have the effect of the pieces', () => {
  fc.assert(
    fc.property(conversations, events => {
      assert.deepEqual(reduced(joinedEvents(events)), reduced(events))
    }),
  )
})

test('pieces of one part become one; what stands between them keeps them apart', () => {
  const [, , , a, b, title, c] = numbered(
    started('t'),
    step('t'),
    textPart('t', 'p'),
    textDelta('t', 'p', 0, 'On'),
    textDelta('t', 'p', 2, 'ce'),
    { kind: 'title', text: 'Tale', by: 'model' },
    textDelta('t', 'p', 4, ' upon'),
  )
  assert.ok(a && b && title && c)
  assert.deepEqual(joinDeltas(a, b), { ...b, first: 4, offset: 0, text: 'Once' })
  assert.equal(joinDeltas(b, c), undefined, 'event 6 stands between them')
  assert.deepEqual(joinedEvents([a, b, title, c]), [{ ...b, first: 4, offset: 0, text: 'Once' }, title, c])
})

test('pieces of two parts, two kinds or two turns are never joined, also where their places would fit', () => {
  const [earlier] = numbered(textDelta('t', 'p', 0, 'ab'))
  const next = { turn: 't', part: 'p', offset: 2, text: 'c', ...envelope(2) }
  const isJoined = (later: ConversationEvent) => earlier !== undefined && joinDeltas(earlier, later) !== undefined
  assert.equal(isJoined({ ...next, kind: 'text-delta' }), true)
  assert.equal(isJoined({ ...next, kind: 'text-delta', part: 'q' }), false)
  assert.equal(isJoined({ ...next, kind: 'text-delta', turn: 'u' }), false)
  assert.equal(isJoined({ ...next, kind: 'reasoning-delta' }), false)
})

test('events that come twice, alone or joined, change nothing', () => {
  fc.assert(
    fc.property(conversations, fc.nat({ max: 40 }), (events, from) => {
      const state = reduced(events)
      assert.deepEqual(reduced(events.slice(from), state), state)
      // The page has seen some of the pieces, and is sent all of them joined.
      const seen = reduced(events.slice(0, from))
      assert.deepEqual(reduced(joinedEvents(events), seen), state)
    }),
  )
})

test('a page knows that it has missed events', () => {
  const events = numbered(started('t'), step('t'), textDelta('t', 'p', 0, 'a'), textDelta('t', 'p', 1, 'b'))
  const [joined] = joinedEvents(events.slice(2))
  const [first, second] = events
  assert.ok(joined && first && second)
  assert.equal(missesEvents(empty, second), true)
  assert.equal(missesEvents(reduced([first]), second), false)
  assert.equal(missesEvents(reduced([first]), joined), true)
  assert.equal(missesEvents(reduced([first, second]), joined), false)
  assert.equal(missesEvents(reduced(events.slice(0, 3)), joined), false, 'one of its two pieces is new')
})

test('whatever event is lost, the words of all others can still be read', () => {
  const events = numbered(
    started('t1'),
    step('t1'),
    textPart('t1', 'p1'),
    textDelta('t1', 'p1', 0, 'First'),
    { kind: 'turn-ended', turn: 't1', state: 'done' },
    started('t2', 't1'),
    step('t2'),
    textPart('t2', 'p2'),
    textDelta('t2', 'p2', 0, 'Second'),
    { kind: 'turn-ended', turn: 't2', state: 'done' },
    started('t3', 't2'),
  )
  for (const lost of events) {
    const path = pathOf(reduced(events.filter(event => event !== lost)))
    const answers = path.map(answerText)
    const expected = ['First', 'Second', ''].filter(text => !('text' in lost) || text !== lost.text)
    if (lost.kind === 'turn-started' && lost.turn === 't3') expected.pop()
    if (lost.kind === 'text-delta') expected.splice(lost.turn === 't1' ? 0 : 1, 0, '')
    assert.deepEqual(answers, expected, `without ${lost.kind} (${lost.n})`)
  }
})

test('reasoning, calls, results and changes keep their place, step by step', () => {
  const sealed = { surface: 'messages', item: { type: 'thinking', thinking: 'Hm', signature: 's' } } as const
  const state = reduced(
    numbered(
      started('t'),
      step('t'),
      { kind: 'part-started', turn: 't', value: { kind: 'reasoning', id: 'r', text: '' } },
      { kind: 'reasoning-delta', turn: 't', part: 'r', offset: 0, text: 'Hm' },
      { kind: 'part-ended', turn: 't', part: 'r', sealed },
      textPart('t', 'p'),
      textDelta('t', 'p', 0, 'I look.'),
      {
        kind: 'part-started',
        turn: 't',
        value: { kind: 'tool-call', id: 'c', call: 'call_0', name: 'read_file', inputText: '', isWritten: false },
      },
      { kind: 'tool-input-delta', turn: 't', part: 'c', offset: 0, text: '{"path":' },
      { kind: 'tool-input-delta', turn: 't', part: 'c', offset: 8, text: '"a.ts"}' },
      { kind: 'tool-call', turn: 't', part: 'c', input: { path: 'a.ts' } },
      { kind: 'step-ended', turn: 't', why: 'tools', usage: { input: 10, output: 5 } },
      { kind: 'tool-approval', turn: 't', part: 'c', approval: { state: 'allowed', scope: 'once' } },
      { kind: 'tool-result', turn: 't', part: 'c', result: { outcome: 'ok', content: [{ kind: 'text', text: '1' }] } },
      { kind: 'message-queued', message: 'm', parts: [{ kind: 'text', id: 'mp', text: 'And b.ts' }] },
      { kind: 'step-started', turn: 't', model: 'model-1', queued: ['m'] },
      textPart('t', 'q', 'Done.'),
      { kind: 'step-ended', turn: 't', why: 'done' },
      { kind: 'turn-ended', turn: 't', state: 'done' },
    ),
  )
  const turn = turnOf(state, 't')
  assert.deepEqual(turn?.steps, [
    {
      model: 'model-1',
      messages: [],
      parts: [
        { kind: 'reasoning', id: 'r', text: 'Hm', startedAt: 3, sealed, endedAt: 5 },
        { kind: 'text', id: 'p', text: 'I look.' },
        {
          kind: 'tool-call',
          id: 'c',
          call: 'call_0',
          name: 'read_file',
          inputText: '{"path":"a.ts"}',
          isWritten: true,
          input: { path: 'a.ts' },
          approval: { state: 'allowed', scope: 'once' },
          result: { outcome: 'ok', content: [{ kind: 'text', text: '1' }] },
        },
      ],
      why: 'tools',
      usage: { input: 10, output: 5 },
    },
    {
      model: 'model-1',
      messages: [{ id: 'm', parts: [{ kind: 'text', id: 'mp', text: 'And b.ts' }] }],
      parts: [{ kind: 'text', id: 'q', text: 'Done.' }],
      why: 'done',
    },
  ])
  assert.deepEqual([turn.state, turn.startedAt, turn.endedAt], ['done', 1, 19])
  assert.deepEqual(state.queued, [], 'the queued message went in')
})

/** The objects that can be reached, and how many members each has. */
function reach(state: ConversationState): Map<object, number> {
  const found = new Map<object, number>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null || found.has(value)) return
    const members = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value)
    found.set(value, members.length)
    members.forEach(visit)
  }
  visit(state)
  return found
}

/** How much one more piece makes anew: the members of all objects that the state before does not have. */
function workOf(state: ConversationState): number {
  const before = reach(state)
  const turn = state.latest ?? ''
  const event = { ...textDelta(turn, 'answer', 1_000_000_000, 'x'), ...envelope(state.n + 1) }
  let work = 0
  for (const [object, members] of reach(reduce(state, event))) if (!before.has(object)) work += members
  return work
}

/** A conversation of so many turns, with so many parts in its last answer, the last of them `answer`. */
function long(turns: number, parts = 3): ConversationState {
  const bodies = Array.from({ length: turns }, (_, at): EventBody[] => [
    started(`t${at}`, at > 0 ? `t${at - 1}` : undefined),
    step(`t${at}`),
    textPart(`t${at}`, `p${at}`, 'An answer'),
  ]).flat()
  const last = Array.from({ length: parts }, (_, at): EventBody[] => [
    step(`t${turns - 1}`),
    textPart(`t${turns - 1}`, at === parts - 1 ? 'answer' : `extra-${at}`, 'Words'),
  ]).flat()
  return replay(numbered(...bodies, ...last), empty)
}

test('a piece of an answer costs the same in a conversation of 10 turns as in one of 10,000', () => {
  assert.equal(workOf(long(10_000)), workOf(long(10)))
})

test('a piece copies no other part, and one reference for each step of its answer', () => {
  assert.equal(workOf(long(1, 200)) - workOf(long(1, 100)), 100)
  const state = long(3, 5)
  const next = reduce(state, { ...textDelta('t2', 'answer', 5, '!'), ...envelope(state.n + 1) })
  assert.equal(next.otherTurns, state.otherTurns)
  assert.equal(next.chosen, state.chosen)
  const steps = [turnOf(state, 't2')?.steps ?? [], turnOf(next, 't2')?.steps ?? []] as const
  assert.deepEqual(
    steps[1].map((made, at) => made === steps[0][at]),
    [true, true, true, true, true, false],
  )
  assert.equal(turnOf(next, 't1'), turnOf(state, 't1'))
})

test('100,000 pieces of one answer cost no more each at the end than at the beginning', () => {
  let state = long(5)
  let offset = 'Words'.length
  const work: number[] = []
  for (let at = 0; at < 100_000; at++) {
    if (at % 20_000 === 0) work.push(workOf(state))
    const text = `word${at} `
    state = reduce(state, { ...textDelta('t4', 'answer', offset, text), ...envelope(state.n + 1) })
    offset += text.length
  }
  assert.equal(new Set(work).size, 1, `members made anew: ${work}`)
  assert.ok(answerText(turnOf(state, 't4') ?? assert.fail()).endsWith('word99999 '))
})
