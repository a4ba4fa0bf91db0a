// The turns that the reader sees, and what is read from them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { EventBody, PromptPart } from '../../src/protocol/conversation.ts'
import {
  answerText,
  attemptsOf,
  branchesOf,
  pathIds,
  pathOf,
  promptText,
  questionsOf,
  runningTurns,
  titleText,
  unansweredTurn,
} from '../../src/protocol/conversationPath.ts'
import {
  type ConversationState,
  emptyConversation,
  reduce,
  replay,
  turnOf,
} from '../../src/protocol/conversationState.ts'
import { CONVERSATION, conversations } from '../support/randomConversation.ts'

function stateOf(...bodies: EventBody[]): ConversationState {
  const events = bodies.map((body, at) => ({ ...body, conversation: CONVERSATION, n: at + 1, time: at }))
  return events.reduce(reduce, emptyConversation(CONVERSATION))
}

const asked = (turn: string, parent?: string): EventBody => ({
  kind: 'turn-started',
  turn,
  ...(parent && { parent }),
  origin: { is: 'new' },
  prompt: [{ kind: 'text', id: `${turn}-prompt`, text: `Question ${turn}` }],
})
const retried = (turn: string, of: string, parent?: string): EventBody => ({
  kind: 'turn-started',
  turn,
  ...(parent && { parent }),
  origin: { is: 'retry', of },
})
const edited = (turn: string, of: string): EventBody => ({
  kind: 'turn-started',
  turn,
  origin: { is: 'edit', of },
  prompt: [{ kind: 'text', id: `${turn}-prompt`, text: 'Another question' }],
})
const answered = (turn: string, ...texts: string[]): EventBody[] => [
  { kind: 'step-started', turn, model: 'm' },
  ...texts.map(
    (text, at): EventBody => ({ kind: 'part-started', turn, value: { kind: 'text', id: `${turn}-${at}`, text } }),
  ),
  { kind: 'turn-ended', turn, state: 'done' },
]
const ids = (turns: readonly { id: string }[]) => turns.map(({ id }) => id)

test('an edit begins a branch; going back to the first one brings back what followed there', () => {
  const bodies = [asked('a'), ...answered('a', 'A'), asked('b', 'a'), edited('a2', 'a'), asked('c', 'a2')]
  const state = stateOf(...bodies)
  assert.deepEqual(ids(pathOf(state)), ['a2', 'c'])
  const back = stateOf(...bodies, { kind: 'branch-chosen', turn: 'a' })
  assert.deepEqual(ids(pathOf(back)), ['a', 'b'])
  const first = turnOf(back, 'a') ?? assert.fail()
  assert.deepEqual(ids(branchesOf(back, first)), ['a', 'a2'])
  assert.deepEqual(ids(pathOf(stateOf(...bodies, { kind: 'branch-chosen', turn: 'b' }))), ['a', 'b'])
})

test('a retry has the prompt of its question and knows the attempts before it, which an edit does not', () => {
  const state = stateOf(
    asked('a'),
    ...answered('a', 'First'),
    retried('r1', 'a'),
    ...answered('r1', 'Second'),
    edited('e', 'a'),
    ...answered('e', 'Other'),
    retried('r2', 'r1'),
  )
  const last = turnOf(state, 'r2') ?? assert.fail()
  assert.equal(promptText(last.prompt), 'Question a')
  assert.deepEqual(ids(attemptsOf(state, last)), ['a', 'r1', 'r2'])
  assert.deepEqual(ids(questionsOf(state, last)), ['r2', 'e'])
  assert.deepEqual(ids(pathOf(state)), ['r2'])
  const edit = turnOf(state, 'e') ?? assert.fail()
  assert.deepEqual([ids(attemptsOf(state, edit)), ids(questionsOf(state, edit))], [['e'], ['r2', 'e']])
})

