// An answer that has ended while nobody looked is counted until it is seen, and a user who is away is notified once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../../../src/base/event.ts'
import { FinishedAnswers } from '../../../src/core/agent/finishedAnswers.ts'
import type { Session } from '../../../src/core/agent/session.ts'
import { FakeClock } from '../../support/fakeClock.ts'

function setup() {
  const clock = new FakeClock()
  const changed = new Emitter<Session>()
  const facts = new Emitter<Session>()
  const deleted = new Set<string>()
  const notified: string[] = []
  const user = { sees: '', isAway: false }
  const finished = new FinishedAnswers({
    sessions: { onDidChangeState: changed.event, onDidChangeFacts: facts.event },
    isSeen: conversation => !user.isAway && conversation === user.sees,
    isAway: () => user.isAway,
    notify: conversation => void notified.push(conversation),
    clock,
  })
  // as: nothing else of a session is read
  const session = (id: string, is: Session['state']['is']) =>
    ({ id, state: { is }, conversation: { isDeleted: deleted.has(id) } }) as Session
  const state = (id: string, is: Session['state']['is']) => changed.fire(session(id, is))
  const remove = (id: string, is: Session['state']['is']) => {
    deleted.add(id)
    facts.fire(session(id, is))
  }
  const answer = (id: string, end: Session['state']['is'] = 'idle') => {
    state(id, 'answering')
    state(id, end)
  }
  return { finished, clock, notified, user, state, answer, remove }
}

test('an answer that the user does not see is counted until it is seen, or goes on', () => {
  const { finished, user, answer, state } = setup()
  user.sees = 'a'
  answer('a')
  assert.equal(finished.count, 0, 'it is in sight')
  answer('b')
  answer('c', 'failed')
  state('d', 'idle')
  assert.equal(finished.count, 2, 'only what was under way has ended')
  user.sees = 'b'
  finished.look()
  assert.equal(finished.count, 1)
  state('c', 'answering')
  assert.equal(finished.count, 0)
})

test('an answer of a conversation that is deleted is not counted, whether it ends before that or after it', () => {
  const { finished, answer, state, remove } = setup()
  answer('a')
  remove('a', 'idle')
  assert.equal(finished.count, 0)
  state('b', 'answering')
  remove('b', 'answering')
  state('b', 'idle')
  assert.equal(finished.count, 0)
})

test('a user who is away for some time is notified once, and again after having been back', async () => {
  const { finished, clock, notified, user, answer } = setup()
  user.sees = 'a'
  user.isAway = true
  answer('a')
  user.isAway = false
  finished.look()
  await clock.advance(60_000)
  assert.deepEqual([notified, finished.count], [[], 0], 'back in time')
  user.isAway = true
  answer('a')
  answer('b')
  await clock.advance(60_000)
  answer('c')
  await clock.advance(60_000)
  assert.deepEqual(notified, ['a'])
  user.isAway = false
  finished.look()
  user.isAway = true
  answer('a')
  await clock.advance(60_000)
  assert.deepEqual(notified, ['a', 'a'])
})
