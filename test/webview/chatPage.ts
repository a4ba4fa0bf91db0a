// The built page in a real browser, under the editor's policy, with a test in the extension's place.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { relative } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import { pageBuild, withoutEmptyUrls } from '../../pageBuild.ts'
import type { PageText } from '../../src/protocol/pageText.ts'
import type { FromPage, ScriptName, ToPage } from '../../src/protocol/panel.ts'
import { englishText, messagesElement, pagePolicy, stylesElement, textElement } from '../support/englishPage.ts'
import { germanText } from '../support/germanPage.ts'
import { type Theme, themeCss, themes } from './themes.ts'

/** The same files as `npm run build:page` makes, with names kept for readable faults; each page loads them anew. */
async function builtFiles(): Promise<Map<string, Uint8Array>> {
  const built = await build({ ...pageBuild, write: false, outdir: 'build', minifySyntax: true, minifyWhitespace: true })
  const files = new Map(built.outputFiles.map(({ path, contents }) => [`/${relative('build', path)}`, contents]))
  const style = new TextDecoder().decode(files.get('/math.css'))
  return files.set('/math.css', new TextEncoder().encode(withoutEmptyUrls(style)))
}

type Files = ReadonlyMap<string, Uint8Array>

/**
 * The page's files over http, so that the browser keeps them and what it compiled of them; through interception each
 * page would take twice as long to load.
 */
export class PageServer {
  readonly origin: string
  readonly #server: Server
  readonly #files: Files

  private constructor(server: Server, origin: string, files: Files) {
    this.#server = server
    this.#files = files
    this.origin = origin
  }

