// The chat's transcript: fast streams, typing meanwhile, and long conversations, measured in the page itself.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { systemClock } from '../../src/base/clock.ts'
import { ConversationLog } from '../../src/core/conversation/conversationLog.ts'
import { eventLine, headerLine } from '../../src/core/conversation/journalLines.ts'
import { Log } from '../../src/core/log/log.ts'
import { ConversationFeed, type ConversationSource } from '../../src/editor/chat/conversationFeed.ts'
import { JournalFile } from '../../src/node/history/journalFile.ts'
import { emptyConversation, replay } from '../../src/protocol/conversationState.ts'
import { newestTurns, windowOf } from '../../src/protocol/conversationWindow.ts'
import type { ToPage } from '../../src/protocol/panel.ts'
import { launchChromium } from '../editor/chromium.ts'
import { PageConversation } from '../support/pageConversation.ts'
import { ChatPage, PageServer } from '../webview/chatPage.ts'
import { longConversation, partId, turnId } from './longConversation.ts'
import { longMarkdown, oneBlock } from './longMarkdown.ts'
import { median, percentile } from './numbers.ts'
import type { Row } from './row.ts'
import { type StreamFigures, streamInto } from './streamedText.ts'

const CHARS_PER_TOKEN = 4
const never = new AbortController().signal
/** The extension sends at most one message per frame. */
const FRAME_MS = 16

export async function transcript(): Promise<Row[]> {
  const server = await PageServer.start()
  const browser = await launchChromium()
  try {
    const fast = await streamed(browser, server, { tokens: 20_000, perSecond: 1_000 })
    const usual = await streamed(browser, server, { tokens: 4_000, perSecond: 100 })
    return [
      ...rowsOf('20,000 tokens at 1,000/s', fast),
      ...rowsOf('4,000 tokens at 100/s', usual),
      ...(await growing(browser, server)),
      ...(await opening(browser, server)),
      ...(await tokenCost(browser, server)),
    ]
  } finally {
    await browser.close()
    server.close()
  }
}

/** One block of 30 KB, which is open until its end. */
async function growing(browser: Browser, server: PageServer): Promise<Row[]> {
  const rows: Row[] = []
  for (const kind of ['list', 'table', 'paragraph'] as const) {
    const stream = { tokens: 7_500, perSecond: 500, text: oneBlock(kind, 30_000) }
    const { busyPercent, longestTaskMs } = await streamed(browser, server, stream)
    rows.push({ what: `page, a ${kind} of 30 KB at 500/s, main thread busy`, value: busyPercent, unit: '%' })
    rows.push({ what: '  longest task (0: none over 50)', value: longestTaskMs, unit: 'ms' })
  }
  return rows
}

const TURNS = 5_000

/** From the journal on disk to the end of the conversation on screen, then through it by wheel. */
async function opening(browser: Browser, server: PageServer): Promise<Row[]> {
  const times: number[] = []
  let rows: Row[] = []
  const folder = mkdtempSync(join(tmpdir(), 'kourier-bench-'))
  const path = join(folder, 'long.jsonl')
  writeFileSync(path, headerLine('long') + longConversation('long', TURNS).map(eventLine).join(''))
  for (let round = 0; round < 5; round++) {
    const page = await browser.newPage()
    const chat = await ChatPage.open(page, server)
    await chat.post({ kind: 'account', account: { is: 'in', service: 'Kourier' } })
    await page.evaluate(opener)
    const start = performance.now()
    const source = await openJournal(path)
    const loadedMs = performance.now() - start
    const feeding = feedPage(chat, source)
    const drawnMs = await page.evaluate<number>('whenDrawn()')
    times.push(loadedMs + feeding.sentMs + drawnMs)
    if (round === 4) rows = await scrolling(chat, loadedMs, drawnMs)
    feeding.stop()
    await page.close()
  }
  rmSync(folder, { recursive: true })
  return [
    { what: 'conversation of 10,000 messages, opened', value: median(times), unit: 'ms' },
    { what: '  worst', value: Math.max(...times), unit: 'ms (of 5)' },
    ...rows,
  ]
}

async function openJournal(path: string): Promise<ConversationSource> {
  const options = { conversation: 'long', path, clock: systemClock, log: new Log(), isAlive: () => true }
  const log = await ConversationLog.open({ journal: new JournalFile(options), clock: systemClock }, never)
  return { id: 'long', onDidAppend: log.onDidAppend, conversation: log.state, flush: () => log.flush() }
}

/** In place of the extension: a feed on one side, the page on the other. */
function feedPage(chat: ChatPage, conversation: ConversationSource): { readonly sentMs: number; stop(): void } {
  const start = performance.now()
  const texts: string[] = []
  const feed = new ConversationFeed({
    conversation,
    clock: systemClock,
    send: message => {
      texts.push(JSON.stringify(message))
      void chat.page.evaluate(`take(${texts.at(-1)})`)
    },
  })
  feed.replay()
  const sentMs = performance.now() - start
  let isOver = false
  const answer = async () => {
    while (!isOver) feed.sendTurns((await chat.received('turns')).turns)
  }
  void answer()
  return {
    sentMs,
    stop() {
      isOver = true
      feed.dispose()
    },
  }
}

