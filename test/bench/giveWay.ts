// How soon a chat has the slot of a completion, in its own window and in another; how soon the service notices a stop.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AbortedError, isAbort } from '../../src/base/abort.ts'
import { systemClock } from '../../src/base/clock.ts'
import { bearer } from '../../src/core/http/bearer.ts'
import type { ModelClient } from '../../src/core/model/modelClient.ts'
import { QueuedClient } from '../../src/core/model/queuedClient.ts'
import type { Lane } from '../../src/core/schedule/lane.ts'
import { Scheduler } from '../../src/core/schedule/scheduler.ts'
import { UndiciHttp } from '../../src/node/http/undiciHttp.ts'
import { SharedSlots } from '../../src/node/schedule/sharedSlots.ts'
import { type Service, startService } from '../localService/server.ts'
import { holding } from '../support/credential.ts'
import { userMessage } from '../support/messages.ts'
import { surfaceClient } from '../support/surfaceClient.ts'
import { direct, eventually, never } from '../support/wire.ts'
import { percentile } from './numbers.ts'
import type { Row } from './row.ts'

const tries = 200
/** The first compile the code. */
const warm = 20

export async function giveWay(): Promise<Row[]> {
  await using service = await startService({ plan: 'pro', tokensPerSecond: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'kourier-bench-'))
  const http = new UndiciHttp(() => direct, systemClock)
  const windows = ['keeper', 'guest'].map(label => new Window(service, http, folder, label))
  const [leader, client] = windows
  try {
    if (!leader || !client) return []
    const own = await manyTimes(() => takeSlot(service, leader, leader))
    const others = await manyTimes(() => takeSlot(service, client, leader))
    const stops = await manyTimes(() => stop(service, leader))
    return [
      ...percentileRows('chat has a completion’s slot', own),
      ...percentileRows('  of another window', others),
      ...percentileRows('a stop is known at the service', stops),
      {
        what: 'refused meanwhile',
        value: service.log.calls.filter(({ status }) => status === 429).length,
        unit: '429',
      },
    ]
  } finally {
    for (const window of windows) window.close()
    http.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

class Window {
  readonly client: ModelClient
  readonly line: Scheduler
  readonly #slots: SharedSlots
  readonly #model: string
  /** When each request was sent, by lane. */
  readonly sentAt = new Map<Lane, number>()

  constructor({ state, baseUrl, model }: Service, http: UndiciHttp, folder: string, label: string) {
    const key = state.issueKey('bench@example.com', label)
    const asking = bearer(
      http.send,
      holding(() => key),
    )
    const surface = surfaceClient(asking, baseUrl, systemClock)
    const noted: ModelClient = {
      stream: (request, signal) => {
        this.sentAt.set(request.lane, performance.now())
        return surface.stream(request, signal)
      },
    }
    this.#model = model
    this.#slots = new SharedSlots({ folder, label: () => label, clock: systemClock, log: () => {} })
    this.line = new Scheduler(this.#slots, { clock: systemClock, account: () => 'bench', fixed: () => 3 })
    this.client = new QueuedClient(noted, this.line, systemClock)
  }

  /** Resolves when the answer is over, also when it had to give way. */
  async ask(lane: Lane, signal: AbortSignal = never): Promise<void> {
    const messages = [userMessage('Go on')] as const
    try {
      for await (const _ of this.client.stream({ model: this.#model, messages, lane }, signal));
    } catch (fault) {
      if (!isAbort(fault)) throw fault
    }
  }

  close(): void {
    this.line.dispose()
    this.#slots.dispose()
  }
}

/** Milliseconds from a chat's asking to its being sent, where completions of `holding` are being answered in all slots. */
async function takeSlot(service: Service, asking: Window, holding: Window): Promise<number> {
  const gates = [1, 2, 3].map(() => service.replies.hold(1))
  const completions = gates.map(() => holding.ask('completion'))
  await Promise.all(gates.map(({ reached }) => reached))
  const began = performance.now()
  await asking.ask('chat')
  const waited = (asking.sentAt.get('chat') ?? Number.POSITIVE_INFINITY) - began
  service.replies.releaseAll()
  await Promise.all(completions)
  await atRest(service, asking, holding)
  return waited
}

/** Milliseconds from the stop of an answer to the service's counting it no more. */
async function stop(service: Service, window: Window): Promise<number> {
  const gate = service.replies.hold(1)
  const stopping = new AbortController()
  const answer = window.ask('chat', stopping.signal)
  await gate.reached
  const began = performance.now()
  stopping.abort(new AbortedError())
  await eventually('the service counts nobody any more', () => service.slots.open === 0)
  const passed = performance.now() - began
  await answer
  await atRest(service, window)
  return passed
}

async function atRest(service: Service, ...windows: readonly Window[]): Promise<void> {
  const isQuiet = () => service.slots.open === 0 && windows.every(({ line }) => line.state.holders.length === 0)
  while (!isQuiet()) await new Promise(resolve => setTimeout(resolve, 1))
  // The place of what was cancelled is left alone for a moment.
  await new Promise(resolve => setTimeout(resolve, 60))
}

async function manyTimes(once: () => Promise<number>): Promise<number[]> {
  const all: number[] = []
  for (let round = -warm; round < tries; round++) {
    const taken = await once()
    if (round >= 0) all.push(taken)
  }
  return all
}

function percentileRows(what: string, all: readonly number[]): Row[] {
  return [
    { what: `${what}, p50`, value: percentile(all, 0.5), unit: 'ms' },
    { what: '  p99', value: percentile(all, 0.99), unit: 'ms' },
    { what: '  worst', value: Math.max(...all), unit: `ms (of ${all.length})` },
  ]
}
