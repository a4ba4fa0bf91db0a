// The chat view's first appearance in a window, from the key of its command until its composer is drawn; and an empty view's.
import type { Page } from '@playwright/test'
import { EditorHarness, withoutGit } from '../e2e/editorHarness.ts'
import { EditorWindows } from '../e2e/editorWindows.ts'
import { ServiceHarness } from '../e2e/serviceHarness.ts'
import { cachedScripts, launchChromium } from '../editor/chromium.ts'
import { runCommand, statusBarItem, windowContext } from '../editor/workbench.ts'
import { emptyViewExtension, emptyViewKey } from './emptyView.ts'
import { median } from './numbers.ts'
import type { Row } from './row.ts'

const WINDOWS = 9
const openChatKey = 'Control+Alt+Shift+F1'

/**
 * In ms. Each window is a new load of the editor, in which neither view was shown: every other one shows the empty view, so
 * that both are measured under the same load of the machine.
 */
export async function firstView(): Promise<Row[]> {
  await using service = await ServiceHarness.start()
  await using harness = await EditorHarness.start({ builtIn: withoutGit, extensionFolder: emptyViewExtension() }, 0)
  const browser = await launchChromium({ args: [cachedScripts] })
  try {
    const context = await browser.newContext(windowContext)
    await context.addInitScript(watch)
    const windows = new EditorWindows(context, harness, service)
    await windows.prepare({ 'kourier.baseUrl': service.service.baseUrl })
    const { page } = await windows.openSignedIn()
    const times: { readonly ours: number[]; readonly empty: number[] } = { ours: [], empty: [] }
    // The first load compiles the editor itself.
    for (let load = 0; load <= 2 * WINDOWS; load++) {
      await page.keyboard.press('Control+Alt+Shift+F8')
      await page.locator('.part.sidebar').waitFor({ state: 'hidden' })
      // The editor's own reload keeps the layout, which that of the browser may lose.
      await page.evaluate('globalThis.isOld = true')
      await runCommand(page, 'Developer: Reload Window')
      await page.waitForFunction("!globalThis.isOld && document.querySelector('.monaco-workbench')")
      await statusBarItem(page, /Signed in to/).waitFor()
      await page.locator('.part.sidebar').waitFor({ state: 'hidden' })
      const which = load % 2 === 0 ? 'ours' : 'empty'
      const ms = await timeToComposer(page, which === 'ours' ? openChatKey : emptyViewKey)
      if (load > 0) times[which].push(ms)
    }
    const { ours, empty } = times
    return [
      { what: 'chat view, first shown, p50', value: median(ours), unit: 'ms' },
      { what: '  worst', value: Math.max(...ours), unit: `ms (of ${WINDOWS})` },
      { what: '  an empty view, p50', value: median(empty), unit: 'ms' },
      { what: '  worst', value: Math.max(...empty), unit: `ms (of ${WINDOWS})` },
    ]
  } finally {
    await browser.close()
  }
}

async function timeToComposer(page: Page, key: string): Promise<number> {
  await page.locator('.monaco-workbench').focus()
  await page.keyboard.press(key)
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
    if (event.key === 'F1' || event.key === 'F12') globalThis.pressedAt = performance.timeOrigin + event.timeStamp
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
