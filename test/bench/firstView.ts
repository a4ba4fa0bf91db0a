// The chat view's first appearance in a window: how long from the key of its command until its composer is drawn.
import type { Page } from '@playwright/test'
import { EditorHarness, withoutGit } from '../e2e/editorHarness.ts'
import { EditorWindows } from '../e2e/editorWindows.ts'
import { ServiceHarness } from '../e2e/serviceHarness.ts'
import { cachedScripts, launchChromium } from '../editor/chromium.ts'
import { runCommand, statusBarItem, windowContext } from '../editor/workbench.ts'
import { median } from './numbers.ts'
import type { Row } from './row.ts'

const WINDOWS = 9
const openChatKey = 'Control+Alt+Shift+F1'

/** In ms. Each window is a new load of the editor, in which the view was never shown. */
export async function firstView(): Promise<Row[]> {
  await using service = await ServiceHarness.start()
  await using harness = await EditorHarness.start({ builtIn: withoutGit }, 0)
  const browser = await launchChromium({ args: [cachedScripts] })
  try {
    const context = await browser.newContext(windowContext)
    await context.addInitScript(watch)
    const windows = new EditorWindows(context, harness, service)
    await windows.prepare({ 'kourier.baseUrl': service.service.baseUrl })
    const { page } = await windows.openSignedIn()
    const times: number[] = []
    // The first load compiles the editor itself.
    for (let load = 0; load <= WINDOWS; load++) {
      await page.keyboard.press('Control+Alt+Shift+F8')
      await page.locator('.part.sidebar').waitFor({ state: 'hidden' })
      // The editor's own reload keeps the layout, which that of the browser may lose.
      await page.evaluate('globalThis.isOld = true')
      await runCommand(page, 'Developer: Reload Window')
      await page.waitForFunction("!globalThis.isOld && document.querySelector('.monaco-workbench')")
      await statusBarItem(page, /Signed in to/).waitFor()
      await page.locator('.part.sidebar').waitFor({ state: 'hidden' })
      times.push(await timeToComposer(page))
    }
    const measured = times.slice(1)
    return [
      { what: 'chat view, first shown, p50', value: median(measured), unit: 'ms' },
      { what: '  worst', value: Math.max(...measured), unit: `ms (of ${WINDOWS})` },
    ]
  } finally {
    await browser.close()
  }
}

async function timeToComposer(page: Page): Promise<number> {
  await page.locator('.monaco-workbench').focus()
  await page.keyboard.press(openChatKey)
  const pressedAt = await page.evaluate<number>('globalThis.pressedAt')
  for (;;) {
    for (const frame of page.frames()) {
      const drawnAt = await frame.evaluate<number | undefined>('globalThis.composerDrawnAt').catch(() => undefined)
      if (drawnAt !== undefined) return drawnAt - pressedAt
    }
  }
}

/** Runs in every frame, before its own scripts. */
const watch = `
  document.addEventListener('keydown', event => {
    if (event.key === 'F1') globalThis.pressedAt = performance.timeOrigin + event.timeStamp
  }, true)
  // The document of a webview is written anew after this has run, so nothing that listens to it would stay.
  const look = () => {
    const box = document.querySelector('#root .composer textarea')
    if (!box || box.disabled) return setTimeout(look, 2)
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => { globalThis.composerDrawnAt = performance.timeOrigin + performance.now() }
      channel.port2.postMessage('')
    })
  }
  if (self !== top) look()
`
