// The feed of a page: a prompt is reported when it is on disk, because the page forgets it then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../../../src/base/event.ts'
import { ConversationFeed } from '../../../src/editor/chat/conversationFeed.ts'
import type { ConversationEvent } from '../../../src/protocol/conversation.ts'
import { emptyConversation } from '../../../src/protocol/conversationState.ts'
import type { ToPage } from '../../../src/protocol/panel.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'

function setup() {
  const written = Promise.withResolvers<void>()
  const appended = new Emitter<ConversationEvent>()
  const sent: ToPage[] = []
  const conversation = {
    id: 'c',
    conversation: emptyConversation('c'),
    onDidAppend: appended.event,
    flush: () => written.promise,
  }
  const clock = new FakeClock()
  const feed = new ConversationFeed({ conversation, send: message => sent.push(message), clock })
  const kinds = () => sent.flatMap(message => (message.kind === 'events' ? message.events.map(({ kind }) => kind) : []))
  let n = 0
  const append = (body: Pick<ConversationEvent, 'kind'> & object) =>
    // as: the members that the feed does not read are left out.
    appended.fire({ ...body, conversation: 'c', n: ++n, time: 0 } as ConversationEvent)
  return { feed, clock, append, kinds, sent, written }
}

test('a prompt is sent when it is on disk, and nothing after it before', async () => {
  const { feed, clock, append, kinds, written } = setup()
  append({ kind: 'created' })
  append({ kind: 'turn-started' })
  feed.flush()
  append({ kind: 'step-started' })
  await clock.advance(100)
  assert.deepEqual(kinds(), ['created'])
  written.resolve()
  await settled()
  assert.deepEqual(kinds(), ['created', 'turn-started', 'step-started'])
  feed.dispose()
})

test('a page that does not confirm gets the deltas in larger messages, and all of them', async () => {
  const { feed, clock, append, sent } = setup()
  let offset = 0
  for (let token = 0; token < 100; token++) {
    const delta = { kind: 'text-delta' as const, turn: 't', part: 'p', offset, text: 'ab' }
    append(delta)
    offset += 2
    await clock.advance(16)
  }
  const messages = () => sent.flatMap(message => (message.kind === 'events' ? [message] : []))
  const text = () =>
    messages()
      .flatMap(({ events }) => events.map(event => ('offset' in event ? event.text : '')))
      .join('')
  assert.equal(messages().length, 16, 'eight, and eight more after a second')
  assert.equal(messages().filter(({ confirm }) => confirm).length, 2)
  feed.onDrawn()
  await clock.advance(2_000)
  assert.equal(text(), 'ab'.repeat(100))
  feed.dispose()
})

test('a feed that has ended sends no prompt any more', async () => {
  const { feed, append, kinds, written } = setup()
  append({ kind: 'turn-started' })
  feed.dispose()
  written.resolve()
  await settled()
  assert.deepEqual(kinds(), [])
})
