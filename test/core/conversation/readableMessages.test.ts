// The messages of a conversation as plain text, without the marks of Markdown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readableMessages, readableText } from '../../../src/core/conversation/readableMessages.ts'
import type { ConversationEvent, EventBody } from '../../../src/protocol/conversation.ts'
import { emptyConversation, replay } from '../../../src/protocol/conversationState.ts'
import { chatWords as words } from '../../support/chatWords.ts'

const stateOf = (...bodies: readonly EventBody[]) =>
  replay(
    bodies.map((body, at) => ({ ...body, conversation: 'c', n: at + 1, time: 0 }) as ConversationEvent), // as: a body and the envelope are an event
    emptyConversation('c'),
  )

const asked = (turn: string, text: string, parent?: string): EventBody => ({
  ...{ kind: 'turn-started', turn, ...(parent !== undefined && { parent }), origin: { is: 'new' } },
  prompt: [{ kind: 'text', id: `${turn}-prompt`, text }],
})
const answered = (turn: string, text: string): EventBody[] => [
  { kind: 'step-started', turn, model: 'm' },
  { kind: 'part-started', turn, value: { kind: 'text', id: `${turn}-text`, text } },
]

test('Markdown is read without its marks; lists, cells and code keep what divides them', () => {
  const cases = {
    '## A head\n\nSome **bold**, *fine* and `coded` words.': 'A head\n\nSome bold, fine and coded words.',
    '- one\n- [x] two\n1. three': '- one\n- [x] two\n1. three',
    '> A quotation\n> of two lines': 'A quotation\nof two lines',
    '[the docs](https://docs.example/a) and [a file](src/a.ts)': 'the docs (https://docs.example/a) and a file',
    '| Part | Value |\n|---|---:|\n| a | **1** |': 'Part | Value\na | 1',
    '```ts\nconst a = **b**\n# no head\n```\n**after**': '```ts\nconst a = **b**\n# no head\n```\nafter',
    '~~~\n```\n~~~\n*x*': '~~~\n```\n~~~\nx',
  }
  for (const [markdown, text] of Object.entries(cases)) assert.equal(readableText(markdown), text, markdown)
})

test('each question and each answer is a message, with what belongs to it; the words of the user stay as they are', () => {
  const file = { kind: 'attachment', id: 'f', source: 'file', name: 'a.ts', sizeChars: 1, text: 'x' } as const
  const state = stateOf(
    {
      ...{ kind: 'turn-started', turn: 'a', origin: { is: 'new' } },
      prompt: [{ kind: 'text', id: 'p', text: '*Why*?' }, file],
    },
    { kind: 'step-started', turn: 'a', model: 'm' },
    { kind: 'part-started', turn: 'a', value: { kind: 'reasoning', id: 'r', text: 'Let me see.' } },
    { kind: 'part-started', turn: 'a', value: { kind: 'text', id: 't', text: '**Because**' } },
    { kind: 'turn-ended', turn: 'a', state: 'stopped' },
    asked('b', 'And then?', 'a'),
  )
  assert.deepEqual(readableMessages(state, words), [
    { turn: 'a', role: 'user', text: '*Why*?\n\nAttached: a.ts' },
    { turn: 'a', role: 'assistant', text: 'Thinking\nLet me see.\n\nBecause\n\nThe answer is stopped.' },
    { turn: 'b', role: 'user', text: 'And then?' },
  ])
})

test('an answer that was cut off before its first word says why, as one that was cut off later', () => {
  const ends = ['interrupted', 'length', 'filtered', 'stopped'] as const
  const texts = ends.map(end => {
    const state = stateOf(asked('a', 'Why?'), { kind: 'turn-ended', turn: 'a', state: end })
    return readableMessages(state, words).flatMap(({ role, text }) => (role === 'assistant' ? [text] : []))
  })
  assert.deepEqual(texts.flat(), ['The answer is interrupted.', 'The answer is length.', 'The answer is filtered.'])
})

test('[T39] what is not seen in the chat is a mark here too', () => {
  const state = stateOf(
    asked('a', 'Is\u200b it?'),
    ...answered('a', '`rm\u202e x`\r\n**\u0007** \u{e0041}\u{e0042}\u{e0043}\u{e0044}'),
  )
  assert.deepEqual(
    readableMessages(state, words).map(({ text }) => text),
    ['Is⟦U+200B⟧ it?', 'rm⟦U+202E⟧ x\n⟦U+0007⟧ ⟦4 hidden characters⟧'],
  )
})

test('until a retry has any content, the answer before it is read; a deleted question is not', () => {
  const state = stateOf(
    ...[asked('a', 'Deleted'), ...answered('a', 'Gone')],
    { kind: 'turn-ended', turn: 'a', state: 'done' },
    ...[asked('b', 'Kept', 'a'), ...answered('b', 'First')],
    { kind: 'turn-ended', turn: 'b', state: 'done' },
    { kind: 'turn-started', turn: 'c', parent: 'a', origin: { is: 'retry', of: 'b' } },
    { kind: 'turn-deleted', turn: 'a', value: true },
  )
  const read = readableMessages(state, words).map(({ role, text }) => [role, text])
  assert.deepEqual(read.at(-1), ['assistant', 'First'])
  assert.equal(
    read.some(([, text]) => text === 'Deleted' || text === 'Gone'),
    false,
  )
})
