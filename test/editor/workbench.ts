// A person's hands on the editor: windows, commands, notifications, files and suggestions, found by role and name.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import type { Editor } from './codeServer.ts'

const extensionId = 'kourier.kourier'
const startMs = 60_000

/**
 * The keys on which an editor here has what a test does by the way, and not because that is what it tests: a key takes a
 * thirtieth of the palette's work. For `EditorOptions.keybindings`.
 */
const keys = {
  'kourier.openChat': 'Control+Alt+Shift+F1',
  'notifications.clearAll': 'Control+Alt+Shift+F2',
  'workbench.action.closeActiveEditor': 'Control+Alt+Shift+F3',
  'workbench.action.closeAllEditors': 'Control+Alt+Shift+F4',
  'workbench.action.files.save': 'Control+Alt+Shift+F5',
  'workbench.action.focusActiveEditorGroup': 'Control+Alt+Shift+F6',
  'workbench.action.openSettingsJson': 'Control+Alt+Shift+F7',
  'workbench.action.closeSidebar': 'Control+Alt+Shift+F8',
  'editor.action.inlineSuggest.acceptNextLine': 'Control+Alt+Shift+F9',
} as const

export const keybindings = Object.entries(keys).map(([command, key]) => ({
  key: key.replace('Control', 'Ctrl').toLowerCase(),
  command,
}))

function press(page: Page, command: keyof typeof keys): Promise<void> {
  return page.keyboard.press(keys[command])
}

export interface WindowOptions {
  /** Another folder than the editor's workspace. */
  readonly folder?: string
  /** A `.code-workspace` file in place of a folder. */
  readonly workspaceFile?: string
  /** Done to the page before the editor loads in it. */
  readonly before?: (page: Page) => Promise<unknown>
  /** When the window counts as open; without one, when the extension's status bar item shows. */
  readonly ready?: (page: Page) => Promise<unknown>
}

/**
 * A browser context that may use the clipboard, without which the editor's own clipboard hangs, and in which nothing
 * moves: what turns and blinks is drawn by the processor here.
 */
export const windowContext = {
  viewport: { width: 1280, height: 800 },
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'reduce' as const,
}

/** To be run in each page, for what moves all the same: each picture of it costs as much as one of all the rest. */
export const stillProgress = `
  const still = new CSSStyleSheet()
  still.replaceSync(\`
    .progress-bit, .codicon, .codicon::before { animation: none !important }
    .scrollbar { transition: none !important }
  \`)
  document.adoptedStyleSheets.push(still)
`

export async function openWindow(context: BrowserContext, editor: Editor, options: WindowOptions = {}): Promise<Page> {
  const page = await context.newPage()
  const { workspaceFile, folder = editor.workspace } = options
  await options.before?.(page)
  await page.goto(`${editor.url}/?${new URLSearchParams(workspaceFile ? { workspace: workspaceFile } : { folder })}`, {
    timeout: startMs,
  })
  const ready = options.ready ?? (opened => statusBarItem(opened, /Kourier/).waitFor({ timeout: startMs }))
  await page.locator('.monaco-workbench').waitFor({ timeout: startMs })
  await ready(page)
  return page
}

/** Loads the window again and waits as `openWindow` does. */
export async function reloadWindow(page: Page, ready?: WindowOptions['ready']): Promise<void> {
  await page.reload({ timeout: startMs })
  await page.locator('.monaco-workbench').waitFor({ timeout: startMs })
  await (ready ?? (opened => statusBarItem(opened, /Kourier/).waitFor({ timeout: startMs })))(page)
}

// The box at the top: commands, files and every other choice.

export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible')
}

export function quickInputBox(page: Page): Locator {
  return quickInput(page).locator('input.input')
}

/** The entry with exactly this label; a shortcut or a remark behind the label does not matter. */
export function quickInputEntry(page: Page, label: string): Locator {
  const name = page.locator('.quick-input-list-row:first-child .label-name', { hasText: exactly(label) })
  return quickInput(page).getByRole('option').filter({ has: name }).first()
}

