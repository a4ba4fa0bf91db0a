// A person attaches code to a question, from the chat and from the editor, and sees what is sent before it is sent.
import assert from 'node:assert/strict'
import { expect, type FrameLocator } from '@playwright/test'
import {
  chatFrame,
  dialog,
  focusText,
  message,
  openChat,
  openFile,
  runCommand,
  tab,
  writeMessage,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { openEmptyChat } from './chatSteps.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

const lastRequest = (service: Service) => JSON.stringify(inferences(service).at(-1)?.body)

const chips = (chat: FrameLocator) => chat.getByRole('list', { name: 'Context' }).getByRole('listitem')

test.describe('context', () => {
  test('is offered, mentioned by name, shown with its size, removed, and sent as it is', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await openEmptyChat(windows)
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
    assert.doesNotMatch(lastRequest(service), /Attached file [^:]*parcel\.ts/)
    assert.equal(await chips(chat).count(), 0)
  })

  test('[T45] that is secret is sent only after the user has agreed', async ({ service, windows }) => {
    const { page, chat } = await openEmptyChat(windows)
    await openFile(page, '.env')
    await runCommand(page, 'Kourier: Add File to Chat')
    await dialog(page)
      .getByText(/often hold passwords or keys/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await writeMessage(chat, 'Is @.env')
    await chat.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: '.env' }).first().waitFor()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => chat.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Is ')
    await page.keyboard.type('it attached?')
    service.replies.add({ text: 'No.' })
    await page.keyboard.press('Enter')
    await message(chat, 'Kourier').getByText('No.').waitFor()
    assert.doesNotMatch(lastRequest(service), /Attached/)
  })

  test('comes from the editor’s own commands, with the question that they ask', async ({ service, windows }) => {
    const { page } = await openEmptyChat(windows)
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

  test('of a whole repository is measured, sent once, looked at beforehand, and gone after a summary', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await openEmptyChat(windows)
    const meter = chat.getByRole('meter', { name: 'Context used' })
    const used = async () => Number(await meter.getAttribute('aria-valuenow'))
    const before = await used()
    await writeMessage(chat, '@Whole')
    const options = chat.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await options.filter({ hasText: 'Whole repository' }).first().waitFor()
    await page.keyboard.press('Enter')
    await chips(chat)
      .getByText(/tokens/)
      .waitFor()
    await chips(chat).getByRole('button', { name: 'Whole repository' }).first().click()
    await tab(page, 'Whole repository.txt').waitFor()
    await openChat(page)
    await writeMessage(chat, 'What is this?')
    await runCommand(page, 'Kourier: Preview Request')
    await tab(page, 'Request.json').waitFor()
    const editor = page.locator('.editor-instance')
    await editor.getByText('"messages"').waitFor()
    // A line that is wrapped has several lines in view and one number.
    await expect
      .poll(async () => (await editor.locator('.view-line').count()) - (await editor.locator('.line-numbers').count()))
      .toBeGreaterThan(0)
    assert.equal(inferences(service).length, 0)
    await openChat(page)
    for (const [at, question] of ['What is this?', 'And then?', 'And last?'].entries()) {
      service.replies.add({ text: `Answer ${at + 1}.` })
      await writeMessage(chat, question)
      await page.keyboard.press('Enter')
      await message(chat, 'Kourier')
        .getByText(`Answer ${at + 1}.`)
        .waitFor()
    }
    const [first = [], , third = []] = inferences(service).map(({ body }) => messagesOf(body))
    assert.match(first.at(-1) ?? '', /==> desk\/parcel\.ts/)
    assert.doesNotMatch(first.join(''), /==> \.env/)
    assert.deepEqual(third.slice(0, first.length), first)
    assert.equal(third.filter(text => text.includes('==> desk/parcel.ts')).length, 1)
    assert.ok((await used()) > before)
    await openFile(page, 'desk/parcel.ts')
    await focusText(page)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('x')
    const changes = chat.getByRole('button', { name: /^Repository changes/ })
    await changes.waitFor()
    await page.keyboard.press('Control+z')
    await changes.waitFor({ state: 'detached' })
    service.replies.add({ text: 'It was about **parcels**.' })
    await writeMessage(chat, '/comp')
    await options.filter({ hasText: '/compact' }).first().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await chat.locator('summary', { hasText: 'Summary' }).click()
    await chat.getByText('It was about parcels.').waitFor()
    service.replies.add({ text: 'Yes.' })
    await writeMessage(chat, 'Do you still know?')
    await page.keyboard.press('Enter')
    await message(chat, 'Kourier').getByText('Yes.').waitFor()
    assert.match(lastRequest(service), /What is this\?.*It was about \*\*parcels\*\*.*And then\?/s)
    assert.doesNotMatch(lastRequest(service), /==> desk/)
  })
})

/** Each as its bytes. */
function messagesOf(body: unknown): string[] {
  const { messages } = body as { messages: unknown[] } // as: the service has checked it
  return messages.map(one => JSON.stringify(one))
}
