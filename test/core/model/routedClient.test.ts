// The one door to the model: in line, again after a stumble, and the slot always back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStop, Stopped } from '../../../src/base/abort.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { ContractError, ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { ChatCompletionsClient } from '../../../src/core/model/chatCompletionsClient.ts'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { RoutedClient, type RoutedRequest, type Wait } from '../../../src/core/model/routedClient.ts'
import { PlanLimit } from '../../../src/core/schedule/planLimit.ts'
import { type Lane, lanes, Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../../src/core/schedule/slots.ts'
import { startService } from '../../localService/server.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { eventually, faultOf, never, Wire } from '../../support/wire.ts'

const full = (waitMs?: number) => new ProblemError('h', 429, {}, waitMs)
const stumble = new ProblemError('h', 503, {})
const word: ModelEvent = { kind: 'text-delta', text: 'word' }
const finish: ModelEvent = { kind: 'finish', why: 'done' }

/** Events, and a fault at which the answer ends. */
type Line = readonly (ModelEvent | Error)[]

function routed(...lines: Line[]) {
  const clock = new FakeClock()
  const slots = new MemorySlots()
  const limit = new PlanLimit(() => 0)
  const line = new Scheduler(slots, () => limit.now)
  const sent: ModelRequest[] = []
  const surface: ModelClient = {
    async *stream(request) {
      sent.push(request)
      for (const said of lines[Math.min(sent.length, lines.length) - 1] ?? []) {
        if (said instanceof Error) throw said
        yield said
      }
    },
  }
  const client = new RoutedClient(surface, line, limit, clock)
  const waits: (Wait | undefined)[] = []
  const request = (lane: Lane = 'chat'): RoutedRequest => ({
    model: 'm',
    messages: [{ role: 'user', text: 'q' }],
    lane,
    onWait: wait => waits.push(wait),
  })
  return { clock, slots, limit, line, sent, client, waits, request }
}

const shown = (waits: readonly (Wait | undefined)[]) => waits.filter(wait => wait !== undefined)

test('an answer passes as it is', async () => {
  const { client, request, slots } = routed([word, finish])
  assert.equal((await collect(client.stream(request(), never))).text, 'word')
  assert.equal(slots.held, 0)
})

test('at the limit of the plan it waits exactly as long as it was told, and goes on', async () => {
  const { client, request, clock, sent, waits, limit } = routed([full(7_000)], [word, finish])
  const answer = collect(client.stream(request(), never))
  await clock.advance(6_999)
  assert.equal(sent.length, 1)
  assert.deepEqual(shown(waits), [{ is: 'trying again', why: 'limit', waitMs: 7_000 }])
  await clock.advance(1)
  assert.equal((await answer).text, 'word')
  assert.equal(waits.at(-1), undefined)
  assert.equal(limit.now, 2, 'a refusal teaches')
})

test('without a usable wait it doubles its own, up to eight seconds', async () => {
  const { client, request, clock, waits } = routed([full()], [full(0)], [full()], [full(0)], [full()], [word, finish])
  const answer = collect(client.stream(request(), never))
  await clock.advance(60_000)
  assert.equal((await answer).text, 'word')
  assert.deepEqual(
    shown(waits).map(wait => wait.is === 'trying again' && wait.waitMs),
    [1_000, 2_000, 4_000, 8_000, 8_000],
  )
})

test('longer than a minute is not waited for, but told', async () => {
  const { client, request, sent, slots, clock } = routed([full(60_001)])
  const fault = await faultOf(collect(client.stream(request(), never)))
  assert.ok(fault instanceof ProblemError && fault.waitMs === 60_001)
  assert.deepEqual([sent.length, slots.held, clock.waiting], [1, 0, 0])
})

test('the user need not wait', async () => {
  const { client, request, clock, sent } = routed([full(50_000)], [word, finish])
  const now = Promise.withResolvers<void>()
  const answer = collect(client.stream({ ...request(), retryNow: () => now.promise }, never))
  await clock.advance(10)
  assert.equal(sent.length, 1)
  now.resolve()
  assert.equal((await answer).text, 'word')
  assert.equal(clock.waiting, 0)
})

test('a stop ends a wait with its reason', async () => {
  const { client, request, clock, slots } = routed([full(50_000)])
  const stop = new AbortController()
  const fault = faultOf(collect(client.stream(request(), stop.signal)))
  await clock.advance(10)
  assert.equal(slots.held, 0, 'who waits holds no slot')
  const reason = new Stopped()
  stop.abort(reason)
  assert.equal(await fault, reason)
  assert.equal(clock.waiting, 0)
})

test('a stumble before the first word is repeated, twice at most', async () => {
  const faults = [
    stumble,
    new TransportError('h', 'before', 'reset'),
    new TransportError('h', 'during', 'reset'),
    new ContractError('h', 'empty', 'stream'),
  ]
  for (const fault of faults) {
    const again = routed([fault], [fault], [word, finish])
    const answer = collect(again.client.stream(again.request(), never))
    await again.clock.advance(10_000)
    assert.equal((await answer).text, 'word')

    const lasting = routed([fault])
    const failed = faultOf(collect(lasting.client.stream(lasting.request(), never)))
    await lasting.clock.advance(100_000)
    assert.equal(await failed, fault)
    assert.deepEqual([lasting.sent.length, lasting.slots.held, lasting.clock.waiting], [3, 0, 0])
  }
})

test('after the first word, thought or call nothing is sent again', async () => {
  const first: ModelEvent[] = [
    word,
    { kind: 'reasoning-delta', text: 'hm' },
    { kind: 'tool-input-start', call: 'c', name: 'f' },
  ]
  for (const event of first) {
    for (const fault of [stumble, full(1_000), new TransportError('h', 'during', 'reset')]) {
      const { client, request, sent, slots } = routed([event, fault])
      assert.equal(await faultOf(collect(client.stream(request(), never))), fault)
      assert.deepEqual([sent.length, slots.held], [1, 0])
    }
  }
})

test('what repeating would not mend is not repeated, and told to who listens', async () => {
  const faults = [
    [new ProblemError('h', 401, {}), 'signIn'],
    [new ProblemError('h', 400, {}), 'ours'],
    [new ProblemError('h', 402, {}), 'pay'],
    [new TransportError('h', 'before', 'certificate'), 'ours'],
    [new ContractError('h', 'html', 'stream'), 'ours'],
  ] as const
  for (const [fault, ask] of faults) {
    const { client, request, sent } = routed([fault])
    const told: string[] = []
    client.onDidFail(verdict => told.push(verdict.ask))
    assert.equal(await faultOf(collect(client.stream(request(), never))), fault)
    assert.equal(sent.length, 1)
    assert.deepEqual(told, [ask])
  }
})

test('completions are never repeated and never wait', async () => {
  for (const lane of ['completion', 'background'] as const) {
    for (const fault of [stumble, full(1_000)]) {
      const { client, request, sent, clock } = routed([fault], [word, finish])
      assert.equal(await faultOf(collect(client.stream(request(lane), never))), fault)
      assert.deepEqual([sent.length, clock.waiting], [1, 0])
    }
  }
})

test('repeats end after a minute and a half', async () => {
  const { client, request, clock, sent } = routed([full(59_000)], [full(31_000)], [stumble])
  const failed = faultOf(collect(client.stream(request(), never)))
  await clock.advance(200_000)
  assert.equal(await failed, stumble)
  assert.equal(sent.length, 3)
})

/** A surface whose answers wait for the test, and end when they are stopped. */
function held() {
  const clock = new FakeClock()
  const slots = new MemorySlots()
  const limit = new PlanLimit(() => 0)
  const line = new Scheduler(slots, () => limit.now)
  const open: { request: ModelRequest; answer: () => void }[] = []
  const surface: ModelClient = {
    async *stream(request, signal) {
      const gate = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => gate.reject(signal.reason))
      open.push({ request, answer: () => gate.resolve() })
      await gate.promise
      yield finish
    },
  }
  const client = new RoutedClient(surface, line, limit, clock)
  const told: string[] = []
  client.onDidFail(({ ask }) => told.push(ask))
  const ask = (lane: Lane, signal = never, onWait?: (wait: Wait | undefined) => void) =>
    collect(client.stream({ model: 'm', messages: [], lane, ...(onWait && { onWait }) }, signal))
  return { slots, line, open, ask, told }
}

