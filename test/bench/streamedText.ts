// What the page does while an answer streams into it: measured inside a real browser, with its own clock.
import type { CDPSession, Page } from '@playwright/test'
import type { ToPage } from '../../src/protocol/panel.ts'
import type { ChatPage } from '../webview/chatPage.ts'

export interface StreamFigures {
  /** From the last byte until its text was painted. */
  readonly lateMs: number
  readonly longestTaskMs: number
  readonly tookMs: number
  /** The part of the time that the main thread worked, in percent. */
  readonly busyPercent: number
  /** From each key to the frame that shows it. */
  readonly keyMs: readonly number[]
}

/** Posts the messages, one after each pause, while a person types; the last one ends with `The end`. */
export async function streamInto(
  chat: ChatPage,
  messages: readonly ToPage[],
  pauseMs: number,
  isTyping: boolean,
): Promise<StreamFigures> {
  const { page } = chat
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.evaluate(driver)
  await page.evaluate(`globalThis.queue = ${JSON.stringify(messages)}`)
  const before = await taskSeconds(session)
  const ended = page.evaluate<Streamed>(`stream(${pauseMs})`)
  const whenEnded = ended.then(() => true)
  if (isTyping) await typeUntil(page, whenEnded)
  const { lateMs, longestTaskMs, tookMs, keyMs } = await ended
  const seconds = (await taskSeconds(session)) - before
  await session.detach()
  return { lateMs, longestTaskMs, tookMs, busyPercent: (seconds * 100_000) / tookMs, keyMs }
}

type Streamed = Omit<StreamFigures, 'busyPercent'>

/** Some eight keys a second, which is fast. */
async function typeUntil(page: Page, whenEnded: Promise<unknown>): Promise<void> {
  let isOver = false
  void whenEnded.then(() => (isOver = true))
  await page.getByRole('textbox', { name: 'Message' }).focus()
  while (!isOver) await page.keyboard.type('typing ', { delay: 120 })
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

const driver = `
  globalThis.stream = async pauseMs => {
    const tasks = []
    const keys = []
    const watch = new PerformanceObserver(list => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    watch.observe({ type: 'longtask' })
    // A message that is posted while a frame is made comes after its paint.
    const afterFrame = () => new Promise(done => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => done(performance.now())
      channel.port2.postMessage('')
    })
    const afterPaint = () => new Promise(requestAnimationFrame).then(afterFrame)
    const onKey = async event => keys.push((await afterPaint()) - event.timeStamp)
    document.addEventListener('keydown', onKey, true)
    const start = performance.now()
    for (let at = 0; at < queue.length;) {
      const due = Math.min(queue.length, Math.floor((performance.now() - start) / pauseMs) + 1)
      while (at < due) postMessage(queue[at++], location.origin)
      await new Promise(done => setTimeout(done, Math.max(1, start + at * pauseMs - performance.now())))
    }
    const last = performance.now()
    const isDrawn = () => [...document.querySelectorAll('.log .blocks')].at(-1)?.lastElementChild?.textContent.includes('The end')
    while (!isDrawn()) await new Promise(requestAnimationFrame)
    const drawn = await afterFrame()
    await new Promise(done => setTimeout(done, 100))
    watch.disconnect()
    document.removeEventListener('keydown', onKey, true)
    return { lateMs: drawn - last, longestTaskMs: Math.max(0, ...tasks), tookMs: drawn - start, keyMs: keys }
  }
`
