// The line of one account: the important first, each in turn, nobody lost, never above the limit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { givesWay, isUrgent, type Lane, lanes, leavesOneFree } from '../../../src/core/schedule/lane.ts'
import { SlotQueue, type Ticket } from '../../../src/core/schedule/slotQueue.ts'
import { FakeClock } from '../../support/fakeClock.ts'

function newLine(limit: number) {
  const clock = new FakeClock()
  const granted: string[] = []
  const yielding: string[] = []
  const name = ({ owner, id }: Ticket<string>) => `${owner}${id}`
  const line = new SlotQueue<string>(clock, {
    grant: ticket => granted.push(name(ticket)),
    askToYield: ticket => yielding.push(name(ticket)),
    changed: () => {},
  })
  line.limit.fixed = limit
  let nextId = 0
  const ask = (lane: Lane, owner = 'A') => {
    const id = nextId++
    line.ask({ owner, id, lane, askedAt: clock.elapsed() })
    return `${owner}${id}`
  }
  const end = (name: string, is: 'answered' | 'cancelled' = 'answered') =>
    line.end(name.slice(0, 1), Number(name.slice(1)), { is })
  return { clock, line, granted, yielding, ask, end }
}

test('serves by lane, and within a lane in the order of coming', () => {
  const { granted, ask, end } = newLine(1)
  const holder = ask('chat')
  const coming = [...lanes].reverse().flatMap(lane => [ask(lane), ask(lane)])
  for (let turn = 0; turn <= coming.length; turn++) end(granted.at(-1) ?? '')
  const [b1, b2, c1, c2, a1, a2, e1, e2, u1, u2] = coming
  assert.deepEqual(granted, [holder, u1, u2, e1, e2, a1, a2, c1, c2, b1, b2])
})

test('within a lane the window goes first that holds least', () => {
  const { granted, ask, end } = newLine(3)
  const first = [ask('agent', 'A'), ask('agent', 'A')]
  const waiting = [ask('agent', 'A'), ask('agent', 'A'), ask('agent', 'B')]
  end(first[0] ?? '')
  assert.equal(granted.at(-1), waiting[2], 'the other window came last and holds none')
})

test('who leaves the line is not served', () => {
  const { granted, line, ask, end } = newLine(1)
  const [holder, gone, next] = [ask('chat'), ask('chat'), ask('chat')]
  end(gone)
  assert.equal(line.waiting.length, 1)
  end(holder)
  assert.deepEqual(granted, [holder, next])
})

test('a person has the slot of a completion when it gives way, and after a second when it does not', async () => {
  for (const isDeaf of [false, true]) {
    const { clock, granted, yielding, ask, end } = newLine(1)
    const completion = ask('completion', 'B')
    const chat = ask('chat', 'A')
    assert.deepEqual(yielding, [completion])
    if (!isDeaf) end(completion, 'cancelled')
    await clock.advance(isDeaf ? 999 : 24)
    assert.deepEqual(granted, [completion], 'the service needs a moment to notice')
    await clock.advance(1)
    assert.deepEqual(granted, [completion, chat])
    end(completion, 'cancelled')
    await clock.advance(5_000)
    assert.deepEqual(granted, [completion, chat], 'the slot came back once')
  }
})

test('a slow answer to the question to yield costs the person nothing', async () => {
  const { clock, granted, ask, end } = newLine(1)
  const completion = ask('completion')
  const chat = ask('chat')
  await clock.advance(990)
  end(completion, 'cancelled')
  await clock.advance(10)
  assert.equal(granted.at(-1), chat)
})

test('as many give way as persons wait: the least important, then of the same window, then the youngest', async () => {
  const { clock, yielding, ask } = newLine(4)
  const background = ask('background', 'B')
  const other = ask('completion', 'B')
  const old = ask('completion', 'A')
  await clock.advance(1)
  const young = ask('completion', 'A')
  const seen = () => yielding.splice(0)
  ask('chat', 'A')
  assert.deepEqual(seen(), [background])
  ask('chat', 'A')
  assert.deepEqual(seen(), [young])
  ask('edit', 'A')
  ask('chat', 'A')
  assert.deepEqual(seen(), [old, other])
  ask('chat', 'A')
  assert.deepEqual(seen(), [], 'nobody is left who could')
})

test('nobody gives way to agents, completions and background work', () => {
  const { yielding, ask } = newLine(1)
  ask('completion')
  for (const lane of ['agent', 'completion', 'background'] as const) ask(lane)
  assert.deepEqual(yielding, [])
})

test('agents and background work leave one slot free', () => {
  const { granted, ask, end } = newLine(3)
  const agents = [1, 2, 3, 4, 5].map(() => ask('agent'))
  ask('background')
  assert.deepEqual(granted, agents.slice(0, 2))
  const chat = ask('chat')
  assert.equal(granted.at(-1), chat)
  end(agents[0] ?? '')
  assert.equal(granted.length, 3, 'one agent and one chat are enough')
  end(chat)
  assert.equal(granted.at(-1), agents[2])
})