test('a chat makes a completion give its slot back, quietly', async () => {
  const { slots, open, ask, told } = held()
  const completions = [1, 2, 3].map(() => faultOf(ask('completion')))
  await settled()
  assert.equal(open.length, 3)
  const waits: (Wait | undefined)[] = []
  const chat = ask('chat', never, wait => waits.push(wait))
  await settled()
  assert.equal(open.length, 4)
  assert.equal(open[3]?.request.lane, 'chat')
  assert.equal(slots.held, 3)
  assert.ok(isStop(await Promise.race(completions)))
  assert.deepEqual(told, [], 'a stop is no failure')
  assert.deepEqual(waits, [{ is: 'in line', held: 3, limit: 3 }, undefined])
  for (const { answer } of open) answer()
  await chat
})

test('nobody takes a slot from who is read: a chat waits for chats, edits and agents', async () => {
  for (const lane of ['chat', 'edit', 'agent'] as const) {
    const { open, ask, slots } = held()
    const first = [1, 2, 3].map(() => ask(lane))
    const chat = ask('chat')
    await settled()
    assert.equal(open.length, 3)
    open[0]?.answer()
    await first[0]
    await settled()
    assert.equal(open.length, 4)
    for (const { answer } of open) answer()
    await Promise.all([...first, chat])
    assert.equal(slots.held, 0)
  }
})

