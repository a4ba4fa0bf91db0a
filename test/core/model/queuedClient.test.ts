// The one door to the model: in line, again after a failure, and the slot always released.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError, isAbort, sleep } from '../../../src/base/abort.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { ContractError, ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { QueuedClient, type QueuedRequest, type Wait } from '../../../src/core/model/queuedClient.ts'
import { type Lane, lanes } from '../../../src/core/schedule/lane.ts'
import { Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { MemorySlots, type Slots } from '../../../src/core/schedule/slots.ts'
import { type ToCoordinator, toCoordinator } from '../../../src/protocol/slots.ts'
import { startService } from '../../localService/server.ts'
import { holding } from '../../support/credential.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { userMessage } from '../../support/messages.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { eventually, faultOf, never, peer, Wire } from '../../support/wire.ts'

const full = (waitMs?: number) => new ProblemError('h', 429, {}, { retryAfterMs: waitMs })
const unavailable = new ProblemError('h', 503, {})
const word: ModelEvent = { kind: 'text-delta', text: 'word' }
const finish: ModelEvent = { kind: 'finish', why: 'done' }

function newLine() {
  const clock = new FakeClock()
  const line = new Scheduler(new MemorySlots(clock), { clock, account: () => 'ada', fixed: () => 0 })
  /** How many hold a slot, once everybody has been notified. */
  const held = async () => {
    await settled()
    return line.state.holders.length
  }
  return { clock, line, held }
}

/** Events, and a fault at which the answer ends. */
type Line = readonly (ModelEvent | Error)[]

const routed = (...lines: Line[]) => routedBy(() => 0, ...lines)

function routedBy(random: () => number, ...lines: Line[]) {
  const { clock, line, held } = newLine()
  const sent: ModelRequest[] = []
  const surface: ModelClient = {
    async *stream(request) {
      sent.push(request)
      for (const event of lines[Math.min(sent.length, lines.length) - 1] ?? []) {
        if (event instanceof Error) throw event
        yield event
      }
    },
  }
  const client = new QueuedClient(surface, line, clock, random)
  const waits: (Wait | undefined)[] = []
  const request = (lane: Lane = 'chat'): QueuedRequest => ({
    model: 'm',
    messages: [userMessage('q')],
    lane,
    onWait: wait => waits.push(wait),
  })
  return { clock, line, held, sent, client, waits, request }
}

const shown = (waits: readonly (Wait | undefined)[]) => waits.filter(wait => wait !== undefined)

test('an answer passes as it is', async () => {
  const { client, request, held } = routed([word, finish])
  assert.equal((await collect(client.stream(request(), never))).text, 'word')
  assert.equal(await held(), 0)
})

test('that the service answers is told once for each answer that begins', async () => {
  const { client, request } = routed([word, word, finish], [unavailable])
  let count = 0
  client.onDidAnswer(() => count++)
  await collect(client.stream(request(), never))
  assert.equal(count, 1)
  await faultOf(collect(client.stream(request('completion'), never)))
  assert.equal(count, 1)
})

test('a budget that is used up is told at once, is not asked for again, and says nothing of the plan’s limit', async () => {
  const empty = new ProblemError('h', 429, { type: 'budget_exceeded', text: 'budget exceeded' })
  const { client, request, clock, sent, waits, line } = routed([empty], [word, finish])
  const asking = faultOf(collect(client.stream(request(), never)))
  await clock.advance(60_000)
  assert.equal(sent.length, 1)
  assert.equal(await asking, empty)
  assert.deepEqual(waits, [])
  assert.equal(line.state.limit, newLine().line.state.limit)
})

test('at the limit of the plan it waits exactly as long as it was told, and goes on', async () => {
  const { client, request, clock, sent, waits, line } = routed([full(7_000)], [word, finish])
  const answer = collect(client.stream(request(), never))
  await clock.advance(6_999)
  assert.equal(sent.length, 1)
  assert.deepEqual(waits, [{ is: 'trying again', why: 'limit', at: 7_000, isAutomatic: true }])
  await clock.advance(1)
  assert.equal((await answer).text, 'word')
  assert.equal(waits.at(-1), undefined)
  assert.equal(line.state.limit, 1, 'it was refused as the only one: others use the account')
})

test('an overloaded service is named while it waits, one in trouble is not', async () => {
  const overloaded = new ProblemError('h', 529, {}, { retryAfterMs: 3_000 })
  for (const [fault, why, at] of [
    [overloaded, 'overload', 3_000],
    [unavailable, 'trouble', 1_000],
  ] as const) {
    const { client, request, clock, waits } = routed([fault], [word, finish])
    const answer = collect(client.stream(request(), never))
    await clock.advance(3_000)
    assert.equal((await answer).text, 'word')
    assert.deepEqual(waits[0], { is: 'trying again', why, at, isAutomatic: true })
  }
})

/** How long each wait was, with a clock that began at 0. */
function waitedMs(waits: readonly (Wait | undefined)[]): number[] {
  let now = 0
  return shown(waits).flatMap(wait => {
    if (wait.is !== 'trying again') return []
    const before = now
    now = wait.at
    return [now - before]
  })
}

test('without a usable wait it doubles its own, up to eight seconds', async () => {
  const { client, request, clock, waits } = routed([full()], [full(0)], [full()], [full(0)], [full()], [word, finish])
  const answer = collect(client.stream(request(), never))
  await clock.advance(60_000)
  assert.equal((await answer).text, 'word')
  assert.deepEqual(waitedMs(waits), [1_000, 2_000, 4_000, 8_000, 8_000])
})

test('its own waits differ from window to window, within a quarter', async () => {
  const { client, request, clock, waits } = routedBy(() => 1, [full()], [full()], [full()], [full()], [word, finish])
  const answer = collect(client.stream(request(), never))
  await clock.advance(60_000)
  await answer
  assert.deepEqual(waitedMs(waits), [1_250, 2_500, 5_000, 8_000])
})

test('longer than a minute it does not come back by itself, but when the user says so', async () => {
  const { client, request, sent, held, clock, waits } = routed([full(60_001)], [word, finish])
  const now = Promise.withResolvers<void>()
  const answer = collect(client.stream({ ...request(), retryNow: () => now.promise }, never))
  await clock.advance(100_000_000)
  assert.deepEqual(shown(waits), [{ is: 'trying again', why: 'limit', at: 60_001, isAutomatic: false }])
  assert.deepEqual([sent.length, await held(), clock.waiting], [1, 0, 0])
  now.resolve()
  assert.equal((await answer).text, 'word')
})

test('however far away the next try is, the desk takes what it is told of it', async () => {
  const clock = new FakeClock()
  const memory = new MemorySlots(clock)
  const sent: ToCoordinator[] = []
  const slots: Slots = {
    async join(window) {
      const link = await memory.join(window)
      const send = (message: ToCoordinator) => {
        sent.push(message)
        link.send(message)
      }
      return { ...link, send }
    },
  }
  const line = new Scheduler(slots, { clock, account: () => 'ada', fixed: () => 0 })
  const refused = full(1e15)
  const client = new QueuedClient({ stream: () => failing(refused) }, line, clock)
  assert.equal(await faultOf(collect(client.stream({ model: 'm', messages: [], lane: 'completion' }, never))), refused)
  const outcomes = sent.flatMap(message => (message.kind === 'end' ? message.outcome : []))
  assert.deepEqual(outcomes, [{ is: 'refused', waitMs: 24 * 60 * 60_000 }])
  for (const message of sent) assert.ok(toCoordinator.safeParse(message).success, JSON.stringify(message))
})

// biome-ignore lint/correctness/useYield: it fails before its first event
async function* failing(fault: Error): AsyncIterable<ModelEvent> {
  throw fault
}

test('longer than a minute nobody waits who cannot be asked', async () => {
  const { client, request, sent, clock } = routed([full(60_001)])
  const fault = await faultOf(collect(client.stream(request('agent'), never)))
  assert.ok(fault instanceof ProblemError && fault.retryAfterMs === 60_001)
  assert.deepEqual([sent.length, clock.waiting], [1, 0])
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
  const { client, request, clock, held } = routed([full(50_000)])
  const stop = new AbortController()
  const fault = faultOf(collect(client.stream(request(), stop.signal)))
  await clock.advance(10)
  assert.equal(await held(), 0, 'who waits holds no slot')
  const reason = new AbortedError()
  stop.abort(reason)
  assert.equal(await fault, reason)
  assert.equal(clock.waiting, 0)
})

test('a stumble before the first word is repeated, twice at most', async () => {
  const faults = [
    unavailable,
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
    assert.deepEqual([lasting.sent.length, await lasting.held(), lasting.clock.waiting], [3, 0, 0])
  }
})

test('after the first word, thought or call nothing is sent again', async () => {
  const first: ModelEvent[] = [
    word,
    { kind: 'reasoning-delta', text: 'hm' },
    { kind: 'tool-input-start', id: 'c', name: 'f' },
  ]
  for (const event of first) {
    for (const fault of [unavailable, full(1_000), new TransportError('h', 'during', 'reset')]) {
      const { client, request, sent, held } = routed([event, fault])
      assert.equal(await faultOf(collect(client.stream(request(), never))), fault)
      assert.deepEqual([sent.length, await held()], [1, 0])
    }
  }
})

test('what repeating would not mend is not repeated, and told to who listens', async () => {
  const faults = [
    new ProblemError('h', 401, {}),
    new ProblemError('h', 400, {}),
    new ProblemError('h', 402, {}),
    new TransportError('h', 'before', 'certificate'),
    new ContractError('h', 'html', 'stream'),
  ]
  for (const fault of faults) {
    const { client, request, sent } = routed([fault])
    const reported: unknown[] = []
    client.onDidFail(failure => reported.push(failure.fault))
    assert.equal(await faultOf(collect(client.stream(request(), never))), fault)
    assert.equal(sent.length, 1)
    assert.deepEqual(reported, [fault])
  }
})

test('a stumble that says for how long is given that long, as far as a minute and a half goes', async () => {
  const busy = (waitMs: number) => new ProblemError('h', 503, {}, { retryAfterMs: waitMs })
  const { client, request, clock, waits } = routed([busy(30_000)], [busy(500)], [word, finish])
  const answer = collect(client.stream(request(), never))
  await clock.advance(40_000)
  assert.equal((await answer).text, 'word')
  assert.deepEqual(waitedMs(waits), [30_000, 2_000])
  const long = routed([busy(90_001)])
  const fault = await faultOf(collect(long.client.stream(long.request(), never)))
  assert.ok(fault instanceof ProblemError)
  assert.equal(long.sent.length, 1)
})

test('time in line is not time of repeating', async () => {
  const { client, request, clock, line, sent } = routed([unavailable], [word, finish])
  const others = await Promise.all([1, 2, 3].map(() => line.enter('chat', never)))
  const answer = collect(client.stream(request(), never))
  await clock.advance(600_000)
  for (const slot of others) slot.end({ is: 'answered' })
  await clock.advance(1_000)
  assert.equal((await answer).text, 'word')
  assert.equal(sent.length, 2)
})

test('a model that lets itself be waited for is told as that, until the first piece', async () => {
  const { clock, open, ask } = heldOpen()
  const waits: (Wait | undefined)[] = []
  const answer = ask('chat', never, wait => waits.push(wait))
  await clock.advance(19_999)
  assert.deepEqual(waits, [])
  await clock.advance(1)
  assert.deepEqual(waits, [{ is: 'slow', since: 0 }])
  open[0]?.answer()
  await answer
  assert.equal(waits.at(-1), undefined)
  assert.equal(clock.waiting, 0)
})

test('[R03] a model that falls silent in mid-answer is told as that, until the next piece', async () => {
  const { clock, line } = newLine()
  const surface: ModelClient = {
    async *stream() {
      for (const waitMs of [1_000, 19_999, 21_000]) {
        await sleep(clock, waitMs, never)
        yield word
      }
      yield finish
    },
  }
  const waits: (Wait | undefined)[] = []
  const request: QueuedRequest = { model: 'm', messages: [], lane: 'chat', onWait: wait => waits.push(wait) }
  const answer = collect(new QueuedClient(surface, line, clock).stream(request, never))
  await clock.advance(1_000 + 19_999 + 19_999)
  assert.deepEqual(waits, [])
  await clock.advance(1)
  assert.deepEqual(waits, [{ is: 'slow', since: 20_999 }])
  await clock.advance(1_000)
  assert.equal((await answer).text, 'wordwordword')
  assert.equal(waits.at(-1), undefined)
  assert.equal(clock.waiting, 0)
})

test('who reads slowly does not wait for the model', async () => {
  const { client, request, clock, waits } = routed([word, word, finish])
  for await (const _ of client.stream(request(), never)) await clock.advance(60_000)
  assert.deepEqual(waits, [])
})

test('work in the background that gave way begins again when there is room', async () => {
  const { clock, open, ask, held } = heldOpen()
  const background = ask('background')
  const chats = [ask('chat'), ask('chat')]
  await settled()
  const third = ask('chat')
  await clock.advance(25)
  assert.deepEqual(
    open.map(({ request }) => request.lane),
    ['background', 'chat', 'chat', 'chat'],
  )
  for (const { answer } of open) answer()
  await Promise.all([...chats, third])
  await settled()
  open.at(-1)?.answer()
  await background
  assert.deepEqual([open.at(-1)?.request.lane, await held()], ['background', 0])
})

test('completions are never repeated and never wait', async () => {
  for (const lane of ['completion', 'background'] as const) {
    for (const fault of [unavailable, full(1_000)]) {
      const { client, request, sent, clock } = routed([fault], [word, finish])
      assert.equal(await faultOf(collect(client.stream(request(lane), never))), fault)
      assert.deepEqual([sent.length, clock.waiting], [1, 0])
    }
  }
})

test('repeats end after a minute and a half', async () => {
  const { client, request, clock, sent } = routed([full(59_000)], [full(31_000)], [unavailable])
  const failed = faultOf(collect(client.stream(request(), never)))
  await clock.advance(200_000)
  assert.equal(await failed, unavailable)
  assert.equal(sent.length, 3)
})

/** A surface whose answers wait for the test, and end when they are stopped. */
function heldOpen() {
  const { clock, line, held } = newLine()
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
  const client = new QueuedClient(surface, line, clock)
  const failures: unknown[] = []
  client.onDidFail(({ fault }) => failures.push(fault))
  const ask = (lane: Lane, signal = never, onWait?: (wait: Wait | undefined) => void) =>
    collect(client.stream({ model: 'm', messages: [], lane, ...(onWait && { onWait }) }, signal))
  return { clock, line, held, open, ask, failures }
}

test('a chat makes a completion give its slot back, quietly', async () => {
  const { clock, held, open, ask, failures } = heldOpen()
  const completions = [1, 2, 3].map(() => faultOf(ask('completion')))
  await settled()
  assert.equal(open.length, 3)
  const waits: (Wait | undefined)[] = []
  const chat = ask('chat', never, wait => waits.push(wait))
  await clock.advance(25)
  assert.equal(open.length, 4)
  assert.equal(open[3]?.request.lane, 'chat')
  assert.equal(await held(), 3)
  assert.ok(isAbort(await Promise.race(completions)))
  assert.deepEqual(failures, [], 'a stop is no failure')
  assert.deepEqual(waits, [], 'it was over before anybody could have read it')
  for (const { answer } of open) answer()
  await chat
})

test('nobody takes a slot from who is read: a chat waits for chats, edits and agents', async () => {
  for (const lane of ['chat', 'edit', 'agent'] as const) {
    const { open, ask, held } = heldOpen()
    const first = [ask(lane), ask(lane), ask('edit')]
    const chat = ask('chat')
    await settled()
    assert.equal(open.length, 3)
    open[0]?.answer()
    await first[0]
    await settled()
    assert.equal(open.length, 4)
    for (const { answer } of open) answer()
    await Promise.all([...first, chat])
    assert.equal(await held(), 0)
  }
})

test('who has to wait is told its place, and when it goes on', async () => {
  const { clock, open, ask } = heldOpen()
  const first = [1, 2, 3].map(() => ask('chat'))
  const waits: (Wait | undefined)[] = []
  const chat = ask('chat', never, wait => waits.push(wait))
  await clock.advance(99)
  assert.equal(waits.length, 0)
  await clock.advance(1)
  const [wait] = waits
  assert.ok(wait?.is === 'in line' && wait.place === 1 && wait.holders.length === 3 && wait.limit === 3)
  open[0]?.answer()
  await first[0]
  await settled()
  assert.equal(waits.length, 2)
  assert.equal(waits.at(-1), undefined)
  for (const { answer } of open) answer()
  await chat
})

test('the slot comes back in every way out', async () => {
  for (const lane of lanes) {
    const { held, open, ask } = heldOpen()
    const stop = new AbortController()
    const answered = ask(lane)
    const stopped = faultOf(ask(lane, stop.signal))
    assert.equal(await held(), 2)
    open[0]?.answer()
    await answered
    stop.abort(new AbortedError())
    assert.ok(isAbort(await stopped))
    assert.equal(await held(), 0)
  }
  const { client, request, held } = routed([word, word, finish])
  for await (const _ of client.stream(request(), never)) break
  assert.equal(await held(), 0, 'a reader who leaves')
})

test('a complete answer keeps its slot until the service has closed the request, and nobody waits for that', async () => {
  const { clock, line, held } = newLine()
  let close: { with(fault?: Error): void } | undefined
  const surface: ModelClient = {
    async *stream() {
      yield word
      yield finish
      await new Promise<void>((resolve, reject) => {
        close = { with: fault => (fault ? reject(fault) : resolve()) }
      })
    },
  }
  const client = new QueuedClient(surface, line, clock)
  const ask = (lane: Lane) => collect(client.stream({ model: 'm', messages: [], lane }, never))
  for (const lane of lanes) {
    assert.equal((await ask(lane)).text, 'word')
    assert.equal(await held(), 1, lane)
    close?.with()
    assert.equal(await held(), 0)
  }
  // Beside chats of the last minutes a completion would leave the slot free.
  await clock.advance(5 * 60_000)
  const first = [await ask('completion'), await ask('chat'), await ask('chat')]
  assert.equal(first.length, 3)
  const next = ask('chat')
  assert.equal(await held(), 3, 'a completion that is complete is not cancelled for a chat')
  close?.with(new AbortedError())
  assert.equal(await held(), 2, 'the service may hold it open still: its place cools')
  await clock.advance(1_000)
  assert.equal((await next).text, 'word')
})

test('over the wire: a plan that is full of answers that just ended refuses nobody', async () => {
  let open = 0
  let refused = 0
  const ends: (() => void)[] = []
  await using server = await peer((incoming, outgoing) => {
    incoming.resume()
    if (open === 3) {
      refused++
      return outgoing.writeHead(429).end()
    }
    open++
    const frames = [{ choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] }, { choices: [], usage: {} }]
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    outgoing.write(frames.map(frame => `data: ${JSON.stringify(frame)}\n\n`).join(''))
    ends.push(() => {
      open--
      outgoing.end()
    })
    return outgoing
  })
  using wire = new Wire()
  const { clock } = wire
  const line = new Scheduler(new MemorySlots(clock), { clock, account: () => 'ada', fixed: () => 0 })
  const client = new QueuedClient(surfaceClient(wire.send, server.origin, clock), line, clock)
  const answers = Array.from({ length: 9 }, () =>
    collect(client.stream({ model: 'm', messages: [userMessage('q')], lane: 'chat' }, never)),
  )
  for (let times = 0; times < 9; times++) {
    await answers[times]
    await eventually('one is asked', () => ends.length > 0)
    ends.shift()?.()
  }
  assert.deepEqual([refused, open], [0, 0])
})

