// One conversation is open; a new one ends the turn of the one before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'
import { kept, messagesIn } from '../../support/memorySession.ts'
import { never } from '../../support/wire.ts'

function setup() {
  const stopped: unknown[] = []
  const models: ModelClient = {
    async *stream(_, signal) {
      yield { kind: 'text-delta', text: 'half' }
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          stopped.push(signal.reason)
          reject(signal.reason)
        }),
      )
    },
  }
  let ids = 0
  const journals = new Map<string, MemoryJournal>()
  const journal = (id: string) => {
    const known = journals.get(id) ?? new MemoryJournal(id)
    journals.set(id, known)
    return known
  }
  const sessions = new Sessions({
    models,
    model: async () => 'm',
    tools: undefined,
    journal,
    newId: () => `id${++ids}`,
    clock: new FakeClock(),
  })
  return { sessions, stopped, journal }
}

test('a new conversation is empty, told, and stops the one before, which is kept', async () => {
  const { sessions, stopped, journal } = setup()
  const opened: string[] = []
  sessions.onDidOpen(session => opened.push(session.id))
  const first = sessions.current
  const asking = first.ask('q')
  await settled()
  sessions.openNew()
  await asking
  assert.equal(stopped.length, 1)
  assert.notEqual(sessions.current.id, first.id)
  assert.deepEqual(messagesIn(sessions.current), [])
  assert.deepEqual(opened, [sessions.current.id])
  assert.deepEqual(
    messagesIn({ conversation: await kept(journal(first.id)) }).map(({ text, state }) => [text, state]),
    [
      ['q', 'whole'],
      ['half', 'stopped'],
    ],
  )
})

test('what the open one does is told, what the one before does is not', async () => {
  const { sessions } = setup()
  let moves = 0
  sessions.onDidChangeState(() => void moves++)
  const asking = sessions.current.ask('q')
  await settled()
  assert.equal(moves, 1)
  sessions.openNew()
  await asking
  assert.equal(moves, 1)
})

test('the end stops the answer under way', async () => {
  const { sessions, stopped } = setup()
  const asking = sessions.current.ask('q')
  await settled()
  sessions.dispose()
  await asking
  assert.equal(stopped.length, 1)
})

test('a kept conversation comes to the front, unless something was asked meanwhile', async () => {
  const { sessions, journal } = setup()
  const first = sessions.current
  const asking = first.ask('q')
  await settled()
  sessions.openNew()
  await asking
  assert.equal(await sessions.resume(first.id, never), true)
  assert.deepEqual([sessions.current.id, messagesIn(sessions.current)[0]?.text], [first.id, 'q'])
  assert.equal(await sessions.resume(first.id, never), false)
  assert.equal((await kept(journal(first.id))).n, sessions.current.length)
})

test('a kept conversation does not stop a question of which nothing is stored yet', async () => {
  const { sessions, journal } = setup()
  const first = sessions.current
  const earlier = first.ask('q')
  await settled()
  sessions.openNew()
  await earlier
  const second = sessions.current
  const claimed = Promise.withResolvers<void>()
  const slow = journal(second.id)
  slow.claim = async () => {
    await claimed.promise
    return MemoryJournal.prototype.claim.call(slow)
  }
  const asking = second.ask('at once')
  assert.equal(await sessions.resume(first.id, never), false)
  claimed.resolve()
  await settled()
  assert.equal(sessions.current, second)
  assert.deepEqual(
    messagesIn(second).map(({ text, state }) => [text, state]),
    [
      ['at once', 'whole'],
      ['half', 'streaming'],
    ],
  )
  sessions.dispose()
  await asking
})
