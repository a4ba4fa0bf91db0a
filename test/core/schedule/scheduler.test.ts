// `Scheduler`: requests of a window are granted, cancelled, shown their place, asked to yield, and sent to another coordinator.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError, isAbort } from '../../../src/base/abort.ts'
import { Coordinator } from '../../../src/core/schedule/coordinator.ts'
import type { Lane } from '../../../src/core/schedule/lane.ts'
import { type Place, Scheduler, type Slot } from '../../../src/core/schedule/scheduler.ts'
import { type CoordinatorLink, MemorySlots, type SlotListener, type Slots } from '../../../src/core/schedule/slots.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { faultOf, never } from '../../support/wire.ts'

const answered = { is: 'answered' } as const
const cancelled = { is: 'cancelled' } as const

/** Windows with one coordinator, each with its user's setting. */
function windows(...labels: string[]) {
  const clock = new FakeClock()
  const coordinator = new Coordinator(clock)
  const settings = { fixed: 2, account: 'ada' }
  const made = labels.map(
    label =>
      new Scheduler(new MemorySlots(clock, label, coordinator), {
        clock,
        account: () => settings.account,
        fixed: () => settings.fixed,
      }),
  )
  const [one, two] = made
  assert.ok(one)
  return { clock, settings, one, two: two ?? one }
}

/** The queue as a window sees it. */
const seen = ({ state }: Scheduler) => ({
  limit: state.limit,
  waiting: state.waiting,
  holders: state.holders.map(({ window, lane, isOwn }) => `${isOwn ? 'own' : window} ${lane}`),
})

test('windows share the slots, and each sees who holds them', async () => {
  const { clock, one, two } = windows('alpha', 'beta')
  const first = await one.enter('chat', never)
  const second = await two.enter('completion', never)
  const third = one.enter('completion', never)
  await settled()
  assert.deepEqual(seen(one), { limit: 2, waiting: 1, holders: ['own chat', 'beta completion'] })
  assert.deepEqual(seen(two), { limit: 2, waiting: 1, holders: ['alpha chat', 'own completion'] })
  first.end(answered)
  first.end(answered)
  const slot = await third
  await clock.advance(70)
  assert.deepEqual(seen(one).holders, ['beta completion', 'own completion'])
  assert.deepEqual(
    one.state.holders.map(({ heldMs }) => heldMs),
    [0, 0],
    'sent when something changed',
  )
  for (const held of [second, slot]) held.end(answered)
  await settled()
  assert.deepEqual(seen(two), { limit: 2, waiting: 0, holders: [] })
})

test('there is an extra slot where one more would be left, and no chat is answered in any window', async () => {
  const { settings, one, two } = windows('alpha', 'beta')
  settings.fixed = 3
  one.updateFixedLimit()
  const completion = await one.enter('completion', never)
  await settled()
  assert.ok(two.hasExtraSlot)
  const second = await two.enter('completion', never)
  await settled()
  assert.ok(two.hasFreeSlot && !two.hasExtraSlot, 'it would be the last one')
  for (const held of [completion, second]) held.end(answered)
  await one.enter('chat', never)
  await settled()
  assert.ok(two.hasFreeSlot && !two.hasExtraSlot, 'beside a chat')
})

test('who is stopped leaves the line and takes no slot', async () => {
  const { one } = windows('alpha')
  const held = [await one.enter('chat', never), await one.enter('chat', never)]
  const stop = new AbortController()
  const stopped = faultOf(one.enter('chat', stop.signal))
  const next = one.enter('chat', never)
  await settled()
  assert.equal(one.state.waiting, 2)
  stop.abort(new AbortedError())
  assert.ok(isAbort(await stopped))
  held[0]?.end(answered)
  await next
  assert.ok(isAbort(await faultOf(one.enter('chat', stop.signal))), 'stopped before it came')
  await settled()
  assert.deepEqual(seen(one), { limit: 2, waiting: 0, holders: ['own chat', 'own chat'] })
})

test('who waits is told its place, and who need not wait is told nothing', async () => {
  const { one } = windows('alpha')
  const places: string[] = []
  const enter = (name: string) =>
    one.enter('chat', never, {
      onPlace: ({ place, holders, limit }: Place) => places.push(`${name} ${place}: ${holders.length}/${limit}`),
    })
  const [a, b] = await Promise.all([enter('a'), enter('b')])
  const [c, d] = [enter('c'), enter('d')]
  await settled()
  assert.deepEqual(places, ['c 1: 2/2', 'd 2: 2/2'])
  a.end(answered)
  await c
  await settled()
  assert.deepEqual(places.slice(2), ['d 1: 2/2'])
  b.end(answered)
  await d
})