function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`)
}

/** Runs a command by the name the palette shows, such as `Kourier: Sign In`. */
export function runCommand(page: Page, title: string): Promise<void> {
  // This list begins with a few files, that of F1 with all commands, which are drawn before one of them is asked for.
  return findAndPick(page, 'Control+P', `>${title}`, title)
}

function findAndPick(page: Page, key: string, search: string, label: string): Promise<void> {
  return inQuickInput(page, key, search, () => pick(page, label, 3_000))
}

/**
 * A view that is only now restored takes the keyboard, and with it the box, before anything was chosen. A list that is
 * open does not come to know what can be done only now, so it is closed before another try.
 */
async function inQuickInput(page: Page, key: string, text: string, choose: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    await openQuickInput(page, key, text)
    if (await succeeds(choose())) return
    if (await quickInput(page).isVisible()) await page.keyboard.press('Escape')
  }
  throw new Error(`The editor does not offer '${text}'.`)
}

/** Whether the palette offers this command now. */
export async function hasCommand(page: Page, title: string): Promise<boolean> {
  await openQuickInput(page, 'F1', `>${title}`)
  await quickInput(page).getByRole('option').first().waitFor()
  const isThere = (await quickInputEntry(page, title).count()) > 0
  await closeQuickInput(page)
  return isThere
}

/** Chooses an entry of the list that is open now. */
export async function pick(page: Page, label: string, timeout?: number): Promise<void> {
  await quickInputEntry(page, label).click(timeout === undefined ? {} : { timeout })
  await page.mouse.move(1, 1) // what lies below the list would show its hover
}

/** Answers the question of the input box that is open now. */
export async function answer(page: Page, text: string): Promise<void> {
  await write(quickInputBox(page), text)
  await quickInputBox(page).press('Enter')
}

/**
 * Answers the dialog for a file that is opening now. It puts the folder in which it begins into its box some time after it
 * has opened, before it has any entry, and while it reads a folder it does not listen to Enter.
 */
export async function answerWithFile(page: Page, path: string): Promise<void> {
  await quickInput(page).getByRole('option').first().waitFor()
  for (let attempt = 0; attempt < 10; attempt++) {
    await write(quickInputBox(page), path)
    await quickInputBox(page).press('Enter')
    if (await succeeds(quickInput(page).waitFor({ state: 'hidden', timeout: 3_000 }))) return
  }
  throw new Error('The dialog does not take this file.')
}

/**
 * Puts a text into a box. Text goes to whatever has the keyboard, and an editor that has just run a command may still be
 * moving that: what has not arrived is written again, as a person would.
 */
async function write(box: Locator, text: string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    await box.fill(text)
    if ((await box.inputValue()) === text) return
  }
  throw new Error('Something keeps the keyboard from this box.')
}

export async function closeQuickInput(page: Page): Promise<void> {
  await quickInputBox(page).press('Escape')
  await quickInput(page).waitFor({ state: 'hidden' })
}

/**
 * A window that has just started may swallow the first key, and an editor that has just opened may take the keyboard
 * away from the box, which closes it: the key is pressed until the box has the text.
 */
async function openQuickInput(page: Page, key: string, text: string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    await page.keyboard.press(key)
    if ((await appears(quickInputBox(page), 1_500)) && (await isFilled(quickInputBox(page), text))) return
  }
  throw new Error(`The editor did not open its command box on ${key}.`)
}

const appears = (what: Locator, timeoutMs: number) => succeeds(what.waitFor({ timeout: timeoutMs }))

async function isFilled(box: Locator, text: string): Promise<boolean> {
  const isDone = await succeeds(box.fill(text, { timeout: 1_500 }))
  return isDone && (await box.inputValue({ timeout: 1_500 }).catch(() => '')) === text
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

// What the editor shows.

/** Notifications on screen or under the bell. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page
    .locator('.notifications-toasts, .notifications-center')
    .getByRole('dialog')
    .filter({ has: page.locator('.notification-list-item-message').getByText(text) })
    .first()
}

export async function showAllNotifications(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Show Notifications')
}

export async function clearNotifications(page: Page): Promise<void> {
  if ((await page.locator('.notifications-toasts .notification-toast').count()) === 0) return
  await press(page, 'notifications.clearAll')
  await page.locator('.notifications-toasts .notification-toast').first().waitFor({ state: 'detached' })
}

/** The modal question, if one is open. */
export function dialog(page: Page): Locator {
  return page.locator('.monaco-dialog-box')
}

/** Matched against the accessible name: the text, then the tooltip. */
export function statusBarItem(page: Page, name: string | RegExp): Locator {
  return page.locator('.statusbar-item:visible').getByRole('button', { name }).first()
}

/** The menu of all accounts, which opens at the foot of the activity bar. */
export async function openAccountsMenu(page: Page): Promise<Locator> {
  await page.locator('.activitybar').getByRole('button', { name: 'Accounts' }).click()
  const menu = page.getByRole('menu').last()
  await menu.waitFor()
  return menu
}

// The chat page, two frames deep.

/**
 * `view` is the one in the side bar, `editor` the one in a tab. All webviews lie in one layer over the workbench, and
 * nothing in their elements shows to which part they belong, so the place on screen has to.
 */
/** `view`: in the primary side bar; `other side`: in the secondary one. */
export function chatFrame(page: Page, place: 'view' | 'editor' | 'other side' = 'view'): FrameLocator {
  const places = {
    view: ':left-of(.part.editor)',
    editor: ':right-of(.part.sidebar)',
    'other side': ':right-of(.part.editor)',
  }
  const there = places[place]
  const ours = page.locator(`iframe.webview.ready[src*="extensionId=${extensionId}"]${there}`)
  return ours.filter({ visible: true }).contentFrame().frameLocator('#active-frame')
}

export async function openChat(page: Page): Promise<FrameLocator> {
  const frame = chatFrame(page)
  for (let attempt = 0; attempt < 10; attempt++) {
    await press(page, 'kourier.openChat')
    if (await appears(frame.locator('body'), 3_000)) return frame
  }
  throw new Error('The editor does not open the chat.')
}

/** Writes into the composer; sends nothing. */
export async function writeMessage(chat: FrameLocator, text: string): Promise<void> {
  await write(chat.getByRole('textbox', { name: 'Message' }), text)
}

export async function ask(chat: FrameLocator, text: string): Promise<void> {
  await writeMessage(chat, text)
  await chat.getByRole('button', { name: 'Send' }).click()
}

export function message(chat: FrameLocator, author: 'You' | 'Kourier', nth = -1): Locator {
  const all = chat.getByRole('article', { name: author, exact: true })
  return nth < 0 ? all.last() : all.nth(nth)
}

// Files, typing and suggestions.

export function tab(page: Page, name: string): Locator {
  return page.locator(`.tabs-container .tab[data-resource-name="${name}"]`)
}

/** Opens a file of the workspace by its name or path and puts the cursor into it. */
export async function openFile(page: Page, path: string): Promise<void> {
  await findAndPick(page, 'Control+P', path, basename(path))
  await tab(page, basename(path)).and(page.locator('.active')).first().waitFor()
  await page.locator('.editor-group-container.active .monaco-editor .view-lines').first().waitFor()
  await focusText(page)
}

/** Gives the keyboard to the text of the active editor. */
export async function focusText(page: Page): Promise<void> {
  const focused = page.locator('.editor-group-container.active .monaco-editor.focused').first()
  // A window that has just been loaded may swallow the key, and a view that is restored takes the keyboard away.
  for (let attempt = 0; attempt < 5; attempt++) {
    if (await appears(focused, 500)) return
    await press(page, 'workbench.action.focusActiveEditorGroup')
    if (await appears(focused, 3_000)) return
  }
  await focused.waitFor()
}

/** Both count from 1; a column past the end is the end. */
export async function goTo(page: Page, line: number, column = 10_000): Promise<void> {
  await inQuickInput(page, 'Control+G', `:${line}:${column}`, () =>
    quickInputBox(page).press('Enter', { timeout: 3_000 }),
  )
  await quickInput(page).waitFor({ state: 'hidden' })
}

/** Types key by key, as a person does; the editor adds its own brackets and indentation. */
export async function type(page: Page, text: string, delayMs = 60): Promise<void> {
  await page.keyboard.type(text, { delay: delayMs })
}

/** Closes all files, and with them what was not saved. */
export async function closeFiles(page: Page): Promise<void> {
  if ((await page.locator('.tabs-container .tab').count()) === 0) return
  await press(page, 'workbench.action.closeAllEditors')
  const isClosed = page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' })
  const drop = dialog(page).getByRole('button', { name: /Don.t Save/ })
  await Promise.race([isClosed, drop.click().catch(() => isClosed)])
  await isClosed
}

/** Puts the chat out of view: what it shows there is not notified as well. */
export async function hideChat(page: Page): Promise<void> {
  const frame = page.locator(`iframe.webview[src*="extensionId=${extensionId}"]`).filter({ visible: true })
  // A window that is still busy with something may swallow the key.
  for (let attempt = 0; (await frame.count()) > 0; attempt++) {
    if (attempt === 10) throw new Error('The editor does not hide the chat.')
    await press(page, 'workbench.action.closeSidebar')
    await succeeds(frame.first().waitFor({ state: 'hidden', timeout: 3_000 }))
  }
}

/** Saves the active file and reads it from the disk. */
export async function savedText(page: Page, editor: Editor, path: string): Promise<string> {
  await press(page, 'workbench.action.files.save')
  await page.locator(`.tabs-container .tab.active:not(.dirty)`).first().waitFor()
  return readFileSync(join(editor.workspace, path), 'utf8')
}

/** The suggestion shown in grey now, its lines joined, tabs as spaces; empty when there is none. */
export function ghostText(page: Page): Promise<string> {
  return page
    .locator('.ghost-text-decoration, .ghost-text-decoration-preview, .ghost-text')
    .evaluateAll((parts: GhostPiece[]) => {
      const lines = new Map<number, string>()
      for (const part of parts) {
        const top = part.closest('.view-line')?.getBoundingClientRect().top ?? 0
        lines.set(top, (lines.get(top) ?? '') + (part.textContent ?? '').replaceAll('\u00a0', ' '))
      }
      return [...lines]
        .sort(([above], [below]) => above - below)
        .map(([, text]) => text)
        .join('\n')
    })
}

/** What is used of a page element, since this room does not know the page's own types. */
interface GhostPiece {
  readonly textContent: string | null
  closest(selector: string): { getBoundingClientRect(): { top: number } } | null
}

/** Waits for a suggestion, or for one that matches, until it no longer moves, and returns it. */
export async function waitForGhostText(page: Page, pattern = /\S/, timeoutMs = 10_000): Promise<string> {
  const until = Date.now() + timeoutMs
  let before = ''
  for (;;) {
    const text = await ghostText(page)
    if (text === before && pattern.test(text)) return text
    if (Date.now() > until) throw new Error(`No suggestion like ${pattern} within ${timeoutMs} ms; shown: ${text}`)
    before = text
    await page.waitForTimeout(40)
  }
}

/** Takes the first line of the suggestion, as its toolbar does. */
export function acceptLine(page: Page): Promise<void> {
  return press(page, 'editor.action.inlineSuggest.acceptNextLine')
}

/** Everything that can be logged is, so that a sweep of the files reads it. */
export async function logEverything(page: Page): Promise<void> {
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

export async function setTheme(page: Page, name: string): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme')
  await write(quickInputBox(page), name)
  await pick(page, name)
  await quickInput(page).waitFor({ state: 'hidden' })
}

/** Changes user settings as a person does, in their file; a change on the disk alone would not be noticed. */
export async function changeSettings(page: Page, editor: Editor, changes: Record<string, unknown>): Promise<void> {
  const present: unknown = JSON.parse(readFileSync(editor.settingsFile, 'utf8'))
  await replaceSettings(page, { ...(present as object), ...changes })
}

let settingsChanges = 0

/** Those in the file before do not count any more; when this resolves, the window goes by the new ones. */
export async function replaceSettings(page: Page, settings: object): Promise<void> {
  const title = `Settings ${++settingsChanges}`
  const text = JSON.stringify({ ...settings, 'window.title': title }, undefined, 2)
  await press(page, 'workbench.action.openSettingsJson')
  const settingsTab = tab(page, 'settings.json').first()
  await settingsTab.and(page.locator('.active')).waitFor()
  await focusText(page)
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+V')
  // What is pasted comes a little later; what is saved before that is the old text.
  await settingsTab.and(page.locator('.dirty')).waitFor()
  await press(page, 'workbench.action.files.save')
  await settingsTab.and(page.locator(':not(.dirty)')).waitFor()
  await press(page, 'workbench.action.closeActiveEditor')
  await settingsTab.waitFor({ state: 'detached' })
  await page.waitForFunction(wanted => (globalThis as unknown as Titled).document.title === wanted, title)
}

interface Titled {
  readonly document: { readonly title: string }
}
