// One conversation is open; a new one ends the turn of the one before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryHistory } from '../../../src/core/conversation/history.ts'
import { Sessions } from '../../../src/core/conversation/sessions.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'

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
  const history = new MemoryHistory()
  const sessions = new Sessions({
    models,
    model: async () => 'm',
    history,
    newId: () => `id${++ids}`,
    clock: new FakeClock(),
  })
  return { sessions, stopped, history }
}

test('a new conversation is empty, told, and stops the one before, which is kept', async () => {
  const { sessions, stopped, history } = setup()
  const opened: string[] = []
  sessions.onDidOpen(session => opened.push(session.id))
  const first = sessions.current
  const asking = first.ask('q')
  await settled()
  sessions.openNew()
  await asking
  assert.equal(stopped.length, 1)
  assert.notEqual(sessions.current.id, first.id)
  assert.deepEqual(sessions.current.messages, [])
  assert.deepEqual(opened, [sessions.current.id])
  assert.deepEqual(
    (await history.load(first.id))?.messages.map(({ text, state }) => [text, state]),
    [
      ['q', 'whole'],
      ['half', 'stopped'],
    ],
  )
})

test('what the open one does is told, what the one before does is not', async () => {
  const { sessions } = setup()
  let moves = 0
  sessions.onDidMove(() => void moves++)
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

test('a conversation that has begun does not go on with the messages of another window', async () => {
  const { sessions } = setup()
  const { current } = sessions
  const asking = current.ask('q')
  await settled()
  const left = ['old', 'older', 'oldest'].map(text => ({ id: text, role: 'user', text, state: 'whole' }) as const)
  sessions.goOnWith(current.id, left)
  assert.equal(sessions.current, current)
  sessions.dispose()
  await asking
})
