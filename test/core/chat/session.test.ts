// A conversation loses no question and no word that arrived.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStop } from '../../../src/base/abort.ts'
import { MemoryHistory } from '../../../src/core/chat/history.ts'
import { NoModelError, Session, type SessionChange } from '../../../src/core/chat/session.ts'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { ChatCompletionsClient } from '../../../src/core/model/chatCompletionsClient.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { RoutedClient, type RoutedRequest } from '../../../src/core/model/routedClient.ts'
import { PlanLimit } from '../../../src/core/schedule/planLimit.ts'
import { Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../../src/core/schedule/slots.ts'
import { startService } from '../../localService/server.ts'
import { settled } from '../../support/fakeClock.ts'
import { eventually, Wire } from '../../support/wire.ts'

const say = (text: string): ModelEvent => ({ kind: 'text-delta', text })
const finish = (why: 'done' | 'length' | 'refused' | 'cut-off' = 'done'): ModelEvent => ({ kind: 'finish', why })

type Act = (request: RoutedRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>

const saying = (...events: (ModelEvent | Error)[]): Act =>
  async function* () {
    for (const event of events) {
      if (event instanceof Error) throw event
      yield event
    }
  }

/** Says some words and then waits to be stopped. */
const hanging = (...words: string[]): Act =>
  async function* (_, signal) {
    for (const word of words) yield say(word)
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }

function talk(acts: readonly Act[], model: (signal: AbortSignal) => Promise<string> = async () => 'm') {
  const requests: ModelRequest[] = []
  const models: ModelClient = {
    stream(request, signal) {
      requests.push(request)
      const act = acts[Math.min(requests.length, acts.length) - 1]
      assert.ok(act)
      return act(request, signal)
    },
  }
  const history = new MemoryHistory()
  let ids = 0
  const session = new Session({ id: 'chat', models, model, history, newId: () => `id${++ids}` })
  const changes: SessionChange[] = []
  const states: string[] = []
  session.onDidChange(change => {
    changes.push(change)
    if (change.is === 'state') states.push(session.state.is)
  })
  const said = () => session.messages.map(({ role, text, state }) => [role, text, state])
  return { session, requests, history, changes, states, said }
}

test('a question and its answer', async () => {
  const { session, requests, history, said, states } = talk([saying(say('An '), say('answer.'), finish())])
  await session.ask('A question?')
  assert.deepEqual(said(), [
    ['user', 'A question?', 'whole'],
    ['assistant', 'An answer.', 'whole'],
  ])
  assert.deepEqual(states, ['answering', 'idle'])
  assert.deepEqual(requests[0]?.messages, [{ role: 'user', text: 'A question?' }])
  assert.deepEqual((await history.load('chat'))?.messages, session.messages)
})

test('what the changes tell adds up to what stands there', async () => {
  const { session, changes } = talk([saying(say('one '), say('two '), say('three'), finish())])
  const page = new Map<string, string>()
  session.onDidChange(change => {
    if (change.is === 'transcript') for (const { id, text } of session.messages) page.set(id, text)
    if (change.is !== 'delta') return
    assert.equal(change.at, page.get(change.message)?.length)
    page.set(change.message, (page.get(change.message) ?? '') + change.text)
  })
  await session.ask('q')
  assert.deepEqual(
    [...page.values()],
    session.messages.map(({ text }) => text),
  )
  assert.equal(changes.filter(({ is }) => is === 'delta').length, 2)
})

test('the question stands there before anything is sent, and stays whatever comes', async () => {
  const faults = [
    new TransportError('h', 'before', 'refused'),
    new ProblemError('h', 401, {}),
    new ProblemError('h', 429, {}, 90_000),
    new Error('a mistake of ours'),
  ]
  for (const fault of faults) {
    const { session, requests, said, history } = talk([saying(fault)])
    const asking = session.ask('My long question')
    assert.equal(requests.length, 0)
    assert.deepEqual(said(), [['user', 'My long question', 'whole']])
    await asking
    assert.deepEqual(session.state, { is: 'failed', fault })
    assert.deepEqual(said(), [['user', 'My long question', 'whole']])
    assert.deepEqual((await history.load('chat'))?.messages, session.messages)
  }
})

test('without a model the question waits for one', async () => {
  let model: string | undefined
  const choose = async () => {
    if (!model) throw new NoModelError()
    return model
  }
  const { session, requests, said } = talk([saying(say('a'), finish())], choose)
  await session.ask('q')
  assert.ok(session.state.is === 'failed' && session.state.fault instanceof NoModelError)
  assert.equal(requests.length, 0)
  model = 'chosen'
  await session.retry()
  assert.equal(requests[0]?.model, 'chosen')
  assert.deepEqual(said().at(-1), ['assistant', 'a', 'whole'])
})

test('a stop keeps what was said and asks nothing more', async () => {
  const { session, said, states, changes } = talk([hanging('half an ', 'answer')])
  const asking = session.ask('q')
  await settled()
  session.stop()
  await asking
  assert.deepEqual(said().at(-1), ['assistant', 'half an answer', 'stopped'])
  assert.deepEqual(states, ['answering', 'idle'])
  assert.equal(changes.at(-1)?.is, 'state')
})

test('a stop before the first word, or while a model is chosen', async () => {
  const early = talk([hanging()])
  const asking = early.session.ask('q')
  await settled()
  early.session.stop()
  await asking
  assert.deepEqual([early.said(), early.session.state.is], [[['user', 'q', 'whole']], 'idle'])

  const earlier = talk(
    [hanging()],
    signal => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const choosing = earlier.session.ask('q')
  earlier.session.stop()
  await choosing
  assert.deepEqual([earlier.requests.length, earlier.session.state.is], [0, 'idle'])
})

test('a stop that a fault overtakes is a stop', async () => {
  const { session } = talk([
    async function* (_, signal) {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      throw new TransportError('h', 'during', 'reset')
    },
  ])
  const asking = session.ask('q')
  await settled()
  session.stop()
  await asking
  assert.equal(session.state.is, 'idle')
})

test('a broken answer keeps its words and says that it is cut off', async () => {
  const fault = new TransportError('h', 'during', 'reset')
  const { session, said } = talk([saying(say('half'), fault)])
  await session.ask('q')
  assert.deepEqual(said().at(-1), ['assistant', 'half', 'cut-off'])
  assert.deepEqual(session.state, { is: 'failed', fault })
})

test('an end by a limit or without a reason is cut off, also without a word', async () => {
  for (const why of ['length', 'cut-off'] as const) {
    const { session, said } = talk([saying(say('half'), finish(why)), saying(finish(why))])
    await session.ask('q')
    assert.deepEqual(said().at(-1), ['assistant', 'half', 'cut-off'])
    await session.retry()
    assert.deepEqual(said().at(-1), ['assistant', '', 'cut-off'])
    assert.equal(session.state.is, 'idle')
  }
})

test('retry drops the failed answer and asks the same question', async () => {
  const fault = new TransportError('h', 'during', 'reset')
  const { session, said, requests } = talk([saying(say('half'), fault), saying(say('whole'), finish())])
  await session.ask('q')
  await session.retry()
  assert.deepEqual(said(), [
    ['user', 'q', 'whole'],
    ['assistant', 'whole', 'whole'],
  ])
  assert.deepEqual(
    requests.map(({ messages }) => messages),
    [[{ role: 'user', text: 'q' }], [{ role: 'user', text: 'q' }]],
  )
})

test('there is one turn at a time, and nothing to ask is not asked', async () => {
  const { session, requests, said } = talk([hanging('a')])
  await session.retry()
  await session.ask('  \n')
  assert.equal(requests.length, 0)
  const asking = session.ask('first')
  await settled()
  await session.ask('second')
  await session.retry()
  assert.deepEqual([requests.length, said().length], [1, 2])
  session.stop()
  await asking
  await settled()
  session.stop()
  assert.equal(session.state.is, 'idle')
})

test('waits are states, and need not be waited out', async () => {
  const order: string[] = []
  const { session, states } = talk([
    async function* (request) {
      request.onWait?.({ is: 'in line', held: 3, limit: 3 })
      order.push(JSON.stringify(session.state))
      request.onWait?.({ is: 'trying again', why: 'limit', waitMs: 7_000 })
      await request.retryNow?.()
      request.onWait?.(undefined)
      yield say('a')
      yield finish()
    },
  ])
  const asking = session.ask('q')
  await settled()
  assert.deepEqual(order, ['{"is":"waiting","wait":{"is":"in line","held":3,"limit":3}}'])
  assert.equal(session.state.is, 'waiting')
  session.retryNow()
  await asking
  assert.deepEqual(states, ['answering', 'waiting', 'waiting', 'answering', 'idle'])
  session.retryNow()
})

test('disposed while answering: the request ends, what was said is kept, nobody is told', async () => {
  let reason: unknown
  const { session, history, changes } = talk([
    async function* (_, signal) {
      yield say('half')
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          reason = signal.reason
          reject(signal.reason)
        }),
      )
    },
  ])
  const asking = session.ask('q')
  await settled()
  const told = changes.length
  session.dispose()
  await asking
  assert.ok(isStop(reason))
  assert.equal(changes.length, told)
  assert.deepEqual((await history.load('chat'))?.messages.at(-1), {
    id: 'id2',
    role: 'assistant',
    text: 'half',
    state: 'stopped',
  })
})

