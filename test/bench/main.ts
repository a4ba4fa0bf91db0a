// Measures, prints a table and writes `bench/results.json`; never judges a time.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { createParser } from 'eventsource-parser'
import { systemClock } from '../../src/base/clock.ts'
import type { Http, HttpAnswer } from '../../src/core/http/http.ts'
import { collect } from '../../src/core/model/collect.ts'
import type { ModelClient, ModelRequest } from '../../src/core/model/modelClient.ts'
import { QueuedClient } from '../../src/core/model/queuedClient.ts'
import { type SurfaceId, surfaceIds } from '../../src/core/model/surfaceIds.ts'
import { TokenCounter } from '../../src/core/model/tokenCounter.ts'
import { requestTokens } from '../../src/core/model/tokenEstimate.ts'
import { Scheduler } from '../../src/core/schedule/scheduler.ts'
import { UndiciHttp } from '../../src/node/http/undiciHttp.ts'
import { SharedSlots } from '../../src/node/schedule/sharedSlots.ts'
import { freshVsix } from '../editor/extensionPackage.ts'
import { startService } from '../localService/server.ts'
import { userMessage } from '../support/messages.ts'
import { surfaceClient } from '../support/surfaceClient.ts'
import { direct } from '../support/wire.ts'
import { activation } from './activation.ts'
import { clientMemory } from './clientMemory.ts'
import { editorTranscript } from './editorTranscript.ts'
import { editorTyping } from './editorTyping.ts'
import { fileSearch } from './fileSearch.ts'
import { firstView } from './firstView.ts'
import { giveWay } from './giveWay.ts'
import { historyTimes } from './history.ts'
import { httpVersions } from './httpVersions.ts'
import { latency } from './latency.ts'
import { lateText } from './lateText.ts'
import { load } from './load.ts'
import { type Frame, longStreams } from './longStreams.ts'
import { nextEdits } from './nextEdits.ts'
import { median, timed } from './numbers.ts'
import { pageMemory } from './pageMemory.ts'
import type { Row } from './row.ts'
import { transcript } from './transcript.ts'
import { ownTime } from './typing/ownTime.ts'
import { typingReplay } from './typing/typingReplay.ts'

const question: ModelRequest = { model: 'kourier-1-0815', messages: [userMessage('Go on')], lane: 'chat' }
const never = new AbortController().signal
const rounds = 15

const rows = [
  ...(await sizes()),
  ...(await activation()),
  ...(await parsing()),
  ...(await counting()),
  ...(await fileSearch()),
  ...(await latency()),
  ...(await httpVersions()),
  ...(await scheduling()),
  ...(await giveWay()),
  ...(await clientMemory()),
  ...(await pageMemory()),
  ...(await transcript()),
  ...(await firstView()),
  ...(await editorTranscript()),
  ...(await editorTyping()),
  ...(await lateText()),
  ...(await historyTimes()),
  ...(await load()),
  ...(await nextEdits()),
  ...(await ownTime()),
]
const typing = await typingReplay()
for (const { what, value, unit } of rows) {
  process.stdout.write(`${what.padEnd(34)}${value.toFixed(2).padStart(10)} ${unit}\n`)
}
process.stdout.write(`\n${typing.table}`)
mkdirSync('bench', { recursive: true })
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version }
writeFileSync(
  'bench/results.json',
  `${JSON.stringify({ at: new Date().toISOString(), machine, rows: [...rows, ...typing.rows] }, undefined, 2)}\n`,
)
process.exit(0)

async function sizes(): Promise<Row[]> {
  const vsix = await freshVsix()
  const later = readdirSync('dist').filter(name => name.endsWith('.cjs') && name !== 'extension.cjs')
  const files = {
    vsix: [vsix],
    'extension, at the start': ['dist/extension.cjs'],
    'extension, later': later.map(name => join('dist', name)),
    'page bundle': ['dist/page/page.js'],
  }
  const rows = Object.entries(files).map(([what, paths]) => {
    const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
    return { what, value: bytes / 1024, unit: 'KiB' }
  })
  const firstLoad = ['dist/page/page.js', 'dist/page/chat.css'].reduce(
    (sum, path) => sum + gzipSync(readFileSync(path)).length,
    0,
  )
  return [...rows, { what: '  with its styles, compressed', value: firstLoad / 1024, unit: 'KiB' }, ...shares()]
}

/** What parts take of the package. */
function shares(): Row[] {
  const fonts = readdirSync('dist/page/fonts').map(name => `page/fonts/${name}`)
  const parts = {
    Mermaid: ['diagram.js.br'],
    KaTeX: ['math.js.br', 'page/math.css'],
    'the fonts of formulas': fonts,
    'the WebAssembly of the tokenizer': ['onig.wasm.br'],
  }
  return Object.entries(parts).map(([what, names]) => {
    const bytes = names.reduce((sum, name) => sum + deflateRawSync(readFileSync(join('dist', name))).length, 0)
    return { what: `  of the package, ${what}`, value: bytes / 1024, unit: 'KiB' }
  })
}

/**
 * The same bytes through our client and through the least that a stream needs, one right after the other: the ratio of a
 * round holds on any machine and under any load.
 */
