// What was attached to a message that was sent: what is read again, and what is as it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentAttachments } from '../../../src/core/context/sentAttachments.ts'
import { copiedEvents } from '../../../src/core/conversation/copiedEvents.ts'
import type { PartOf } from '../../../src/protocol/conversation.ts'
import { emptyConversation, reduce } from '../../../src/protocol/conversationState.ts'

const attachment = (rest: Omit<PartOf<'attachment'>, 'kind' | 'id' | 'sizeChars'> & { id?: string }) =>
  ({ kind: 'attachment', id: rest.name, sizeChars: 1, text: 'x', ...rest }) as const
const range = { startLine: 1, startCharacter: 0, endLine: 2, endCharacter: 0 }
const folder = { source: 'folder', uri: 'file:///w/src' } as const

test('what has become several parts is one; what goes along by itself and the text are none', () => {
  const prompt = [
    attachment({ source: 'environment', name: 'Workspace' }),
    attachment({ source: 'instructions', name: 'AGENTS.md', uri: 'file:///w/AGENTS.md' }),
    attachment({ source: 'folder', name: 'src', uri: folder.uri, reference: folder }),
    attachment({ source: 'file', name: 'src/a.ts', uri: 'file:///w/src/a.ts', reference: folder }),
    { kind: 'text', id: 't', text: 'Why?' } as const,
  ]
  assert.deepEqual(sentAttachments(prompt), [folder])
})

test('a file, a selection and a symbol that were sent without a reference are found by their place; other parts stay as they were', () => {
  const uri = 'file:///w/a.ts'
  const changes = attachment({ source: 'git-change', name: 'Changes' })
  const shot = { kind: 'image', id: 'i', mediaType: 'image/png', base64: 'AAAA' } as const
  const prompt = [
    attachment({ source: 'file', name: 'a.ts', uri }),
    attachment({ source: 'selection', name: 'a.ts', uri, range, id: 's' }),
    attachment({ source: 'symbol', name: 'a.ts#parse', uri, range }),
    changes,
    shot,
  ]
  assert.deepEqual(sentAttachments(prompt), [
    { source: 'file', uri },
    { source: 'selection', uri, range },
    { source: 'symbol', uri, range, name: 'parse' },
    changes,
    shot,
  ])
})

test('a copy of a conversation has no reference to files, which may be those of another machine', () => {
  const reference = { source: 'file', uri: 'file:///w/a.ts' } as const
  const prompt = [
    attachment({ source: 'file', name: 'a.ts', uri: reference.uri, reference }),
    { kind: 'image', id: 'i', mediaType: 'image/png', base64: 'AAAA', reference } as const,
  ]
  const state = reduce(emptyConversation('c'), {
    ...{ kind: 'turn-started', turn: 'a', origin: { is: 'new' }, prompt },
    ...{ conversation: 'c', n: 1, time: 1 },
  })
  const [started] = copiedEvents(state, { isOnlyShown: true, idOf: id => id })
  assert.equal(JSON.stringify(started).includes('file:///'), false)
})
