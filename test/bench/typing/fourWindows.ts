// Four windows that share a plan: in each a file is typed and a chat asks now and then. How long do the chats wait?

import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { QueuedClient } from '../../../src/core/model/queuedClient.ts'
import { Coordinator } from '../../../src/core/schedule/coordinator.ts'
import { Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../../src/core/schedule/slots.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { userMessage } from '../../support/messages.ts'
import { percentile } from '../numbers.ts'
import { meanOf } from './bootstrap.ts'
import { ChatModel } from './chatModel.ts'
import { hashedRandom } from './hashed.ts'
import { PlanSlots } from './planSlots.ts'
import { type Conditions, Replay, untilIdle } from './replay.ts'
import { NAME_WIDTH } from './report.ts'
import { scoreOf } from './score.ts'
import type { Setting } from './settings.ts'
import type { Source } from './source.ts'
import { typedRight } from './summary.ts'

export interface PlanSummary {
  readonly name: string
  readonly visibleRatio: number
  readonly wrong: number
  /** Most requests open at once at the server, chats and aborted ones included (M8). */
  readonly serverPeak: number
  /** Completions refused per 100 keys (M9), and part of the chats that were refused at first. */
  readonly refused: number
  readonly chatsRefused: number
  readonly chats: number
  /** From a chat's asking to its first token, beyond the same with chats alone (M10). */
  readonly addedP50: number
  readonly addedP95: number
  readonly longestAdded: number
}

const WINDOWS = 4
/** Mean time from one chat of a window to the next. */
const CHAT_EVERY_MS = 20_000

interface Chat {
  readonly window: number
  readonly at: number
}

export async function fourWindows(
  { name, conditions }: Setting,
  sources: readonly Source[],
  seeds: readonly number[],
): Promise<PlanSummary> {
  const runs: Run[] = []
  for (const seed of seeds) {
    for (const files of groupsOf(sources)) runs.push(await runOf(files, seed, conditions))
  }
  const added = runs.flatMap(run => run.added)
  const scores = runs.flatMap(run => run.replays.map(replay => scoreOf(typedRight(replay.observation))))
  return {
    name,
    visibleRatio: meanOf(scores.map(score => score.visibleRatio)),
    wrong: meanOf(scores.map(score => score.wrong)),
    serverPeak: Math.max(...runs.map(run => run.serverPeak)),
    refused: meanOf(scores.map(score => score.refused)),
    chatsRefused: runs.reduce((sum, run) => sum + run.chatsRefused, 0) / added.length,
    chats: added.length,
    addedP50: percentile(added, 0.5),
    addedP95: percentile(added, 0.95),
    longestAdded: Math.max(...added),
  }
}

interface Run {
  readonly replays: readonly Replay[]
  readonly added: readonly number[]
  readonly serverPeak: number
  readonly chatsRefused: number
}

/** The same chats are asked twice, beside the typing and alone. */
async function runOf(files: readonly Source[], seed: number, conditions: Conditions): Promise<Run> {
  const plan = new Plan(files.length, seed, conditions)
  const replays = files.map((source, window) => new Replay(source, seed, conditions, plan.surroundingsOf(window)))
  for (const replay of replays) replay.start()
  plan.chatWhile(window => !(replays[window]?.isEnded ?? true))
  await untilIdle(plan.clock)
  const alone = new Plan(files.length, seed, conditions)
  alone.repeat(plan.chats)
  await untilIdle(alone.clock)
  return {
    replays,
    added: plan.chats.map((_, at) => (plan.waits.get(at) ?? 0) - (alone.waits.get(at) ?? 0)),
    serverPeak: plan.serverPeak,
    chatsRefused: plan.chatsRefused,
  }
}

/** Windows with the real queue between them and a server. */
class Plan {
  readonly clock = new FakeClock()
  readonly chats: Chat[] = []
  /** Milliseconds from asking to the first token, by the chat's number. */
  readonly waits = new Map<number, number>()
  readonly #slots: PlanSlots
  readonly #model: ChatModel
  readonly #schedulers: readonly Scheduler[]
  readonly #clients: readonly QueuedClient[]
  readonly #seed: number

  constructor(windows: number, seed: number, conditions: Conditions) {
    const { clock } = this
    const coordinator = new Coordinator(clock)
    this.#seed = seed
    this.#slots = new PlanSlots(conditions.slots, clock)
    this.#model = new ChatModel({ ...conditions, seed, clock, slots: this.#slots })
    this.#schedulers = Array.from({ length: windows }, (_, window) => {
      const slots = new MemorySlots(clock, `Window ${window}`, coordinator)
      return new Scheduler(slots, { clock, account: () => 'one', fixed: () => 0 })
    })
    this.#clients = this.#schedulers.map((_, window) => this.#queued(this.#model, window))
  }

  get serverPeak(): number {
    return this.#slots.peak
  }

  get chatsRefused(): number {
    return this.#model.refusals
  }

  surroundingsOf(window: number) {
    return {
      clock: this.clock,
      slots: this.#slots,
      queued: (model: ModelClient) => this.#queued(model, window),
      hasFreeSlot: () => this.#schedulers[window]?.hasFreeSlot ?? false,
      hasExtraSlot: () => this.#schedulers[window]?.hasExtraSlot ?? false,
    }
  }

  /** Chats at random times in each window. */
  chatWhile(goesOn: (window: number) => boolean): void {
    for (const window of this.#clients.keys()) {
      const random = hashedRandom(this.#seed, 'chats', window)
      const next = () => this.clock.later(-CHAT_EVERY_MS * Math.log(1 - random()), chat)
      const chat = () => {
        if (!goesOn(window)) return
        this.#ask({ window, at: this.clock.elapsed() })
        next()
      }
      next()
    }
  }

  repeat(chats: readonly Chat[]): void {
    for (const chat of chats) this.clock.later(chat.at, () => this.#ask(chat))
  }

  #ask(chat: Chat): void {
    const number = this.chats.push(chat) - 1
    void this.#firstTokenOf(chat, number)
  }

  async #firstTokenOf({ window, at }: Chat, number: number): Promise<void> {
    const messages = [userMessage(String(number))] as const
    const events = this.#clients[window]?.stream({ model: 'm', messages, lane: 'chat' }, new AbortController().signal)
    for await (const { kind } of events ?? []) {
      if (kind === 'text-delta') this.waits.set(number, this.clock.elapsed() - at)
    }
  }

  #queued(model: ModelClient, window: number): QueuedClient {
    const scheduler = this.#schedulers[window]
    if (!scheduler) throw new Error(`no window ${window}`)
    return new QueuedClient(model, scheduler, this.clock, hashedRandom(this.#seed, 'pauses', window))
  }
}