test('a chat in one window cancels the completion of another', async () => {
  const { clock, one, two } = windows('alpha', 'beta')
  const asked: string[] = []
  const hold = (name: string) => one.enter('completion', never, { yieldSlot: () => asked.push(name) })
  const slots = [await hold('old')]
  await clock.advance(1)
  slots.push(await hold('young'))
  const chat = two.enter('chat', never)
  await settled()
  assert.deepEqual(asked, ['young'])
  slots[1]?.end(cancelled)
  await clock.advance(25)
  await chat
  assert.deepEqual(seen(two).holders, ['alpha completion', 'own chat'])
})

test('an older wait counts, wherever it began', async () => {
  const { clock, one, two } = windows('alpha', 'beta')
  const held = [await one.enter('chat', never), await two.enter('chat', never)]
  await clock.advance(30_000)
  const order: string[] = []
  const enter = (name: string, window: Scheduler, since: number) =>
    void window.enter('agent', never, { since }).then(() => order.push(name))
  enter('young', one, 30_000)
  enter('old', two, 1_000)
  await settled()
  for (const slot of held) slot.end(answered)
  await settled()
  assert.deepEqual(order, ['old'])
})

test('a refusal in one window lowers the limit in all; the setting changes it at once', async () => {
  const { settings, one, two } = windows('alpha', 'beta')
  settings.fixed = 0
  const [first] = [await one.enter('chat', never), await two.enter('chat', never)]
  await settled()
  assert.equal(two.state.limit, 3)
  first.end({ is: 'refused', waitMs: 1_000 })
  await settled()
  assert.equal(two.state.limit, 1)
  settings.fixed = 5
  one.updateFixedLimit()
  await settled()
  assert.deepEqual([one.state.limit, two.state.limit], [5, 5])
})

test('each account has its own line', async () => {
  const { settings, one } = windows('alpha')
  const held = [await one.enter('chat', never), await one.enter('chat', never)]
  settings.account = 'bob'
  await settled()
  assert.deepEqual(seen(one), { limit: 2, waiting: 0, holders: [] })
  await Promise.all([one.enter('chat', never), one.enter('chat', never)])
  settings.account = 'ada'
  for (const slot of held) slot.end(answered)
  await settled()
  assert.deepEqual(seen(one).holders, [])
})

/** Slots that move from coordinator to coordinator, as when the leader ends. */
class MovingSlots implements Slots {
  readonly #clock: FakeClock
  readonly #listeners: SlotListener[] = []
  #coordinator: Coordinator
  joins = 0

  constructor(clock: FakeClock) {
    this.#clock = clock
    this.#coordinator = new Coordinator(clock)
  }

