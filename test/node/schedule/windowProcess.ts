// A window as a process of its own: the real core under random load, in a time that the parent process advances.

import { AbortedError, isAbort, sleep } from '../../../src/base/abort.ts'
import type { Clock } from '../../../src/base/clock.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { ProblemError } from '../../../src/core/http/errors.ts'
import { QueuedClient } from '../../../src/core/model/queuedClient.ts'
import { givesWay, type Lane, lanes } from '../../../src/core/schedule/lane.ts'
import { Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { UndiciHttp } from '../../../src/node/http/undiciHttp.ts'
import { SharedSlots } from '../../../src/node/schedule/sharedSlots.ts'
import { holding } from '../../support/credential.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { userMessage } from '../../support/messages.ts'
import { randomFrom } from '../../support/random.ts'
import { SocketTraffic, type Traffic } from '../../support/socketTraffic.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { direct, never } from '../../support/wire.ts'

export interface WindowPlan {
  readonly folder: string
  readonly label: string
  readonly baseUrl: string
  readonly model: string
  readonly key: string
  readonly seed: number
  /** How long its user works. */
  readonly forMs: number
}

/** What a window did, by lane. */
export interface WindowReport {
  readonly answered: Record<Lane, number>
  /** Stopped by its user, or aborted for a chat. */
  readonly stopped: Record<Lane, number>
  /** The longest that an answered request had waited for its first piece, in milliseconds. */
  readonly longestWaitMs: Record<Lane, number>
  /** Refusals that reached who asked: completions do not come back. */
  refused: number
  /** Texts of what went wrong. */
  readonly failed: string[]
  readonly notes: string[]
}

/** Moves the window's time on by so much; otherwise what is due is run. */
export interface WindowOrder {
  readonly passMs: number
  /** What its user sends at once besides. */
  readonly messages?: number
}

export interface WindowState {
  readonly traffic: Traffic
  /** How long until something is to be done by itself. */
  readonly nextInMs: number | undefined
  readonly report: WindowReport | undefined
}

/** Its user does everything at a full tenth of a second, so that time moves in steps worth taking. */
const STEP_MS = 100

if (import.meta.main) {
  const plan = JSON.parse(process.argv[2] ?? '') as WindowPlan
  const clock = new FakeClock()
  const traffic = new SocketTraffic()
  let report: WindowReport | undefined
  process.on('message', async ({ passMs }: WindowOrder) => {
    if (passMs > 0) clock.pass(passMs)
    else await clock.advance(0)
    await settled()
    const state: WindowState = { traffic: traffic.now, nextInMs: clock.nextInMs, report }
    process.send?.(state)
  })
  report = await work(plan, clock)
}

async function work(plan: WindowPlan, clock: Clock): Promise<WindowReport> {
  const random = randomFrom(plan.seed)
  const notes: string[] = []
  const slots = new SharedSlots({
    folder: plan.folder,
    label: () => plan.label,
    clock,
    log: text => notes.push(text),
  })
  const line = new Scheduler(slots, { clock, account: () => 'ada', fixed: () => 0 })
  const undici = new UndiciHttp(() => direct, clock)
  const http = bearer(
    undici.send,
    holding(() => plan.key),
  )
  const client = new QueuedClient(surfaceClient(http, plan.baseUrl, clock), line, clock, random)
  const report: WindowReport = {
    answered: counts(),
    stopped: counts(),
    longestWaitMs: counts(),
    refused: 0,
    failed: [],
    notes,
  }

  const until = clock.elapsed() + plan.forMs
  const isOver = () => clock.elapsed() >= until
  const think = (mostMs: number) => sleep(clock, STEP_MS * Math.ceil((random() * mostMs) / STEP_MS), never)

  async function ask(lane: Lane, signal: AbortSignal = never): Promise<void> {
    const messages = [userMessage(`${plan.label} ${lane}`)] as const
    const askedAt = clock.elapsed()
    let firstAt: number | undefined
    try {
      for await (const _ of client.stream({ model: plan.model, messages, lane }, signal)) firstAt ??= clock.elapsed()
      report.answered[lane]++
      const waitedMs = (firstAt ?? clock.elapsed()) - askedAt
      report.longestWaitMs[lane] = Math.max(report.longestWaitMs[lane], waitedMs)
    } catch (fault) {
      if (isAbort(fault)) report.stopped[lane]++
      else if (givesWay(lane) && fault instanceof ProblemError && fault.status === 429) report.refused++
      else report.failed.push(`${lane}: ${String(fault)}`)
    }
  }

  /** Asks, reads, thinks, and asks again; sometimes it does not read to the end. */
  async function chat(): Promise<void> {
    while (!isOver()) {
      const stop = new AbortController()
      const asking = ask(random() < 0.2 ? 'edit' : 'chat', stop.signal)
      if (random() < 0.2) void think(3_000).then(() => stop.abort(new AbortedError()))
      await asking
      await think(12_000)
    }
  }

  /** A new one cancels the last, as typing does; then there is a pause for thought. */
  async function type(): Promise<void> {
    let last = Promise.resolve()
    let stop = new AbortController()
    while (!isOver()) {
      await think(random() < 0.2 ? 6_000 : 700)
      if (random() < 0.7) stop.abort(new AbortedError())
      else await last
      stop = new AbortController()
      last = ask('completion', stop.signal)
    }
    await last
  }

  /** Several turns side by side. */
  async function agents(): Promise<void> {
    while (!isOver()) {
      await think(20_000)
      await Promise.all(Array.from({ length: 1 + random() * 3 }, () => ask('agent')))
    }
  }

  async function background(): Promise<void> {
    while (!isOver()) {
      await think(25_000)
      await ask('background')
    }
  }

  const besides: Promise<void>[] = []
  process.on('message', ({ messages = 0 }: WindowOrder) => {
    for (let sent = 0; sent < messages; sent++) besides.push(ask('chat'))
  })

  await Promise.all([chat(), type(), agents(), background()])
  await Promise.all(besides)
  line.dispose()
  slots.dispose()
  undici.dispose()
  return report
}

function counts(): Record<Lane, number> {
  return Object.fromEntries(lanes.map(lane => [lane, 0])) as Record<Lane, number>
}
