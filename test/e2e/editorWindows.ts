// The windows of one test: each is new, or that of the test before put in order, which takes a fraction of the time.
import assert from 'node:assert/strict'
import process from 'node:process'
import { inspect } from 'node:util'
import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import { readSecrets, seedSecrets } from '../editor/secrets.ts'
import {
  chatFrame,
  clearNotifications,
  closeFiles,
  dialog,
  hideChat,
  message,
  notification,
  openWindow,
  quickInput,
  runCommand,
  showAllNotifications,
  statusBarItem,
  type WindowOptions,
  writeMessage,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { forgetPages } from './browserProfile.ts'
import type { EditorHarness } from './editorHarness.ts'
import type { ServiceHarness } from './serviceHarness.ts'
import { approve, askForCode, email, revokeKeys, storedCredential } from './signInSteps.ts'

export interface EditorWindowOptions extends WindowOptions {
  /** One that has just started, though another would do. */
  readonly isNew?: true
  /** No other test can go on with it: what is done in it cannot be put in order. */
  readonly isSpent?: true
}

export class EditorWindows {
  readonly #context: BrowserContext
  readonly #harness: EditorHarness
  readonly #serviceHarness: ServiceHarness
  /** Pages that are none of this test's. */
  readonly #before: ReadonlySet<Page>
  /** How many windows this test has opened or taken over. */
  #opened = 0
  /** The first of them, if another test may go on with it. */
  #first: Page | undefined

  constructor(context: BrowserContext, harness: EditorHarness, serviceHarness: ServiceHarness) {
    this.#context = context
    this.#harness = harness
    this.#serviceHarness = serviceHarness
    this.#before = new Set(context.pages())
    this.#first = harness.keptWindow
  }

  /** The window of the test before without what it left, or a clean profile; and these user settings. */
  async prepare(settings: object): Promise<void> {
    const kept = this.#harness.keptWindow
    await kept?.bringToFront() // a page that was closed may have been before it, and what is not seen cannot paste
    const isReady = kept && (await succeeds(() => tidy(kept).then(() => this.#harness.useSettings(settings))))
    if (isReady) return
    await this.#forgetWindow()
    await this.#harness.useSettings(settings)
  }

  /** A window whose user is signed out. */
  async open(options?: EditorWindowOptions): Promise<Page> {
    const kept = await this.#takeKept(options)
    if (kept && (await this.#signOut(kept))) return kept
    return this.#openNew(options)
  }

  /** A window whose user signed in some time ago: the key is in the editor's secret storage. Returns the key too. */
  async openSignedIn(options?: EditorWindowOptions): Promise<{ page: Page; key: string }> {
    const kept = await this.#takeKept(options)
    const keptKey = kept && (await this.#signIn(kept))
    if (keptKey) return { page: kept, key: keptKey }
    const key = await this.#seedKey()
    return { page: await this.#openNew(options), key }
  }

  /** Closes what this test has opened, but for a window that the next may go on with. */
  async close(mayKeep: boolean): Promise<void> {
    this.#harness.keep(mayKeep ? this.#first : undefined)
    await this.#closePages()
  }

  get #service(): Service {
    return this.#serviceHarness.service
  }

  async #openNew(options: EditorWindowOptions = {}): Promise<Page> {
    const isFirst = this.#opened === 0
    this.#opened++
    const page = await openWindow(this.#context, this.#harness.editor, options)
    if (isFirst) this.#first = wantsNothingBut('isNew', options) ? page : undefined
    return page
  }

  /** The kept window, if it is the first of this test and would do. */
  async #takeKept(options: EditorWindowOptions = {}): Promise<Page | undefined> {
    const page = this.#harness.keptWindow
    if (!page || this.#opened > 0) return undefined
    if (wantsNothingBut('isSpent', options)) {
      this.#first = options.isSpent ? undefined : page
      await this.#context.clearCookies({ domain: /localhost$/ }) // who is signed in at the service's pages
      return page
    }
    await this.#forgetWindow()
    return undefined
  }

  async #signOut(page: Page): Promise<boolean> {
    const isDone = await succeeds(async () => {
      const cancel = notification(page, /enter code/).getByRole('button', { name: 'Cancel' })
      if (await cancel.isVisible()) await cancel.click()
      if (await statusBarItem(page, /Signed in to/).isVisible()) {
        await runCommand(page, 'Kourier: Sign Out')
        await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
      }
      await statusBarItem(page, /sign in/).waitFor({ timeout: 5_000 })
      // A key that the service has refused is still stored.
      assert.equal(await statusBarItem(page, /no longer accepted/).count(), 0, 'nobody is signed in')
      revokeKeys(this.#service) // a test may have left one that its editor has lost
      await clearNotifications(page)
    })
    return this.#taken(page, isDone)
  }

  /** The key of the user who is signed in, with which no other key works. */
  async #signIn(page: Page): Promise<string | undefined> {
    let key: string | undefined
    const isDone = await succeeds(async () => {
      if (!(await statusBarItem(page, /Signed in to/).isVisible())) {
        await askForCode(page)
        approve(this.#service)
        await statusBarItem(page, /Signed in to/).waitFor()
      }
      await clearNotifications(page)
      const credential = (await readSecrets(this.#context, this.#harness.editor.url))[storedCredential]
      key = (JSON.parse(credential ?? '{}') as { key?: string }).key
      const live = this.#service.state.keys.find(key ?? '')
      assert.ok(live && live.revokedAt === undefined, 'the key of the window is one of this service')
      revokeKeys(this.#service, live)
    })
    return (await this.#taken(page, isDone && key !== undefined)) ? key : undefined
  }

  async #taken(page: Page, isInOrder: boolean): Promise<boolean> {
    if (!isInOrder) await this.#forgetWindow()
    else this.#opened++
    return isInOrder && !page.isClosed()
  }

  async #forgetWindow(): Promise<void> {
    const kept = this.#harness.keptWindow
    if (kept) revokeKeys(this.#service)
    this.#harness.keep(undefined)
    this.#first = undefined
    await kept?.close()
    await this.#closePages()
    await this.#context.clearCookies()
    await forgetPages(this.#context, this.#harness.editor.url)
    this.#harness.forgetUnsent()
  }

  async #closePages(): Promise<void> {
    const done = this.#context.pages().filter(page => !this.#before.has(page) && page !== this.#harness.keptWindow)
    await Promise.all(done.map(page => page.close()))
  }

  async #seedKey(): Promise<string> {
    const { state, baseUrl, authUrl } = this.#service
    state.accounts.of(email)
    const key = state.issueKey(email, 'Kourier')
    await seedSecrets(this.#context, this.#harness.editor.url, {
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
}

/** The parts of a window that this product writes to, and what has the keyboard, as text. */
export async function describeWindow(page: Page): Promise<string> {
  const parts = [
    ['question', dialog(page)],
    ['box', quickInput(page)],
    ['notices', page.locator('.notifications-toasts')],
    ['status bar', statusBarItem(page, /Kourier|Signed in/)],
    ['keyboard', page.locator(':focus')],
    ['chat', chatFrame(page).locator('body')],
  ] as const
  const visible = await Promise.all(parts.map(([part, where]) => asTree(part, where)))
  // What has left the screen by itself often shows why.
  await showAllNotifications(page).catch(() => {})
  const notices = await asTree('all notices', page.locator('.notifications-center'))
  return [...visible, notices].filter(part => part).join('\n')
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

function wantsNothingBut(name: keyof EditorWindowOptions, options: EditorWindowOptions): boolean {
  return Object.keys(options).every(wanted => wanted === name)
}

/** No question, no list, no file, no notice; the chat, if it is open, is a new one with nothing unsent. */
async function tidy(page: Page): Promise<void> {
  for (const asks of [dialog(page), quickInput(page)]) {
    if (!(await asks.isVisible())) continue
    await page.keyboard.press('Escape')
    await asks.waitFor({ state: 'hidden', timeout: 2_000 })
  }
  await closeFiles(page)
  const chat = chatFrame(page)
  if (await chat.getByRole('textbox', { name: 'Message' }).isVisible()) await beginChat(page, chat)
  await hideChat(page)
}

/** What was not sent goes along into a new chat, and so does a question that was not answered. */
async function beginChat(page: Page, chat: FrameLocator): Promise<void> {
  await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })
  await writeMessage(chat, '')
  const attached = chat.getByRole('list', { name: 'Context' }).getByRole('button', { name: /^Remove / })
  for (let left = await attached.count(); left > 0; left--) await attached.first().click()
}

/** A window that cannot be put in order is replaced; why is worth a note, since it costs time. */
function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    (fault: unknown) => {
      process.stderr.write(`A new window is needed: ${fault instanceof Error ? fault.stack : inspect(fault)}\n`)
      return false
    },
  )
}
