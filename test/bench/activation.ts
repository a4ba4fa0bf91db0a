// How long the editor takes to load and activate the extension, beside one that does nothing, as the editor reports it.
import type { BrowserContext, Page } from '@playwright/test'
import { extensionHosts } from '../e2e/extensionHosts.ts'
import { cachedScripts, launchChromium } from '../editor/chromium.ts'
import { type Editor, startEditor } from '../editor/codeServer.ts'
import { freshVsix } from '../editor/extensionPackage.ts'
import { copySampleWorkspace } from '../editor/sampleWorkspace.ts'
import { openWindow, runCommand, windowContext } from '../editor/workbench.ts'
import { writtenExtension } from '../editor/writtenExtension.ts'
import { median } from './numbers.ts'
import type { Row } from './row.ts'

const WINDOWS = 9

/** Each figure is the sum of "Load Code" and "Call Activate", in ms, and the median of so many windows. */
export async function activation(): Promise<Row[]> {
  const workspace = copySampleWorkspace()
  const editor = await startEditor({
    workspace: workspace.folder,
    vsix: await freshVsix(),
    extensionFolder: writtenExtension({ name: 'empty', program: 'exports.activate = () => {}\n' }),
    // No other extension competes for the processor.
    builtIn: ['theme-defaults'],
  })
  const browser = await launchChromium({ args: [cachedScripts] })
  try {
    const ours: number[] = []
    const empty: number[] = []
    const context = await browser.newContext(tallWindow)
    // The first window compiles the editor itself, with which the extension would share the processor.
    await timesOfWindow(context, editor)
    for (let window = 0; window < WINDOWS; window++) {
      const times = await timesOfWindow(context, editor)
      ours.push(times['kourier.kourier'] ?? Number.NaN)
      empty.push(times['test.empty'] ?? Number.NaN)
    }
    const more = ours.map((value, at) => value - (empty[at] ?? 0))
    return [
      { what: 'load and activate, p50', value: median(ours), unit: 'ms' },
      { what: '  of an empty extension', value: median(empty), unit: 'ms' },
      { what: '  difference, p50', value: median(more), unit: 'ms' },
      { what: '  difference, worst', value: Math.max(...more), unit: `ms (of ${WINDOWS})` },
    ]
  } finally {
    await browser.close()
    await editor.close()
    workspace.remove()
  }
}

/** So tall that each line of the editor's page on its start is drawn. */
const tallWindow = { ...windowContext, viewport: { width: 1600, height: 9_000 } }

/** Milliseconds by extension, read from the editor's own page on its start. */
async function timesOfWindow(context: BrowserContext, editor: Editor): Promise<Readonly<Record<string, number>>> {
  const page = await openWindow(context, editor)
  try {
    await runCommand(page, 'Developer: Startup Performance')
    const row = (id: string) => page.locator('.view-line', { hasText: id }).filter({ hasText: '|' })
    await row('kourier.kourier').first().waitFor({ timeout: 60_000 })
    return Object.fromEntries(await Promise.all(['kourier.kourier', 'test.empty'].map(id => time(page, id))))
  } finally {
    await page.close()
    // The extension host of a closed window would live on for three hours.
    for (const host of extensionHosts(editor)) process.kill(host, 'SIGKILL')
  }
}

/** Its row is `| Extension | Eager | Load Code | Call Activate | Finish Activate | Event | By |`. */
async function time(page: Page, id: string): Promise<[string, number]> {
  const text = await page.locator('.view-line', { hasText: id }).filter({ hasText: '|' }).first().innerText()
  const [, , load, activate] = text
    .split('|')
    .map(cell => cell.trim())
    .filter(cell => cell !== '')
  return [id, Number(load) + Number(activate)]
}