  join(listener: SlotListener): Promise<CoordinatorLink> {
    this.joins++
    this.#listeners.push(listener)
    return new MemorySlots(this.#clock, 'window', this.#coordinator).join(listener)
  }

  move(takeover?: { windows: number; waitMs: number }): void {
    this.#coordinator.dispose()
    this.#coordinator = new Coordinator(this.#clock, takeover ? { takeover } : {})
    for (const listener of this.#listeners.splice(0)) listener.onLost()
  }
}

test('requests keep their order and their slots with the next coordinator', async () => {
  const clock = new FakeClock()
  const slots = new MovingSlots(clock)
  const window = (fixed: number) => new Scheduler(slots, { clock, account: () => 'ada', fixed: () => fixed })
  const [one, two] = [window(0), window(0)]
  const chat = await one.enter('chat', never)
  await two.enter('chat', never)
  await settled()
  chat.end({ is: 'refused', waitMs: 1_000 })
  const order: string[] = []
  const enter = (name: string, lane: Lane, where: Scheduler) =>
    where.enter(lane, never).then((slot: Slot) => {
      order.push(name)
      return slot
    })
  void enter('background', 'background', one)
  const agent = enter('agent', 'agent', two)
  await settled()
  assert.deepEqual([one.state.limit, order], [1, []])

  slots.move({ windows: 2, waitMs: 1_000 })
  await settled()
  assert.deepEqual(seen(one), { limit: 1, waiting: 2, holders: ['window chat'] }, 'nothing was forgotten')
  assert.deepEqual(order, [])
  assert.equal(slots.joins, 4)
  void agent
})

test('a new coordinator grants no slot before it knows which are held', async () => {
  const clock = new FakeClock()
  const slots = new MovingSlots(clock)
  const window = new Scheduler(slots, { clock, account: () => 'ada', fixed: () => 1 })
  slots.move({ windows: 2, waitMs: 1_000 })
  let isServed = false
  void window.enter('chat', never).then(() => {
    isServed = true
  })
  await clock.advance(999)
  assert.equal(isServed, false, 'the other window has not come yet')
  await clock.advance(1)
  assert.equal(isServed, true, 'it will not come')
})

test('a window without requests joins with its next request', async () => {
  const slots = new MovingSlots(new FakeClock())
  const window = new Scheduler(slots, { clock: new FakeClock(), account: () => 'ada', fixed: () => 1 })
  assert.equal(slots.joins, 0, 'nothing is done before the first request')
  ;(await window.enter('chat', never)).end(answered)
  slots.move()
  await settled()
  assert.equal(slots.joins, 1)
  await window.enter('chat', never)
  assert.equal(slots.joins, 2)
})

test('however many a window asks for, each has its turn, and a chat goes before them all', async () => {
  const { one, two } = windows('alpha', 'beta')
  const served: string[] = []
  const ask = async (name: string, lane: Lane, window: Scheduler) => {
    const slot = await window.enter(lane, never, { onPlace: ({ place }) => places.set(name, place) })
    served.push(name)
    await settled()
    slot.end(answered)
  }
  const places = new Map<string, number>()
  const agents = Array.from({ length: 300 }, (_, at) => ask(`agent ${at}`, 'agent', one))
  await settled()
  assert.equal(one.state.waiting, 299)
  assert.equal(places.get('agent 299'), 299, 'who waits in the window has a place as well')
  const others = [ask('chat', 'chat', one), ask('neighbour', 'chat', two)]
  await Promise.all([...agents, ...others])
  assert.equal(served.length, 302)
  assert.ok(served.indexOf('chat') < 4 && served.indexOf('neighbour') < 4, served.slice(0, 6).join())
  const inOrder = served.filter(name => name.startsWith('agent'))
  assert.deepEqual(
    inOrder,
    inOrder.map((_, at) => `agent ${at}`),
  )
  await settled()
  assert.deepEqual(seen(one), { limit: 2, waiting: 0, holders: [] })
})

test('a request that waits in its window leaves when it is stopped, and is sent to the next coordinator as the others are', async () => {
  const clock = new FakeClock()
  const slots = new MovingSlots(clock)
  const window = new Scheduler(slots, { clock, account: () => 'ada', fixed: () => 1 })
  const stop = new AbortController()
  const served: number[] = []
  const stopped: number[] = []
  const asked = Array.from({ length: 120 }, async (_, at) => {
    try {
      const slot = await window.enter('agent', at % 2 ? stop.signal : never)
      served.push(at)
      await settled()
      slot.end(answered)
    } catch {
      stopped.push(at)
    }
  })
  await settled()
  stop.abort(new AbortedError())
  slots.move({ windows: 1, waitMs: 1_000 })
  await clock.advance(1_000)
  await Promise.all(asked)
  assert.equal(stopped.length, 60)
  assert.deepEqual(
    served,
    served.map((_, at) => 2 * at),
  )
})

test('a window may sign in to as many accounts as it likes, and what it learnt of each plan stays', async () => {
  const { settings, one } = windows('alpha')
  settings.fixed = 0
  for (const round of [1, 2]) {
    for (let at = 0; at < 20; at++) {
      settings.account = `account ${at}`
      const slot = await one.enter('chat', never)
      slot.end(round === 1 && at === 3 ? { is: 'refused' } : answered)
      await settled()
    }
  }
  settings.account = 'account 3'
  assert.equal(one.state.limit, 1)
  settings.account = 'account 4'
  assert.equal(one.state.limit, 3)
})

test('more accounts than a coordinator accepts wait for each other', async () => {
  const { settings, one } = windows('alpha')
  const slots: Slot[] = []
  const served: string[] = []
  for (let at = 0; at < 20; at++) {
    settings.account = `account ${at}`
    void one.enter('chat', never).then(slot => {
      slots.push(slot)
      served.push(`account ${at}`)
    })
  }
  await settled()
  assert.equal(served.length, 16)
  for (const slot of slots.splice(0)) slot.end(answered)
  await settled()
  assert.equal(served.length, 20)
})
