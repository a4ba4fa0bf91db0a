// A conversation loses no question and no word that arrived.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAbort } from '../../../src/base/abort.ts'
import { RefusedError } from '../../../src/core/agent/refusedError.ts'
import type { AgentOptions } from '../../../src/core/agent/session.ts'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { NoModelError } from '../../../src/core/model/noModelError.ts'
import { QueuedClient, type QueuedRequest } from '../../../src/core/model/queuedClient.ts'
import { Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../../src/core/schedule/slots.ts'
import { AllowedActions } from '../../../src/core/tools/approvals.ts'
import type { SealedReasoning } from '../../../src/protocol/conversation.ts'
import { pathOf } from '../../../src/protocol/conversationPath.ts'
import { emptyConversation, reduce } from '../../../src/protocol/conversationState.ts'
import { startService } from '../../localService/server.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'
import { kept, memorySession, messagesIn } from '../../support/memorySession.ts'
import { userMessage } from '../../support/messages.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { scriptedTool, text } from '../../support/turnFixture.ts'
import { eventually, Wire } from '../../support/wire.ts'

const textDelta = (text: string): ModelEvent => ({ kind: 'text-delta', text })
const finish = (why: 'done' | 'length' | 'filtered' | 'refused' | 'cut-off' = 'done'): ModelEvent => ({
  kind: 'finish',
  why,
})

type Act = (request: QueuedRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>

const emitting = (...events: (ModelEvent | Error)[]): Act =>
  async function* () {
    for (const event of events) {
      if (event instanceof Error) throw event
      yield event
    }
  }

/** Sends some words and then waits to be stopped. */
const hanging = (...words: string[]): Act =>
  async function* (_, signal) {
    for (const word of words) yield textDelta(word)
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }

const anyModel = async (_: AbortSignal) => 'm'

function talk(acts: readonly Act[], model: (signal: AbortSignal) => Promise<string> = anyModel, agent?: AgentOptions) {
  const requests: ModelRequest[] = []
  const models: ModelClient = {
    stream(request, signal) {
      requests.push(request)
      const act = acts[Math.min(requests.length, acts.length) - 1]
      assert.ok(act)
      return act(request, signal)
    },
  }
  const journal = new MemoryJournal('chat')
  let ids = 0
  const clock = new FakeClock()
  const session = memorySession({ models, model, agent, newId: () => `id${++ids}`, clock }, journal)
  const states: string[] = []
  session.onDidChangeState(() => states.push(session.state.is))
  const transcript = () => messagesIn(session).map(({ role, text, state }) => [role, text, state])
  /** What is in memory is what another window would load. */
  const isKept = async () => assert.deepEqual(await kept(journal), session.conversation)
  return { session, requests, journal, states, transcript, clock, isKept }
}

test('a question and its answer', async () => {
  const { requests, session, transcript, states, isKept } = talk([
    emitting(textDelta('An '), textDelta('answer.'), finish()),
  ])
  await session.ask('A question?')
  assert.deepEqual(transcript(), [
    ['user', 'A question?', 'whole'],
    ['assistant', 'An answer.', 'whole'],
  ])
  assert.deepEqual(states, ['answering', 'idle'])
  assert.deepEqual(requests[0]?.messages, [userMessage('A question?')])
  await isKept()
})

test('the tools of a session are offered in each of its turns, and are carried out', async () => {
  const read = scriptedTool('read', 'none', async ({ path }) => text(`in ${String(path)}`))
  const agent: AgentOptions = {
    tools: async () => [read],
    allowed: new AllowedActions(),
    defaultMode: () => 'edit',
    maxRequests: () => 10,
  }
  const call = { kind: 'tool-call', id: 'c', name: 'read', input: { path: 'a.ts' } } as const
  const calling = emitting({ kind: 'tool-input-start', id: 'c', name: 'read' }, call, { kind: 'finish', why: 'tools' })
  const { session, requests } = talk([calling, emitting(textDelta('So.'), finish())], anyModel, agent)
  await session.ask('q')
  await session.ask('again')
  assert.deepEqual(
    requests.map(request => request.tools?.map(({ name }) => name)),
    [['read'], ['read'], ['read']],
  )
  assert.match(JSON.stringify(requests[1]?.messages), /in a\.ts/)
})

test('what goes along with a question is found once for its preview and its request, and anew for the next', async () => {
  let found = 0
  const agent: AgentOptions = {
    tools: async () => [scriptedTool('read', 'none', async () => text('-'))],
    allowed: new AllowedActions(),
    defaultMode: () => 'edit',
    maxRequests: () => 10,
    surroundings: async () => [
      {
        ...{ kind: 'attachment', source: 'environment', name: 'situation' },
        id: `e${++found}`,
        text: `${found}`,
        sizeChars: 1,
      },
    ],
  }
  const { session, requests } = talk([emitting(textDelta('So.'), finish())], anyModel, agent)
  const { signal } = new AbortController()
  await session.withQuestion('q', [], signal)
  const previewed = await session.withQuestion('q and more', [], signal)
  await session.ask('q and more')
  for (const state of [previewed, session.conversation])
    assert.deepEqual(
      pathOf(state)
        .at(-1)
        ?.prompt.map(part => ('source' in part ? part.id : part.kind)),
      ['e2', 'text'],
    )
  await session.ask('the next')
  assert.equal(found, 3)
  assert.equal(requests.length, 2)
})

test('a question that is stopped before the conversation has it was not asked', async () => {
  const agent: AgentOptions = {
    tools: async () => [scriptedTool('read', 'none', async () => text('-'))],
    allowed: new AllowedActions(),
    defaultMode: () => 'edit',
    maxRequests: () => 10,
    surroundings: () => new Promise(() => {}),
  }
  const { session } = talk([], anyModel, agent)
  const isAsked = session.ask('q', [], () => assert.fail('It is in the conversation.'))
  await settled()
  session.stop()
  assert.deepEqual([await isAsked, session.state, session.length], [false, { is: 'idle' }, 0])
})

test('who waits long for the list of models is told so, as one who waits long for an answer', async () => {
  const list = Promise.withResolvers<string>()
  const { session, transcript, states, clock } = talk([emitting(textDelta('Here.'), finish())], () => list.promise)
  const asked = session.ask('Anybody there?')
  await clock.advance(19_000)
  assert.equal(session.state.is, 'answering')
  await clock.advance(1_000)
  assert.deepEqual(session.state, { is: 'waiting', wait: { is: 'slow', since: clock.elapsed() - 20_000 } })
  list.resolve('m')
  await asked
  assert.deepEqual(states, ['answering', 'waiting', 'answering', 'idle'])
  assert.deepEqual(transcript().at(-1), ['assistant', 'Here.', 'whole'])
  await clock.advance(60_000)
  assert.equal(session.state.is, 'idle', 'nobody waits any more')
})

test('sealed reasoning is kept with their answer, and nothing of them is shown', async () => {
  const sealed: SealedReasoning = {
    surface: 'messages',
    item: { type: 'thinking', thinking: 'hm', signature: 's' },
  }
  const block = { kind: 'reasoning-block', sealed } as const
  const answer = emitting({ kind: 'reasoning-delta', text: 'hm' }, block, textDelta('So.'), finish())
  const { session, requests, transcript, isKept } = talk([answer])
  await session.ask('q')
  await session.ask('again')
  assert.deepEqual(transcript().slice(0, 2), [
    ['user', 'q', 'whole'],
    ['assistant', 'So.', 'whole'],
  ])
  await isKept()
  assert.deepEqual(requests[1]?.messages[1], {
    role: 'assistant',
    parts: [
      { kind: 'reasoning', sealed },
      { kind: 'text', text: 'So.' },
    ],
  })
})

test('a model that declines without a word is said to', async () => {
  const { session, transcript } = talk([emitting(finish('refused'))])
  await session.ask('q')
  assert.ok(session.state.is === 'failed' && session.state.fault instanceof RefusedError)
  assert.deepEqual(transcript(), [['user', 'q', 'whole']])
})

test('an answer that the model declines to end is no whole one', async () => {
  const { session, transcript } = talk([emitting(textDelta('First, take the'), finish('refused'))])
  await session.ask('q')
  assert.ok(session.state.is === 'failed' && session.state.fault instanceof RefusedError)
  assert.ok(session.state.fault.hasBegun)
  assert.deepEqual(transcript().at(-1), ['assistant', 'First, take the', 'refused'])
})

test('an answer that a filter has ended is kept as such, and one without a word is reported', async () => {
  const begun = talk([emitting(textDelta('First, take the'), finish('filtered'))])
  await begun.session.ask('q')
  assert.deepEqual(
    [begun.session.state.is, begun.transcript().at(-1)],
    ['idle', ['assistant', 'First, take the', 'filtered']],
  )
  const empty = talk([emitting(finish('filtered'))])
  await empty.session.ask('q')
  assert.ok(empty.session.state.is === 'failed' && empty.session.state.fault instanceof RefusedError)
})

test('the events that are reported add up to what stands there', async () => {
  const { session } = talk([emitting(textDelta('one '), textDelta('two '), textDelta('three'), finish())])
  let followed = emptyConversation(session.id)
  session.onDidAppend(event => {
    followed = reduce(followed, event)
  })
  await session.ask('q')
  assert.deepEqual(followed, session.conversation)
})

test('the question stands there before anything is sent, and stays whatever comes', async () => {
  const faults = [
    new TransportError('h', 'before', 'refused'),
    new ProblemError('h', 401, {}),
    new ProblemError('h', 503, {}),
    new Error('a mistake of ours'),
  ]
  for (const fault of faults) {
    const { session, requests, transcript, isKept } = talk([emitting(fault)])
    const seen: unknown[] = []
    session.onDidAppend(({ kind }) => kind === 'turn-started' && seen.push(transcript(), requests.length))
    await session.ask('My long question')
    assert.deepEqual(seen, [[['user', 'My long question', 'whole']], 0])
    assert.deepEqual(session.state, { is: 'failed', fault, model: 'm' })
    assert.deepEqual(transcript(), [['user', 'My long question', 'whole']])
    await isKept()
  }
})

test('without a model the question waits for one', async () => {
  let model: string | undefined
  const choose = async () => {
    if (!model) throw new NoModelError()
    return model
  }
  const { session, requests, transcript } = talk([emitting(textDelta('a'), finish())], choose)
  await session.ask('q')
  assert.ok(session.state.is === 'failed' && session.state.fault instanceof NoModelError)
  assert.equal(requests.length, 0)
  model = 'chosen'
  await session.retry()
  assert.equal(requests[0]?.model, 'chosen')
  assert.deepEqual(transcript().at(-1), ['assistant', 'a', 'whole'])
})

test('a stop keeps what was said and asks nothing more', async () => {
  const { session, transcript, states } = talk([hanging('half an ', 'answer')])
  const asking = session.ask('q')
  await settled()
  session.stop()
  await asking
  assert.deepEqual(transcript().at(-1), ['assistant', 'half an answer', 'stopped'])
  assert.deepEqual(states, ['answering', 'idle'])
})

test('a stop before the first word, or while a model is chosen', async () => {
  const early = talk([hanging()])
  const asking = early.session.ask('q')
  await settled()
  early.session.stop()
  await asking
  assert.deepEqual([early.transcript(), early.session.state.is], [[['user', 'q', 'whole']], 'idle'])

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
  const { session, transcript } = talk([emitting(textDelta('half'), fault)])
  await session.ask('q')
  assert.deepEqual(transcript().at(-1), ['assistant', 'half', 'interrupted'])
  assert.deepEqual(session.state, { is: 'failed', fault, model: 'm' })
})

test('a refusal at the plan’s limit in the middle of an answer keeps its words, and only the user goes on', async () => {
  const full = new ProblemError('h', 429, {})
  const half = ['assistant', 'half', 'failed']
  const held = async () => {
    const talked = talk([emitting(textDelta('half'), full), emitting(textDelta('whole'), finish('done'))])
    await talked.session.ask('q')
    assert.deepEqual(
      [talked.transcript().at(-1), talked.session.state, talked.requests.length],
      [half, { is: 'held' }, 1],
    )
    return talked
  }
  const left = await held()
  left.session.stop()
  assert.deepEqual([left.transcript().at(-1), left.session.state.is, left.requests.length], [half, 'idle', 1])
  const again = await held()
  await again.session.retry()
  assert.deepEqual([again.transcript().at(-1), again.session.state.is], [['assistant', 'whole', 'whole'], 'idle'])
  assert.equal(messagesIn(again.session).at(-1)?.attempts, 2)
  const other = await held()
  await other.session.ask('Something else')
  assert.deepEqual(
    [other.transcript()[1], other.transcript().at(-1)?.[1], other.session.state.is],
    [half, 'whole', 'idle'],
  )
})

test('an end by a limit or without a reason is cut off, also without a word', async () => {
  for (const why of ['length', 'cut-off'] as const) {
    const { session, transcript } = talk([emitting(textDelta('half'), finish(why)), emitting(finish(why))])
    await session.ask('q')
    const end = why === 'length' ? 'length' : 'interrupted'
    assert.deepEqual(transcript().at(-1), ['assistant', 'half', end])
    await session.retry()
    assert.deepEqual(transcript().at(-1), ['assistant', 'half', end], 'what there is stays')
    assert.equal(session.state.is, 'idle')
    const silent = talk([emitting(finish(why))])
    await silent.session.ask('q')
    assert.deepEqual(silent.transcript().at(-1), ['assistant', '', end])
  }
})

test('retry asks the same question, and the answer that broke off is kept beside the new one', async () => {
  const fault = new TransportError('h', 'during', 'reset')
  const { session, transcript, requests, isKept } = talk([
    emitting(textDelta('half'), fault),
    emitting(textDelta('more'), fault),
    emitting(textDelta('whole'), finish()),
  ])
  await session.ask('q')
  await session.retry()
  await session.retry()
  assert.deepEqual(transcript(), [
    ['user', 'q', 'whole'],
    ['assistant', 'whole', 'whole'],
  ])
  assert.equal(messagesIn(session).at(-1)?.attempts, 3)
  await isKept()
  assert.deepEqual(
    requests.map(({ messages }) => messages),
    Array.from({ length: 3 }, () => [userMessage('q')]),
  )
})

test('[R02] until the new answer has begun the one before stands where it stood, and stays when nothing comes', async () => {
  const fault = new TransportError('h', 'during', 'reset')
  const before = new TransportError('h', 'before', 'refused')
  const declined = finish('refused')
  const { session, transcript } = talk([
    emitting(textDelta('half'), fault),
    emitting(before),
    emitting(declined),
    hanging(),
    hanging('new'),
  ])
  const half = [
    ['user', 'q', 'whole'],
    ['assistant', 'half', 'interrupted'],
  ]
  await session.ask('q')
  await session.retry()
  assert.deepEqual([transcript(), session.state], [half, { is: 'failed', fault: before, model: 'm' }])
  await session.retry()
  assert.deepEqual([transcript(), session.state.is], [half, 'failed'])
  const stopped = session.retry()
  await settled()
  assert.deepEqual([transcript(), session.state.is], [half, 'answering'])
  session.stop()
  await stopped
  assert.deepEqual([transcript(), session.state.is], [half, 'idle'])
  const last = session.retry()
  await settled()
  assert.deepEqual(transcript().at(-1), ['assistant', 'new', 'streaming'])
  session.stop()
  await last
  assert.deepEqual([messagesIn(session).at(-1)?.attempts, transcript().length], [2, 2])
})

test('[R20] a model that the service has replaced is followed where the user left the choice to it', async () => {
  const refusal = new ProblemError('h', 403, { type: 'model_blocked' })
  const asked: (string | undefined)[] = []
  const choose = (next: string) => async (_: AbortSignal, refused?: string) => {
    asked.push(refused)
    return refused === undefined ? 'old' : next
  }
  const followed = talk([emitting(refusal), emitting(textDelta('a'), finish())], choose('new'))
  await followed.session.ask('q')
  assert.deepEqual(followed.transcript().at(-1), ['assistant', 'a', 'whole'])
  assert.deepEqual(
    followed.requests.map(({ model }) => model),
    ['old', 'new'],
  )
  assert.deepEqual(asked, [undefined, 'old'])
  const set = talk([emitting(refusal)], choose('old'))
  await set.session.ask('q')
  assert.deepEqual([set.session.state, set.requests.length], [{ is: 'failed', fault: refusal, model: 'old' }, 1])
  const again = talk([emitting(refusal)], choose('new'))
  await again.session.ask('q')
  assert.deepEqual([again.session.state, again.requests.length], [{ is: 'failed', fault: refusal, model: 'new' }, 2])
})

test('there is one turn at a time, and nothing to ask is not asked', async () => {
  const { session, requests, transcript } = talk([hanging('a')])
  await session.retry()
  await session.ask('  \n')
  assert.equal(requests.length, 0)
  const asking = session.ask('first')
  await settled()
  assert.equal(session.isBusy, true)
  await session.ask('second')
  await session.retry()
  assert.deepEqual([requests.length, transcript().length], [1, 2])
  session.stop()
  await asking
  assert.equal(session.isBusy, false)
  await settled()
  session.stop()
  assert.equal(session.state.is, 'idle')
})

test('waits are states, and need not be waited out', async () => {
  const order: string[] = []
  const { session, states } = talk([
    async function* (request) {
      request.onWait?.({ is: 'in line', place: 2, holders: [], limit: 3, waiting: 2 })
      order.push(JSON.stringify(session.state))
      request.onWait?.({ is: 'trying again', why: 'limit', at: 7_000, isAutomatic: true })
      await request.retryNow?.()
      request.onWait?.(undefined)
      yield textDelta('a')
      yield finish()
    },
  ])
  const asking = session.ask('q')
  await settled()
  assert.deepEqual(order, ['{"is":"waiting","wait":{"is":"in line","place":2,"holders":[],"limit":3,"waiting":2}}'])
  assert.equal(session.state.is, 'waiting')
  session.retryNow()
  await asking
  assert.deepEqual(states, ['answering', 'waiting', 'waiting', 'answering', 'idle'])
  session.retryNow()
})

test('disposed while answering: the request ends, what was said is kept, and nothing more is reported', async () => {
  let reason: unknown
  const { session, journal, states } = talk([
    async function* (_, signal) {
      yield textDelta('half')
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
  const reported = states.length
  session.dispose()
  await asking
  assert.ok(isAbort(reason))
  assert.equal(states.length, reported)
  const last = messagesIn({ conversation: await kept(journal) }).at(-1)
  assert.deepEqual([last?.role, last?.text, last?.state], ['assistant', 'half', 'stopped'])
})

test('over the wire: stop frees the slot at the service and the next question is answered', async () => {
  await using local = await startService({ plan: 'pro', limits: { pro: 1 } })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http: typeof wire.send = request =>
    wire.send({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } })
  const { clock } = wire
  const line = new Scheduler(new MemorySlots(clock), { clock, account: () => 'ada', fixed: () => 1 })
  const models = new QueuedClient(surfaceClient(http, local.baseUrl, clock), line, clock)
  const newId = () => crypto.randomUUID()
  const session = memorySession({ models, model: async () => local.model, newId, clock })
  local.replies.add({ text: 'one two three' }, { text: 'four' })
  const gate = local.replies.hold(1)
  const asking = session.ask('first')
  await gate.reached
  await eventually('the first word is there', () => messagesIn(session).at(-1)?.text === 'one')
  session.stop()
  await asking
  await eventually('the slot is free', () => local.slots.open === 0)
  const second = session.ask('second')
  await clock.advance(25)
  await second
  assert.deepEqual(
    messagesIn(session).map(({ text, state }) => [text, state]),
    [
      ['first', 'whole'],
      ['one', 'stopped'],
      ['second', 'whole'],
      ['four', 'whole'],
    ],
  )
})

test('a question is unanswered while it waits and where it failed, and not any more once something was said', async () => {
  const fault = new TransportError('h', 'before', 'refused')
  const { session } = talk([emitting(fault), emitting(textDelta('half'), fault)])
  assert.equal(session.unanswered, undefined)
  const asking = session.ask('q')
  session.onDidAppend(({ kind }) => kind === 'turn-started' && assert.equal(session.unanswered, 'q'))
  await asking
  assert.deepEqual([session.state.is, session.unanswered], ['failed', 'q'])
  await session.retry()
  assert.deepEqual([session.state.is, session.unanswered], ['failed', undefined])
})

/** Answers with its number and the questions so far, once it is let go. */
function gated() {
  const gates: PromiseWithResolvers<void>[] = []
  const act: Act = async function* ({ messages }, signal) {
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    const asked = messages.filter(({ role }) => role === 'user').length
    yield textDelta(`answer ${asked}`)
    await Promise.race([
      gate.promise,
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ])
    yield finish()
  }
  const letGo = async (at: number) => {
    gates[at]?.resolve()
    await settled()
  }
  return { act, letGo }
}

const texts = ({ session }: ReturnType<typeof talk>) => messagesIn(session).map(({ text }) => text)

test('a message that is sent while an answer comes is asked when that has ended', async () => {
  const { act, letGo } = gated()
  const talked = talk([act])
  const { session, isKept } = talked
  assert.equal(await session.queue('too early'), false)
  const asking = session.ask('one')
  await settled()
  assert.equal(await session.queue(' '), false)
  assert.equal(await session.queue('two'), true)
  assert.equal(await session.queue('three'), true)
  assert.equal(session.conversation.queued.length, 2)
  const [, third] = session.conversation.queued
  assert.equal(await session.withdraw(third?.id ?? ''), true)
  await letGo(0)
  assert.deepEqual(texts(talked), ['one', 'answer 1', 'two', 'answer 2'])
  assert.deepEqual([session.conversation.queued, session.state.is], [[], 'answering'])
  await letGo(1)
  assert.equal(await asking, true)
  assert.equal(session.state.is, 'idle')
  await isKept()
})

test('a queued message may take the place of the answer, and those queued before it wait', async () => {
  const { act, letGo } = gated()
  const talked = talk([act])
  const { session, isKept } = talked
  const withdrawn: unknown[] = []
  session.onDidWithdraw(messages => withdrawn.push(messages))
  const asking = session.ask('one')
  await settled()
  await session.queue('later')
  await session.queue('now')
  await session.steer(session.conversation.queued[1]?.id ?? '')
  await settled()
  assert.deepEqual(texts(talked), ['one', 'answer 1', 'now', 'answer 2'])
  assert.equal(messagesIn(session)[1]?.state, 'stopped')
  await letGo(1)
  await letGo(2)
  await asking
  assert.deepEqual(texts(talked), ['one', 'answer 1', 'now', 'answer 2', 'later', 'answer 3'])
  assert.deepEqual(withdrawn, [])
  await isKept()
})

test('queued messages go back to the user when the answer is stopped, and stay when it fails', async () => {
  const { act } = gated()
  const { session } = talk([act])
  const withdrawn: string[] = []
  session.onDidWithdraw(messages => withdrawn.push(...messages.map(({ parts }) => JSON.stringify(parts))))
  const asking = session.ask('one')
  await settled()
  await session.queue('two')
  session.stop()
  await asking
  assert.match(withdrawn.join(), /two/)
  assert.deepEqual([session.conversation.queued, session.state.is], [[], 'idle'])

  const failing = Promise.withResolvers<void>()
  const failed = talk([
    async function* () {
      yield textDelta('half')
      await failing.promise
      throw new TransportError('h', 'during', 'reset')
    },
    emitting(textDelta('whole'), finish()),
  ])
  const first = failed.session.ask('one')
  await settled()
  await failed.session.queue('two')
  failing.resolve()
  await first
  assert.deepEqual([failed.session.state.is, failed.session.conversation.queued.length], ['failed', 1])
  await failed.session.retry()
  assert.deepEqual(texts(failed), ['one', 'whole', 'two', 'whole'])
})

test('a question is changed in its place, and both it and what followed it are still there', async () => {
  const { session, requests, isKept } = talk([emitting(textDelta('A'), finish())])
  await session.ask('one', [{ kind: 'attachment', id: 'x', source: 'file', name: 'a.ts', sizeChars: 1, text: 'a' }])
  await session.ask('two')
  const [first = ''] = session.conversation.children.get('') ?? []
  const attached = [{ kind: 'attachment', id: 'y', source: 'file', name: 'b.ts', sizeChars: 1, text: 'b' }] as const
  assert.equal(await session.edit(first, '  ', []), false)
  assert.equal(await session.edit('nothing', 'x', []), false)
  assert.equal(await session.edit(first, '  ', attached), true)
  assert.equal(await session.edit(first, 'changed', attached), true)
  const shown = messagesIn(session).map(({ text }) => text)
  assert.deepEqual(shown, ['changed', 'A'])
  assert.match(JSON.stringify(requests.at(-1)?.messages), /Attached file b\.ts.*changed/)
  await session.chooseBranch(first)
  assert.deepEqual(
    messagesIn(session).map(({ text }) => text),
    ['one', 'A', 'two', 'A'],
  )
  await isKept()
})

test('a question is deleted with its answer, and comes back; one that is being answered is not deleted', async () => {
  const { session, requests } = talk([emitting(textDelta('A'), finish())])
  await session.ask('one')
  const [first = ''] = session.conversation.children.get('') ?? []
  assert.equal(await session.setTurnDeleted(first, true), true)
  assert.deepEqual(messagesIn(session), [])
  await session.ask('two')
  assert.doesNotMatch(JSON.stringify(requests.at(-1)?.messages), /one/)
  await session.setTurnDeleted(first, false)
  assert.equal(messagesIn(session).length, 4)
  const busy = talk([hanging('half')])
  const asking = busy.session.ask('q')
  await settled()
  assert.equal(await busy.session.setTurnDeleted(busy.session.conversation.current?.id ?? '', true), false)
  busy.session.stop()
  await asking
})
