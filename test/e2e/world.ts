// A service, a real editor with the packaged extension in it, and a browser: what every e2e test stands in.
import assert from 'node:assert/strict'
import process from 'node:process'
import { after, afterEach, before, beforeEach } from 'node:test'
import { inspect } from 'node:util'
import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import type { Editor } from '../editor/codeServer.ts'
import { readSecrets, secretName, seedSecrets } from '../editor/secrets.ts'
import {
  answer,
  chatFrame,
  clearNotifications,
  closeFiles,
  closeQuickInput,
  dialog,
  notification,
  openWindow,
  pick,
  quickInput,
  quickInputBox,
  quickInputEntry,
  runCommand,
  showAllNotifications,
  statusBarItem,
  type WindowOptions,
} from '../editor/workbench.ts'
import type { Call } from '../localService/callLog.ts'
import type { ServiceOptions } from '../localService/options.ts'
import { type Service, startService } from '../localService/server.ts'
import { approveLast } from '../support/approveLast.ts'
import { type Find, findSecrets, secretsIn, sweepFolder } from '../support/sweep.ts'
import { forgetPages, sharedProfile } from './profile.ts'
import { type Special, Stand, usualStand } from './stand.ts'

export const email = 'ada@example.com'

export interface WorldOptions {
  readonly service?: ServiceOptions
  /** False: the editor does not know the service's address. */
  readonly knowsAddress?: boolean
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** What only an editor of its own can have, told when the service stands: a proxy that leads to it, say. */
  readonly around?: (service: Service) => Promise<Special>
}

export interface WorldWindowOptions extends WindowOptions {
  /** One that has just started, though another would do. */
  readonly isNew?: true
  /** No other test can go on with it: what is done in it cannot be put in order. */
  readonly isSpent?: true
}

/** What a hook is told of its test. */
interface Ended {
  readonly name?: string
  readonly passed?: boolean
}

/** Where the extension has no reason to name its user; the service's own pages and the registration ask for the email. */
const namesNobody = /^\/(v1|anthropic|\.well-known|oauth2\/(token|revoke))\b/

const storedCredential = secretName('kourier.kourier', 'kourier.credential')

/** A service of its own and an editor for a group of tests; each stands in a new window or in one put in order. */
export class World {
  readonly #options: WorldOptions
  #service: Service | undefined
  #port = 0
  /** What the service has heard, of all the time and of all its starts. */
  readonly #heard: Call[] = []
  #stand: Stand | undefined
  #context: BrowserContext | undefined
  /** How many windows this test has opened or taken over. */
  #opened = 0
  /** The first of them, if another test may go on with it. */
  #first: Page | undefined

