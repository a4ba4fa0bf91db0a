// What the model is sent of a conversation, in order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { promptMessages } from '../../../src/core/conversation/promptMessages.ts'
import { endMark } from '../../../src/core/conversation/resultMarks.ts'
import type { EventBody } from '../../../src/protocol/conversation.ts'
import { type ConversationState, emptyConversation, reduce, replay } from '../../../src/protocol/conversationState.ts'
import { CONVERSATION, conversations } from '../../support/randomConversation.ts'

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
const step = (turn: string): EventBody => ({ kind: 'step-started', turn, model: 'm' })
const textPart = (turn: string, id: string, text: string): EventBody => ({
  kind: 'part-started',
  turn,
  value: { kind: 'text', id, text },
})
const call = (turn: string, id: string, input: unknown): EventBody[] => [
  {
    kind: 'part-started',
    turn,
    value: { kind: 'tool-call', id, call: `call-${id}`, name: 'read_file', inputText: '', isWritten: false },
  },
  { kind: 'tool-call', turn, part: id, input },
]
const result = (turn: string, part: string, text: string): EventBody => ({
  kind: 'tool-result',
  turn,
  part,
  result: { outcome: 'ok', content: [{ kind: 'text', text }] },
})
const sealed = { surface: 'messages', item: { type: 'redacted_thinking', data: 'sealed' } } as const
const reasoned = (turn: string, id: string): EventBody[] => [
  { kind: 'part-started', turn, value: { kind: 'reasoning', id, text: 'Hm' } },
  { kind: 'part-ended', turn, part: id, sealed },
]
const text = (words: string) => ({ kind: 'text', text: words }) as const

const end = endMark(CONVERSATION)
const data = (path: string, words: string) => `Data from read_file "${path}", up to ${end}:\n${words}\n${end}`

const agentTurn: EventBody[] = [
  asked('t'),
  step('t'),
  textPart('t', 'p1', 'I think'),
  ...reasoned('t', 'r1'),
  textPart('t', 'p2', ' and read.'),
  ...call('t', 'c1', { path: 'a.ts' }),
  ...reasoned('t', 'r2'),
  ...call('t', 'c2', { path: 'b.ts' }),
  { kind: 'step-ended', turn: 't', why: 'tools' },
  result('t', 'c2', 'B'),
  result('t', 'c1', 'A'),
  { kind: 'message-queued', message: 'm', parts: [{ kind: 'text', id: 'mp', text: 'And c.ts' }] },
  { kind: 'step-started', turn: 't', model: 'm', queued: ['m'] },
  textPart('t', 'p3', 'Done.'),
  { kind: 'turn-ended', turn: 't', state: 'done' },
]

test('parts keep their order; results stand behind their calls in the order of the calls, then what the user said', () => {
  assert.deepEqual(promptMessages(stateOf(...agentTurn)), [
    { role: 'user', parts: [text('Question t')] },
    {
      role: 'assistant',
      parts: [
        text('I think'),
        { kind: 'reasoning', sealed },
        text(' and read.'),
        { kind: 'tool-call', id: 'call-c1', name: 'read_file', input: { path: 'a.ts' } },
        { kind: 'reasoning', sealed },
        { kind: 'tool-call', id: 'call-c2', name: 'read_file', input: { path: 'b.ts' } },
      ],
    },
    { role: 'tool', callId: 'call-c1', parts: [text(data('a.ts', 'A'))] },
    { role: 'tool', callId: 'call-c2', parts: [text(data('b.ts', 'B'))] },
    { role: 'user', parts: [text('And c.ts')], continuesTurn: true },
    { role: 'assistant', parts: [text('Done.')] },
  ])
})

test('what is appended to a conversation only appends to what is sent', () => {
  fc.assert(
    fc.property(conversations, events => {
      const before = replay(events, emptyConversation(CONVERSATION))
      const [n, time] = [before.n, 0]
      const parent = before.tip === '' ? {} : { parent: before.tip }
      const more: EventBody[] = [{ ...asked('new'), ...parent }, step('new'), textPart('new', 'new-p', 'More')]
      const after = replay(
        more.map((body, at) => ({ ...body, conversation: CONVERSATION, n: n + at + 1, time })),
        before,
      )
      const sent = promptMessages(before)
      assert.deepEqual(promptMessages(after).slice(0, sent.length), sent)
      assert.equal(promptMessages(after).length, sent.length + 2)
    }),
  )
})