test('what was kept does not change behind the history’s back', async () => {
  const { session, history } = talk([saying(say('a'), finish())])
  await session.ask('q')
  const kept = await history.load('chat')
  await session.ask('q2')
  assert.equal(kept?.messages.length, 2)
})

test('over the wire: stop frees the slot at the service and the next question is answered', async () => {
  await using local = await startService({ plan: 'pro', limits: { pro: 1 } })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http: typeof wire.send = request =>
    wire.send({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } })
  const limit = new PlanLimit(() => 1)
  const line = new Scheduler(new MemorySlots(), () => limit.now)
  const models = new RoutedClient(
    new ChatCompletionsClient(http, () => local.baseUrl, wire.clock),
    line,
    limit,
    wire.clock,
  )
  const newId = () => crypto.randomUUID()
  const session = new Session({ id: 'c', models, model: async () => local.model, history: new MemoryHistory(), newId })
  local.replies.add({ text: 'one two three' }, { text: 'four' })
  const gate = local.replies.hold(1)
  const asking = session.ask('first')
  await gate.reached
  await eventually('the first word is there', () => session.messages.at(-1)?.text === 'one')
  session.stop()
  await asking
  await eventually('the slot is free', () => local.slots.open === 0)
  await session.ask('second')
  assert.deepEqual(
    session.messages.map(({ text, state }) => [text, state]),
    [
      ['first', 'whole'],
      ['one', 'stopped'],
      ['second', 'whole'],
      ['four', 'whole'],
    ],
  )
})