test('over the wire: answers of a service that closes none of them are complete, and the limit rises with them', async () => {
  let open = 0
  let most = 0
  await using server = await peer((incoming, outgoing) => {
    incoming.resume()
    most = Math.max(most, ++open)
    outgoing.on('close', () => open--)
    const chunk = { choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] }
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    outgoing.write(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  using wire = new Wire()
  const { clock } = wire
  const line = new Scheduler(new MemorySlots(clock), { clock, account: () => 'ada', fixed: () => 0 })
  const client = new QueuedClient(surfaceClient(wire.send, server.origin, clock), line, clock)
  const ask = async () => {
    const { text } = await collect(client.stream({ model: 'm', messages: [userMessage('q')], lane: 'chat' }, never))
    assert.equal(text, 'hi')
  }
  for (let round = 0; line.state.limit === 3; round++) {
    assert.ok(round < 30, 'it never rises')
    await Promise.all([ask(), ask(), ask()])
    await clock.advance(250)
    await eventually('the service counts nobody any more', () => open === 0)
    assert.deepEqual(line.state.holders, [])
    await clock.advance(1_000)
  }
  assert.deepEqual([line.state.limit, most], [4, 3])
})

test('over the wire: a chat takes the slot of a completion that has ended within 50 ms, however long the service keeps it open', async () => {
  await using server = await peer((incoming, outgoing) => {
    incoming.resume()
    const chunk = { choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] }
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    outgoing.write(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  using wire = new Wire()
  const { clock } = wire
  const line = new Scheduler(new MemorySlots(clock), { clock, account: () => 'ada', fixed: () => 1 })
  const client = new QueuedClient(surfaceClient(wire.send, server.origin, clock), line, clock)
  const ask = (lane: Lane) => collect(client.stream({ model: 'm', messages: [userMessage('q')], lane }, never))
  assert.equal((await ask('completion')).text, 'hi')
  assert.equal(line.state.holders.length, 1)
  const chat = ask('chat')
  await clock.advance(20)
  await eventually('the completion is let go', () => line.state.holders.length === 0)
  await clock.advance(30)
  assert.equal((await chat).text, 'hi')
})

test('over the wire: four questions on a plan of three, and nobody is refused for long', async () => {
  await using local = await startService({ plan: 'pro', limits: { pro: 2 } })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(
    wire.send,
    holding(() => key),
  )
  const { clock } = wire
  const line = new Scheduler(new MemorySlots(clock), { clock, account: () => 'ada', fixed: () => 0 })
  const client = new QueuedClient(surfaceClient(http, local.baseUrl, clock), line, clock)
  const gates = [local.replies.hold(0), local.replies.hold(0)]
  const waits: (Wait | undefined)[] = []
  const ask = () => {
    const messages = [userMessage('hi')] as const
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
    { is: 'trying again', why: 'limit', at: 2_000, isAutomatic: true },
  )
  assert.equal(line.state.limit, 2)
  local.replies.releaseAll()
  await Promise.all(first)
  await wire.clock.advance(2_000)
  for (const { text } of await Promise.all(others)) assert.notEqual(text, '')
  assert.ok(local.log.calls.every(({ openAtStart }) => openAtStart <= 2))
  await eventually('every slot is back', () => line.state.holders.length === 0)
})

test('a listener that throws costs no slot', async () => {
  const { clock, line, client, request, held } = routed([word, finish])
  const slots = await Promise.all([1, 2, 3].map(() => line.enter('chat', never)))
  const onWait = (wait: Wait | undefined) => {
    if (!wait) throw new Error('a listener')
  }
  const fault = faultOf(collect(client.stream({ ...request(), onWait }, never)))
  await clock.advance(200)
  slots[0]?.end({ is: 'answered' })
  assert.match(String(await fault), /a listener/)
  assert.equal(await held(), 2)
})
