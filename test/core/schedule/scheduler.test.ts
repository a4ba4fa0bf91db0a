// The line: the important first, each in turn, nobody lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isStop, Stopped } from '../../../src/base/abort.ts'
import type { Disposable } from '../../../src/base/disposable.ts'
import { type Lane, lanes, Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../../src/core/schedule/slots.ts'
import { settled } from '../../support/fakeClock.ts'
import { faultOf, never } from '../../support/wire.ts'

function line(limit: number | (() => number)) {
  const slots = new MemorySlots()
  const scheduler = new Scheduler(slots, typeof limit === 'function' ? limit : () => limit)
  const served: string[] = []
  const held = new Map<string, Disposable>()
  const enter = (name: string, lane: Lane, signal = never) =>
    scheduler.enter(lane, signal).then(slot => {
      served.push(name)
      held.set(name, slot)
    })
  return { slots, scheduler, served, held, enter }
}

test('serves by lane, and within a lane in the order of coming', async () => {
  const { served, held, enter } = line(1)
  void enter('holder', 'chat')
  for (const lane of [...lanes].reverse()) {
    void enter(`${lane} 1`, lane)
    void enter(`${lane} 2`, lane)
  }
  for (let turn = 0; turn < 12; turn++) {
    await settled()
    held.get(served.at(-1) ?? '')?.dispose()
  }
  assert.deepEqual(served, ['holder', ...lanes.flatMap(lane => [`${lane} 1`, `${lane} 2`])])
})

test('who is stopped leaves the line and takes no slot', async () => {
  const { slots, scheduler, served, held, enter } = line(1)
  await enter('holder', 'chat')
  const stop = new AbortController()
  const stopped = faultOf(enter('stopped', 'chat', stop.signal))
  void enter('next', 'chat')
  assert.equal(scheduler.state.waiting, 2)
  stop.abort(new Stopped())
  assert.ok(isStop(await stopped))
  assert.equal(scheduler.state.waiting, 1)
  held.get('holder')?.dispose()
  await settled()
  assert.deepEqual(served, ['holder', 'next'])
  assert.equal(slots.held, 1)
  assert.ok(isStop(await faultOf(scheduler.enter('chat', stop.signal))), 'stopped before it came')
  assert.equal(scheduler.state.waiting, 0)
})

test('a chat asks the least important holder that can yield, one at a time', async () => {
  const { scheduler } = line(3)
  const asked: string[] = []
  const hold = (lane: Lane, mayYield = true) =>
    scheduler.enter(lane, never, mayYield ? { yieldSlot: () => asked.push(lane) } : {})
  const [edit, completion, background] = await Promise.all([
    hold('edit', false),
    hold('completion'),
    hold('background'),
  ])
  const chat = scheduler.enter('chat', never)
  assert.deepEqual(asked, ['background'])
  background.dispose()
  const first = await chat
  void scheduler.enter('chat', never)
  assert.deepEqual(asked, ['background', 'completion'])
  completion.dispose()
  await settled()
  void scheduler.enter('chat', never)
  assert.deepEqual(asked, ['background', 'completion'], 'who cannot yield is not asked')
  for (const slot of [edit, first]) slot.dispose()
})

test('nobody yields to one of the same or lesser importance', async () => {
  const { scheduler } = line(1)
  await scheduler.enter('completion', never, { yieldSlot: () => assert.fail('asked') })
  void scheduler.enter('completion', never)
  void scheduler.enter('background', never)
  await settled()
})

test('tells what the line looks like', async () => {
  const { scheduler, enter, held } = line(1)
  const seen: string[] = []
  scheduler.onDidChange(({ held, limit, waiting }) => seen.push(`${held}/${limit}+${waiting}`))
  await enter('a', 'chat')
  void enter('b', 'chat')
  assert.equal(seen.at(-1), '1/1+1')
  held.get('a')?.dispose()
  await settled()
  held.get('b')?.dispose()
  assert.equal(seen.at(-1), '0/1+0')
})

type Step =
  | { readonly is: 'enter'; readonly lane: Lane }
  | { readonly is: 'stop' | 'give back'; readonly pick: number }
  | { readonly is: 'limit'; readonly limit: number }

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant('enter' as const), lane: fc.constantFrom(...lanes) }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('give back' as const), pick: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('stop' as const), pick: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 5 }) }) },
)

interface Guest {
  readonly lane: Lane
  readonly stop: AbortController
  is: 'waiting' | 'served' | 'stopped' | 'gone'
  slot?: Disposable
}

test('never above the limit, nobody overtaken, nobody lost, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      let limit = 3
      const { scheduler, slots } = line(() => limit)
      const guests: Guest[] = []
      const inState = (is: Guest['is']) => guests.filter(guest => guest.is === is)
      const enter = (lane: Lane) => {
        const guest: Guest = { lane, stop: new AbortController(), is: 'waiting' }
        guests.push(guest)
        scheduler.enter(lane, guest.stop.signal).then(
          slot => {
            const before = inState('waiting').filter(other => lanes.indexOf(other.lane) < lanes.indexOf(lane))
            assert.deepEqual(before, [], 'somebody more important still waits')
            assert.equal(
              inState('waiting').find(other => other.lane === lane),
              guest,
              'somebody came earlier',
            )
            Object.assign(guest, { is: 'served', slot })
          },
          () => Object.assign(guest, { is: 'stopped' }),
        )
      }
      const doStep = (done: Step) => {
        if (done.is === 'enter') return enter(done.lane)
        if (done.is === 'limit') {
          limit = done.limit
          return
        }
        const from = inState(done.is === 'stop' ? 'waiting' : 'served')
        const guest = from[done.pick % Math.max(from.length, 1)]
        if (!guest) return
        if (done.is === 'stop') return guest.stop.abort(new Stopped())
        guest.is = 'gone'
        guest.slot?.dispose()
      }
      for (const done of steps) {
        const heldBefore = slots.held
        doStep(done)
        assert.ok(slots.held <= Math.max(limit, heldBefore))
        await settled()
        assert.equal(slots.held, inState('served').length)
        assert.equal(scheduler.state.waiting, inState('waiting').length)
      }
      limit = 3
      while (inState('served').length > 0) {
        doStep({ is: 'give back', pick: 0 })
        await settled()
      }
      assert.equal(inState('waiting').length, 0, 'somebody was lost')
      assert.equal(slots.held, 0)
    }),
    { numRuns: 60 },
  )
})
