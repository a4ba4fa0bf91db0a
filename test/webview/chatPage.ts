// The built page in a real browser, under the editor's policy, with a test in the extension's place.
import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { type Theme, themeCss, themes } from './themes.ts'

const origin = 'https://page.example'
const policy = [
  "default-src 'none'",
  "script-src 'nonce-n0nce'",
  `style-src ${origin}`,
  `font-src ${origin}`,
  `img-src ${origin} data:`,
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

/** The same bundle as `npm run build:page` makes, with names kept for readable faults. */
export async function builtPage(): Promise<string> {
  const built = await build({
    entryPoints: ['src/webview/main.tsx'],
    bundle: true,
    write: false,
    platform: 'browser',
    target: 'es2024',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: 'build',
  })
  return built.outputFiles[0]?.text ?? ''
}

export interface Look {
  theme?: Theme
  width?: number
  height?: number
  reducedMotion?: boolean
  /** Time stands still until the test moves it. */
  hasClock?: boolean
}

/** One page and what it said. */
export class ChatPage {
  readonly page: Page
  readonly sent: FromPage[] = []
  /** Addresses the page asked for beside its own three files. */
  readonly strayRequests: string[] = []
  readonly faults: string[] = []
  readonly #context: BrowserContext
  #waiters: (() => void)[] = []
  #theme: Theme = 'dark'

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context
    this.page = page
  }

  static async open(browser: Browser, script: string, look: Look = {}): Promise<ChatPage> {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const chat = new ChatPage(context, await context.newPage())
    await chat.#serve(script)
    if (look.hasClock) await chat.page.clock.install()
    await chat.begin(look)
    return chat
  }

  /** The page in this look, as if it had never been open before. */
  async begin(look: Look = {}): Promise<void> {
    this.#theme = look.theme ?? 'dark'
    await this.page.setViewportSize({ width: look.width ?? 320, height: look.height ?? 640 })
    await this.page.emulateMedia({ reducedMotion: look.reducedMotion ? 'reduce' : 'no-preference' })
    if (this.page.url().startsWith(origin)) await this.page.evaluate('sessionStorage.clear()')
    for (const list of [this.sent, this.strayRequests, this.faults]) list.length = 0
    await this.page.goto(`${origin}/`)
    await this.heard('ready')
  }

  async #serve(script: string): Promise<void> {
    const style = await readFile('media/chat.css', 'utf8')
    const fileAt = (path: string): [type: string, body: string] | undefined => {
      if (path === '/') return ['text/html', shell(themes[this.#theme].bodyClass)]
      if (path === '/page.js') return ['text/javascript', script]
      if (path === '/chat.css') return ['text/css', style]
      return path === '/theme.css' ? ['text/css', themeCss(this.#theme)] : undefined
    }
    await this.#context.route('**', async route => {
      const url = new URL(route.request().url())
      const file = url.origin === origin ? fileAt(url.pathname) : undefined
      if (file) return route.fulfill({ contentType: `${file[0]}; charset=utf-8`, body: file[1] })
      this.strayRequests.push(url.href)
      return route.abort()
    })
    this.page.on('pageerror', fault => this.faults.push(fault.message))
    this.page.on('console', message => message.type() === 'error' && this.faults.push(message.text()))
    await this.page.exposeFunction('tellTest', (message: FromPage) => this.#hear(message))
    await this.page.addInitScript({ content: pretendEditor })
  }

  #hear(message: FromPage): void {
    this.sent.push(message)
    if (message.kind === 'report') this.faults.push(message.text)
    for (const wake of this.#waiters.splice(0)) wake()
  }

  /** Posts messages as the editor does, and waits until they are drawn. */
  async post(...messages: ToPage[]): Promise<void> {
    await this.page.evaluate(`postAll(${JSON.stringify(messages)})`)
  }

  /** The first message of this kind, as soon as it has come; it is taken from the list. */
  async heard<K extends FromPage['kind']>(kind: K): Promise<Extract<FromPage, { kind: K }>> {
    for (;;) {
      const at = this.sent.findIndex(message => message.kind === kind)
      const [found] = at < 0 ? [] : this.sent.splice(at, 1)
      if (found) return found as Extract<FromPage, { kind: K }>
      await new Promise<void>(wake => this.#waiters.push(wake))
    }
  }

  clipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()')
  }

  async close(): Promise<void> {
    await this.#context.close()
  }
}

const shell = (bodyClass: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="theme.css"><link rel="stylesheet" href="chat.css"></head>
<body class="${bodyClass}"><div id="root"></div><script nonce="n0nce" src="page.js"></script></body></html>`

/** Runs in the page before anything else, outside its policy, as the editor's own script does. */
const pretendEditor = `
  globalThis.acquireVsCodeApi = () => ({
    postMessage: message => void tellTest(message),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: state => sessionStorage.setItem('state', JSON.stringify(state)),
  })
  globalThis.until = async isTrue => {
    while (!isTrue()) await new Promise(requestAnimationFrame)
  }
  globalThis.postAll = messages => {
    for (const message of messages) postMessage(message, origin)
    return new Promise(done => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => requestAnimationFrame(() => requestAnimationFrame(() => done()))
      channel.port2.postMessage('')
    })
  }
`
