// What our client adds to the time until the first token and to each token after it, against undici itself.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { systemClock } from '../../src/base/clock.ts'
import type { Http } from '../../src/core/http/http.ts'
import type { ModelClient, ModelRequest } from '../../src/core/model/modelClient.ts'
import { QueuedClient } from '../../src/core/model/queuedClient.ts'
import { Scheduler } from '../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../src/core/schedule/slots.ts'
import { UndiciHttp } from '../../src/node/http/undiciHttp.ts'
import { userMessage } from '../support/messages.ts'
import { surfaceClient } from '../support/surfaceClient.ts'
import { direct } from '../support/wire.ts'
import type { Order, Ready } from './loadedService.ts'
import { percentile } from './numbers.ts'
import type { Row } from './row.ts'
import { stamp } from './stampingServer.ts'

const rounds = 150
const rawQuestion = {
  model: 'kourier-1-0815',
  messages: [{ role: 'user', content: 'Go on' }],
  stream: true,
  stream_options: { include_usage: true },
}
const question: ModelRequest = { model: 'kourier-1-0815', messages: [userMessage('Go on')], lane: 'chat' }
const never = new AbortController().signal

/** The other side is a process of its own: what it does is part of both times, and of none of the differences. */
export async function latency(): Promise<Row[]> {
  const http = new UndiciHttp(() => direct, systemClock)
  const agent = new Agent()
  try {
    return [...(await firstToken(http, agent)), ...(await eachToken(http, agent))]
  } finally {
    http.dispose()
    await agent.destroy()
  }
}

async function firstToken(http: UndiciHttp, agent: Agent): Promise<Row[]> {
  await using service = await started('./loadedService.ts')
  const { url, key } = service.message as Ready
  const client = clientOf(http, url, key)
  const order: Order = { streams: 2 * (rounds + WARM), tokens: 20, tokensPerSecond: 0 }
  service.child.send(order)
  await once(service.child, 'message')
  const { theirs, ours } = await inTurns(
    () => firstOfOurs(client),
    () => firstOfRaw(agent, url, key),
  )
  return added('first token', theirs, ours, 'ms')
}

/** Age of each token when its reader has it. */
async function eachToken(http: UndiciHttp, agent: Agent): Promise<Row[]> {
  await using server = await started('./stampingServer.ts')
  const url = String(server.message)
  const client = clientOf(http, url, 'none')
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < 10; round++) {
    const own = await agesOfOurs(client)
    const raw = await agesOfRaw(agent, url)
    // The first two compile the code.
    if (round < 2) continue
    ours.push(...own)
    theirs.push(...raw)
  }
  return added('each token', theirs, ours, 'ms')
}

/** Sends the first rounds to nowhere. */
const WARM = 40

/** One after the other in turns, so that both meet the same weather and each is as often the second. */
async function inTurns(own: () => Promise<number>, raw: () => Promise<number>) {
  const theirs: number[] = []
  const ours: number[] = []
  for (let round = -WARM; round < rounds; round++) {
    const isFirst = round % 2 === 0
    const before = isFirst ? await raw() : undefined
    const mine = await own()
    const other = before ?? (await raw())
    if (round < 0) continue
    ours.push(mine)
    theirs.push(other)
  }
  return { theirs, ours }
}

function added(what: string, theirs: readonly number[], ours: readonly number[], unit: string): Row[] {
  return [0.5, 0.99].flatMap(part => {
    const own = percentile(ours, part)
    const raw = percentile(theirs, part)
    const name = `p${part * 100}`
    return [
      { what: `${what}, ours, ${name}`, value: own, unit },
      { what: `${what}, raw undici, ${name}`, value: raw, unit },
      { what: `  added, ${name}`, value: own - raw, unit },
    ]
  })
}

async function started(script: string) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)))
  const [message]: unknown[] = await once(child, 'message')
  return { child, message, [Symbol.asyncDispose]: async () => child.disconnect() }
}

/** With all that is between a chat and the network, the line for slots included. */
function clientOf(http: UndiciHttp, url: string, key: string): ModelClient {
  const headers = { authorization: `Bearer ${key}` }
  const send: Http = asked => http.send({ ...asked, headers: { ...asked.headers, ...headers } })
  const line = new Scheduler(new MemorySlots(systemClock), { clock: systemClock, account: () => 'a', fixed: () => 0 })
  return new QueuedClient(surfaceClient(send, url, systemClock), line, systemClock)
}

/** Milliseconds. The rest is read as well, so that the connection is kept for the next round. */
async function firstOfOurs(client: ModelClient): Promise<number> {
  const begun = performance.now()
  let first = 0
  for await (const event of client.stream(question, never))
    if (event.kind === 'text-delta') first ||= performance.now() - begun
  return first
}

async function firstOfRaw(dispatcher: Agent, url: string, key: string): Promise<number> {
  const begun = performance.now()
  let first = 0
  for await (const chunk of await askRaw(dispatcher, url, key))
    if (!first && String(chunk).includes('"content":"0')) first = performance.now() - begun
  return first
}

async function agesOfOurs(client: ModelClient): Promise<number[]> {
  const ages: number[] = []
  for await (const event of client.stream(question, never))
    if (event.kind === 'text-delta') ages.push(ageOf(event.text))
  return ages
}

async function agesOfRaw(dispatcher: Agent, url: string): Promise<number[]> {
  const ages: number[] = []
  for await (const chunk of await askRaw(dispatcher, url, 'none')) {
    const now = stamp()
    const sent = /"content":"([\d.]+)/.exec(String(chunk))?.[1]
    if (sent) ages.push(now - Number(sent))
  }
  return ages
}

/** Several tokens that came as one are as old as the first of them. */
const ageOf = (text: string) => stamp() - Number.parseFloat(text)

async function askRaw(dispatcher: Agent, url: string, key: string) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const options = { dispatcher, method: 'POST', headers, body: JSON.stringify(rawQuestion) } as const
  return (await request(`${url}/v1/chat/completions`, options)).body
}
