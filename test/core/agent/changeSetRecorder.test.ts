// What a conversation has of the changes that were made from its answers, and of their review.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentHash } from '../../../src/base/contentHash.ts'
import { ChangeSetRecorder } from '../../../src/core/agent/changeSetRecorder.ts'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { answerParts } from '../../../src/protocol/conversationPath.ts'
import { turnOf } from '../../../src/protocol/conversationState.ts'
import { openChanges } from '../../../src/webview/state/changedFiles.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { changeFixture } from '../../support/memoryChangeFiles.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'

const { signal } = new AbortController()

test('a change is a part of the turn that it came from, follows its review, and is there when the chat opens later', async () => {
  let ids = 0
  const sessions = new Sessions({
    models: {
      async *stream() {
        yield { kind: 'text-delta', text: 'An answer.' }
        yield { kind: 'finish', why: 'done' }
      },
    },
    model: async () => 'm',
    journal: id => new MemoryJournal(id),
    newId: () => `id${++ids}`,
    clock: new FakeClock(),
  })
  const fixture = changeFixture({ 'a.ts': 'one\n' })
  const { changes } = fixture
  const recorder = new ChangeSetRecorder(changes, sessions)
  const session = sessions.current
  await session.ask('A question')
  const turn = session.conversation.tip
  const parts = () => {
    const answered = turnOf(session.conversation, turn)
    return answered ? answerParts(answered) : []
  }
  const request = { conversation: session.id, turn, uri: 'file:///w/a.ts', text: 'two\n' }
  await changes.apply({ ...request, seen: await contentHash('one\n') }, signal)
  await settled()
  assert.deepEqual(
    parts().map(({ kind }) => kind),
    ['text', 'change-set'],
  )
  assert.deepEqual(
    openChanges(session.conversation).map(({ uri, addedLines, removedLines }) => [uri, addedLines, removedLines]),
    [['file:///w/a.ts', 1, 1]],
  )
  recorder.dispose()
  await changes.keep({ conversation: session.id })
  await settled()
  assert.equal(openChanges(session.conversation).length, 1, 'nobody records it')
  const later = new ChangeSetRecorder(changes, sessions)
  await later.recordAll()
  assert.deepEqual(openChanges(session.conversation), [])
  assert.equal(parts().length, 2)
  later.dispose()
  sessions.dispose()
})