async function parsing(): Promise<Row[]> {
  const rows: Row[] = []
  for (const surface of surfaceIds) {
    const { body, textIn } = longStreams[surface]
    const bytes = new TextEncoder().encode(body)
    const chunks = split(bytes, 16 * 1024)
    const ours: number[] = []
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const oursMs = await timed(() => readWithClient(chunks, surface))
      const bareMs = await timed(() => readBare(chunks, textIn))
      ours.push(oursMs)
      ratios.push(bareMs / oursMs)
    }
    const megabytes = bytes.byteLength / 1e6
    rows.push({ what: `parsing, ${surface}`, value: megabytes / (median(ours) / 1000), unit: 'MB/s' })
    rows.push({ what: '  to the bare loop', value: median(ratios), unit: 'ratio' })
  }
  return rows
}

async function readWithClient(chunks: readonly Uint8Array[], surface: SurfaceId): Promise<void> {
  const client = surfaceClient(async () => answerOf(chunks), 'http://127.0.0.1', systemClock, surface)
  for await (const _ of client.stream(question, never));
}

async function readBare(chunks: readonly Uint8Array[], textIn: (frame: Frame) => unknown): Promise<void> {
  const decoder = new TextDecoder()
  const texts: unknown[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') texts.push(textIn(JSON.parse(data)) ?? '')
    },
  })
  for await (const chunk of answerOf(chunks).body) parser.feed(decoder.decode(chunk, { stream: true }))
  texts.join('')
}

/** How far the estimate of tokens is from the service's count: of the first text, and once it has learned from some. */
async function counting(): Promise<Row[]> {
  await using service = await startService({ plan: 'max' })
  const key = service.state.issueKey('bench@example.com', 'bench')
  const http = new UndiciHttp(() => direct, systemClock)
  const counter = new TokenCounter()
  const client = surfaceClient(withKey(http, key), service.baseUrl, systemClock)
  const raw: number[] = []
  const corrected: number[] = []
  for (const text of corpus()) {
    const request: ModelRequest = { ...question, messages: [userMessage(text)] }
    const { tokens } = counter.count(request)
    service.replies.add({ text: 'ok' })
    const { usage } = await collect(client.stream(request, never))
    if (!usage) continue
    raw.push(Math.abs(requestTokens(request) / usage.input - 1) * 100)
    corrected.push(Math.abs(tokens / usage.input - 1) * 100)
    counter.learn(request, usage.input)
  }
  http.dispose()
  return [
    { what: `tokens of ${raw.length} files, first`, value: median(raw), unit: '% off' },
    { what: '  once corrected', value: median(corrected.slice(corrected.length / 2)), unit: '% off' },
  ]
}

/** The project's own files: code, prose, data. */
function corpus(): string[] {
  const names = ['src', 'test', 'media', '.'].flatMap(top =>
    readdirSync(top, { recursive: top !== '.', encoding: 'utf8' }).map(name => `${top}/${name}`),
  )
  return names
    .filter(name => /\.(ts|tsx|md|json|css|sql|py|go)$/.test(name) && !/node_modules|package-lock/.test(name))
    .map(name => readFileSync(name, 'utf8').slice(0, 100_000))
    .filter(text => text.length > 1_500)
}

/** One request after the other, so that nobody waits: what the line for slots costs, here and from another window. */
async function scheduling(): Promise<Row[]> {
  await using service = await startService({ plan: 'max' })
  const key = service.state.issueKey('bench@example.com', 'bench')
  const http = new UndiciHttp(() => direct, systemClock)
  const bare = surfaceClient(withKey(http, key), service.baseUrl, systemClock)
  const folder = mkdtempSync(join(tmpdir(), 'kourier-bench-'))
  const windows = ['keeper', 'guest'].map(label => windowOn(folder, label, bare))
  const clients = [bare, ...windows.map(({ client }) => client)]
  const times: number[][] = clients.map(() => [])
  for (const client of clients) await ask(client)
  for (let round = 0; round < rounds * 20; round++) {
    for (const [at, client] of clients.entries()) times[at]?.push(await timed(() => ask(client)))
  }
  for (const window of windows) window.close()
  http.dispose()
  rmSync(folder, { recursive: true, force: true })
  const [none = 0, leader = 0, client = 0] = times.map(all => 1000 / median(all))
  return [
    { what: 'requests, no scheduler', value: none, unit: 'per s' },
    { what: 'requests, scheduler', value: leader, unit: 'per s' },
    { what: 'requests, scheduler elsewhere', value: client, unit: 'per s' },
    { what: 'requests, scheduler to none', value: leader / none, unit: 'ratio' },
    { what: 'requests, elsewhere to none', value: client / none, unit: 'ratio' },
  ]
}

function windowOn(folder: string, label: string, surface: ModelClient): { client: ModelClient; close(): void } {
  const slots = new SharedSlots({ folder, label: () => label, clock: systemClock, log: () => {} })
  const line = new Scheduler(slots, { clock: systemClock, account: () => 'bench', fixed: () => 0 })
  const close = () => {
    line.dispose()
    slots.dispose()
  }
  return { client: new QueuedClient(surface, line, systemClock), close }
}

async function ask(client: ModelClient): Promise<void> {
  for await (const _ of client.stream(question, never));
}

function withKey(http: UndiciHttp, key: string): Http {
  return asked => http.send({ ...asked, headers: { ...asked.headers, authorization: `Bearer ${key}` } })
}

function answerOf(chunks: readonly Uint8Array[]): HttpAnswer {
  async function* body() {
    yield* chunks
  }
  return { host: 'bench', status: 200, headers: { 'content-type': 'text/event-stream' }, body: body(), close() {} }
}

function split(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}