const opener = `
  globalThis.tasks = []
  new PerformanceObserver(list => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
  globalThis.take = message => {
    globalThis.takenAt ??= performance.now()
    postMessage(message, location.origin)
  }
  globalThis.whenDrawn = async () => {
    const isDrawn = () => {
      const log = document.querySelector('.log')
      const last = log?.querySelector('article:last-of-type .blocks')
      return last && log.scrollHeight - log.scrollTop - log.clientHeight < 2
    }
    while (!isDrawn()) await new Promise(requestAnimationFrame)
    await new Promise(done => requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = done
      channel.port2.postMessage('')
    }))
    return performance.now() - takenAt
  }
`

async function scrolling(chat: ChatPage, loadedMs: number, drawnMs: number): Promise<Row[]> {
  const { page } = chat
  await page.getByRole('log').hover()
  await page.evaluate('tasks.length = 0')
  for (let notch = 0; notch < 300; notch++) await page.mouse.wheel(0, notch % 50 === 49 ? -30_000 : -400)
  await page.evaluate('new Promise(done => setTimeout(done, 300))')
  const longest = await page.evaluate<number>('Math.max(0, ...tasks)')
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const drawn = await page.evaluate<number>("document.querySelectorAll('article').length")
  return [
    { what: '  of that the journal', value: loadedMs, unit: 'ms' },
    { what: '  of that the page', value: drawnMs, unit: 'ms' },
    { what: '  longest task while scrolling', value: longest, unit: 'ms (0: none over 50)' },
    { what: '  page’s heap then', value: usedSize / 2 ** 20, unit: 'MiB' },
    { what: '  messages in the document then', value: drawn, unit: 'articles' },
  ]
}

/** What the main thread works for one token of an answer, after 10 messages and after 10,000. */
async function tokenCost(browser: Browser, server: PageServer): Promise<Row[]> {
  const costs: number[][] = [[], []]
  for (let round = 0; round < 3; round++) {
    for (const [at, turns] of [5, 2_500].entries()) costs[at]?.push(await costAfter(browser, server, turns))
  }
  const [few = 0, many = 0] = costs.map(median)
  return [
    { what: 'per token at message 10', value: few * 1_000, unit: 'µs of the main thread' },
    { what: '  at message 5,000', value: many * 1_000, unit: 'µs of the main thread' },
    { what: '  ratio', value: many / few, unit: 'ratio' },
  ]
}

async function costAfter(browser: Browser, server: PageServer, turns: number): Promise<number> {
  const page = await browser.newPage()
  const chat = await ChatPage.open(page, server)
  const events = longConversation('c', turns, true)
  const state = replay(events, emptyConversation('c'))
  await chat.post(
    { kind: 'account', account: { is: 'in', service: 'Kourier' } },
    { kind: 'replay', conversation: 'c', window: windowOf(state, newestTurns(state)) },
  )
  await page.evaluate('new Promise(done => setTimeout(done, 500))')
  const tokens = 2_000
  const text = `${longMarkdown(tokens * CHARS_PER_TOKEN)}\n\nThe end`
  const size = 8 * CHARS_PER_TOKEN
  const messages: ToPage[] = []
  const delta = { kind: 'text-delta', conversation: 'c', turn: turnId(turns - 1), part: partId(turns - 1) } as const
  for (let at = 0, n = state.n + 1; at < text.length; at += size, n++) {
    const event = { ...delta, n, time: n, offset: at, text: text.slice(at, at + size) }
    messages.push({ kind: 'events', conversation: 'c', events: [event] })
  }
  const { busyPercent, tookMs } = await streamInto(chat, messages, FRAME_MS, false)
  await page.close()
  return (busyPercent * tookMs) / 100 / tokens
}

interface Stream {
  readonly tokens: number
  readonly perSecond: number
  /** Else a usual answer. */
  readonly text?: string
}

async function streamed(browser: Browser, server: PageServer, stream: Stream): Promise<StreamFigures> {
  const { tokens, perSecond } = stream
  const page = await browser.newPage()
  const chat = await ChatPage.open(page, server)
  const conversation = new PageConversation()
  const begun = { role: 'assistant', id: 'a', text: '', state: 'streaming' } as const
  await chat.post(
    { kind: 'account', account: { is: 'in', service: 'Kourier' } },
    conversation.replay({ role: 'user', text: 'Go on' }, begun),
  )
  const text = `${stream.text ?? longMarkdown(tokens * CHARS_PER_TOKEN)}\n\nThe end`
  const pauseMs = Math.max(FRAME_MS, 1000 / perSecond)
  const size = Math.round((perSecond * pauseMs) / 1000) * CHARS_PER_TOKEN
  const messages: ToPage[] = []
  for (let at = 0; at < text.length; at += size) messages.push(conversation.delta(at, text.slice(at, at + size)))
  const figures = await streamInto(chat, messages, pauseMs, true)
  await page.close()
  return figures
}

function rowsOf(what: string, { lateMs, longestTaskMs, busyPercent, keyMs }: StreamFigures): Row[] {
  return [
    { what: `page, ${what}, drawn after`, value: lateMs, unit: 'ms' },
    { what: '  longest task (0: none over 50)', value: longestTaskMs, unit: 'ms' },
    { what: '  main thread busy', value: busyPercent, unit: '%' },
    { what: '  key to paint, p95', value: percentile(keyMs, 0.95), unit: `ms (of ${keyMs.length})` },
    { what: '  key to paint, worst', value: Math.max(0, ...keyMs), unit: 'ms' },
  ]
}
