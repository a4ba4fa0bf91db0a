// Four windows, each a process with the real core, on a plan of three requests: two minutes of work, and two are killed.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { build } from 'esbuild'
import { lanes } from '../../../src/core/schedule/lane.ts'
import type { Call } from '../../localService/callLog.ts'
import type { Gate } from '../../localService/replies.ts'
import { type Service, startService } from '../../localService/server.ts'
import { settled } from '../../support/fakeClock.ts'
import { removeAtEnd, spawnGroup, whenGone } from '../../support/processGroup.ts'
import { randomFrom } from '../../support/random.ts'
import { isUnderWay, SocketTraffic, type Traffic } from '../../support/socketTraffic.ts'
import type { WindowOrder, WindowPlan, WindowReport, WindowState } from './windowProcess.ts'

const seed = Number(process.env['KOURIER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

class Window {
  readonly child: ChildProcess
  readonly label: string
  nextInMs: number | undefined
  report: WindowReport | undefined

  constructor(program: string, plan: WindowPlan) {
    this.label = plan.label
    this.child = spawnGroup(process.execPath, ['--no-warnings', program, JSON.stringify(plan)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  }

  /** Time passes there, or with 0 what is due is run. */
  async pass(passMs: number, messages = 0): Promise<Traffic> {
    const answer = once(this.child, 'message')
    const order: WindowOrder = { passMs, messages }
    this.child.send(order)
    const [{ traffic, nextInMs, report }] = (await answer) as [WindowState]
    this.nextInMs = nextInMs
    this.report = report
    return traffic
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await whenGone(this.child)
  }
}

/** The windows, the service and a time that passes for all of them, but only while nothing is under way. */
class WindowsHarness {
  readonly service: Service
  readonly windows: Window[] = []
  readonly #program: string
  readonly #plan: Omit<WindowPlan, 'label' | 'seed'>
  readonly #random = randomFrom(seed)
  readonly #traffic = new SocketTraffic()
  /** Gates that answers have come to, with the time at which each opens. */
  #speaking: { readonly gate: Gate; readonly at: number }[] = []
  #opened = 0
  nowMs = 0

  constructor(service: Service, program: string, plan: Omit<WindowPlan, 'label' | 'seed'>) {
    this.service = service
    this.#program = program
    this.#plan = plan
    for (let at = 0; at < 20; at++) this.#holdNext()
  }

  /** The window is there when this returns, and its user has begun. */
  async open(forMs: number): Promise<Window> {
    const label = `window ${this.#opened++}`
    const window = new Window(this.#program, { ...this.#plan, label, seed: seed + this.#opened, forMs })
    await window.pass(0)
    this.windows.push(window)
    return window
  }

  async kill(window: Window): Promise<void> {
    this.windows.splice(this.windows.indexOf(window), 1)
    await window.kill()
    await this.#silence()
  }

  /** Enough for a whole plan: which other requests wait just then is up to chance. */
  async wantAllSlots(): Promise<void> {
    await Promise.all(this.windows.map(window => window.pass(0, 1)))
  }

  /** Lets time pass until something is so. */
  async passUntil(what: string, mostMs: number, isSo: () => boolean): Promise<void> {
    const endMs = this.nowMs + mostMs
    await this.#silence()
    while (!isSo()) {
      if (this.nowMs >= endMs) assert.fail(`Within ${mostMs} ms it did not come to be that ${what}`)
      await this.#step(Math.min(...this.#nextTimes(), endMs) - this.nowMs)
    }
  }

  #nextTimes(): number[] {
    return [
      ...this.windows.map(({ nextInMs }) => this.nowMs + (nextInMs ?? Number.POSITIVE_INFINITY)),
      ...this.#speaking.map(({ at }) => at),
    ]
  }

  /** First it is the same time everywhere, then what is due is run. */
  async #step(ms: number): Promise<void> {
    await Promise.all(this.windows.map(window => window.pass(ms)))
    this.nowMs += ms
    this.service.clock.advance(ms)
    const due = this.#speaking.filter(({ at }) => at <= this.nowMs)
    this.#speaking = this.#speaking.filter(({ at }) => at > this.nowMs)
    for (const { gate } of due) gate.release()
    await this.#silence()
  }

  /** Nothing is under way, and nothing was sent or received anywhere between two looks. */
  async #silence(): Promise<void> {
    for (let before = ''; ; ) {
      const looks = await Promise.all(this.windows.map(window => window.pass(0)))
      await settled()
      const all = [...looks, this.#traffic.now]
      const now = all.map(({ count }) => count).join()
      if (now === before && !isUnderWay(all)) return
      before = now
    }
  }

  /** An answer begins at once and takes up to eight seconds; a short one is as good as none. */
  #holdNext(): void {
    const gate = this.service.replies.hold(1)
    void gate.reached.then(() => {
      this.#speaking.push({ gate, at: this.nowMs + 100 * Math.ceil(this.#random() ** 2 * 80) })
      this.#holdNext()
    })
  }

  [Symbol.dispose](): void {
    this.#traffic[Symbol.dispose]()
  }
}

/** In one file: each of the six windows would take longer to load its modules one by one than to do its work. */
async function builtWindow(folder: string): Promise<string> {
  const outfile = join(folder, 'window.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'windowProcess.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
  return outfile
}

test('never above the plan, nobody starves, and a killed window’s slots are free again', {
  timeout: 120_000,
}, async t => {
  t.diagnostic(`KOURIER_SEED=${seed}`)
  await using service = await startService({ plan: 'pro', tokensPerSecond: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'kourier-test-'))
  const remove = removeAtEnd(folder)
  const { baseUrl, model } = service
  const key = service.state.issueKey('ada@example.com', 'windows')
  using harness = new WindowsHarness(service, await builtWindow(folder), { folder, baseUrl, model, key, forMs: 0 })
  const calls = () => service.log.calls.filter(({ path }) => path === '/v1/chat/completions')
  const held = ({ label }: Window) =>
    calls().filter(call => call.durationMs === undefined && JSON.stringify(call.body).includes(`${label} `)).length
  const isFull = () => service.slots.open === 3

  // The first one asks first, and so is the leader.
  const endsAt = 120_000
  const first = await harness.open(60 * 60_000)
  await harness.passUntil('the first window asks', 10_000, () => calls().length > 0)
  for (let at = 1; at < 4; at++) await harness.open(endsAt - harness.nowMs)
  await harness.passUntil('time has passed', 40_000, () => harness.nowMs >= 30_000)

  await harness.passUntil('the leader holds a slot and all are in use', 30_000, () => held(first) > 0 && isFull())
  await harness.kill(first)
  assert.ok(!isFull())
  await harness.wantAllSlots()
  await harness.passUntil('its slot is in use again', 5_000, isFull)
  await harness.open(endsAt - harness.nowMs)
  const second = harness.windows[1]
  assert.ok(second)
  await harness.passUntil('another window holds a slot and all are in use', 60_000, () => held(second) > 0 && isFull())
  await harness.kill(second)
  await harness.wantAllSlots()
  await harness.passUntil('its slot is in use again', 5_000, isFull)
  await harness.open(endsAt - harness.nowMs)

  await harness.passUntil('all have their answers', 2 * endsAt, () => harness.windows.every(({ report }) => report))
  remove()
  const reports = harness.windows.flatMap(({ report }) => report ?? [])
  for (const window of harness.windows) window.child.disconnect()
  const refused = calls().filter(({ status }) => status === 429)
  const longest = lanes.map(lane => `${lane} ${Math.max(...reports.map(one => one.longestWaitMs[lane])) / 1000} s`)
  t.diagnostic(`${calls().length} requests, ${refused.length} refused; longest waits: ${longest.join(', ')}`)
  assert.equal(reports.length, 4)
  for (const { failed, notes, answered, longestWaitMs } of reports) {
    assert.deepEqual(failed, [])
    assert.doesNotMatch(notes.join(), /each has its own/)
    for (const lane of ['chat', 'agent', 'completion'] as const) assert.ok(answered[lane] > 0, lane)
    for (const lane of lanes) assert.ok(longestWaitMs[lane] < 60_000, `${lane} waited ${longestWaitMs[lane]} ms`)
  }
  assert.equal(service.slots.open, 0)
  assert.ok(
    refused.length <= 1,
    `a fourth is tried once, and nothing is refused after that: ${refused.map(callText).join()}`,
  )
  assert.ok(
    refused.every(({ openAtStart }) => openAtStart === 3),
    refused.map(callText).join(),
  )
})

const callText = ({ sequence, openAtStart, body }: Call) => `${sequence} beside ${openAtStart}: ${JSON.stringify(body)}`
