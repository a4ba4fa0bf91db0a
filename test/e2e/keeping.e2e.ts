// A person reads a long answer by its outline, sees why an answer ended, and pins, archives and finds chats again.
import assert from 'node:assert/strict'
import type { FrameLocator } from '@playwright/test'
import { ask, message, openChat, reloadWindow, runCommand, statusBarItem } from '../editor/workbench.ts'
import { test } from './fixtures.ts'

const row = (chat: FrameLocator, title: string) => chat.getByRole('listitem').getByRole('button', { name: title })
const head = (chat: FrameLocator, item: string) =>
  chat
    .getByRole('button', { name: 'More actions' })
    .click()
    .then(() => chat.getByRole('menuitem', { name: item }).click())

const part = (name: string) => `## ${name}\n\n${`This is about ${name}, in a sentence. `.repeat(60)}`

test('a long answer has an outline, a filtered one says so, and chats are pinned, archived and brought back', async ({
  service,
  windows,
}) => {
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  const chat = await openChat(page)
  await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
  if ((await message(chat, 'You').count()) > 0) await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })

  service.replies.add({ text: ['Weighing', 'Packing', 'Sending', 'Tracking', 'Returning'].map(part).join('\n\n') })
  await ask(chat, 'How does a parcel travel?')
  const outline = chat.getByRole('navigation', { name: 'Outline' })
  await outline.getByRole('button', { name: 'Outline' }).click()
  assert.deepEqual(await outline.getByRole('listitem').allInnerTexts(), [
    ...['Weighing', 'Packing', 'Sending', 'Tracking', 'Returning'],
  ])
  await outline.getByRole('button', { name: 'Packing' }).click()
  const heading = chat.getByRole('heading', { name: 'Packing' })
  await heading.and(chat.locator(':focus')).waitFor()
  const [log, place] = [await chat.getByRole('log').boundingBox(), await heading.boundingBox()]
  assert.ok(log && place && place.y >= log.y - 1 && place.y < log.y + 120, 'it is at the top')
  await chat.getByRole('button', { name: 'Jump to latest' }).click()

  service.replies.add({ text: 'It is full of', finishReason: 'content_filter' })
  await ask(chat, 'What is in it?')
  await message(chat, 'Kourier').getByText('It is full of').waitFor()
  await message(chat, 'Kourier')
    .getByText(/content filter ended this answer/)
    .waitFor()
  await message(chat, 'Kourier').locator('.ending').getByRole('button', { name: 'Retry' }).waitFor()
  assert.equal(await message(chat, 'Kourier').getByRole('button', { name: 'Continue' }).count(), 0)

  await head(chat, 'Pin')
  await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })
  service.replies.add({ text: 'By drone.' })
  await ask(chat, 'And in the future?')
  await message(chat, 'Kourier').getByText('By drone.').waitFor()
  await head(chat, 'Archive')
  // A window that reloads at once might not receive it.
  await chat.getByRole('button', { name: 'More actions' }).click()
  await chat.getByRole('menuitem', { name: 'Unarchive' }).waitFor()

  await reloadWindow(page)
  await statusBarItem(page, /Signed in to/).waitFor()
  const again = await openChat(page)
  await runCommand(page, 'Kourier: Show Chat History')
  await again
    .getByRole('list', { name: 'Pinned' })
    .getByRole('button', { name: 'How does a parcel travel?' })
    .first()
    .waitFor()
  // The list is that of the index until what has changed since is read.
  await row(again, 'And in the future?').first().waitFor({ state: 'detached' })
  await again.getByRole('combobox', { name: 'Which chats' }).selectOption({ label: 'Archived' })
  await row(again, 'And in the future?').first().click()
  await message(again, 'Kourier').getByText('By drone.').waitFor()
  await head(again, 'Unarchive')
  await runCommand(page, 'Kourier: Show Chat History')
  await again.getByRole('combobox', { name: 'Which chats' }).selectOption({ label: 'This workspace' })
  await row(again, 'And in the future?').first().waitFor()
  await again.getByRole('searchbox', { name: 'Search chats' }).press('Escape')
  await runCommand(page, 'Kourier: New Chat')
  await message(again, 'You').waitFor({ state: 'detached' })
  const box = again.getByRole('textbox', { name: 'Message' })
  const recalled: string[] = []
  for (const expected of ['And in the future?', 'What is in it?', 'How does a parcel travel?']) {
    const before = await box.inputValue()
    // Until the earlier chats have been read, the key does nothing.
    await test
      .expect(async () => {
        if ((await box.inputValue()) === before) await box.press('ArrowUp')
        await test.expect(box).toHaveValue(expected, { timeout: 2_000 })
      })
      .toPass({ timeout: 20_000 })
    recalled.push(await box.inputValue())
  }
  assert.equal(recalled.length, 3, 'Up goes on through earlier chats')
})
