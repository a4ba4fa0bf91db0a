// Does the client grow with its streams? A process of its own reads a thousand, one after the other, and weighs itself.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/base/clock.ts'
import { QueuedClient } from '../../src/core/model/queuedClient.ts'
import { Scheduler } from '../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../src/core/schedule/slots.ts'
import { UndiciHttp } from '../../src/node/http/undiciHttp.ts'
import { startService } from '../localService/server.ts'
import { userMessage } from '../support/messages.ts'
import { surfaceClient } from '../support/surfaceClient.ts'
import { direct } from '../support/wire.ts'
import type { Row } from './row.ts'

const streams = 1_000
/** Until here code is compiled and pools are filled. */
const warm = 200
const tokens = 100

/** MiB. */
interface Weight {
  readonly resident: number
  /** What is still referred to. */
  readonly held: number
}

export async function clientMemory(): Promise<Row[]> {
  await using service = await startService({ plan: 'max' })
  const key = service.state.issueKey('bench@example.com', 'bench')
  const text = Array.from({ length: tokens }, (_, at) => `${at} `)
  service.replies.add(...Array.from({ length: streams }, () => ({ tokens: text })))
  const path = fileURLToPath(import.meta.url)
  // The room for new objects grows with the load and never shrinks; held small, it hides nothing of what matters here.
  const execArgv = ['--expose-gc', '--max-semi-space-size=2', '--no-warnings']
  const child = fork(path, [service.baseUrl, key], { execArgv })
  const [[begin, end]] = (await once(child, 'message')) as [[Weight, Weight]]
  child.disconnect()
  return [
    { what: `client after ${warm} streams`, value: begin.resident, unit: 'MiB resident' },
    { what: `client after ${streams} streams`, value: end.resident, unit: 'MiB resident' },
    { what: '  more is held', value: end.held - begin.held, unit: 'MiB' },
  ]
}

async function readAll(url: string, key: string): Promise<[Weight, Weight]> {
  const http = new UndiciHttp(() => direct, systemClock)
  const headers = { authorization: `Bearer ${key}` }
  const surface = surfaceClient(
    asked => http.send({ ...asked, headers: { ...asked.headers, ...headers } }),
    url,
    systemClock,
  )
  const line = new Scheduler(new MemorySlots(systemClock), { clock: systemClock, account: () => 'a', fixed: () => 0 })
  const client = new QueuedClient(surface, line, systemClock)
  const request = {
    model: 'kourier-1-0815',
    messages: [userMessage('Go on')],
    lane: 'chat' as const,
  }
  let begin = await weigh()
  for (let read = 1; read <= streams; read++) {
    for await (const _ of client.stream(request, new AbortController().signal));
    if (read === warm) begin = await weigh()
  }
  return [begin, await weigh()]
}

async function weigh(): Promise<Weight> {
  // The second round takes what the first one's finalizers let go of.
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.()
    await new Promise<void>(resolve => setImmediate(resolve))
  }
  const { rss, heapUsed } = process.memoryUsage()
  return { resident: rss / 1024 ** 2, held: heapUsed / 1024 ** 2 }
}

const [, started, url, key] = process.argv
if (started === fileURLToPath(import.meta.url) && url && key) {
  process.send?.(await readAll(url, key))
  process.on('disconnect', () => process.exit(0))
}