test('only the chosen path is sent, without what was deleted', () => {
  const bodies = [asked('a'), step('a'), textPart('a', 'pa', 'A'), asked('b', 'a'), asked('c', 'a')]
  const words = (state: ConversationState) =>
    promptMessages(state).map(({ parts }) => parts.map(part => (part.kind === 'text' ? part.text : '')).join(''))
  assert.deepEqual(words(stateOf(...bodies)), ['Question a', 'A', 'Question c'])
  assert.deepEqual(words(stateOf(...bodies, { kind: 'branch-chosen', turn: 'b' })), ['Question a', 'A', 'Question b'])
  assert.deepEqual(words(stateOf(...bodies, { kind: 'turn-deleted', turn: 'a', value: true })), ['Question c'])
})

test('a call that was cut is not sent, and a step that broke off only as long as no other has taken its place', () => {
  const bodies: EventBody[] = [
    asked('t'),
    step('t'),
    textPart('t', 'p', 'Half an ans'),
    {
      kind: 'part-started',
      turn: 't',
      value: { kind: 'tool-call', id: 'c', call: 'c', name: 'edit', inputText: '{"pa', isWritten: false },
    },
    { kind: 'step-ended', turn: 't', why: 'broken' },
  ]
  assert.deepEqual(promptMessages(stateOf(...bodies)).slice(1), [{ role: 'assistant', parts: [text('Half an ans')] }])
  const again = stateOf(...bodies, step('t'), textPart('t', 'q', 'Whole'))
  assert.deepEqual(promptMessages(again).slice(1), [{ role: 'assistant', parts: [text('Whole')] }])
})

test('what the user said before an answer that broke off stays when another answer takes its place', () => {
  const bodies: EventBody[] = [
    asked('t'),
    step('t'),
    textPart('t', 'p', 'One'),
    { kind: 'message-queued', message: 'm', parts: [{ kind: 'text', id: 'mp', text: 'And two?' }] },
    { kind: 'step-started', turn: 't', model: 'm', queued: ['m'] },
    textPart('t', 'q', 'Tw'),
    { kind: 'step-ended', turn: 't', why: 'broken' },
    step('t'),
    textPart('t', 'r', 'Two'),
  ]
  assert.deepEqual(promptMessages(stateOf(...bodies)).slice(1), [
    { role: 'assistant', parts: [text('One')] },
    { role: 'user', parts: [text('And two?')], continuesTurn: true },
    { role: 'assistant', parts: [text('Two')] },
  ])
})

test('an attachment is sent as it was, in a fence that its text cannot close', () => {
  const [message] = promptMessages(
    stateOf({
      kind: 'turn-started',
      turn: 't',
      origin: { is: 'new' },
      prompt: [
        { kind: 'text', id: '1', text: 'Why?' },
        {
          kind: 'attachment',
          id: '2',
          source: 'selection',
          name: 'src/a.md',
          language: 'markdown',
          range: { startLine: 2, startCharacter: 0, endLine: 5, endCharacter: 0 },
          sizeChars: 12,
          text: '```ts\nx\n```',
        },
        { kind: 'image', id: '3', mediaType: 'image/png', base64: 'AAAA' },
      ],
    }),
  )
  assert.deepEqual(message, {
    role: 'user',
    parts: [
      text('Why?'),
      text('Attached selection src/a.md, lines 3 to 5:\n````markdown\n```ts\nx\n```\n````'),
      { kind: 'image', mediaType: 'image/png', base64: 'AAAA' },
    ],
  })
})

test('a result that was left out says so', () => {
  const bodies = [
    asked('t'),
    step('t'),
    ...call('t', 'c1', { path: 'src/a.ts', from: 1, lines: 200 }),
    result('t', 'c1', 'A'.repeat(1_000)),
  ]
  const omitted = promptMessages(stateOf(...bodies, { kind: 'results-omitted', parts: ['c1'] }))
  assert.deepEqual(omitted.at(-1), {
    role: 'tool',
    callId: 'call-c1',
    parts: [text('read_file src/a.ts, lines 1 to 200: left out, read again if needed')],
  })
})

test('a summary stands for the answers before it; the user’s words stay, and undone it is as before', () => {
  const bodies = [
    asked('a'),
    step('a'),
    textPart('a', 'pa', 'A long answer'),
    asked('b', 'a'),
    step('b'),
    textPart('b', 'pb', 'B1'),
    step('b'),
    textPart('b', 'pb2', 'B2'),
  ]
  const whole = promptMessages(stateOf(...bodies))
  const summary = { kind: 'summary', turn: 'b', steps: 1, summary: 's', text: 'It was about A.' } as const
  assert.deepEqual(promptMessages(stateOf(...bodies, summary)), [
    {
      role: 'user',
      parts: [
        'My messages so far:',
        'Question a',
        'Question b',
        'Summary of the answers so far:',
        'It was about A.',
      ].map(text),
    },
    { role: 'assistant', parts: [text('B2')] },
  ])
  const { text: _, ...undone } = summary
  assert.deepEqual(promptMessages(stateOf(...bodies, summary, undone)), whole)
})