test('a completion does not stand in the way of an agent, nor does the plan of one', () => {
  const two = newLine(3)
  two.ask('completion')
  assert.deepEqual([two.ask('agent'), two.ask('agent')], two.granted.slice(1))
  const one = newLine(1)
  assert.deepEqual([one.ask('background')], one.granted)
})

test('waiting lifts a request over busier lanes and windows, but never over a person', async () => {
  const { clock, granted, ask, end } = newLine(2)
  const chats = [ask('chat', 'A'), ask('chat', 'A')]
  const old = ask('background', 'C')
  await clock.advance(20_000)
  const agent = ask('agent', 'B')
  const chat = ask('chat', 'A')
  for (const name of chats) end(name)
  assert.deepEqual(granted.slice(2), [chat])
  end(chat)
  assert.deepEqual(granted.slice(3), [old], 'it had waited two lanes long')
  end(old)
  assert.deepEqual(granted.slice(4), [agent])
})

test('however long the others waited, a person goes first', async () => {
  const { clock, granted, ask, end } = newLine(1)
  const holder = ask('agent')
  for (const lane of ['agent', 'completion', 'background'] as const) ask(lane, 'B')
  await clock.advance(600_000)
  const edit = ask('edit')
  end(holder)
  assert.deepEqual(granted, [holder, edit])
})

test('a refusal lowers the limit for all, and keeps completions quiet for as long as it says', async () => {
  const { clock, line, granted, ask } = newLine(0)
  const chats = [1, 2, 3].map(() => ask('chat'))
  const completion = ask('completion')
  line.end('A', 2, { is: 'refused', waitMs: 7_000 })
  assert.equal(line.limit.current, 2)
  line.end('A', 1, { is: 'answered' })
  await clock.advance(6_999)
  assert.deepEqual(granted, chats)
  await clock.advance(1)
  assert.equal(granted.at(-1), completion)
})

test('an answer that began beside one that was ending proves no larger plan', async () => {
  for (const [overlapMs, proven] of [
    [249, 3],
    [250, 4],
  ] as const) {
    const { clock, line, ask, end } = newLine(0)
    const refuse = (name: string) => line.end('A', Number(name.slice(1)), { is: 'refused' })
    for (let turn = 0; turn < 20; turn++) {
      const held = [ask('chat'), ask('chat'), ask('chat')]
      await clock.advance(1_000)
      for (const one of held) end(one)
    }
    assert.equal(line.limit.current, 4)
    const [ending, cancelled, , fourth] = [ask('chat'), ask('chat'), ask('chat'), ask('chat')]
    await clock.advance(overlapMs)
    end(ending)
    end(fourth)
    end(cancelled, 'cancelled')
    await clock.advance(25)
    const more = [ask('chat'), ask('chat'), ask('chat')]
    refuse(more.at(-1) ?? '')
    assert.equal(line.limit.current, proven, 'only of what had worked a refusal after a cancel is put down to that')
  }
})

test('a service that is slow to notice a cancel is given more time, and less again when it is quick', async () => {
  const { clock, line, granted, ask, end } = newLine(0)
  const passes = async () => {
    const [holder, waiting] = [ask('chat'), ask('chat')]
    end(holder, 'cancelled')
    const next = [ask('chat'), ask('chat')].at(-1) ?? ''
    const before = clock.elapsed()
    while (!granted.includes(next)) await clock.advance(5)
    for (const one of granted.slice(-4)) end(one)
    return [clock.elapsed() - before, waiting] as const
  }
  const [usual] = await passes()
  assert.equal(usual, 25)
  await clock.advance(60_000)
  const others = [ask('chat'), ask('chat')]
  end(ask('chat'), 'cancelled')
  const late = ask('chat')
  await clock.advance(25)
  line.end('A', Number(late.slice(1)), { is: 'refused' })
  assert.equal(line.limit.current, 3, 'the plan is not to blame')
  for (const other of others) end(other)
  await clock.advance(1_000)
  assert.equal((await passes())[0], 100)
  for (let turn = 0; turn < 49; turn++) {
    await clock.advance(100)
    end(ask('chat'), 'cancelled')
  }
  await clock.advance(1_000)
  assert.equal((await passes())[0], 50)
})

test('a service that is very slow to notice cancels lowers no limit that has worked, however soon it refuses again', async () => {
  const { clock, line, ask, end } = newLine(0)
  for (const waitMs of [25, 100, 400]) {
    const others = [ask('chat'), ask('chat')]
    end(ask('chat'), 'cancelled')
    const late = ask('chat')
    await clock.advance(waitMs)
    line.end('A', Number(late.slice(1)), { is: 'refused' })
    assert.equal(line.limit.current, 3)
    for (const other of others) end(other)
    await clock.advance(3_000)
  }
})

