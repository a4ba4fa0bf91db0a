// What is the same in many conversations is sent before what is another in each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSentOrder } from '../../../src/core/agent/inSentOrder.ts'
import type { PartOf, PromptPart } from '../../../src/protocol/conversation.ts'

const attached = (source: PartOf<'attachment'>['source'], name: string, more: object = {}): PromptPart => ({
  ...{ kind: 'attachment', id: name, source, name, text: name, sizeChars: 1 },
  ...more,
})

test('a question begins with what other chats begin with as well, and ends with what is its own', () => {
  const given: readonly PromptPart[] = [
    attached('environment', 'environment'),
    attached('environment', 'skills'),
    attached('environment', 'situation'),
    attached('environment', 'mode'),
    attached('file', 'a.ts'),
    attached('repository', 'the repository'),
    attached('instructions', '/prompt'),
    attached('instructions', 'AGENTS.md', { uri: 'file:///work/AGENTS.md' }),
    attached('repository', 'its changes', { language: 'diff' }),
    { kind: 'text', id: 'question', text: 'Why?' },
  ]
  assert.deepEqual(
    inSentOrder(given).map(part => (part.kind === 'attachment' ? part.name : part.id)),
    [
      ...['the repository', 'AGENTS.md', 'environment', 'skills', 'a.ts', '/prompt', 'its changes'],
      ...['situation', 'mode', 'question'],
    ],
  )
})
