// `SharedSlots` in several windows: real sockets, real files, and a clock that the test moves.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { type TestContext, test } from 'node:test'
import { Scheduler, type Slot } from '../../../src/core/schedule/scheduler.ts'
import { SharedSlots } from '../../../src/node/schedule/sharedSlots.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { eventually, never } from '../../support/wire.ts'

const answered = { is: 'answered' } as const
const isWindows = process.platform === 'win32'

interface Window {
  readonly line: Scheduler
  readonly slots: SharedSlots
  close(): void
}

type SlotsHarness = ReturnType<typeof slotsHarness>

function slotsHarness(t: TestContext, limit = 2, inUse = () => 'ada') {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-test-'))
  const clock = new FakeClock()
  const notes: string[] = []
  const windows: Window[] = []
  const open = (label: string, account?: string): Window => {
    const slots = new SharedSlots({ folder, label: () => label, clock, log: text => notes.push(text) })
    const line = new Scheduler(slots, { clock, account: () => account ?? inUse(), fixed: () => limit })
    const close = () => {
      line.dispose()
      slots.dispose()
    }
    windows.push({ line, slots, close })
    return { line, slots, close }
  }
  t.after(() => {
    for (const window of windows) window.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const terms = join(folder, 'slots', process.platform === 'linux' ? hostname() : '')
  const leaderFile = () => {
    const [file = ''] = readdirSync(terms).filter(name => name.startsWith('desk-'))
    return { file, ...(JSON.parse(readFileSync(join(terms, file), 'utf8')) as { address: string; pass: string }) }
  }
  return { folder, terms, clock, notes, open, leaderFile }
}

const holders = ({ line }: Window) =>
  line.state.holders.map(({ window, lane, isOwn }) => `${isOwn ? 'own' : window} ${lane}`)

/** A window that sends its messages as text. */
async function rawWindow(address: string, ...lines: unknown[]): Promise<{ socket: Socket; received: () => string }> {
  let text = ''
  const socket = connect(address)
  socket.on('error', () => {})
  socket.on('data', data => {
    text += String(data)
  })
  for (const line of lines) socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  return { socket, received: () => text }
}

test('two windows share the slots: the second waits, is told who holds them, and goes when one is free', async t => {
  const { open } = slotsHarness(t)
  const [one, two] = [open('alpha'), open('beta')]
  const first = await one.line.enter('chat', never)
  const second = await two.line.enter('edit', never)
  let place = 0
  const third = two.line.enter('chat', never, {
    onPlace: update => {
      place = update.place
    },
  })
  await eventually('it is told its place', () => place === 1)
  assert.deepEqual(holders(two), ['alpha chat', 'own edit'])
  await eventually('the other sees it as well', () => one.line.state.waiting === 1)
  first.end(answered)
  await third
  second.end(answered)
  await eventually('both see what is left', () => [one, two].every(window => holders(window).length === 1))
})

test('a chat in one window cancels a completion in another', async t => {
  const { clock, open } = slotsHarness(t, 1)
  const [one, two] = [open('alpha'), open('beta')]
  let completion: Slot | undefined
  let isAsked = false
  completion = await one.line.enter('completion', never, {
    yieldSlot: () => {
      isAsked = true
      completion?.end({ is: 'cancelled' })
    },
  })
  let isServed = false
  const chat = two.line.enter('chat', never).then(() => {
    isServed = true
  })
  await eventually('the completion is asked to yield', () => isAsked)
  await eventually('it has left', () => two.line.state.holders.length === 0)
  assert.equal(isServed, false)
  await clock.advance(25)
  await chat
})

test('when the leader ends, another window becomes the leader, and requests keep their order and their slots', async t => {
  const { clock, open, leaderFile } = slotsHarness(t)
  const [one, two, three] = [open('alpha'), open('beta'), open('gamma')]
  await one.line.enter('chat', never)
  const held = await two.line.enter('chat', never)
  const order: string[] = []
  const served = three.line.enter('chat', never).then(() => order.push('gamma'))
  await eventually('all are known', () => one.line.state.waiting === 1)
  const before = leaderFile()
  one.close()
  await eventually('another window is the leader', () => leaderFile().file === 'desk-2' && clock.waiting > 0)
  await clock.advance(1_000)
  await served
  await eventually('they agree', () => holders(two).join() === 'own chat,gamma chat')
  const after = leaderFile()
  assert.equal(after.file, 'desk-2')
  assert.notEqual(after.pass, before.pass)
  assert.equal(existsSync(before.address), false, 'it leaves nothing behind')
  let isFourthServed = false
  const fourth = three.line.enter('chat', never).then(() => {
    isFourthServed = true
  })
  await eventually('it is in line', () => three.line.state.waiting === 1)
  assert.equal(isFourthServed, false, 'what was held before still counts')
  held.end(answered)
  await fourth
})

test('the first window of the next day finds the file of a coordinator that is gone', async t => {
  const { clock, folder, terms, open, leaderFile } = slotsHarness(t)
  const yesterday = open('alpha')
  await yesterday.line.enter('chat', never)
  yesterday.close()
  // As a crash leaves it: the file, and no socket behind it.
  assert.equal(leaderFile().file, 'desk-1')
  const today = open('beta')
  const slot = today.line.enter('chat', never)
  await eventually('it takes over', () => leaderFile().file === 'desk-2')
  await clock.advance(150)
  await slot
  assert.deepEqual(readdirSync(terms), ['desk-2'])
  assert.ok(existsSync(folder))
})

test('many windows that begin at once agree on one leader', async t => {
  const { open, terms } = slotsHarness(t, 3)
  const windows = Array.from({ length: 8 }, (_, at) => open(`window ${at}`))
  let inside = 0
  let most = 0
  const work = async ({ line }: Window) => {
    for (let turn = 0; turn < 5; turn++) {
      const slot = await line.enter('chat', never)
      most = Math.max(most, ++inside)
      await eventually('all slots have been in use at once', () => most >= 3)
      inside--
      slot.end(answered)
    }
  }
  await Promise.all(windows.map(work))
  assert.equal(most, 3)
  assert.equal(readdirSync(terms).length, 1)
})

test('a window that hangs loses its slots after four heartbeats; one without requests sends none', async t => {
  const { clock, open, leaderFile, notes } = slotsHarness(t, 1)
  const one = open('alpha')
  ;(await one.line.enter('chat', never)).end(answered)
  await eventually('nothing is held', () => holders(one).length === 0)
  await clock.advance(1_000)
  assert.equal(clock.waiting, 0, 'there are no heartbeats without requests')
  const { address, pass } = leaderFile()
  const hung = await rawWindow(
    address,
    { kind: 'hello', pass, label: 'hung' },
    { kind: 'limit', account: 'x', fixed: 1 },
    { kind: 'ask', account: 'x', id: 1, lane: 'chat', waitedMs: 0 },
  )
  await eventually('it holds a slot', () => hung.received().includes('"grant"'))
  await clock.advance(3_999)
  assert.equal(hung.socket.readableEnded, false)
  await clock.advance(1)
  await eventually('it is disconnected', () => hung.socket.readableEnded)
  assert.match(notes.join(), /stopped responding/)
})

/**
 * A leader that welcomes one window and then hangs, except that it may still `grant` what that window asks for; it
 * still accepts connections. Returns what it receives, a list for each connection.
 */
async function hungLeader(
  t: TestContext,
  { open, terms, leaderFile }: SlotsHarness,
  answers?: 'grant',
): Promise<string[][]> {
  const first = open('alpha')
  ;(await first.line.enter('chat', never)).end(answered)
  const { pass } = leaderFile()
  first.close()
  const received: string[][] = []
  const connections: Socket[] = []
  const server = createServer(socket => {
    const texts: string[] = []
    const isFirst = received.push(texts) === 1
    connections.push(socket)
    socket.on('error', () => {})
    if (isFirst) socket.write('{"kind":"welcome"}\n{"kind":"windows","count":2}\n')
    socket.on('data', data => {
      texts.push(String(data))
      const id = /"ask".*?"id":(\d+)/.exec(String(data))?.[1]
      if (isFirst && answers === 'grant' && id) socket.write(`{"kind":"grant","id":${id}}\n`)
    })
  })
  t.after(() => {
    for (const connection of connections) connection.destroy()
    server.close()
  })
  const address = isWindows ? `\\\\.\\pipe\\kourier-test-${process.pid}-hung` : join(terms, 'hung')
  await new Promise<void>(resolve => server.listen(address, () => resolve()))
  writeFileSync(join(terms, 'desk-7'), JSON.stringify({ address, pass }))
  return received
}

test('a leader that hangs is replaced', async t => {
  const all = slotsHarness(t, 1)
  const { clock, open, leaderFile } = all
  const received = await hungLeader(t, all)
  const window = open('beta')
  let isServed = false
  const slot = window.line.enter('chat', never).then(() => {
    isServed = true
  })
  await eventually('it asks the hung leader', () => received.flat().join('').includes('"ask"'))
  await clock.advance(3_999)
  assert.equal(isServed, false)
  await clock.advance(1)
  await eventually('it is the leader itself', () => leaderFile().file === 'desk-8')
  await clock.advance(1_000)
  await slot
})

test('a window that replaces a hung leader grants no slot before the others have noticed and reported what they hold', async t => {
  const all = slotsHarness(t, 1)
  const { clock, open, leaderFile } = all
  const received = await hungLeader(t, all, 'grant')
  const [two, three] = [open('beta'), open('gamma')]
  const held = await two.line.enter('chat', never)
  let isServed = false
  const slot = three.line.enter('chat', never).then(() => {
    isServed = true
  })
  await eventually('it connects to the hung leader', () => received.length === 2)
  await clock.advance(3_000)
  await eventually('it is the leader itself', () => leaderFile().file === 'desk-8')
  await clock.advance(999)
  assert.equal(isServed, false, 'the other has not noticed yet')
  await clock.advance(1)
  await eventually('the other reports what it holds', () => holders(three).join() === 'beta chat')
  await clock.advance(60_000)
  assert.equal(isServed, false, 'what was held before still counts')
  held.end(answered)
  await slot
})

test('a leader that was replaced while it was suspended joins the new one', async t => {
  const { clock, open, terms } = slotsHarness(t, 1)
  const [old, other] = [open('alpha'), open('beta')]
  await old.line.enter('chat', never)
  // It was suspended, and another window became the leader and is gone again.
  writeFileSync(join(terms, 'desk-2'), '{}')
  const chat = other.line.enter('chat', never)
  await eventually('there is a newer leader', () => readdirSync(terms).includes('desk-3'))
  await clock.advance(1_000)
  ;(await chat).end(answered)
  await eventually('what the old one holds is known there', () => holders(other).join() === 'alpha chat')
  assert.deepEqual(readdirSync(terms), ['desk-3'])
})

test('accounts do not mix, and no message names one', async t => {
  const { open, leaderFile } = slotsHarness(t, 1)
  const [ada, bob] = [open('alpha', 'ada@example.com'), open('beta', 'bob@example.com')]
  await ada.line.enter('chat', never)
  await bob.line.enter('chat', never)
  assert.deepEqual([holders(ada), holders(bob)], [['own chat'], ['own chat']])
  const { address, pass } = leaderFile()
  const listening = await rawWindow(address, { kind: 'hello', pass, label: 'listening' })
  await eventually('it is welcome', () => listening.received().includes('welcome'))
  assert.doesNotMatch(listening.received(), /ada|bob/)
  listening.socket.destroy()
})

test('a client that does not know the pass, or breaks the protocol, is disconnected, and the others go on', async t => {
  const { open, leaderFile, notes } = slotsHarness(t)
  const one = open('alpha')
  const slot = await one.line.enter('chat', never)
  const { address, pass } = leaderFile()
  const hello = { kind: 'hello', pass, label: 'x' }
  const ask = (id: number) => ({ kind: 'ask', account: 'a', id, lane: 'chat', waitedMs: 0 })
  const invalid = [
    [{ ...hello, pass: 'f'.repeat(32) }],
    [{ ...hello, pass: '' }],
    [{ ...hello, pass: pass.slice(0, -1) }],
    [{ ...hello, pass: `${pass}0` }],
    [ask(1)],
    ['not json'],
    [hello, { kind: 'unheard of' }],
    [hello, { ...ask(1), lane: 'king' }],
    [hello, { ...ask(1), waitedMs: -1 }],
    [hello, `{"__proto__":{"kind":"beat"}}`],
    [hello, ask(1), ask(1)],
    [hello, ...Array.from({ length: 201 }, (_, id) => ask(id))],
    ['x'.repeat(10_000)],
    [`${JSON.stringify(hello).slice(0, -1)},"more":"${'x'.repeat(3_000)}"}`],
  ]
  for (const lines of invalid) {
    const { socket } = await rawWindow(address, ...lines)
    await eventually(
      `${JSON.stringify(lines).slice(0, 60)} is disconnected`,
      () => socket.readableEnded || socket.destroyed,
    )
  }
  assert.equal(notes.length, invalid.length)
  assert.ok(!notes.join().includes(pass))
  await eventually('only the honest one is left', () => holders(one).join() === 'own chat')
  slot.end(answered)
})

test('a client that sends no hello is disconnected', async t => {
  const { clock, open, leaderFile } = slotsHarness(t)
  await open('alpha').line.enter('chat', never)
  const { socket } = await rawWindow(leaderFile().address)
  await eventually('it is connected', () => socket.readyState === 'open')
  await eventually('the coordinator has noticed', () => clock.waiting > 0)
  await clock.advance(3_000)
  await eventually('it is disconnected', () => socket.readableEnded)
})

test('a coordinator that breaks the protocol is replaced', async t => {
  const { open, terms, leaderFile } = slotsHarness(t)
  const first = open('alpha')
  ;(await first.line.enter('chat', never)).end(answered)
  const { pass } = leaderFile()
  first.close()
  const address = isWindows ? `\\\\.\\pipe\\kourier-test-${process.pid}-b` : join(terms, 'b')
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.write('{"kind":"welcome"}\n{"kind":"grant","id":"all"}\n')
  })
  await new Promise<void>(resolve => server.listen(address, () => resolve()))
  writeFileSync(join(terms, 'desk-5'), JSON.stringify({ address, pass }))
  const window = open('beta')
  // It is asked again and again, and every time it answers the same.
  const slot = await window.line.enter('chat', never)
  slot.end(answered)
  server.close()
})

