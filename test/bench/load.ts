// Five hundred streams at once: are all of them whole, and how is the service meanwhile?
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createParser } from 'eventsource-parser'
import type { Order, Ready, Report } from './loadedService.ts'
import type { Row } from './row.ts'

const order: Order = { streams: 500, tokens: 200, tokensPerSecond: 100 }
const warmUp: Order = { ...order, streams: 100, tokens: 20 }
const leavers = 50

export async function load(): Promise<Row[]> {
  const child = fork(fileURLToPath(new URL('./loadedService.ts', import.meta.url)))
  try {
    const { url, key } = await answerOf<Ready>(child)
    const target = { url: `${url}/v1/chat/completions`, key }
    // A service that has just started has nothing compiled yet, which is not what is asked here.
    await pour(child, target, warmUp)
    const { outcomes, seconds } = await pour(child, target, order)
    child.send('report')
    const report = await answerOf<Report>(child)
    const waits = await leaving(child, target)
    return [
      {
        what: 'load, whole streams',
        value: outcomes.filter(one => one === 'whole').length,
        unit: `of ${order.streams}`,
      },
      { what: 'load, lost', value: outcomes.filter(one => one === 'lost').length, unit: 'streams' },
      { what: 'load, out of order', value: outcomes.filter(one => one === 'out of order').length, unit: 'streams' },
      { what: 'load, time', value: seconds, unit: `s (ideal ${order.tokens / order.tokensPerSecond})` },
      { what: 'load, processor time', value: report.cpuSeconds, unit: 's (of the service)' },
      { what: 'load, delay p99', value: report.delayP99Ms, unit: 'ms (event loop of the service)' },
      { what: 'load, delay max', value: report.delayMaxMs, unit: 'ms' },
      { what: 'load, resident memory', value: report.residentMiB, unit: 'MiB (of the service)' },
      { what: 'leaving seen, median', value: waits[Math.floor(waits.length / 2)] ?? 0, unit: 'ms' },
      { what: 'leaving seen, worst', value: waits.at(-1) ?? 0, unit: `ms (of ${leavers})` },
    ]
  } finally {
    child.disconnect()
  }
}

async function pour(child: ChildProcess, target: Target, asked: Order) {
  child.send(asked)
  await answerOf(child)
  const began = performance.now()
  const outcomes = await Promise.all(Array.from({ length: asked.streams }, () => readOne(target, asked.tokens)))
  return { outcomes, seconds: (performance.now() - began) / 1000 }
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = (await once(child, 'message')) as [T]
  return answer
}

interface Target {
  readonly url: string
  readonly key: string
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

function ask({ url, key }: Target) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const asking = request(url, { method: 'POST', headers, agent })
  const messages = [{ role: 'user', content: 'Go on' }]
  asking.end(JSON.stringify({ model: 'kourier-1-0815', stream: true, messages }))
  return asking
}

type Outcome = 'whole' | 'lost' | 'out of order'

async function readOne(target: Target, tokens: number): Promise<Outcome> {
  let next = 0
  let isInOrder = true
  let isEnded = false
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') {
        isEnded = true
        return
      }
      const content: unknown = JSON.parse(data).choices[0]?.delta.content
      if (typeof content !== 'string' || content === '') return
      isInOrder &&= Number(content) === next
      next += 1
    },
  })
  try {
    const [answer] = (await once(ask(target), 'response')) as [IncomingMessage]
    for await (const chunk of answer.setEncoding('utf8')) parser.feed(chunk)
  } catch {
    return 'lost'
  }
  if (!isInOrder) return 'out of order'
  return isEnded && next === tokens ? 'whole' : 'lost'
}

/** Milliseconds from a caller's leaving to the service's knowing, the shortest first. */
async function leaving(child: ChildProcess, target: Target): Promise<number[]> {
  const waits: number[] = []
  for (let round = 0; round < leavers; round += 1) {
    child.send('cancel')
    await answerOf(child)
    const held = answerOf(child)
    const asking = ask(target)
    asking.on('error', () => undefined)
    asking.on('response', answer => answer.on('error', () => undefined).resume())
    await held
    const left = answerOf(child)
    const began = performance.now()
    asking.destroy()
    await left
    waits.push(performance.now() - began)
  }
  return waits.sort((a, b) => a - b)
}
