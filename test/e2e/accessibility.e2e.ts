// A person reads the chat with a screen reader: messages as plain text, help, and the focus that comes back.
import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import {
  ask,
  chatFrame,
  focusText,
  message,
  openChat,
  openFile,
  runCommand,
  statusBarItem,
  tab,
} from '../editor/workbench.ts'
import { test } from './fixtures.ts'

/** The lines of the editor in front that have a text; their spaces are no-break ones. */
async function shownLines(page: Page): Promise<string[]> {
  const lines = await page.locator('.editor-group-container.active .monaco-editor .view-line').allInnerTexts()
  return lines.map(line => line.replaceAll('\u00a0', ' ').trim()).filter(line => line !== '')
}

/** Which element of the chat has the keyboard. */
const focusedIn = (chat: ReturnType<typeof chatFrame>) =>
  chat.locator('body').evaluate(body => {
    const { activeElement, hasFocus } = body.ownerDocument
    return hasFocus.call(body.ownerDocument) ? activeElement?.getAttribute('aria-label') : undefined
  })

const composer = (chat: ReturnType<typeof chatFrame>) => chat.getByRole('textbox', { name: 'Message', exact: true })

/**
 * Opens a text by a key from what has the keyboard in the chat. The editor knows a moment after the page that the chat
 * has it; until then its own view comes, after which the keyboard may be anywhere.
 */
function openFromChat(page: Page, focused: Locator, key: string, name: string): Promise<void> {
  const ownView = page.locator('.accessible-view')
  return test
    .expect(async () => {
      if (await ownView.isVisible()) await page.keyboard.press('Escape')
      await focused.focus()
      await page.keyboard.press(key)
      // A second time the key would be meant for the text.
      await tab(page, name).or(ownView).first().waitFor({ timeout: 15_000 })
      await tab(page, name).waitFor({ timeout: 1_000 })
    })
    .toPass()
}

/** Escape is for the text, and not for the chat, while the text has the keyboard. */
async function closeText(page: Page, name: string): Promise<void> {
  await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor()
  await page.keyboard.press('Escape')
  await tab(page, name).waitFor({ state: 'detached' })
}

test('a message of the chat is read as text, with the next and the previous one, and the focus comes back, in the view and in a tab', async ({
  service,
  windows,
}) => {
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  const inView = await openChat(page)
  await runCommand(page, 'Kourier: New Chat')
  await message(inView, 'You').waitFor({ state: 'detached' })
  service.replies.add({ text: '# Letters\n\nAlpha **beta**.\n\n```ts\nconst a = 1\n```\n' })
  await ask(inView, 'Say *the* letters')
  await message(inView, 'Kourier').getByText('Alpha').waitFor()
  await openFromChat(page, composer(inView), 'Alt+F2', 'Kourier, message 2 of 2')
  await page.locator('.view-lines', { hasText: 'const' }).waitFor()
  assert.deepEqual(await shownLines(page), ['Letters', 'Alpha beta.', '```ts', 'const a = 1', '```'])
  await focusText(page)
  await page.keyboard.press('Alt+[')
  await tab(page, 'You, message 1 of 2').waitFor()
  await tab(page, 'Kourier, message 2 of 2').waitFor({ state: 'detached' })
  assert.deepEqual(await shownLines(page), ['Say *the* letters'])
  await closeText(page, 'You, message 1 of 2')
  await test.expect.poll(() => focusedIn(inView)).toBe('You')

  await openFromChat(page, message(inView, 'You'), 'Alt+F2', 'You, message 1 of 2')
  await closeText(page, 'You, message 1 of 2')
  await test.expect.poll(() => focusedIn(inView)).toBe('You')
  await openFromChat(page, message(inView, 'You'), 'Alt+F1', 'Accessibility help for the chat')
  await page.locator('.view-lines', { hasText: 'Open Accessible View: Alt+F2 or Shift+Alt+F2' }).waitFor()
  assert.equal(await page.locator('.accessible-view').isVisible(), false, 'the editor’s own help stays away')
  await closeText(page, 'Accessibility help for the chat')
  await test.expect.poll(() => focusedIn(inView)).toBe('You')

  await runCommand(page, 'Kourier: Open Chat in Editor')
  const inTab = chatFrame(page, 'editor')
  await message(inTab, 'Kourier').getByText('Alpha').waitFor()
  await openFromChat(page, composer(inTab), 'Alt+F2', 'Kourier, message 2 of 2')
  await closeText(page, 'Kourier, message 2 of 2')
  await test.expect.poll(() => focusedIn(inTab)).toBe('Message')
})

test('outside of the chat, the keys are those of the editor', async ({ windows }) => {
  const { page } = await windows.openSignedIn()
  await openChat(page)
  await openFile(page, 'reports/delays.py')
  await focusText(page)
  // A window that is busy may swallow the key; in the help it has no meaning.
  await test
    .expect(async () => {
      await page.keyboard.press('Alt+F1')
      await page.locator('.accessible-view').waitFor({ timeout: 5_000 })
    })
    .toPass({ timeout: 30_000 })
  await page.keyboard.press('Escape')
  await page.locator('.accessible-view').waitFor({ state: 'hidden' })
  assert.equal(await tab(page, 'Accessibility help for the chat').count(), 0)
})
