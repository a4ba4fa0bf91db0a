// A service, a real editor with the packaged extension in it, and a browser: what every e2e test stands in.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach } from 'node:test'
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { launchChromium } from '../editor/chromium.ts'
import { type Editor, startEditor } from '../editor/codeServer.ts'
import { freshVsix } from '../editor/extensionPackage.ts'
import { copySampleWorkspace, type Workspace } from '../editor/sampleWorkspace.ts'
import { secretName, seedSecrets } from '../editor/secrets.ts'
import {
  answer,
  dialog,
  notification,
  openWindow,
  pick,
  quickInput,
  quickInputBox,
  runCommand,
  windowContext,
} from '../editor/workbench.ts'
import type { ServiceOptions } from '../localService/options.ts'
import { type Service, startService } from '../localService/server.ts'
import { type Find, findSecrets, sweepFolder } from '../support/sweep.ts'

export const email = 'ada@example.com'

export interface WorldOptions {
  readonly service?: ServiceOptions
  /** False: the editor does not know the service's address. */
  readonly knowsAddress?: boolean
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** One service and one editor for a file of tests; each test has a browser profile of its own. */
export class World {
  readonly #options: WorldOptions
  #service: Service | undefined
  #port = 0
  #editor: Editor | undefined
  #browser: Browser | undefined
  #context: BrowserContext | undefined
  #workspace: Workspace | undefined

  constructor(options: WorldOptions = {}) {
    this.#options = options
    before(() => this.#begin())
    beforeEach(async () => {
      this.service.faults.clear()
      this.service.replies.clear()
      this.#context = await made(this.#browser).newContext(windowContext)
      this.#context.setDefaultTimeout(15_000)
    })
    afterEach(async (test: unknown) => {
      await this.#pictureOf(test)
      await this.#sweepBrowser()
      await this.#context?.close()
    })
    after(() => this.#end())
  }

  get service(): Service {
    return made(this.#service)
  }

  get editor(): Editor {
    return made(this.#editor)
  }

  get context(): BrowserContext {
    return made(this.#context)
  }

  get workspace(): string {
    return made(this.#workspace).folder
  }

  /** A window whose user is signed out. */
  window(): Promise<Page> {
    return openWindow(this.context, this.editor)
  }

  /** A window whose user signed in some time ago: the key stands in the editor's secret storage. Answers the key too. */
  async signedInWindow(): Promise<{ page: Page; key: string }> {
    const { state, baseUrl, authUrl } = this.service
    state.accounts.of(email)
    const key = state.issueKey(email, 'Kourier')
    await seedSecrets(this.context, this.editor.url, {
      [secretName('kourier.kourier', 'kourier.credential')]: JSON.stringify({
        version: 1,
        key,
        resource: baseUrl,
        issuer: authUrl,
        revocationEndpoint: `${authUrl}/oauth2/revoke`,
        service: 'Kourier (local)',
        email,
        origin: 'registration',
      }),
    })
    return { page: await this.window(), key }
  }

  /** Everything that can be logged is, so that the sweep at the end reads it. */
  async logEverything(page: Page): Promise<void> {
    await runCommand(page, 'Developer: Set Log Level...')
    await pick(page, 'Kourier')
    await pick(page, 'Trace')
    await quickInput(page).waitFor({ state: 'hidden' })
  }

  /** As when a machine goes down: its port answers nobody. */
  async stopService(): Promise<void> {
    this.#port = Number(new URL(this.service.baseUrl).port)
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
    await runCommand(page, 'Kourier: Sign In')
    await this.giveEmail(page)
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    return this.shownCode(page)
  }

  /** The editor may know an address already (the machine's own git, say) and then offers a list. */
  async giveEmail(page: Page): Promise<void> {
    await quickInputBox(page).waitFor()
    const other = page.getByRole('option', { name: /Type another address/ })
    if (await other.isVisible()) await pick(page, 'Type another address…')
    await answer(page, email)
    await dialog(page).waitFor()
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
    this.#service = await this.#startService(0)
    this.#workspace = copySampleWorkspace({ git: true })
    const address = this.#options.knowsAddress === false ? {} : { 'kourier.baseUrl': this.service.baseUrl }
    const [editor, browser] = await Promise.all([
      startEditor({
        workspace: this.workspace,
        vsix: await freshVsix(),
        settings: { ...address, ...this.#options.settings },
        // The machine's own git would lend the tests its user's address.
        env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      }),
      launchChromium(),
    ])
    this.#editor = editor
    this.#browser = browser
  }

  /** Whatever the tests did: no secret lies in the editor's files, its logs or the service's call log. */
  #end = async (): Promise<void> => {
    const found = this.#editor && this.#service ? this.#sweepFiles(this.#editor, this.#service) : []
    await this.#browser?.close()
    await this.#editor?.close()
    await this.#service?.close()
    this.#workspace?.remove()
    assert.deepEqual(found, [], 'secrets where they do not belong')
  }

  #sweepFiles(editor: Editor, service: Service): Find[] {
    const calls = service.log.calls.map(call => ({ path: call.path, text: JSON.stringify(call) }))
    return [
      ...sweepFolder(editor.userDataDir, [email]),
      ...findSecrets('output of the editor', editor.output(), [email]),
      ...calls.flatMap(({ path, text }) => findSecrets(path, text, path.startsWith('/v1') ? [email] : [])),
    ]
  }

  /** What a person would have seen at the moment of failing. */
  async #pictureOf(test: unknown): Promise<void> {
    const { name = '', passed = true } = test as { name?: string; passed?: boolean }
    if (passed) return
    for (const [at, page] of this.context.pages().entries()) {
      await page.screenshot({ path: `build/e2e/${name.replace(/\W+/g, '-').slice(0, 60)}-${at}.png` }).catch(() => {})
    }
  }

  /** The browser holds the secret storage, sealed; nothing else in it may hold the key, and that not in clear. */
  async #sweepBrowser(): Promise<void> {
    const state = await this.context.storageState({ indexedDB: true })
    assert.deepEqual(findSecrets('browser storage', JSON.stringify(state)), [])
  }
}

function made<T>(part: T | undefined): T {
  assert.ok(part, 'the world has begun')
  return part
}

/** The chat page, opened by its command. */
export function message(chat: FrameLocator, author: 'You' | 'Kourier', nth = -1) {
  const all = chat.getByRole('article', { name: author, exact: true })
  return nth < 0 ? all.last() : all.nth(nth)
}
