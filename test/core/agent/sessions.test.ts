// Panels show conversations; what a panel leaves runs on, and two panels share one session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentOptions } from '../../../src/core/agent/session.ts'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { ConversationLog } from '../../../src/core/conversation/conversationLog.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { AllowedActions } from '../../../src/core/tools/approvals.ts'
import { answerParts, pathOf } from '../../../src/protocol/conversationPath.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'
import { kept, messagesIn } from '../../support/memorySession.ts'
import { scriptedTool, text } from '../../support/turnFixture.ts'
import { never } from '../../support/wire.ts'

function setup() {
  const stopped: unknown[] = []
  const gate = Promise.withResolvers<void>()
  const models: ModelClient = {
    async *stream(_, signal) {
      yield { kind: 'text-delta', text: 'half' }
      await new Promise<void>((resolve, reject) => {
        void gate.promise.then(resolve)
        signal.addEventListener('abort', () => {
          stopped.push(signal.reason)
          reject(signal.reason)
        })
      })
      yield { kind: 'finish', why: 'done' }
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
    journal,
    newId: () => `id${++ids}`,
    clock: new FakeClock(),
  })
  const seen = async (id: string) =>
    messagesIn({ conversation: await kept(journal(id)) }).map(({ text, state }) => [text, state])
  return { sessions, stopped, journal, seen, finish: gate.resolve }
}

test('the answer of a conversation that is no longer shown goes on, and its session closes at its end', async () => {
  const { sessions, stopped, seen, finish } = setup()
  const opened: string[] = []
  sessions.onDidOpen(session => opened.push(session.id))
  const first = sessions.current
  const asking = first.ask('q')
  await settled()
  sessions.front.openNew()
  assert.deepEqual([opened, messagesIn(sessions.current)], [[sessions.current.id], []])
  assert.deepEqual(
    sessions.all.map(({ id }) => id),
    [first.id, sessions.current.id],
  )
  finish()
  await asking
  assert.deepEqual(stopped, [])
  assert.deepEqual(await seen(first.id), [
    ['q', 'whole'],
    ['half', 'whole'],
  ])
  assert.deepEqual(sessions.all, [sessions.current])
})

test('what an open conversation does is reported, whether or not it is shown', async () => {
  const { sessions, finish } = setup()
  const moves: string[] = []
  sessions.onDidChangeState(({ state }) => moves.push(state.is))
  const asking = sessions.current.ask('q')
  await settled()
  sessions.front.openNew()
  finish()
  await asking
  assert.deepEqual(moves, ['answering', 'idle'])
})

test('the end stops the answer under way', async () => {
  const { sessions, stopped } = setup()
  const asking = sessions.current.ask('q')
  await settled()
  sessions.dispose()
  await asking
  assert.equal(stopped.length, 1)
})

test('two panels that show one conversation share it, and it closes with the last of them', async () => {
  const { sessions, finish } = setup()
  const first = sessions.current
  finish()
  await first.ask('q')
  const other = sessions.show()
  await other.open(first.id, never)
  assert.equal(other.current, first)
  sessions.front.openNew()
  assert.ok(sessions.all.includes(first))
  const third = sessions.show()
  await Promise.all([third.open(first.id, never)])
  other.dispose()
  assert.ok(sessions.all.includes(first))
  third.dispose()
  assert.ok(!sessions.all.includes(first))
  const [a, b] = [sessions.show(), sessions.show()]
  await Promise.all([a.open(first.id, never), b.open(first.id, never)])
  assert.equal(a.current, b.current, 'it is loaded once')
  assert.deepEqual(messagesIn(a.current)[0]?.text, 'q')
})

test('the panel in front decides which conversation is the current one', () => {
  const { sessions } = setup()
  const first = sessions.current
  const opened: string[] = []
  sessions.onDidOpen(({ id }) => opened.push(id))
  const tab = sessions.show()
  tab.openNew()
  assert.deepEqual([sessions.current, opened], [first, []])
  sessions.bringToFront(tab)
  sessions.bringToFront(tab)
  assert.deepEqual([sessions.current, opened], [tab.current, [tab.current.id]])
})

