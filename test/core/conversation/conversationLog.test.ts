// One conversation in one window: its events are numbered, its state is theirs, and they can be asked for again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ConversationLog } from '../../../src/core/conversation/conversationLog.ts'
import { NotWriterError } from '../../../src/core/conversation/journal.ts'
import type { ConversationEvent } from '../../../src/protocol/conversation.ts'
import {
  type ConversationState,
  emptyConversation,
  missesEvents,
  reduce,
} from '../../../src/protocol/conversationState.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'
import { CONVERSATION, eventBodies } from '../../support/randomConversation.ts'

const forever = new AbortController().signal

async function opened(journal = new MemoryJournal(CONVERSATION)) {
  const log = await ConversationLog.open({ journal, clock: new FakeClock() }, forever)
  await log.claim()
  return log
}

async function all(batches: AsyncIterable<readonly ConversationEvent[]>): Promise<ConversationEvent[]> {
  const events: ConversationEvent[] = []
  for await (const batch of batches) events.push(...batch)
  return events
}

test('a page that receives only some events, and asks for a replay from the first that it misses, has the same state', async () => {
  await fc.assert(
    fc.asyncProperty(eventBodies, fc.infiniteStream(fc.boolean()), async (bodies, receives) => {
      const log = await opened()
      let page: ConversationState = emptyConversation(CONVERSATION)
      let latest: ConversationEvent | undefined
      log.onDidAppend(event => (latest = event))
      for (const body of bodies) {
        await log.append(body)
        if (!latest || !receives.next().value) continue
        if (missesEvents(page, latest)) page = (await all(log.events(page.n + 1, forever))).reduce(reduce, page)
        else page = reduce(page, latest)
        assert.deepEqual(page, log.state)
      }
      log.dispose()
    }),
  )
})

test('events are numbered from 1 and have their time; the state has changed before one is kept', async () => {
  const log = await opened()
  const received: [number, string | undefined][] = []
  log.onDidAppend(({ n }) => received.push([n, log.state.title?.text]))
  const kept = log.append({ kind: 'title', text: 'A', by: 'user' })
  void log.append({ kind: 'title', text: 'B', by: 'user' })
  assert.deepEqual(received, [
    [1, 'A'],
    [2, 'B'],
  ])
  await kept
  const [first] = await all(log.events(1, forever))
  assert.deepEqual(first, {
    kind: 'title',
    text: 'A',
    by: 'user',
    conversation: CONVERSATION,
    n: 1,
    time: new FakeClock().now(),
  })
})

test('only the window that has claimed the conversation writes it', async () => {
  const log = await opened()
  await log.release()
  await assert.rejects(log.append({ kind: 'pinned', value: true }), NotWriterError)
  assert.equal(log.state.isPinned, false)
})

test('what was still running when it is opened is interrupted, and only that', async () => {
  const journal = new MemoryJournal(CONVERSATION)
  const before = await opened(journal)
  await before.append({ kind: 'turn-started', turn: 'a', origin: { is: 'new' }, prompt: [] })
  await before.append({ kind: 'turn-ended', turn: 'a', state: 'stopped' })
  await before.append({ kind: 'turn-started', turn: 'b', parent: 'a', origin: { is: 'new' }, prompt: [] })
  await before.append({ kind: 'tool-call', turn: 'b', part: 'c', input: {} })
  await before.append({ kind: 'tool-call', turn: 'b', part: 'd', input: {} })
  await before.append({ kind: 'tool-approval', turn: 'b', part: 'd', approval: { state: 'asked' } })
  await before.release()
  const { state } = await opened(journal)
  assert.equal(state.otherTurns.get('a')?.state, 'stopped')
  assert.equal(state.current?.state, 'interrupted')
  const results = state.current?.steps[0]?.parts.map(part => part.kind === 'tool-call' && part.result)
  const texts = results?.map(result => result && JSON.stringify([result.outcome, result.content]))
  assert.match(texts?.[0] || '', /^\["interrupted".*may have been carried out in part/)
  assert.match(texts?.[1] || '', /^\["interrupted".*before the user had allowed it/)
})