  constructor(options: WorldOptions = {}) {
    this.#options = options
    before(() => this.#begin())
    beforeEach(async () => {
      this.service.faults.clear()
      this.service.replies.clear()
      this.service.state.accounts.of(email).plan = 'pro'
      this.#opened = 0
      this.#first = this.stand.kept
      if (!this.stand.kept) await this.#forgetWindow()
    })
    afterEach(async (test: unknown) => {
      await this.#pictureOf(test)
      await this.#sweepPages()
      await this.#keepWindow(test)
    })
    after(() => this.#end())
  }

  get service(): Service {
    return made(this.#service)
  }

  get stand(): Stand {
    return made(this.#stand)
  }

  get editor(): Editor {
    return this.stand.editor
  }

  get context(): BrowserContext {
    return made(this.#context)
  }

  get workspace(): string {
    return this.stand.workspace
  }

  /**
   * A window whose user is signed out. The first of a test is that of the test before, put in order, which takes a
   * fraction of what it takes to start one; unless this test wants it new or in any way special.
   */
  async window(options?: WorldWindowOptions): Promise<Page> {
    const kept = await this.#keptWindow(options)
    if (kept && (await this.#signedOut(kept))) return kept
    return this.#openWindow(options)
  }

  /** A window whose user signed in some time ago: the key stands in the editor's secret storage. Answers the key too. */
  async signedInWindow(options?: WorldWindowOptions): Promise<{ page: Page; key: string }> {
    const kept = await this.#keptWindow(options)
    const keptKey = kept && (await this.#signedIn(kept))
    if (keptKey) return { page: kept, key: keptKey }
    const key = await this.#seedKey()
    return { page: await this.#openWindow(options), key }
  }

  async #openWindow(options: WorldWindowOptions = {}): Promise<Page> {
    const isFirst = this.#opened === 0
    this.#opened++
    const page = await openWindow(this.context, this.editor, options)
    if (isFirst) this.#first = wantsNothingBut('isNew', options) ? page : undefined
    return page
  }

  /** What an earlier test left, if it is the first window of this one and would do; put in order but for its account. */
  async #keptWindow(options: WorldWindowOptions = {}): Promise<Page | undefined> {
    const page = this.stand.kept
    if (!page || this.#opened > 0) return undefined
    if (wantsNothingBut('isSpent', options) && (await succeeds(() => tidy(page)))) {
      this.#first = options.isSpent ? undefined : page
      await this.context.clearCookies({ domain: /localhost$/ }) // who is signed in at the service's pages
      return page
    }
    await this.#forgetWindow()
    return undefined
  }

  async #signedOut(page: Page): Promise<boolean> {
    const isDone = await succeeds(async () => {
      const cancel = notification(page, /enter code/).getByRole('button', { name: 'Cancel' })
      if (await cancel.isVisible()) await cancel.click()
      if (await statusBarItem(page, /Signed in to/).isVisible()) {
        await runCommand(page, 'Kourier: Sign Out')
        await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
      }
      await statusBarItem(page, /sign in/).waitFor({ timeout: 5_000 })
      this.#revokeKeys() // a test may have left one that its editor has lost
      await clearNotifications(page)
    })
    return this.#takes(page, isDone)
  }

  /** The key of the user who is signed in, with which no other key works. */
  async #signedIn(page: Page): Promise<string | undefined> {
    let key: string | undefined
    const isDone = await succeeds(async () => {
      if (!(await statusBarItem(page, /Signed in to/).isVisible())) {
        await this.askForCode(page)
        this.approve()
        await statusBarItem(page, /Signed in to/).waitFor()
      }
      await clearNotifications(page)
      const credential = (await readSecrets(this.context, this.editor.url))[storedCredential]
      key = (JSON.parse(credential ?? '{}') as { key?: string }).key
      const live = this.service.state.keys.find(key ?? '')
      assert.equal(live?.revokedAt, undefined)
      this.#revokeKeys(live)
    })
    return this.#takes(page, isDone && key !== undefined).then(isTaken => (isTaken ? key : undefined))
  }

  async #takes(page: Page, isInOrder: boolean): Promise<boolean> {
    if (!isInOrder) await this.#forgetWindow()
    else this.#opened++
    return isInOrder && !page.isClosed()
  }

  async #forgetWindow(): Promise<void> {
    this.stand.keep(undefined)
    this.#first = undefined
    this.#revokeKeys()
    await this.#closePages()
    await this.context.clearCookies()
    await forgetPages(this.editor.url)
  }

  #revokeKeys(but?: unknown): void {
    const { keys } = this.service.state
    for (const key of keys.all) if (key !== but) keys.revoke(key, this.service.clock.now())
  }

  async #seedKey(): Promise<string> {
    const { state, baseUrl, authUrl } = this.service
    state.accounts.of(email)
    const key = state.issueKey(email, 'Kourier')
    await seedSecrets(this.context, this.editor.url, {
      [storedCredential]: JSON.stringify({
        version: 1,
        key,
        resource: baseUrl,
        issuer: authUrl,
        revocationEndpoint: `${authUrl}/oauth2/revoke`,
        service: 'Kourier (local)',
        email,
        origin: 'registration',
        id: crypto.randomUUID(),
      }),
    })
    return key
  }

  /** Everything that can be logged is, so that the sweep at the end reads it. */
  async logEverything(page: Page): Promise<void> {
    // The editor makes an extension's log some time after the extension asked for it, and the list when it opens.
    for (;;) {
      await runCommand(page, 'Developer: Set Log Level...')
      await quickInputEntry(page, 'Trace').waitFor()
      if (await quickInputEntry(page, 'Kourier').isVisible()) break
      await closeQuickInput(page)
    }
    await pick(page, 'Kourier')
    await pick(page, 'Trace')
    await quickInput(page).waitFor({ state: 'hidden' })
  }

  /** As when a machine goes down: its port answers nobody. */
  async stopService(): Promise<void> {
    this.#port = Number(new URL(this.service.baseUrl).port)
    this.clearLog()
    await this.service.close()
  }

  /** At the same address as before, with nothing remembered. */
  async startServiceAgain(): Promise<void> {
    this.#service = await this.#startService(this.#port)
  }

  #startService(port: number): Promise<Service> {
    return startService({ interval: 1, plan: 'pro', ...this.#options.service, port })
  }

  /** From the palette to the code: asks for the email, answers the consent, and returns the code as shown. */
  async askForCode(page: Page): Promise<string> {
    await this.register(page)
    return this.shownCode(page)
  }

  /** The same, without waiting for the code. */
  async register(page: Page): Promise<void> {
    await runCommand(page, 'Kourier: Sign In')
    await this.giveEmail(page)
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
  }

  /** The editor may know an address already (the machine's own git, say) and then offers a list. */
  async giveEmail(page: Page): Promise<void> {
    await quickInputBox(page).waitFor()
    const other = page.getByRole('option', { name: /Type another address/ })
    if (await other.isVisible()) await pick(page, 'Type another address…')
    await answer(page, email)
    await dialog(page).waitFor()
  }

  /** As if the user had approved the newest sign-in on the service's page. */
  approve(): void {
    approveLast(this.service, email)
  }

  /** The keys that still work. */
  get liveKeys(): readonly string[] {
    return this.service.state.keys.all.filter(({ revokedAt }) => revokedAt === undefined).map(({ name }) => name)
  }

  async shownCode(page: Page): Promise<string> {
    const text = await notification(page, /enter code/).innerText()
    const code = /enter code ([\d ]+) at/.exec(text)?.[1]
    assert.ok(code, `a code in: ${text}`)
    return code
  }

  /** Follows Open Browser to the claim page in a second tab and signs in there. */
  async claimPage(page: Page, who = email): Promise<Page> {
    const opened = this.context.waitForEvent('page')
    await notification(page, /enter code/)
      .getByRole('link', { name: 'Open Browser' })
      .click()
    const claim = await opened
    await claim.getByRole('textbox', { name: 'Email' }).fill(who)
    await claim.getByRole('button', { name: 'Sign in' }).click()
    return claim
  }

  #begin = async (): Promise<void> => {
    this.#context = await sharedProfile()
    this.#service = await this.#startService(0)
    const { knowsAddress = true, settings, around } = this.#options
    this.#stand = await (around ? Stand.start(await around(this.service)) : usualStand())
    await this.stand.useSettings({ ...(knowsAddress && { 'kourier.baseUrl': this.service.baseUrl }), ...settings })
  }

  /** Whatever the tests did: no secret lies in the editor's files, its logs or the service's call log. */
  #end = async (): Promise<void> => {
    if (!this.#stand || !this.#service) return
    this.clearLog()
    const found = [...this.#sweepFiles(this.editor), ...(await this.#sweepBrowser())]
    if (this.#options.around) await this.#forgetWindow().then(() => this.stand.close())
    else await this.#leaveWindow()
    await this.service.close()
    assert.deepEqual(found, [], 'secrets where they do not belong')
  }

  /** For the next world, which has another service. */
  async #leaveWindow(): Promise<void> {
    this.#opened = 0
    const kept = await this.#keptWindow()
    if (kept) await this.#signedOut(kept)
  }

  #sweepFiles(editor: Editor): Find[] {
    const known = [email, ...secretsIn(this.#heard)]
    const calls = this.#heard.map(call => ({ path: call.path, text: JSON.stringify(call) }))
    return [
      ...sweepFolder(editor.userDataDir, known),
      ...findSecrets('output of the editor', editor.output(), known),
      ...calls.flatMap(({ path, text }) => findSecrets(path, text, namesNobody.test(path) ? [email] : [])),
    ]
  }

  /** Forgets what the service has heard; the sweep at the end does not. */
  clearLog(): void {
    this.#heard.push(...this.service.log.calls)
    this.service.log.clear()
  }

  /** One that a failed test leaves is in nobody's way any more. */
  async #keepWindow(test: unknown): Promise<void> {
    const { passed = true } = test as Ended
    this.stand.keep(passed ? this.#first : undefined)
    await this.#closePages()
  }

  async #closePages(): Promise<void> {
    const done = this.context.pages().filter(page => !Stand.isKept(page) && page.url() !== 'about:blank')
    await Promise.all(done.map(page => page.close()))
  }

  /** What a person would have seen at the moment of failing; in words as well, for a machine whose files nobody sees. */
  async #pictureOf(test: unknown): Promise<void> {
    const { name = '', passed = true } = test as Ended
    if (passed) return
    for (const [at, page] of this.context.pages().entries()) {
      await page.screenshot({ path: `build/e2e/${name.replace(/\W+/g, '-').slice(0, 60)}-${at}.png` }).catch(() => {})
      if (!page.url().startsWith(this.editor.url)) continue
      process.stderr.write(`${await inWords(page)}\n`)
      // What has left the screen by itself often tells why.
      await showAllNotifications(page).catch(() => {})
      process.stderr.write(`${await asTree('all notices', page.locator('.notifications-center'))}\n`)
    }
  }

  /**
   * The browser holds the secret storage, sealed; nothing else in it may hold the key, and that not in clear. Also what
   * pages that are closed have left, each of whose origins is visited for it.
   */
  async #sweepBrowser(): Promise<Find[]> {
    const state = await this.context.storageState({ indexedDB: true })
    return findSecrets('browser storage', JSON.stringify(state))
  }

  /** What is drawn in the editor and its chat page, what was copied, and what the editor has stored in the browser. */
  async #sweepPages(): Promise<void> {
    const windows = this.context.pages().filter(page => page.url().startsWith(this.editor.url))
    for (const page of windows) {
      const drawn = await Promise.all(page.frames().map(frame => frame.content().catch(() => '')))
      const copied = await page.evaluate<string>('navigator.clipboard.readText()').catch(() => '')
      assert.deepEqual(findSecrets('drawn or copied', [...drawn, copied].join('\n')), [])
      assert.deepEqual(findSecrets('browser storage', await page.evaluate<string>(everythingStored)), [])
    }
    assert.deepEqual(findSecrets('cookies', JSON.stringify(await this.context.cookies())), [])
  }
}

