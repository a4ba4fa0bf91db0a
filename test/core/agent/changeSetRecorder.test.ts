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

const models = {
  async *stream() {
    yield { kind: 'text-delta', text: 'An answer.' } as const
    yield { kind: 'finish', why: 'done' } as const
  },
}

test('a change is a part of the turn that it came from, follows its review, and is there when the chat opens later', async () => {
  let ids = 0
  const sessions = new Sessions({
    models,
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

/** A journal that another window may have claimed. */
class ClaimedJournal extends MemoryJournal {
  isClaimed = false

  override async claim(): Promise<boolean> {
    return !this.isClaimed && (await super.claim())
  }
}

test('what is undone while another window writes the chat is in it once that window has left it', async () => {
  let ids = 0
  const journals: ClaimedJournal[] = []
  const journal = (id: string) => {
    const made = new ClaimedJournal(id)
    journals.push(made)
    return made
  }
  const sessions = new Sessions({
    models,
    model: async () => 'm',
    journal,
    newId: () => `id${++ids}`,
    clock: new FakeClock(),
  })
  const { changes } = changeFixture({ 'a.ts': 'one\n' })
  const recorder = new ChangeSetRecorder(changes, sessions)
  const session = sessions.current
  await session.ask('A question')
  const turn = session.conversation.tip
  const request = { conversation: session.id, turn, uri: 'file:///w/a.ts', text: 'two\n' }
  await changes.apply({ ...request, seen: await contentHash('one\n') }, signal)
  await settled()
  assert.equal(openChanges(session.conversation).length, 1)
  for (const one of journals) one.isClaimed = true
  await changes.undo({ conversation: session.id })
  await settled()
  assert.equal(openChanges(session.conversation).length, 1)
  for (const one of journals) one.isClaimed = false
  await session.ask('Another question')
  await settled()
  assert.deepEqual(openChanges(session.conversation), [])
  recorder.dispose()
  sessions.dispose()
})
