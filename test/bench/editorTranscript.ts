// The chat in the real editor: how long after the last byte of a fast answer its end is drawn, and typing meanwhile.
import type { Frame, Page } from '@playwright/test'
import { EditorHarness, withoutGit } from '../e2e/editorHarness.ts'
import { EditorWindows } from '../e2e/editorWindows.ts'
import { ServiceHarness } from '../e2e/serviceHarness.ts'
import { cachedScripts, launchChromium } from '../editor/chromium.ts'
import { ask, openChat, statusBarItem, windowContext } from '../editor/workbench.ts'
import { Gate } from '../localService/replies.ts'
import { longMarkdown } from './longMarkdown.ts'
import { percentile } from './numbers.ts'
import type { Row } from './row.ts'
import { watchKeys } from './watchKeys.ts'

const CHARS_PER_TOKEN = 4

interface Stream {
  readonly tokens: number
  readonly perSecond: number
}

export async function editorTranscript(): Promise<Row[]> {
  await using service = await ServiceHarness.start()
  await using harness = await EditorHarness.start({ builtIn: withoutGit }, 0)
  const browser = await launchChromium({ args: [cachedScripts] })
  try {
    const windows = new EditorWindows(await browser.newContext(windowContext), harness, service)
    await windows.prepare({ 'kourier.baseUrl': service.service.baseUrl })
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    const chat = await openChat(page)
    await chat.getByRole('textbox', { name: 'Message' }).waitFor()
    const rows: Row[] = []
    for (const stream of [
      { tokens: 4_000, perSecond: 100 },
      { tokens: 10_000, perSecond: 500 },
      { tokens: 20_000, perSecond: 1_000 },
    ])
      rows.push(...(await streamed(page, service, stream)))
    return rows
  } finally {
    await browser.close()
  }
}

async function streamed(page: Page, { service }: ServiceHarness, { tokens, perSecond }: Stream): Promise<Row[]> {
  const chat = await openChat(page)
  const text = longMarkdown(tokens * CHARS_PER_TOKEN)
  const chunks = Array.from({ length: tokens }, (_, at) => text.slice(at * CHARS_PER_TOKEN, (at + 1) * CHARS_PER_TOKEN))
  const end = `The end of ${tokens}`
  const gate = new Gate(tokens)
  service.replies.add({ tokens: [...chunks, `\n\n${end}`], tokensPerSecond: perSecond, gate })
  await ask(chat, `Go on for ${tokens} tokens`)
  const frame = await frameOfChat(page)
  await frame.evaluate(watch)
  const watched = frame.evaluate<Watched>(`drawn(${JSON.stringify(end)})`)
  let isOver = false
  const last = gate.reached.then(() => {
    isOver = true
    gate.release()
    return Date.now()
  })
  await chat.getByRole('textbox', { name: 'Message' }).focus()
  while (!isOver) await page.keyboard.type('typing ', { delay: 120 })
  const lastByteAt = await last
  const { drawnAt, tasks, keyMs } = await watched
  const what = `editor, ${tokens.toLocaleString('en')} tokens at ${perSecond.toLocaleString('en')}/s`
  return [
    { what: `${what}, drawn after`, value: drawnAt - lastByteAt, unit: 'ms' },
    { what: '  longest task (0: none over 50)', value: Math.max(0, ...tasks), unit: `ms (${tasks.length} over 50)` },
    { what: '  key to paint, p95', value: percentile(keyMs, 0.95), unit: `ms (of ${keyMs.length})` },
    { what: '  key to paint, worst', value: Math.max(0, ...keyMs), unit: 'ms' },
  ]
}

interface Watched {
  readonly drawnAt: number
  readonly tasks: readonly number[]
  readonly keyMs: readonly number[]
}

async function frameOfChat(page: Page): Promise<Frame> {
  for (const frame of page.frames()) {
    if (await frame.evaluate<boolean>("document.querySelector('#root .composer') !== null").catch(() => false))
      return frame
  }
  throw new Error('The chat has no frame.')
}

const watch = `
  ${watchKeys}
  globalThis.tasks = []
  globalThis.taskWatch?.disconnect()
  globalThis.taskWatch = new PerformanceObserver(list => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  taskWatch.observe({ type: 'longtask' })
  globalThis.drawn = async text => {
    const isDrawn = () => [...document.querySelectorAll('.log .blocks')].at(-1)?.lastElementChild?.textContent.includes(text)
    while (!isDrawn()) await new Promise(requestAnimationFrame)
    await afterFrame()
    return { drawnAt: Date.now(), tasks, keyMs: keys }
  }
`
