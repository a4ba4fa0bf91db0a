// A person brings things into a chat from where they are in the editor: a problem, a terminal, a change, a file that is dragged, a picture, a prompt, the changes to commit.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { fewBuiltIns } from '../editor/codeServer.ts'
import {
  chatFrame,
  closeFiles,
  goTo,
  message,
  openChat,
  openFile,
  runCommand,
  statusBarItem,
  writeMessage,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

const chips = (chat: FrameLocator) => chat.getByRole('list', { name: 'Context' }).getByRole('listitem')
const chip = (chat: FrameLocator, name: string) => chips(chat).filter({ hasText: name })
const box = (chat: FrameLocator) => chat.getByRole('textbox', { name: 'Message' })
const lastRequest = (service: Service) => JSON.stringify(inferences(service).at(-1)?.body)

async function removeChips(chat: FrameLocator): Promise<void> {
  for (let left = await chips(chat).count(); left > 0; left--) {
    await chips(chat)
      .first()
      .getByRole('button', { name: /^Remove / })
      .click()
    await chips(chat)
      .nth(left - 1)
      .waitFor({ state: 'detached' })
  }
}

/** Picks an entry of the menu that the right button opens there. By key, because a menu that has just opened takes no press. */
async function pickInMenu(page: Page, place: Locator, label: string): Promise<void> {
  await place.click({ button: 'right' })
  const entry = page.getByRole('menuitem', { name: label, exact: true })
  await entry.hover()
  await entry.press('Enter')
}

/** Picks what the lightbulb at the cursor offers. */
async function pickAction(page: Page, label: string): Promise<void> {
  await page.locator('[class*="codicon-light-bulb"], [class*="codicon-lightbulb"]').first().click()
  await page.locator('.action-widget').getByText(label, { exact: true }).click()
}

const picture = join(import.meta.dirname, '../../media/icon.png')

test.describe('from the editor', () => {
  test.use({ editorNeeds: { builtIn: [...fewBuiltIns, 'json-language-features'] } })

  test('a problem, a terminal, a change, a file, a picture and a prompt go into a chat, and are sent; a commit message comes back', async ({
    editor,
    service,
    windows,
  }) => {
    const at = (path: string) => join(editor.workspace, path)
    writeFileSync(at('broken.json'), '{\n  "weight": 1,,\n  "unit": "kg"\n}\n')
    writeFileSync(at('tracker/status.go'), 'package tracker\n\n// It was changed in the meantime.\n')
    mkdirSync(at('.github/prompts'), { recursive: true })
    writeFileSync(at('.github/prompts/shout.prompt.md'), '---\ndescription: Loudly\n---\nAnswer in capital letters.\n')
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    const chat = await openChat(page)
    await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()

    await test.step('the lightbulb and the menu at a problem', async () => {
      await openFile(page, 'broken.json')
      await page.locator('.squiggly-error').first().waitFor()
      await goTo(page, 2, 16)
      await pickAction(page, 'Add Problem to Kourier Chat')
      await chips(chat).first().waitFor()
      await chips(chat)
        .first()
        .getByText(/tokens/)
        .waitFor()
      await removeChips(chat)
      await openFile(page, 'broken.json')
      await goTo(page, 1) // the lightbulb comes when the cursor does
      await goTo(page, 2, 16)
      await pickAction(page, 'Fix with Kourier')
      await box(chat).and(chat.locator(':focus')).waitFor()
      assert.equal(await box(chat).inputValue(), '/fix ')
      assert.equal(await chips(chat).count(), 2, 'the code and the problem')
      service.replies.add({ text: 'One comma is enough.' })
      await box(chat).press('Enter')
      await message(chat, 'Kourier').getByText('One comma is enough.').waitFor()
      assert.match(lastRequest(service), /broken\.json:2:15 error/)
      await openFile(page, 'broken.json')
      await goTo(page, 2, 3)
      await page.keyboard.press('Control+.') // it looks for problems on the whole line
      await page.locator('.action-widget').getByText('Explain with Kourier', { exact: true }).click()
      await box(chat).and(chat.locator(':focus')).waitFor()
      assert.equal(await box(chat).inputValue(), '/explain ')
      await expect(chips(chat), 'the code and the problem, where the cursor is not').toHaveCount(2)
      await removeChips(chat)
      await box(chat).fill('')
      await openFile(page, 'broken.json')
      await goTo(page, 2, 16)
      await runCommand(page, 'Kourier: Add Problem to Chat')
      await chips(chat).first().waitFor()
      await removeChips(chat)
      await closeFiles(page)
    })

    await test.step('the selection in a terminal', async () => {
      await runCommand(page, 'Terminal: Create New Terminal')
      const terminal = page.locator('.terminal-wrapper.active .xterm')
      await terminal.waitFor()
      await page.keyboard.type('echo "parcel number $((40 + 2))"\n')
      await page.waitForTimeout(2_000)
      await runCommand(page, 'Terminal: Select All')
      await runCommand(page, 'Kourier: Add Terminal Selection to Chat')
      await chip(chat, 'Terminal')
        .getByText(/tokens/)
        .waitFor()
      await runCommand(page, 'Terminal: Kill All Terminals')
    })

    await test.step('a change, in the source control view', async () => {
      await page.keyboard.press('Control+Shift+G')
      await pickInMenu(page, page.getByRole('treeitem', { name: /status\.go/ }).first(), 'Add Change to Chat')
      await chips(chat).nth(1).waitFor()
      await chip(chat, 'Changes in status.go')
        .getByText(/tokens/)
        .waitFor()
    })

    await test.step('a file of the explorer, by its menu', async () => {
      await page.keyboard.press('Control+Shift+E')
      await page.getByRole('treeitem', { name: 'README.md' }).waitFor()
      await pickInMenu(page, page.getByRole('treeitem', { name: 'README.md' }), 'Add File to Chat')
      await chip(chat, 'README.md')
        .getByText(/tokens/)
        .waitFor()
    })

    await test.step('a picture that is picked', async () => {
      const picking = page.waitForEvent('filechooser')
      await chat.getByRole('button', { name: 'Attach image' }).click()
      await (await picking).setFiles(picture)
      await chip(chat, 'icon.png').waitFor()
    })

    await test.step('a prompt file, by its name', async () => {
      await writeMessage(chat, '/sho')
      await chat.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: /shout/ }).waitFor()
      await writeMessage(chat, '/shout what is this?')
      await chip(chat, '/shout').waitFor()
      service.replies.add({ text: 'A PARCEL.' })
      await box(chat).press('Enter')
      await message(chat, 'Kourier').getByText('A PARCEL.').waitFor()
      const sent = lastRequest(service)
      for (const expected of [/parcel number 42/, /It was changed in the meantime/, /==|README\.md/])
        assert.match(sent, expected)
      assert.match(sent, /Answer in capital letters/)
      assert.match(sent, /data:image\/png;base64,/)
      assert.equal(await chips(chat).count(), 0)
    })

    await test.step('all changes, for a commit message that goes into the box of Git', async () => {
      service.replies.add({ text: '```text\nSay what has changed\n```\n' })
      await writeMessage(chat, '/commit ')
      await chip(chat, 'Changes to commit').waitFor()
      await chat.getByRole('button', { name: 'Send' }).click()
      await chat.getByRole('button', { name: 'Use as commit message' }).click()
      assert.match(lastRequest(service), /\+\/\/ It was changed in the meantime\./)
      await page.locator('.scm-editor .view-line', { hasText: 'Say what has changed' }).waitFor()
    })
  })
})