test('the slot comes back in every way out', async () => {
  for (const lane of lanes) {
    const { slots, open, ask } = held()
    const stop = new AbortController()
    const answered = ask(lane)
    const stopped = faultOf(ask(lane, stop.signal))
    await settled()
    assert.equal(slots.held, 2)
    open[0]?.answer()
    await answered
    stop.abort(new Stopped())
    assert.ok(isStop(await stopped))
    assert.equal(slots.held, 0)
  }
  const { client, request, slots } = routed([word, word, finish])
  for await (const _ of client.stream(request(), never)) break
  assert.equal(slots.held, 0, 'a reader who leaves')
})

test('over the wire: four questions on a plan of three, and nobody is refused for long', async () => {
  await using local = await startService({ plan: 'pro', limits: { pro: 2 } })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(wire.send, { token: () => key, onUnauthorized: async () => undefined })
  const limit = new PlanLimit(() => 0)
  const line = new Scheduler(new MemorySlots(), () => limit.now)
  const client = new RoutedClient(
    new ChatCompletionsClient(http, () => local.baseUrl, wire.clock),
    line,
    limit,
    wire.clock,
  )
  const gates = [local.replies.hold(0), local.replies.hold(0)]
  const waits: (Wait | undefined)[] = []
  const ask = () => {
    const messages = [{ role: 'user', text: 'hi' }] as const
    return collect(
      client.stream({ model: local.model, messages, lane: 'chat', onWait: wait => waits.push(wait) }, never),
    )
  }
  const first = [ask(), ask()]
  await Promise.all(gates.map(gate => gate.reached))
  const others = [ask(), ask()]
  await eventually('the third is refused', () => waits.some(wait => wait?.is === 'trying again'))
  assert.deepEqual(
    shown(waits).find(wait => wait.is === 'trying again'),
    { is: 'trying again', why: 'limit', waitMs: 2_000 },
  )
  assert.equal(limit.now, 2)
  local.replies.releaseAll()
  await Promise.all(first)
  await wire.clock.advance(2_000)
  for (const { text } of await Promise.all(others)) assert.notEqual(text, '')
  assert.ok(local.log.calls.every(({ openAtStart }) => openAtStart <= 2))
  assert.equal(line.state.held, 0)
})
