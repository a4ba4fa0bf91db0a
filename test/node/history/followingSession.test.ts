// Two windows on one conversation: one asks, and the other follows its answer live and asks nothing meanwhile.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { Session, type SessionOptions } from '../../../src/core/agent/session.ts'
import { ConversationLog } from '../../../src/core/conversation/conversationLog.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { JournalFolder } from '../../../src/node/history/journalFolder.ts'
import { messagesIn } from '../../support/memorySession.ts'
import { eventually, never } from '../../support/wire.ts'

test('a window follows the answer of another one live, and asks nothing until it has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-following-'))
  const clock = systemClock
  const journals = new JournalFolder({ folder, clock, log: new Log(), isAlive: () => true })
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>()
  const models: ModelClient = {
    async *stream() {
      yield { kind: 'text-delta', text: 'Half' }
      await rest
      yield { kind: 'text-delta', text: ' and half.' }
      yield { kind: 'finish', why: 'done' }
    },
  }
  const newId = () => crypto.randomUUID()
  const options: SessionOptions = { models, model: async () => 'm', newId, clock }
  const asking = new Session(ConversationLog.empty({ journal: journals.open('c'), clock }), options)
  const asked = asking.ask('Who writes?')
  await eventually('the answer streams', () => messagesIn(asking)[1]?.text === 'Half')
  const journal = journals.open('c')
  const following = new Session(await ConversationLog.open({ journal, clock }, never), options)
  assert.equal(following.state.is, 'following')
  assert.equal(await following.ask('And I?'), false)
  await eventually('its beginning is followed', () => messagesIn(following)[1]?.text === 'Half')
  sendRest()
  assert.equal(await asked, true)
  await eventually('its end is followed', () => following.state.is === 'idle')
  assert.deepEqual(messagesIn(following), messagesIn(asking))
  assert.deepEqual(
    messagesIn(following).map(({ text }) => text),
    ['Who writes?', 'Half and half.'],
  )
  await Promise.all([asking.close(), following.close()])
  for (const session of [asking, following]) session.dispose()
  rmSync(folder, { recursive: true })
})