test('a question is unanswered until the first word', () => {
  const began: EventBody[] = [
    asked('a'),
    ...answered('a', 'A'),
    asked('b', 'a'),
    { kind: 'step-started', turn: 'b', model: 'm' },
    { kind: 'part-started', turn: 'b', value: { kind: 'text', id: 'p', text: '' } },
  ]
  assert.equal(unansweredTurn(stateOf(...began))?.id, 'b')
  assert.equal(unansweredTurn(stateOf(...began, { kind: 'turn-ended', turn: 'b', state: 'failed' }))?.id, 'b')
  const word: EventBody = { kind: 'text-delta', turn: 'b', part: 'p', offset: 0, text: 'B' }
  assert.equal(unansweredTurn(stateOf(...began, word)), undefined)
  assert.equal(unansweredTurn(stateOf()), undefined)
})

test('the text of an answer is its words, part after part', () => {
  const state = stateOf(asked('a'), ...answered('a', 'First.', ' ', 'Second.'))
  assert.equal(answerText(turnOf(state, 'a') ?? assert.fail()), 'First.\n\nSecond.')
})

test('a deleted turn is not shown, what follows it is, and it can be brought back', () => {
  const bodies = [asked('a'), asked('b', 'a'), asked('c', 'b')]
  const deleted = { kind: 'turn-deleted', turn: 'b', value: true } as const
  assert.deepEqual(ids(pathOf(stateOf(...bodies, deleted))), ['a', 'c'])
  assert.deepEqual(ids(pathOf(stateOf(...bodies, deleted, { ...deleted, value: false }))), ['a', 'b', 'c'])
})

test('turns run until they have ended', () => {
  const state = stateOf(asked('a'), ...answered('a', 'A'), asked('b', 'a'), asked('c', 'b'))
  assert.deepEqual(ids(runningTurns(state)).sort(), ['b', 'c'])
})

test('the path is one list while an answer grows', () => {
  const state = stateOf(asked('a'))
  const delta = { kind: 'text-delta', turn: 'a', part: 'p', offset: 0, text: 'x' } as const
  const next = reduce(state, { ...delta, conversation: CONVERSATION, n: state.n + 1, time: 0 })
  assert.equal(pathIds(next), pathIds(state))
})

test('the path ends at its tip, follows the parents, and every turn can be reached by choosing it', () => {
  fc.assert(
    fc.property(conversations, events => {
      const state = replay(events, emptyConversation(CONVERSATION))
      assert.equal(pathIds(state).at(-1) ?? '', state.tip)
      for (const turn of [...state.otherTurns.values(), ...(state.current ? [state.current] : [])]) {
        const chosen = reduce(state, {
          kind: 'branch-chosen',
          turn: turn.id,
          conversation: CONVERSATION,
          n: state.n + 1,
          time: 0,
        })
        const path = pathIds(chosen)
        assert.ok(path.includes(turn.id))
        assert.deepEqual(
          path.map(id => turnOf(chosen, id)?.parent),
          ['', ...path.slice(0, -1)],
        )
      }
    }),
  )
})

test('a command alone has the names of what it is about in the title', () => {
  const file = {
    kind: 'attachment',
    source: 'selection',
    name: 'src/core/postage.ts',
    uri: 'file:///w/src/core/postage.ts',
  }
  const others = [
    { ...file, id: 'b' },
    { kind: 'attachment', id: 'c', source: 'git-change', name: 'Staged changes in a/b' },
    { kind: 'attachment', id: 'd', source: 'environment', name: 'environment' },
    { kind: 'attachment', id: 'e', source: 'instructions', name: 'AGENTS.md', uri: 'file:///w/AGENTS.md' },
  ].map(part => ({ ...part, sizeChars: 1 }))
  const titleFor = (text: string, ...attached: object[]) => {
    const prompt = [{ kind: 'text', id: 'p', text }, ...attached] as readonly PromptPart[] // as: each is a part
    return titleText(stateOf({ kind: 'turn-started', turn: 'a', origin: { is: 'new' }, prompt }, asked('b', 'a')))
  }
  const selection = { ...file, id: 'a', sizeChars: 1 }
  assert.equal(titleFor('/fix', selection), '/fix postage.ts')
  assert.equal(titleFor('/fix\n', selection, ...others), '/fix postage.ts, Staged changes in a/b')
  assert.equal(titleFor('/fix the rounding', selection), '/fix the rounding')
  assert.equal(titleFor('', selection), 'postage.ts')
  assert.equal(titleFor('/fix'), '/fix')
  assert.equal(titleFor(''), 'Question b')
})