/** Files of different languages in the four windows; those that are left over are left out. */
function groupsOf(sources: readonly Source[]): Source[][] {
  const groups = Math.floor(sources.length / WINDOWS)
  return Array.from({ length: groups }, (_, group) =>
    sources.filter((_, at) => at % groups === group).slice(0, WINDOWS),
  )
}

export function planTableOf(summaries: readonly PlanSummary[]): string {
  const head = 'V/V*   wrong  peak    429  chats  refused  added ms p50/p95/most'
  const lines = summaries.map(summary => {
    const { visibleRatio, wrong, serverPeak, refused, chats, chatsRefused, addedP50, addedP95, longestAdded } = summary
    const cells = [
      visibleRatio.toFixed(3).padEnd(5),
      `${(wrong * 100).toFixed(1)}%`,
      String(serverPeak).padStart(4),
      refused.toFixed(2).padStart(5),
      String(chats).padStart(5),
      `${(chatsRefused * 100).toFixed(1)}%`.padStart(7),
      [addedP50, addedP95, longestAdded].map(ms => ms.toFixed(0)).join('/'),
    ]
    return `${summary.name.padEnd(NAME_WIDTH)}  ${cells.join('  ')}\n`
  })
  return `${''.padEnd(NAME_WIDTH)}  ${head}\n${lines.join('')}`
}
