// A person attaches code to a question, from the chat and from the editor, and sees what is sent before it is sent.
import assert from 'node:assert/strict'
import type { FrameLocator, Page } from '@playwright/test'
import {
  chatFrame,
  dialog,
  focusText,
  message,
  openChat,
  openFile,
  runCommand,
  statusBarItem,
  writeMessage,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import type { EditorWindows } from './editorWindows.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

const lastRequest = (service: Service) => JSON.stringify(inferences(service).at(-1)?.body)

async function open(windows: EditorWindows): Promise<{ page: Page; chat: FrameLocator }> {
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  const chat = await openChat(page)
  await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
  await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })
  return { page, chat }
}

const chips = (chat: FrameLocator) => chat.getByRole('list', { name: 'Context' }).getByRole('listitem')

test.describe('context', () => {
  test('is offered, mentioned by name, shown with its size, removed, and sent as it is', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await open(windows)
    await openFile(page, 'desk/parcel.ts')
    await openChat(page)
    await chat.getByRole('button', { name: 'Attach parcel.ts' }).click()
    await chips(chat)
      .getByText(/parcel\.ts/)
      .waitFor()
    await writeMessage(chat, 'What about @dela')
    const options = chat.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await options.filter({ hasText: 'delays.py' }).first().waitFor()
    await page.keyboard.press('Enter')
    await chips(chat)
      .getByText(/delays\.py/)
      .waitFor()
    await chips(chat)
      .getByText(/tokens/)
      .nth(1)
      .waitFor()
    const box = chat.getByRole('textbox', { name: 'Message' })
    assert.equal(await box.inputValue(), 'What about @delays.py ')
    await chat.getByRole('button', { name: 'Remove parcel.ts' }).click()
    service.replies.add({ text: 'Delays are computed there.' })
    await box.press('Enter')
    await message(chat, 'Kourier').getByText('Delays are computed there.').waitFor()
    assert.match(lastRequest(service), /Attached file .*delays\.py.*import/s)
    assert.doesNotMatch(lastRequest(service), /parcel\.ts/)
    assert.equal(await chips(chat).count(), 0)
  })

  test('[T45] that is secret is sent only after the user has agreed', async ({ service, windows }) => {
    const { page, chat } = await open(windows)
    await openFile(page, '.env')
    await runCommand(page, 'Kourier: Add File to Chat')
    await dialog(page)
      .getByText(/often hold passwords or keys/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await writeMessage(chat, 'Is it attached?')
    service.replies.add({ text: 'No.' })
    await page.keyboard.press('Enter')
    await message(chat, 'Kourier').getByText('No.').waitFor()
    assert.doesNotMatch(lastRequest(service), /Attached/)
  })

  test('comes from the editor’s own commands, with the question that they ask', async ({ service, windows }) => {
    const { page } = await open(windows)
    await openFile(page, 'desk/parcel.ts')
    await focusText(page)
    await page.keyboard.press('Control+a')
    await runCommand(page, 'Kourier: Explain')
    const chat = chatFrame(page)
    await chips(chat)
      .getByText(/parcel\.ts/)
      .waitFor()
    const box = chat.getByRole('textbox', { name: 'Message' })
    await box.and(chat.locator(':focus')).waitFor()
    assert.equal(await box.inputValue(), '/explain ')
    service.replies.add({ text: 'It weighs parcels.' })
    await box.press('Enter')
    await message(chat, 'Kourier').getByText('It weighs parcels.').waitFor()
    assert.match(lastRequest(service), /Attached selection .*parcel\.ts.*Explain the attached code/s)
    await message(chat, 'You').getByText('/explain').waitFor()
  })
})
