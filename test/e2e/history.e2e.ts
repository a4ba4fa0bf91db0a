// A person comes back to earlier chats: by their titles, by a search, and from a file.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameLocator } from '@playwright/test'
import {
  answerWithFile,
  ask,
  message,
  notification,
  openChat,
  pick,
  reloadWindow,
  runCommand,
  statusBarItem,
} from '../editor/workbench.ts'
import { test } from './fixtures.ts'

const row = (chat: FrameLocator, title: string) => chat.getByRole('listitem').getByRole('button', { name: title })
const search = (chat: FrameLocator) => chat.getByRole('searchbox', { name: 'Search chats' })
const undo = (chat: FrameLocator) => chat.getByRole('status').getByRole('button', { name: 'Undo' })

test.describe('the history', () => {
  test('has every chat under its title, finds it, brings it back after a deletion and a reload, and takes one from a file', async ({
    service,
    windows,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'kourier-export-'))
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    let chat = await openChat(page)
    await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
    if ((await message(chat, 'You').count()) > 0) await runCommand(page, 'Kourier: New Chat')
    service.replies.add({ text: 'Zebras are striped.' }, { text: 'Otters swim.' })
    await ask(chat, 'What about zebras?')
    await message(chat, 'Kourier').getByText('Zebras are striped.').waitFor()
    await chat.getByRole('button', { name: 'Rename What about zebras?' }).click()
    const box = chat.getByRole('textbox', { name: 'Title of the chat' })
    await box.fill('Striped animals')
    await box.press('Enter')
    await chat.getByRole('button', { name: 'Rename Striped animals' }).waitFor()
    await runCommand(page, 'Kourier: New Chat')
    await message(chat, 'You').waitFor({ state: 'detached' })
    await ask(chat, 'What about otters?')
    await message(chat, 'Kourier').getByText('Otters swim.').waitFor()

    await runCommand(page, 'Kourier: Show Chat History')
    await row(chat, 'What about otters?').first().waitFor()
    await search(chat).fill('zebras STRIPED')
    await row(chat, 'Striped animals').first().waitFor()
    await row(chat, 'What about otters?').first().waitFor({ state: 'detached' })
    await search(chat).press('ArrowDown')
    await row(chat, 'Striped animals').first().press('Delete')
    await row(chat, 'Striped animals').first().waitFor({ state: 'detached' })
    await undo(chat).click()
    await row(chat, 'Striped animals').first().waitFor()
    await row(chat, 'Striped animals').first().press('Enter')
    await message(chat, 'Kourier').getByText('Zebras are striped.').waitFor()

    const file = join(folder, 'zebras.json')
    await runCommand(page, 'Kourier: Export Chat')
    await pick(page, 'JSON')
    await answerWithFile(page, file)
    await notification(page, /The chat was exported to zebras\.json/).waitFor()
    assert.match(readFileSync(file, 'utf8'), /Zebras are striped\./)

    await reloadWindow(page)
    await statusBarItem(page, /Signed in to/).waitFor()
    chat = await openChat(page)
    await message(chat, 'Kourier').getByText('Zebras are striped.').waitFor()
    await chat.getByRole('button', { name: 'More actions' }).click()
    await chat.getByRole('menuitem', { name: 'Delete' }).click()
    await message(chat, 'You').waitFor({ state: 'detached' })
    await runCommand(page, 'Kourier: Import Chat')
    await answerWithFile(page, file)
    await message(chat, 'Kourier').getByText('Zebras are striped.').waitFor()
    await chat.getByRole('button', { name: 'Rename Striped animals' }).waitFor()
    rmSync(folder, { recursive: true, force: true })
  })
})