/** Drags it to the top of the chat, where Shift has the editor leave the drop to the page. */
async function dragInto(page: Page, chat: FrameLocator, from: Locator): Promise<void> {
  const to = await chat.getByRole('log', { name: 'Conversation' }).boundingBox()
  const start = await from.boundingBox()
  assert.ok(to && start)
  await page.mouse.move(start.x + 30, start.y + 8)
  await page.mouse.down()
  await page.mouse.move(start.x + 46, start.y + 14, { steps: 4 })
  await page.keyboard.down('Shift')
  await page.mouse.move(to.x + 60, to.y + 30, { steps: 10 })
  // Each move is an event of the drag; the page covers itself at the first one that reaches it.
  const area = chat.getByText('Drop here to attach to your message')
  for (let at = 0; !(await area.isVisible()) && at < 100; at++) await page.mouse.move(to.x + 60 + (at % 8), to.y + 34)
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await area.waitFor({ state: 'detached' })
}

test('a tab that is dragged over the chat in the side bar is attached, and a file and a folder over one in a tab', async ({
  windows,
}) => {
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  await openFile(page, 'desk/parcel.ts')
  const sideBar = await openChat(page)
  await dragInto(page, sideBar, page.getByRole('tab', { name: /^parcel\.ts/ }))
  await chip(sideBar, 'parcel.ts').waitFor()
  await removeChips(sideBar)
  await runCommand(page, 'Kourier: Open Chat in Editor')
  const chat = chatFrame(page, 'editor')
  await box(chat).waitFor()
  await page.keyboard.press('Control+Shift+E')
  const inTree = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await inTree('README.md').waitFor()
  await dragInto(page, chat, inTree('README.md'))
  await chip(chat, 'README.md').waitFor()
  await dragInto(page, chat, inTree('desk'))
  await chip(chat, 'desk').waitFor()
})