test('a stored conversation is resumed, unless something was asked meanwhile', async () => {
  const { sessions, journal, finish } = setup()
  const { front } = sessions
  const first = sessions.current
  finish()
  await first.ask('q')
  front.openNew()
  const opened: boolean[] = []
  front.onDidOpen(({ carriesDraft }) => opened.push(carriesDraft))
  assert.equal(await front.resume(first.id, never), true)
  assert.deepEqual(opened, [true], 'what was written meanwhile comes along')
  assert.deepEqual([sessions.current.id, messagesIn(sessions.current)[0]?.text], [first.id, 'q'])
  assert.equal(await front.resume(first.id, never), false)
  assert.equal((await kept(journal(first.id))).n, sessions.current.length)
})

test('[A01] a conversation whose window ended during a call is opened: nothing is carried out, and the model is not asked', async () => {
  const journal = new MemoryJournal('stored')
  const log = await ConversationLog.open({ journal, clock: new FakeClock() }, never)
  await log.claim()
  await log.append({ kind: 'turn-started', turn: 't', origin: { is: 'new' }, prompt: [] })
  await log.append({ kind: 'step-started', turn: 't', model: 'm' })
  const input = { path: 'a.ts' }
  const call = { id: 'c', call: 'c', name: 'run', inputText: '', isWritten: true, input } as const
  await log.append({ kind: 'part-started', turn: 't', value: { kind: 'tool-call', ...call } })
  await log.append({ kind: 'tool-approval', turn: 't', part: 'c', approval: { state: 'allowed', scope: 'once' } })
  await log.release()
  const done: string[] = []
  const run = scriptedTool('run', 'run', async () => text(String(done.push('run'))))
  const agent: AgentOptions = {
    ...{ tools: async () => [run], allowed: new AllowedActions() },
    ...{ defaultMode: () => 'edit', maxRequests: () => 10 },
  }
  const models: ModelClient = {
    async *stream() {
      done.push('request')
      yield { kind: 'finish', why: 'done' }
    },
  }
  const options = { models, model: async () => 'm', agent, newId: () => 'new', clock: new FakeClock() }
  const sessions = new Sessions({ ...options, journal: id => (id === 'stored' ? journal : new MemoryJournal(id)) })
  assert.equal(await sessions.front.resume('stored', never), true)
  await settled()
  const [turn] = pathOf(sessions.current.conversation)
  const [part] = turn ? answerParts(turn) : []
  assert.deepEqual([sessions.current.state.is, turn?.state], ['idle', 'interrupted'])
  assert.equal(part?.kind === 'tool-call' && part.result?.outcome, 'interrupted')
  assert.deepEqual([done, sessions.questionCount], [[], 0])
})

test('a stored conversation does not replace one in which nothing is stored yet of what was asked', async () => {
  const { sessions, journal, finish } = setup()
  const { front } = sessions
  const first = sessions.current
  finish()
  await first.ask('q')
  front.openNew()
  const second = sessions.current
  const claimed = Promise.withResolvers<void>()
  const slow = journal(second.id)
  slow.claim = async () => {
    await claimed.promise
    return MemoryJournal.prototype.claim.call(slow)
  }
  const asking = second.ask('at once')
  assert.equal(await front.resume(first.id, never), false)
  claimed.resolve()
  await asking
  assert.equal(sessions.current, second)
  assert.deepEqual(sessions.all, [second])
})

test('a branch is a conversation of its own, with everything up to the end of the turn', async () => {
  const { sessions, journal, finish } = setup()
  finish()
  const { current } = sessions
  await current.ask('one')
  await current.ask('two')
  const [first] = current.conversation.children.get('') ?? []
  const copy = await sessions.fork(current, first ?? '')
  await current.ask('three')
  const state = await kept(journal(copy))
  assert.deepEqual(
    messagesIn({ conversation: state }).map(({ text, state: end }) => [text, end]),
    [
      ['one', 'whole'],
      ['half', 'whole'],
    ],
  )
  await sessions.front.open(copy, never)
  await sessions.current.ask('other')
  assert.equal(messagesIn(sessions.current).at(-2)?.text, 'other')
  assert.equal(messagesIn({ conversation: await kept(journal(current.id)) }).length, 6)
})
