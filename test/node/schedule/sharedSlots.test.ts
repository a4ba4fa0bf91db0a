// Windows of one machine around one desk: real sockets, real files, and a clock that the test moves.
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
    const slots = new SharedSlots({ folder, label: () => label, clock, note: text => notes.push(text) })
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
  const desk = () => {
    const [file = ''] = readdirSync(terms).filter(name => name.startsWith('desk-'))
    return { file, ...(JSON.parse(readFileSync(join(terms, file), 'utf8')) as { address: string; pass: string }) }
  }
  return { folder, terms, clock, notes, open, desk }
}

const holders = ({ line }: Window) =>
  line.state.holders.map(({ window, lane, isOwn }) => `${isOwn ? 'own' : window} ${lane}`)

/** A window that speaks in bytes. */
async function rawWindow(address: string, ...lines: unknown[]): Promise<{ socket: Socket; said: () => string }> {
  let said = ''
  const socket = connect(address)
  socket.on('error', () => {})
  socket.on('data', data => {
    said += String(data)
  })
  for (const line of lines) socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  return { socket, said: () => said }
}

test('two windows share the slots: the second waits, is told who holds them, and goes when one is free', async t => {
  const { open } = slotsHarness(t)
  const [one, two] = [open('alpha'), open('beta')]
  const first = await one.line.enter('chat', never)
  const second = await two.line.enter('edit', never)
  let place = 0
  const third = two.line.enter('chat', never, {
    onPlace: told => {
      place = told.place
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

test('when the window with the desk goes, another takes it over, and everybody stands where they stood', async t => {
  const { clock, open, desk } = slotsHarness(t)
  const [one, two, three] = [open('alpha'), open('beta'), open('gamma')]
  await one.line.enter('chat', never)
  const held = await two.line.enter('chat', never)
  const order: string[] = []
  const served = three.line.enter('chat', never).then(() => order.push('gamma'))
  await eventually('all are known', () => one.line.state.waiting === 1)
  const before = desk()
  one.close()
  await eventually('another keeps the desk', () => desk().file === 'desk-2' && clock.waiting > 0)
  await clock.advance(1_000)
  await served
  await eventually('they agree', () => holders(two).join() === 'own chat,gamma chat')
  const after = desk()
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

test('the first window of the next day finds a desk that nobody keeps', async t => {
  const { clock, folder, terms, open, desk } = slotsHarness(t)
  const yesterday = open('alpha')
  await yesterday.line.enter('chat', never)
  yesterday.close()
  // As a crash leaves it: the file, and no socket behind it.
  assert.equal(desk().file, 'desk-1')
  const today = open('beta')
  const slot = today.line.enter('chat', never)
  await eventually('it takes over', () => desk().file === 'desk-2')
  await clock.advance(150)
  await slot
  assert.deepEqual(readdirSync(terms), ['desk-2'])
  assert.ok(existsSync(folder))
})

test('many windows that begin at once agree on one desk', async t => {
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

test('a window that hangs has lost its slots after four beats; one at rest is left in peace', async t => {
  const { clock, open, desk, notes } = slotsHarness(t, 1)
  const one = open('alpha')
  ;(await one.line.enter('chat', never)).end(answered)
  await eventually('nothing is held', () => holders(one).length === 0)
  await clock.advance(1_000)
  assert.equal(clock.waiting, 0, 'nobody beats while nobody is busy')
  const { address, pass } = desk()
  const hung = await rawWindow(
    address,
    { kind: 'hello', pass, label: 'hung' },
    { kind: 'limit', account: 'x', fixed: 1 },
    { kind: 'ask', account: 'x', id: 1, lane: 'chat', waitedMs: 0 },
  )
  await eventually('it holds a slot', () => hung.said().includes('"grant"'))
  await clock.advance(3_999)
  assert.equal(hung.socket.readableEnded, false)
  await clock.advance(1)
  await eventually('it is sent away', () => hung.socket.readableEnded)
  assert.match(notes.join(), /fallen silent/)
})

/**
 * A keeper that lets one window in and says nothing more, but to `grant` what that one asks for; it still takes calls.
 * What it hears stands in `heard`, a list for each call.
 */
async function hungDesk(t: TestContext, { open, terms, desk }: SlotsHarness, says?: 'grant'): Promise<string[][]> {
  const first = open('alpha')
  ;(await first.line.enter('chat', never)).end(answered)
  const { pass } = desk()
  first.close()
  const heard: string[][] = []
  const calls: Socket[] = []
  const server = createServer(socket => {
    const said: string[] = []
    const isFirst = heard.push(said) === 1
    calls.push(socket)
    socket.on('error', () => {})
    if (isFirst) socket.write('{"kind":"welcome"}\n{"kind":"windows","count":2}\n')
    socket.on('data', data => {
      said.push(String(data))
      const id = /"ask".*?"id":(\d+)/.exec(String(data))?.[1]
      if (isFirst && says === 'grant' && id) socket.write(`{"kind":"grant","id":${id}}\n`)
    })
  })
  t.after(() => {
    for (const call of calls) call.destroy()
    server.close()
  })
  const address = isWindows ? `\\\\.\\pipe\\kourier-test-${process.pid}-hung` : join(terms, 'hung')
  await new Promise<void>(resolve => server.listen(address, () => resolve()))
  writeFileSync(join(terms, 'desk-7'), JSON.stringify({ address, pass }))
  return heard
}

test('a desk that hangs is left for another', async t => {
  const all = slotsHarness(t, 1)
  const { clock, open, desk } = all
  const heard = await hungDesk(t, all)
  const window = open('beta')
  let isServed = false
  const slot = window.line.enter('chat', never).then(() => {
    isServed = true
  })
  await eventually('it asks the hung desk', () => heard.flat().join('').includes('"ask"'))
  await clock.advance(3_999)
  assert.equal(isServed, false)
  await clock.advance(1)
  await eventually('it keeps the desk itself', () => desk().file === 'desk-8')
  await clock.advance(1_000)
  await slot
})

test('who comes while the desk hangs gives nothing out before the others have noticed and told what they hold', async t => {
  const all = slotsHarness(t, 1)
  const { clock, open, desk } = all
  const heard = await hungDesk(t, all, 'grant')
  const [two, three] = [open('beta'), open('gamma')]
  const held = await two.line.enter('chat', never)
  let isServed = false
  const slot = three.line.enter('chat', never).then(() => {
    isServed = true
  })
  await eventually('it calls the desk that hangs', () => heard.length === 2)
  await clock.advance(3_000)
  await eventually('it keeps the desk itself', () => desk().file === 'desk-8')
  await clock.advance(999)
  assert.equal(isServed, false, 'the other has not noticed yet')
  await clock.advance(1)
  await eventually('the other tells what it holds', () => holders(three).join() === 'beta chat')
  await clock.advance(60_000)
  assert.equal(isServed, false, 'what was held before still counts')
  held.end(answered)
  await slot
})

test('a keeper that was overtaken while it stood still gives way to the newer desk', async t => {
  const { clock, open, terms } = slotsHarness(t, 1)
  const [old, other] = [open('alpha'), open('beta')]
  await old.line.enter('chat', never)
  // It has stood still, and somebody took its place and is gone again.
  writeFileSync(join(terms, 'desk-2'), '{}')
  const chat = other.line.enter('chat', never)
  await eventually('there is a newer desk', () => readdirSync(terms).includes('desk-3'))
  await clock.advance(1_000)
  ;(await chat).end(answered)
  await eventually('what the old one holds is known there', () => holders(other).join() === 'alpha chat')
  assert.deepEqual(readdirSync(terms), ['desk-3'])
})

test('accounts do not mix, and what is said names none', async t => {
  const { open, desk } = slotsHarness(t, 1)
  const [ada, bob] = [open('alpha', 'ada@example.com'), open('beta', 'bob@example.com')]
  await ada.line.enter('chat', never)
  await bob.line.enter('chat', never)
  assert.deepEqual([holders(ada), holders(bob)], [['own chat'], ['own chat']])
  const { address, pass } = desk()
  const listening = await rawWindow(address, { kind: 'hello', pass, label: 'listening' })
  await eventually('it is welcome', () => listening.said().includes('welcome'))
  assert.doesNotMatch(listening.said(), /ada|bob/)
  listening.socket.destroy()
})

test('who does not know the pass, or speaks nonsense, is sent away, and the others go on', async t => {
  const { open, desk, notes } = slotsHarness(t)
  const one = open('alpha')
  const slot = await one.line.enter('chat', never)
  const { address, pass } = desk()
  const hello = { kind: 'hello', pass, label: 'x' }
  const ask = (id: number) => ({ kind: 'ask', account: 'a', id, lane: 'chat', waitedMs: 0 })
  const strangers = [
    [{ ...hello, pass: 'f'.repeat(32) }],
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
  for (const lines of strangers) {
    const { socket } = await rawWindow(address, ...lines)
    await eventually(
      `${JSON.stringify(lines).slice(0, 60)} is sent away`,
      () => socket.readableEnded || socket.destroyed,
    )
  }
  assert.equal(notes.length, strangers.length)
  assert.ok(!notes.join().includes(pass))
  await eventually('only the honest one is left', () => holders(one).join() === 'own chat')
  slot.end(answered)
})

test('a stranger that says nothing is not listened to for ever', async t => {
  const { clock, open, desk } = slotsHarness(t)
  await open('alpha').line.enter('chat', never)
  const { socket } = await rawWindow(desk().address)
  await eventually('it is connected', () => socket.readyState === 'open')
  await eventually('the desk has noticed', () => clock.waiting > 0)
  await clock.advance(3_000)
  await eventually('it is sent away', () => socket.readableEnded)
})

test('a desk that speaks nonsense is left', async t => {
  const { open, terms, desk } = slotsHarness(t)
  const first = open('alpha')
  ;(await first.line.enter('chat', never)).end(answered)
  const { pass } = desk()
  first.close()
  const address = isWindows ? `\\\\.\\pipe\\kourier-test-${process.pid}-b` : join(terms, 'b')
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.write('{"kind":"welcome"}\n{"kind":"grant","id":"all"}\n')
  })
  await new Promise<void>(resolve => server.listen(address, () => resolve()))
  writeFileSync(join(terms, 'desk-5'), JSON.stringify({ address, pass }))
  const window = open('beta')
  // It is asked again and again, and every time it says the same.
  const slot = await window.line.enter('chat', never)
  slot.end(answered)
  server.close()
})

test('folder, file and socket are for this user alone', { skip: isWindows }, async t => {
  const { open, terms, desk } = slotsHarness(t)
  await open('alpha').line.enter('chat', never)
  const { file, address } = desk()
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  assert.deepEqual([terms, join(terms, file), address, dirname(address)].map(mode), ['700', '600', '600', '700'])
})

test('where nothing can be shared a window has its own slots, and the log says so once', async t => {
  const { folder, clock } = slotsHarness(t)
  const blocked = join(folder, 'a file')
  writeFileSync(blocked, '')
  const notes: string[] = []
  const slots = new SharedSlots({ folder: blocked, label: () => 'x', clock, note: text => notes.push(text) })
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

test('a folder that somebody removes while the desk stands costs nobody a slot or a request', async t => {
  const { clock, terms, open, desk } = slotsHarness(t)
  const [one, two] = [open('alpha'), open('beta')]
  const held = await one.line.enter('chat', never)
  const other = await two.line.enter('chat', never)
  const before = desk()
  rmSync(terms, { recursive: true })
  await clock.advance(1_000)
  const third = one.line.enter('chat', never)
  await eventually('both stand where they stood', () => {
    return [one, two].every(window => holders(window).length === 2 && window.line.state.waiting === 1)
  })
  assert.notEqual(desk().address, before.address)
  await clock.advance(1_000)
  assert.equal(one.line.state.waiting, 1, 'what was held before still counts')
  held.end(answered)
  ;(await third).end(answered)
  other.end(answered)
  await eventually('both see that all is over', () => [one, two].every(window => holders(window).length === 0))
})

test('a desk that turns out to have moved in the middle of what its own window says: the next one is told', async t => {
  let account = 'ada'
  const { clock, terms, open, desk } = slotsHarness(t, 1, () => account)
  const { line } = open('alpha')
  const moves = (number: number) => writeFileSync(join(terms, `desk-${number}`), '{}')
  /** Time moves until the window has found a desk again. */
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
  /** From here on nobody looks for a second whether the desk is still the one, but once a second while it is busy. */
  const looked = async () => {
    await clock.advance(2_000)
    line.retune()
  }
  ;(await line.enter('chat', never)).end(answered)
  await looked()
  moves(7)
  await clock.advance(1_000)
  account = 'bob'
  // The account that is not in use any more leaves the line first.
  ;(await served(line.enter('chat', never))).end(answered)
  assert.equal(desk().file, 'desk-8')
  await looked()
  await clock.advance(600)
  const first = await line.enter('chat', never)
  const second = line.enter('chat', never)
  moves(17)
  await clock.advance(500)
  first.end(answered)
  ;(await served(second)).end(answered)
  assert.equal(desk().file, 'desk-18')
  await looked()
  moves(27)
  await clock.advance(1_000)
  line.retune()
  ;(await served(line.enter('chat', never))).end(answered)
  assert.equal(desk().file, 'desk-28')
})