test('a complete answer that we let go of counts as one, and its place cools like that of a cancelled one', async () => {
  const { clock, line, granted, ask } = newLine(0)
  for (let turn = 0; line.limit.current === 3; turn++) {
    assert.ok(turn < 30, 'it never rises')
    const all = [ask('chat'), ask('chat'), ask('chat')]
    await clock.advance(500)
    for (const name of all) line.end('A', Number(name.slice(1)), { is: 'answered', isLeft: true })
    const next = ask('chat')
    if (line.limit.current === 3) assert.ok(!granted.includes(next), 'the service may count the others still')
    await clock.advance(25)
    assert.ok(granted.includes(next))
    line.end('A', Number(next.slice(1)), { is: 'failed' })
  }
  assert.equal(line.limit.current, 4)
})

test('completions leave a slot free for five minutes after a person has asked, on plans that have room for that', async () => {
  for (const [limit, whileLikely] of [
    [2, 2],
    [3, 2],
    [7, 6],
  ] as const) {
    const { clock, granted, ask, end } = newLine(limit)
    const heldOf = (count: number) => Array.from({ length: count }, () => ask('completion'))
    const before = heldOf(limit)
    assert.deepEqual(granted, before, 'nobody has asked')
    for (const one of before) end(one)
    end(ask('chat'))
    const after = heldOf(limit)
    assert.equal(granted.filter(one => after.includes(one)).length, whileLikely)
    const chat = ask('chat')
    if (limit > 2) assert.equal(granted.at(-1), chat, 'at once')
    await clock.advance(5 * 60_000)
    end(chat)
    assert.ok(after.every(one => granted.includes(one)))
  }
})

test('a completion does not take the place of a cancelled one for 150 ms, but a person does', async () => {
  const { clock, granted, ask, end } = newLine(1)
  end(ask('completion'), 'cancelled')
  const next = ask('completion')
  await clock.advance(149)
  assert.ok(!granted.includes(next))
  await clock.advance(1)
  assert.ok(granted.includes(next))
  end(next, 'cancelled')
  const chat = ask('chat')
  await clock.advance(25)
  assert.ok(granted.includes(chat))
})

test('a window that is gone leaves the line with all its requests', async () => {
  const { clock, line, granted, ask } = newLine(2)
  const ours = [ask('chat', 'A'), ask('chat', 'A'), ask('chat', 'A')]
  const theirs = [ask('chat', 'B'), ask('chat', 'B')]
  line.drop('A')
  await clock.advance(99)
  assert.equal(granted.length, 2, 'the service needs a moment to notice')
  await clock.advance(1)
  assert.deepEqual(granted, [...ours.slice(0, 2), ...theirs])
  assert.deepEqual(line.waiting, [])
})

test('what was held before counts, also above the limit, and a paused line gives nothing out', () => {
  const clock = new FakeClock()
  const granted: number[] = []
  const line = new SlotQueue<string>(
    clock,
    { grant: ({ id }) => granted.push(id), askToYield: () => assert.fail(), changed: () => {} },
    true,
  )
  line.limit.fixed = 1
  line.ask({ owner: 'A', id: 1, lane: 'chat', askedAt: 0 })
  for (const id of [2, 3]) line.restore({ owner: 'B', id, lane: 'agent', askedAt: 0 })
  assert.deepEqual(granted, [])
  line.unpause()
  line.end('B', 2, { is: 'answered' })
  assert.deepEqual(granted, [])
  line.end('B', 3, { is: 'answered' })
  assert.deepEqual(granted, [1])
})

test('nothing is left running when it ends', async () => {
  const { clock, line, ask, end } = newLine(1)
  const completion = ask('completion')
  ask('chat')
  end(completion, 'cancelled')
  line.end('A', 1, { is: 'refused' })
  assert.ok(clock.waiting > 0)
  line.dispose()
  assert.equal(clock.waiting, 0)
})

// The line against a model of it, by commands made up.

interface Known {
  readonly name: string
  readonly lane: Lane
  is: 'waiting' | 'held' | 'yielding' | 'gone'
  releasedAt: number
}

class Model {
  limit = 3
  readonly known: Known[] = []
  those(...states: Known['is'][]): Known[] {
    return this.known.filter(({ is }) => states.includes(is))
  }
}

class Real {
  readonly parts = newLine(3)
  #grants = 0
  #yields = 0