test('folder, file and socket are for this user alone', { skip: isWindows }, async t => {
  const { open, terms, leaderFile } = slotsHarness(t)
  await open('alpha').line.enter('chat', never)
  const { file, address } = leaderFile()
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  assert.deepEqual([terms, join(terms, file), address, dirname(address)].map(mode), ['700', '600', '600', '700'])
})

test('where nothing can be shared a window has its own slots, and the log says so once', async t => {
  const { folder, clock } = slotsHarness(t)
  const blocked = join(folder, 'a file')
  writeFileSync(blocked, '')
  const notes: string[] = []
  const slots = new SharedSlots({ folder: blocked, label: () => 'x', clock, log: text => notes.push(text) })
  const line = new Scheduler(slots, { clock, account: () => 'ada', fixed: () => 2 })
  const held = [await line.enter('chat', never), await line.enter('chat', never)]
  const third = line.enter('chat', never)
  await settled()
  assert.equal(line.state.waiting, 1)
  held[0]?.end(answered)
  await third
  assert.equal(notes.length, 1)
  assert.match(notes[0] ?? '', /each has its own/)
})

test('a folder that another program removes while there is a leader costs no window a slot or a request', async t => {
  const { clock, terms, open, leaderFile } = slotsHarness(t)
  const [one, two] = [open('alpha'), open('beta')]
  const held = await one.line.enter('chat', never)
  const other = await two.line.enter('chat', never)
  const before = leaderFile()
  rmSync(terms, { recursive: true })
  await clock.advance(1_000)
  const third = one.line.enter('chat', never)
  await eventually('both have what they had', () => {
    return [one, two].every(window => holders(window).length === 2 && window.line.state.waiting === 1)
  })
  assert.notEqual(leaderFile().address, before.address)
  await clock.advance(1_000)
  assert.equal(one.line.state.waiting, 1, 'what was held before still counts')
  held.end(answered)
  ;(await third).end(answered)
  other.end(answered)
  await eventually('both see that all is over', () => [one, two].every(window => holders(window).length === 0))
})

