// From the last byte of a completion to its grey text in the real editor, beside an extension that does nothing else.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { EditorHarness, withoutGit } from '../e2e/editorHarness.ts'
import { EditorWindows } from '../e2e/editorWindows.ts'
import { ServiceHarness } from '../e2e/serviceHarness.ts'
import { cachedScripts, launchChromium } from '../editor/chromium.ts'
import { changeSettings, closeFiles, goTo, openFile, statusBarItem, windowContext } from '../editor/workbench.ts'
import { writtenExtension } from '../editor/writtenExtension.ts'
import { percentile } from './numbers.ts'
import type { Row } from './row.ts'
import { TruthServer } from './truthServer.ts'

const TIMES = 15
/** Later than the editor's call is kept waiting, so that the text is delivered by having the editor call again. */
const FIRST_TOKEN_MS = 900
const line = 'value = compute(first, second, third)'

export async function lateText(): Promise<Row[]> {
  await using model = await TruthServer.start({
    firstTokenMs: FIRST_TOKEN_MS,
    tokensPerSecond: Number.POSITIVE_INFINITY,
  })
  await using service = await ServiceHarness.start({ upstream: { url: model.url, model: 'truth' } })
  await using least = await LeastProvider.start()
  await using harness = await EditorHarness.start({ builtIn: withoutGit, extensionFolder: least.extension }, 0)
  const browser = await launchChromium({ args: [cachedScripts] })
  try {
    const windows = new EditorWindows(await browser.newContext(windowContext), harness, service)
    const settings = { 'kourier.baseUrl': service.service.baseUrl }
    await windows.prepare(settings)
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    await page.evaluate(watch)
    const { workspace } = harness.editor
    const ours = await delays(page, workspace, model)
    await changeSettings(page, harness.editor, { 'kourier.completions.enabled': { '*': false } })
    await page.evaluate(watch)
    const others = await delays(page, workspace, model, () => least.send(line))
    return [
      { what: 'editor, last byte to grey text, p50', value: percentile(ours, 0.5), unit: `ms (of ${ours.length})` },
      { what: '  p95', value: percentile(ours, 0.95), unit: 'ms' },
      { what: '  of an extension that only shows it, p50', value: percentile(others, 0.5), unit: 'ms' },
      { what: '  p95', value: percentile(others, 0.95), unit: 'ms' },
    ]
  } finally {
    await browser.close()
  }
}

/** `deliver`: resolves with the time at which the text had left; without it the model's answer is awaited. */
async function delays(
  page: Page,
  workspace: string,
  model: TruthServer,
  deliver?: () => Promise<number>,
): Promise<number[]> {
  const all: number[] = []
  for (let at = 0; at < TIMES; at++) {
    const path = `late${at}.py`
    model.text = `first = 1\n${line}\n`
    writeFileSync(join(workspace, path), 'first = 1\n')
    await openFile(page, path)
    await goTo(page, 2)
    await page.keyboard.type('v')
    await page.waitForTimeout(FIRST_TOKEN_MS - 100)
    const shown = page.evaluate<number>('globalThis.ghostAt()')
    const sentAt = await deliver?.()
    const shownAt = await shown
    // Now and then the editor does not call after a key in a file that has just been opened.
    if (shownAt > 0) all.push(shownAt - (sentAt ?? model.lastByteAt))
    await closeFiles(page)
  }
  return all
}

/** An extension that shows what it is sent over a socket, in the same way. */
class LeastProvider implements AsyncDisposable {
  readonly #server = createServer(socket => void this.#sockets.push(socket))
  readonly #sockets: Socket[] = []
  extension = ''

  static async start(): Promise<LeastProvider> {
    const made = new LeastProvider()
    made.#server.listen(0, '127.0.0.1')
    await once(made.#server, 'listening')
    const { port } = made.#server.address() as AddressInfo
    made.extension = writtenExtension({ name: 'least', program: program.replace('PORT', `${port}`) })
    return made
  }

  async send(text: string): Promise<number> {
    for (const socket of this.#sockets) socket.write(text)
    return Date.now()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const program = `
const { commands, languages, window, Range } = require('vscode')
let text = ''
exports.activate = () => {
  languages.registerInlineCompletionItemProvider({ pattern: '**' }, {
    provideInlineCompletionItems: (document, position) => {
      const shown = text
      text = ''
      return shown ? [{ insertText: shown, range: new Range(position.line, 0, position.line, position.character) }] : []
    },
  })
  require('node:net').connect(PORT, '127.0.0.1').setEncoding('utf8').on('data', received => {
    text = received
    if (window.activeTextEditor) commands.executeCommand('editor.action.inlineSuggest.trigger')
  })
}
`

/** When the grey text was first in the document, which is drawn with the next frame; 0 where it does not come. */
const watch = `
  globalThis.ghostAt = () => new Promise(resolve => {
    setTimeout(() => resolve(0), 5_000)
    const find = () => document.querySelector(
      '.view-lines :is(.ghost-text-decoration, .ghost-text-decoration-preview, .ghost-text)')
    const end = () => resolve(performance.timeOrigin + performance.now())
    if (find()) return end()
    const seen = new MutationObserver(() => {
      if (!find()) return
      seen.disconnect()
      end()
    })
    seen.observe(document.body, { subtree: true, childList: true, attributes: true })
  })
`