  newGrants(): string[] {
    const names = this.parts.granted.slice(this.#grants)
    this.#grants += names.length
    return names
  }

  newYields(): string[] {
    const names = this.parts.yielding.slice(this.#yields)
    this.#yields += names.length
    return names
  }
}

/** Takes over what the line did, and judges it. */
function judge(model: Model, real: Real, heldBefore: number): void {
  const find = (name: string) => model.known.find(known => known.name === name) ?? assert.fail(`unknown ${name}`)
  for (const name of real.newGrants()) {
    const known = find(name)
    assert.equal(known.is, 'waiting', 'granted twice, or to who had left')
    if (!isUrgent(known.lane)) {
      assert.deepEqual(
        model.those('waiting').filter(({ lane }) => isUrgent(lane)),
        [],
        'a person still waits',
      )
    }
    known.is = 'held'
    if (leavesOneFree(known.lane)) {
      const firm = model.those('held', 'yielding').filter(({ lane }) => lane !== 'completion').length
      assert.ok(firm <= Math.max(model.limit - 1, 1), 'the last slot is for persons')
    }
  }
  for (const name of real.newYields()) {
    const known = find(name)
    if (known.is === 'gone') continue
    assert.ok(known.is === 'held' && givesWay(known.lane))
    assert.ok(
      model.those('waiting').some(({ lane }) => isUrgent(lane)),
      'for nobody',
    )
    known.is = 'yielding'
  }
  const held = real.parts.line.holders.length
  assert.ok(held <= Math.max(model.limit, heldBefore), `${held} held of ${model.limit}`)
  const urgent = model.those('waiting').filter(({ lane }) => isUrgent(lane))
  const canYield = model.those('held').filter(({ lane }) => givesWay(lane))
  if (urgent.length > 0 && canYield.length > 0) assert.ok(model.those('yielding').length > 0 || held < model.limit)
}

const command = (name: string, run: (model: Model, real: Real) => unknown): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  async run(model, real) {
    const heldBefore = real.parts.line.holders.length
    await run(model, real)
    const holders = new Set(real.parts.line.holders.map(({ owner, id }) => `${owner}${id}`))
    // Who did not yield when asked has lost the slot before it went to somebody else.
    for (const known of model.those('held', 'yielding').filter(({ name: held }) => !holders.has(held))) {
      assert.ok(real.parts.yielding.includes(known.name), 'nobody loses a slot unasked')
      known.is = 'gone'
    }
    judge(model, real, heldBefore)
  },
  toString: () => name,
})

const picked = (from: readonly Known[], pick: number) => from[pick % Math.max(from.length, 1)]

const commands = [
  fc.tuple(fc.constantFrom(...lanes), fc.constantFrom('A', 'B', 'C')).map(([lane, owner]) =>
    command(`ask ${lane} ${owner}`, (model, real) => {
      const next = `${owner}${model.known.length}`
      model.known.push({ name: next, lane, is: 'waiting', releasedAt: 0 })
      assert.equal(real.parts.ask(lane, owner), next)
    }),
  ),
  fc.tuple(fc.nat(50), fc.constantFrom('answered' as const, 'cancelled' as const)).map(([pick, is]) =>
    command(`end ${pick} ${is}`, (model, real) => {
      const known = picked(model.those('held', 'yielding'), pick)
      if (!known) return
      known.is = 'gone'
      real.parts.end(known.name, is)
    }),
  ),
  fc.nat(50).map(pick =>
    command(`leave ${pick}`, (model, real) => {
      const known = picked(model.those('waiting'), pick)
      if (!known) return
      known.is = 'gone'
      real.parts.end(known.name)
    }),
  ),
  fc.constantFrom('A', 'B', 'C').map(owner =>
    command(`drop ${owner}`, (model, real) => {
      for (const known of model.known) if (known.name.startsWith(owner)) known.is = 'gone'
      real.parts.line.drop(owner)
    }),
  ),
  fc.integer({ min: 1, max: 5 }).map(limit =>
    command(`limit ${limit}`, (model, real) => {
      model.limit = limit
      real.parts.line.limit.fixed = limit
      real.parts.line.serve()
    }),
  ),
  fc.constantFrom(10, 30, 1_100, 12_000).map(ms => command(`wait ${ms}`, (_, real) => real.parts.clock.advance(ms))),
]

test('never above the limit, persons first, nobody lost, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async made => {
      const model = new Model()
      const real = new Real()
      await fc.asyncModelRun(() => ({ model, real }), made)
      const finish = command('finish', async (_, { parts }) => {
        await parts.clock.advance(2_000)
        for (const known of model.those('held', 'yielding')) {
          known.is = 'gone'
          parts.end(known.name)
        }
        await parts.clock.advance(1_000)
      })
      for (let round = 0; model.those('waiting', 'held', 'yielding').length > 0; round++) {
        assert.ok(round <= model.known.length, 'somebody waits for ever')
        await finish.run(model, real)
      }
      assert.deepEqual([real.parts.line.holders.length, real.parts.line.waiting.length], [0, 0])
    }),
    { numRuns: 100 },
  )
})