test('a leader that finds itself replaced while it sends its own messages: the next one receives them', async t => {
  let account = 'ada'
  const { clock, terms, open, leaderFile } = slotsHarness(t, 1, () => account)
  const { line } = open('alpha')
  const moves = (number: number) => writeFileSync(join(terms, `desk-${number}`), '{}')
  /** Time moves until the window has found a leader again. */
  const served = async (slot: Promise<Slot>): Promise<Slot> => {
    let isServed = false
    void slot.then(() => {
      isServed = true
    })
    for (const endsAt = clock.elapsed() + 60_000; !isServed; ) {
      assert.ok(clock.elapsed() < endsAt, 'nobody serves it')
      await clock.advance(100)
      await settled()
    }
    return slot
  }
  /** From here on the leader does not check for a second whether it still is, and then once a second while it has requests. */
  const looked = async () => {
    await clock.advance(2_000)
    line.updateFixedLimit()
  }
  ;(await line.enter('chat', never)).end(answered)
  await looked()
  moves(7)
  await clock.advance(1_000)
  account = 'bob'
  // The account that is not in use any more leaves the line first.
  ;(await served(line.enter('chat', never))).end(answered)
  assert.equal(leaderFile().file, 'desk-8')
  await looked()
  await clock.advance(600)
  const first = await line.enter('chat', never)
  const second = line.enter('chat', never)
  moves(17)
  await clock.advance(500)
  first.end(answered)
  ;(await served(second)).end(answered)
  assert.equal(leaderFile().file, 'desk-18')
  await looked()
  moves(27)
  await clock.advance(1_000)
  line.updateFixedLimit()
  ;(await served(line.enter('chat', never))).end(answered)
  assert.equal(leaderFile().file, 'desk-28')
})