  static async start(): Promise<PageServer> {
    const files = await builtFiles()
    const server = createServer((asked, answer) => {
      const [type, body] = fileAt(asked.url ?? '', origin, files)
      const headers = { 'content-type': type, 'cache-control': 'max-age=3600' }
      answer.writeHead(body ? 200 : 404, headers).end(body)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    // Under this name the page may use the clipboard, as it may in the editor.
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    return new PageServer(server, origin, files)
  }

  has(path: string): boolean {
    return fileAt(path, this.origin, this.#files)[1] !== ''
  }

  textOf(path: string): string {
    return new TextDecoder().decode(this.#files.get(path))
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** The page draws in a frame, and what follows from that in the next. */
const FRAMES_MS = 60

const styles = stylesElement(readFileSync('media/chat.css', 'utf8'))

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
}

function fileAt(path: string, origin: string, files: Files): [type: string, body: string | Uint8Array] {
  const [name, ending = ''] = path.slice(1).split('.')
  const file = files.get(path)
  if (file) return [types[ending] ?? '', file]
  const theme = (Object.keys(themes) as Theme[]).find(theme => theme === name)
  if (!theme) return ['text/plain', '']
  if (ending === 'css') return [types['css'] ?? '', themeCss(theme)]
  return ['text/html; charset=utf-8', shell(theme, languages[ending] ?? english, pagePolicy('n0nce', origin))]
}

interface Language {
  readonly tag: string
  readonly text: PageText
}

const english: Language = { tag: 'en', text: englishText }
/** By the ending in the page's address. */
const languages: Readonly<Record<string, Language>> = {
  marked: { tag: 'en', text: markedText() },
  de: { tag: 'de', text: germanText },
}

/** As if it were in another language: every sentence between quotes that no English one has. */
function markedText(): PageText {
  const sentences = Object.entries(englishText).map(([name, sentence]) => [name, `«${sentence}»`])
  return Object.fromEntries(sentences) as PageText // as: the same names
}

export interface Look {
  theme?: Theme
  width?: number
  height?: number
  /** In pixels, of the page's text and of code. */
  fontSize?: number
  reducedMotion?: boolean
  /** The page's own sentences have marks around them, as if they were in another language. */
  isMarked?: boolean
  /** English without it. */
  language?: 'de'
  /** Time does not pass until the test moves it. */
  hasClock?: boolean
  /** The messages that its HTML holds. */
  first?: readonly ToPage[]
}

/** One page and what it sent. */
export class ChatPage {
  readonly page: Page
  readonly sent: FromPage[] = []
  /** The unsent text, as the page reported it: by the clock, and not because of what was done last. */
  readonly drafts: string[] = []
  /** How often the page had what colours need loaded. */
  colourPreparations = 0
  /** As the page reported it last. */
  hasFocus = false
  /** Addresses the page asked for beside its own three files. */
  readonly strayRequests: string[] = []
  /** The page's own files that it asked for at their first use. */
  readonly lazyRequests: string[] = []
  readonly faults: string[] = []
  readonly #server: PageServer
  #waiters: (() => void)[] = []
  #isTimeHeld = false

  private constructor(page: Page, server: PageServer) {
    this.#server = server
    this.page = page
  }

  static async open(page: Page, server: PageServer, look: Look = {}): Promise<ChatPage> {
    const { origin } = server
    const chat = new ChatPage(page, server)
    await chat.#listen()
    if (look.hasClock) await page.clock.install({ time: 0 })
    await page.setViewportSize({ width: look.width ?? 320, height: look.height ?? 640 })
    await page.emulateMedia({ reducedMotion: look.reducedMotion ? 'reduce' : 'no-preference' })
    if (look.first) await addFirstMessages(page, origin, look.first)
    const ending = look.isMarked ? 'marked' : look.language
    await page.goto(`${origin}/${look.theme ?? 'dark'}${ending ? `.${ending}` : ''}`)
    if (look.fontSize) await chat.setFontSize(look.fontSize)
    await chat.received('ready')
    if (look.hasClock) await chat.#holdTime()
    return chat
  }

  async #listen(): Promise<void> {
    this.page.on('request', request => this.#onRequest(new URL(request.url())))
    this.page.on('pageerror', fault => this.faults.push(fault.message))
    this.page.on('console', message => message.type() === 'error' && this.faults.push(message.text()))
    await this.page.exposeFunction('sendToTest', (message: FromPage) => this.#onMessage(message))
    await this.page.addInitScript({ content: pretendEditor })
  }

  #onRequest({ href, protocol, origin, pathname }: URL): void {
    const isOwn = origin === this.#server.origin && this.#server.has(pathname)
    if (!isOwn && protocol !== 'data:') this.strayRequests.push(href)
    else if (/^\/(?:math|diagram|fonts\/)/.test(pathname)) this.lazyRequests.push(pathname)
  }

  #onMessage(message: FromPage): void {
    if (message.kind === 'draft') this.drafts.push(message.text)
    else if (message.kind === 'focused') this.hasFocus = message.value
    else if (message.kind === 'colour' && message.text === '{}') this.colourPreparations++
    else if (message.kind === 'script') void this.#sendScript(message.name)
    else this.sent.push(message)
    if (message.kind === 'report') this.faults.push(message.text)
    for (const wake of this.#waiters.splice(0)) wake()
  }

  async #sendScript(name: ScriptName): Promise<void> {
    this.lazyRequests.push(`/${name}.js`)
    const message: ToPage = { kind: 'script', name, text: this.#server.textOf(`/${name}.js`) }
    // A test may have ended by then, and its page with it.
    await this.page.evaluate(`deliver(${JSON.stringify([message])})`).catch(() => {})
  }

  /** An installed clock goes on by itself until it is paused, at a moment that has not come yet. */
  async #holdTime(): Promise<void> {
    await this.page.clock.pauseAt(24 * 3_600_000)
    this.#isTimeHeld = true
  }

  /** Posts messages as the editor does, and waits until they are drawn. */
  async post(...messages: ToPage[]): Promise<void> {
    await this.page.evaluate(`deliver(${JSON.stringify(messages)})`)
    // Frames come by the clock as well, and always as many of them, so that a test knows how much time has passed.
    if (this.#isTimeHeld) await this.page.clock.runFor(FRAMES_MS)
    else await this.page.evaluate('twoFrames()')
  }

  /** The first message of this kind, as soon as it has come; it is taken from the list. */
  async received<K extends FromPage['kind']>(kind: K): Promise<Extract<FromPage, { kind: K }>> {
    for (;;) {
      const at = this.sent.findIndex(message => message.kind === kind)
      const [found] = at < 0 ? [] : this.sent.splice(at, 1)
      if (found) return found as Extract<FromPage, { kind: K }>
      await new Promise<void>(wake => this.#waiters.push(wake))
    }
  }

  /** As when the extension has started again and the editor has kept the state of the page: another HTML, which has an id. */
  async renew(first: readonly ToPage[]): Promise<void> {
    this.drafts.length = 0
    await addFirstMessages(this.page, this.#server.origin, first, 'next')
    await this.page.reload()
    await this.received('ready')
  }

  /** As when the user takes another theme: the state of the page stays. */
  showTheme(theme: Theme): Promise<void> {
    return this.page.evaluate(`new Promise(done => {
      const link = document.querySelector('link[rel="stylesheet"]')
      link.addEventListener('load', () => requestAnimationFrame(done), { once: true })
      link.href = '${theme}.css'
      document.body.className = '${themes[theme].bodyClass}'
    })`)
  }

  /** Of the page's text and of code, as the editor does it: in the style of the root. */
  async setFontSize(pixels: number): Promise<void> {
    await this.page.evaluate(`for (const name of ['--vscode-font-size', '--vscode-editor-font-size'])
      document.documentElement.style.setProperty(name, '${pixels}px')`)
  }

  clipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()')
  }
}

const shell = (theme: Theme, { tag, text }: Language, policy: string) => `<!doctype html>
<html lang="${tag}"><head><meta charset="utf-8"><title>Kourier</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${theme}.css"></head>
<body class="${themes[theme].bodyClass}"><div id="root"></div>${textElement(text)}${styles}${messagesElement([])}<script nonce="n0nce" src="page.js"></script></body></html>`

async function addFirstMessages(page: Page, origin: string, first: readonly ToPage[], id?: string): Promise<void> {
  await page.route(`${origin}/dark`, async route => {
    const html = await (await route.fetch()).text()
    await route.fulfill({
      body: html
        .replace(messagesElement([]), messagesElement(first))
        .replace('<body', id === undefined ? '<body' : `<body data-page="${id}"`),
      contentType: 'text/html; charset=utf-8',
    })
  })
}

/** Runs in the page before anything else, outside its policy, as the editor's own script does. */
const pretendEditor = `
  globalThis.acquireVsCodeApi = () => ({
    postMessage: message => void sendToTest(message),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: state => sessionStorage.setItem('state', JSON.stringify(state)),
  })
  globalThis.until = async isTrue => {
    while (!isTrue()) await new Promise(requestAnimationFrame)
  }
  globalThis.twoFrames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  globalThis.deliver = messages => {
    for (const message of messages) postMessage(message, location.origin)
    return new Promise(done => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => done()
      channel.port2.postMessage('')
    })
  }
`
