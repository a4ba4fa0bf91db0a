// What the loop and the tools add to the work itself: L4 and L5.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../src/base/clock.ts'
import { TurnLoop } from '../../../src/core/agent/turnLoop.ts'
import { ConversationLog } from '../../../src/core/conversation/conversationLog.ts'
import { promptMessages } from '../../../src/core/conversation/promptMessages.ts'
import type { Http } from '../../../src/core/http/http.ts'
import { Log } from '../../../src/core/log/log.ts'
import { QueuedClient } from '../../../src/core/model/queuedClient.ts'
import { SurfaceClient } from '../../../src/core/model/surfaceClient.ts'
import { type SurfaceId, surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { TokenBudgetClient } from '../../../src/core/model/tokenBudgetClient.ts'
import { TokenCounter } from '../../../src/core/model/tokenCounter.ts'
import { Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../../src/core/schedule/slots.ts'
import { AllowedActions } from '../../../src/core/tools/approvals.ts'
import { modes } from '../../../src/core/tools/modes.ts'
import { JournalFile } from '../../../src/node/history/journalFile.ts'
import { UndiciHttp } from '../../../src/node/http/undiciHttp.ts'
import { scriptedTool, text } from '../../support/turnFixture.ts'
import { direct, never } from '../../support/wire.ts'
import { leastOfEach, percentile } from '../numbers.ts'
import type { CallingService } from './pace/callingService.ts'
import { TRIES, toolTimes } from './pace/toolTimes.ts'
import type { PartOptions } from './part.ts'
import type { Row } from './rows.ts'

/** Requests of one turn. */
const ROUNDS = 200
/** The first ones compile the code. */
const WARM = 40

export async function run({ count = ROUNDS }: PartOptions): Promise<readonly Row[]> {
  return [await betweenRequests(count), ...(await toolTimes(count))]
}

async function betweenRequests(rounds: number): Promise<Row> {
  const times: number[] = []
  for (const surface of surfaceIds) times.push(...(await pausesOn(surface, rounds)).slice(WARM))
  const p95 = percentile(leastOfEach(times, TRIES), 0.95)
  return {
    id: 'L4',
    metric: `last byte of an answer to the next request, a trivial tool, best of ${TRIES} in a row`,
    target: 'p95 < 15 ms',
    measured: `p95 ${p95.toFixed(1)} ms, of all ${percentile(times, 0.95).toFixed(1)} ms, p50 ${percentile(times, 0.5).toFixed(1)} ms (${times.length} requests, ${surfaceIds.length} surfaces)`,
    isMet: p95 < 15,
  }
}

/** Milliseconds, as the service sees them. */
async function pausesOn(surface: SurfaceId, rounds: number): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-bench-'))
  const service = fork(join(import.meta.dirname, 'pace/callingService.ts'), [`${rounds}`])
  const [{ url, key }] = (await once(service, 'message')) as [CallingService] // as: its first message
  const clock = systemClock
  const http = new UndiciHttp(() => direct, clock)
  const journal = new JournalFile({
    ...{ conversation: 'c', path: join(folder, 'c.jsonl'), clock, log: new Log(), isAlive: () => true },
  })
  const log = await ConversationLog.open({ journal, clock }, never)
  await log.claim()
  const sending = new SurfaceClient({
    ...{ http: withKey(http, key), baseUrl: () => url, surface: () => surface, clock, log: new Log() },
  })
  const counted = new TokenBudgetClient(sending, new TokenCounter(), () => ({ input: 262_144, total: 278_528 }))
  const line = new Scheduler(new MemorySlots(clock), { clock, account: () => 'a', fixed: () => 0 })
  let ids = 0
  const loop = new TurnLoop(
    {
      ...{ log, clock, models: new QueuedClient(counted, line, clock), newId: () => `i${++ids}` },
      model: async () => 'kourier-1-0815',
      prompt: state => ({ system: 'Be brief.', messages: promptMessages(state) }),
      tools: {
        tools: [scriptedTool('look', 'read', async ({ path }) => text(`${path} is there.`))],
        ...{ mode: () => modes.edit, allowed: new AllowedActions(), maxRequests: rounds + 10 },
        approvals: { ask: async () => ({ is: 'denied' }) },
        pauses: { confirmContinue: async () => true },
      },
    },
    't',
  )
  const prompt = [{ kind: 'text', id: 'p', text: 'Look at all of them.' }] as const
  await log.append({ kind: 'turn-started', turn: 't', origin: { is: 'new' }, prompt })
  const asked = once(service, 'message')
  const { state } = await loop.run(never)
  if (state !== 'done') throw new Error(`The turn ended as ${state}`)
  const [times] = (await asked) as [readonly number[]] // as: what the process sends
  log.dispose()
  http.dispose()
  service.disconnect()
  await once(service, 'exit')
  rmSync(folder, { recursive: true, force: true })
  return times
}

const withKey =
  (http: UndiciHttp, key: string): Http =>
  asked =>
    http.send({ ...asked, headers: { ...asked.headers, authorization: `Bearer ${key}` } })
