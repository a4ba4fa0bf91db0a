// Measures, prints a table and writes `bench/results.json`; never judges a time.
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { createParser } from 'eventsource-parser'
import { Agent, request } from 'undici'
import { systemClock } from '../../src/base/clock.ts'
import { type Http, type HttpAnswer, UndiciHttp } from '../../src/core/http/http.ts'
import { ChatCompletionsClient } from '../../src/core/model/chatCompletionsClient.ts'
import type { ModelRequest } from '../../src/core/model/modelClient.ts'
import { freshVsix } from '../editor/extensionPackage.ts'
import { type Service, startService } from '../localService/server.ts'

interface Row {
  readonly what: string
  readonly value: number
  readonly unit: string
}

const question: ModelRequest = { model: 'kourier-1-0815', messages: [{ role: 'user', text: 'Go on' }], lane: 'chat' }
const never = new AbortController().signal
const rounds = 15

const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`

const rows = [...(await sizes()), ...(await parsing()), ...(await firstToken())]
for (const { what, value, unit } of rows) {
  process.stdout.write(`${what.padEnd(26)}${value.toFixed(2).padStart(10)} ${unit}\n`)
}
mkdirSync('bench', { recursive: true })
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version }
writeFileSync(
  'bench/results.json',
  `${JSON.stringify({ at: new Date().toISOString(), machine, rows }, undefined, 2)}\n`,
)
process.exit(0)

async function sizes(): Promise<Row[]> {
  const vsix = await freshVsix()
  const files = { vsix, 'extension bundle': 'dist/extension.cjs', 'page bundle': 'dist/page.js' }
  return Object.entries(files).map(([what, path]) => ({ what, value: statSync(path).size / 1024, unit: 'KiB' }))
}

/** The same bytes through our client and through the least that a stream needs; the ratio holds on any machine. */
async function parsing(): Promise<Row[]> {
  const bytes = new TextEncoder().encode(
    `${Array.from({ length: 20_000 }, (_, at) => chunk(`word${at} `)).join('')}${end}`,
  )
  const pieces = split(bytes, 16 * 1024)
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await timed(() => readWithClient(pieces)))
    bare.push(await timed(() => readBare(pieces)))
  }
  const megabytes = bytes.byteLength / 1e6
  return [
    { what: 'parsing, our client', value: megabytes / (median(ours) / 1000), unit: 'MB/s' },
    { what: 'parsing, bare loop', value: megabytes / (median(bare) / 1000), unit: 'MB/s' },
    { what: 'parsing, ours to bare', value: median(bare) / median(ours), unit: 'ratio' },
  ]
}

async function readWithClient(pieces: readonly Uint8Array[]): Promise<void> {
  const http: Http = async () => answerOf(pieces)
  const client = new ChatCompletionsClient(http, () => 'http://127.0.0.1', systemClock)
  for await (const _ of client.stream(question, never));
}

async function readBare(pieces: readonly Uint8Array[]): Promise<void> {
  const decoder = new TextDecoder()
  const texts: string[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') texts.push(JSON.parse(data).choices[0]?.delta.content ?? '')
    },
  })
  for await (const piece of answerOf(pieces).body) parser.feed(decoder.decode(piece, { stream: true }))
  texts.join('')
}

/** What our layers add to the time until the first token arrives, against undici itself, on the same service. */
async function firstToken(): Promise<Row[]> {
  await using service = await startService({ plan: 'max' })
  const key = service.state.issueKey('bench@example.com', 'bench')
  const route = { proxy: undefined, authorization: undefined, strictTls: true, systemCertificates: false }
  const http = new UndiciHttp(() => route, systemClock)
  const agent = new Agent()
  const ours: number[] = []
  const raw: number[] = []
  for (let round = 0; round < rounds * 4; round++) {
    ours.push(await timed(() => firstOfOurs(http, service, key)))
    raw.push(await timed(() => firstOfRaw(agent, service, key)))
  }
  http.dispose()
  await agent.destroy()
  return [
    { what: 'first token, ours', value: median(ours), unit: 'ms' },
    { what: 'first token, raw undici', value: median(raw), unit: 'ms' },
  ]
}

async function firstOfOurs(http: UndiciHttp, service: Service, key: string): Promise<void> {
  const withKey: Http = asked => http.send({ ...asked, headers: { ...asked.headers, authorization: `Bearer ${key}` } })
  const client = new ChatCompletionsClient(withKey, () => service.baseUrl, systemClock)
  for await (const event of client.stream(question, never)) if (event.kind === 'text-delta') return
}

async function firstOfRaw(dispatcher: Agent, service: Service, key: string): Promise<void> {
  const { body } = await request(`${service.baseUrl}/v1/chat/completions`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: question.model, stream: true, messages: [{ role: 'user', content: 'Go on' }] }),
  })
  for await (const piece of body) if (String(piece).includes('"content"')) break
}

function chunk(text: string): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`
}

function answerOf(pieces: readonly Uint8Array[]): HttpAnswer {
  async function* body() {
    yield* pieces
  }
  return { host: 'bench', status: 200, headers: { 'content-type': 'text/event-stream' }, body: body(), close() {} }
}

function split(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
