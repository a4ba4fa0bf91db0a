// A page that holds the content of some turns: what it makes of the events that follow, and of the content it lacked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pathIds, pathOf } from '../../src/protocol/conversationPath.ts'
import {
  type ConversationState,
  emptyConversation,
  reduce,
  replay,
  type Turn,
} from '../../src/protocol/conversationState.ts'
import {
  conversationWindow,
  newestTurns,
  stateOfWindow,
  windowOf,
  withTurns,
} from '../../src/protocol/conversationWindow.ts'
import { CONVERSATION, conversations } from '../support/randomConversation.ts'

const empty = emptyConversation(CONVERSATION)
const turnsOf = ({ current, otherTurns }: ConversationState): Turn[] => [
  ...otherTurns.values(),
  ...(current ? [current] : []),
]

/** As the page has it: sent as JSON, judged by the schema. */
function opened(state: ConversationState, isWhole: (turn: Turn) => boolean): ConversationState {
  const sent: unknown = JSON.parse(JSON.stringify(windowOf(state, isWhole)))
  return stateOfWindow(CONVERSATION, conversationWindow.parse(sent))
}

test('a window with the content of every turn is the state', () => {
  fc.assert(
    fc.property(conversations, events => {
      const state = replay(events, empty)
      assert.deepEqual(
        opened(state, () => true),
        state,
      )
    }),
  )
})

test('a window with the content of some turns becomes the state with later events and the content of the others', () => {
  fc.assert(
    fc.property(
      conversations,
      fc.nat({ max: 40 }),
      fc.subarray(['t1', 't2', 't3', 't4', 't5']),
      (events, cut, held) => {
        const before = opened(replay(events.slice(0, cut), empty), turn => held.includes(turn.id))
        const after = events.slice(cut).reduce(reduce, before)
        const whole = replay(events, empty)
        assert.deepEqual(pathIds(after), pathIds(whole))
        assert.deepEqual(withTurns(after, turnsOf(whole)), whole)
      },
    ),
    { numRuns: 300 },
  )
})

test('a page knows which turns it lacks, and that they have a question and an answer', () => {
  const turn = (id: string, parent?: string) => [
    {
      kind: 'turn-started',
      turn: id,
      ...(parent && { parent }),
      origin: { is: 'new' },
      prompt: [text(`${id}-q`)],
    } as const,
    { kind: 'part-started', turn: id, value: text(`${id}-a`) } as const,
    { kind: 'turn-ended', turn: id, state: 'done' } as const,
  ]
  const text = (id: string) => ({ kind: 'text', id, text: 'x' }) as const
  const ids = Array.from({ length: 5_000 }, (_, at) => `turn-${at}`)
  const bodies = ids.flatMap((id, at) => turn(id, ids[at - 1]))
  const state = replay(
    bodies.map((body, at) => ({ ...body, conversation: CONVERSATION, n: at + 1, time: at })),
    empty,
  )
  const sent = JSON.stringify(windowOf(state, newestTurns(state)))
  assert.ok(sent.length < 150_000, `${sent.length} characters`)
  const page = opened(state, newestTurns(state))
  assert.deepEqual(pathIds(page), pathIds(state))
  const absent = pathOf(page).filter(one => one.absent)
  assert.equal(absent.length, 4_970)
  assert.ok(absent.every(one => one.absent?.hasPrompt && one.absent.hasAnswer))
  const retried = { kind: 'turn-started', turn: 'again', origin: { is: 'retry', of: 'turn-0' } } as const
  const again = reduce(page, { ...retried, conversation: CONVERSATION, n: page.n + 1, time: 0 })
  assert.deepEqual(again.current?.absent, { hasPrompt: true, hasAnswer: false })
})