/** Run in a page: all that its origin keeps in this browser, bytes as the text that they may be. */
const everythingStored = `(async () => {
  const done = asked => new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })
  const rows = []
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    for (const store of database.objectStoreNames)
      rows.push(name, store, await done(database.transaction(store).objectStore(store).getAll()))
    database.close()
  }
  const asText = (_, value) => (ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : value)
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, rows], asText)
})()`

function wantsNothingBut(name: keyof WorldWindowOptions, options: WorldWindowOptions): boolean {
  return Object.keys(options).every(wanted => wanted === name)
}

function made<T>(part: T | undefined): T {
  assert.ok(part, 'the world has begun')
  return part
}

/** No question, no list, no file, no notice; the chat, if it is open, is a new one. */
async function tidy(page: Page): Promise<void> {
  for (const asks of [dialog(page), quickInput(page)]) {
    if (!(await asks.isVisible())) continue
    await page.keyboard.press('Escape')
    await asks.waitFor({ state: 'hidden', timeout: 2_000 })
  }
  await closeFiles(page)
  const isChatOpen = await chatFrame(page).getByRole('textbox', { name: 'Message' }).isVisible()
  if (isChatOpen) await runCommand(page, 'Kourier: New Chat')
}

/** The parts of a window that this product writes to, and what has the keyboard. */
async function inWords(page: Page): Promise<string> {
  const parts = [
    ['question', dialog(page)],
    ['box', quickInput(page)],
    ['notices', page.locator('.notifications-toasts')],
    ['status bar', statusBarItem(page, /Kourier|Signed in/)],
    ['keyboard', page.locator(':focus')],
    ['chat', chatFrame(page).locator('body')],
  ] as const
  const told = await Promise.all(parts.map(([part, where]) => asTree(part, where)))
  return told.filter(part => part).join('\n')
}

/** Empty for what is not on screen. */
async function asTree(name: string, where: Locator): Promise<string> {
  try {
    const tree = (await where.isVisible()) ? await where.ariaSnapshot({ timeout: 2_000 }) : ''
    return tree && `${name}:\n${tree}`
  } catch (fault) {
    return inspect(fault)
  }
}

/** A window that cannot be put in order is replaced; why is worth a note, since it costs time. */
function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    (fault: unknown) => {
      process.stderr.write(`A new window is needed: ${inspect(fault)}\n`)
      return false
    },
  )
}

/** Signed in is also who has to load anew first. */
export const isIn = (page: Page) => statusBarItem(page, /Signed in to/).waitFor({ timeout: 60_000 })

/** The chat page, opened by its command. */
export function message(chat: FrameLocator, author: 'You' | 'Kourier', nth = -1) {
  const all = chat.getByRole('article', { name: author, exact: true })
  return nth < 0 ? all.last() : all.nth(nth)
}
