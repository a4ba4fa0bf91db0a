// A person asks, reads, stops, copies, and loses nothing.
import assert from 'node:assert/strict'
import type { FrameLocator, Page } from '@playwright/test'
import { ask, chatFrame, message, openChat, runCommand, statusBarItem, writeMessage } from '../editor/workbench.ts'
import { isQueued } from './chatSteps.ts'
import type { EditorWindows } from './editorWindows.ts'
import { test } from './fixtures.ts'
import { inferences, writtenIn } from './inferences.ts'

async function open(windows: EditorWindows): Promise<{ page: Page; chat: FrameLocator }> {
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  const chat = await openChat(page)
  // The first look at the chat asks for the models; what a test changes at the service must not meet that question.
  await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
  // A window goes on with the chat of the one before.
  if ((await message(chat, 'You').count()) > 0) await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })
  return { page, chat }
}

test.describe('chat', () => {
  test('(e) (f) streams an answer, stops at once, keeps what came, and answers the next question with code that is copied', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await open(windows)
    const gate = service.replies.hold(3)
    service.replies.add({ tokens: ['Alpha ', 'beta ', 'gamma ', 'delta'] })
    await ask(chat, 'Say the letters')
    await gate.reached
    await message(chat, 'Kourier').getByText('Alpha beta gamma').waitFor()
    const call = inferences(service).at(-1)
    await chat.getByRole('button', { name: 'Stop' }).click()
    await chat.getByRole('button', { name: 'Send' }).waitFor()
    await service.log.until(one => one === call && one.isAborted)
    assert.match(await message(chat, 'Kourier').innerText(), /Alpha beta gamma/)
    assert.doesNotMatch(await message(chat, 'Kourier').innerText(), /delta/)
    assert.equal(await chat.getByRole('alert').count(), 0, 'a stop is no fault')

    const code = 'def greet(name: str) -> str:\n    return f"Hello, {name}"'
    service.replies.add({ text: `The second answer:\n\n\`\`\`python\n${code}\n\`\`\`\n` })
    await ask(chat, 'And now?')
    await chat.getByRole('group', { name: 'Code: python' }).getByRole('button', { name: 'Copy' }).click()
    await chat.getByText('Copied').first().waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(copied.trimEnd(), code)
    const sent = inferences(service).at(-1)?.body as { messages: { role: string; content: string }[] }
    assert.deepEqual(sent.messages.slice(1).map(writtenIn), [
      ['user', 'Say the letters'],
      ['assistant', 'Alpha beta gamma '],
      ['user', 'And now?'],
    ])
  })

  test('[R47] keeps the conversation and the draft when the view is hidden and shown, also while it streams', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await open(windows)
    const gate = service.replies.hold(1)
    service.replies.add({ tokens: ['Before ', 'hidden ', 'and after.'] })
    await ask(chat, 'Stay, please')
    await message(chat, 'Kourier').getByText('Before').waitFor()
    await writeMessage(chat, 'half a thought')
    await runCommand(page, 'View: Show Explorer')
    await gate.reached
    gate.release()
    const again = await openChat(page)
    await message(again, 'Kourier').getByText('Before hidden and after.').waitFor()
    assert.equal(await again.getByRole('textbox', { name: 'Message' }).inputValue(), 'half a thought')
  })

  test('answers in several conversations at once, in the side bar and in a tab, and what is sent meanwhile waits', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await open(windows)
    const gate = service.replies.hold(1)
    service.replies.add({ tokens: ['First ', 'answer.'] }, { text: 'Second answer.' }, { text: 'Third answer.' })
    await ask(chat, 'One')
    await gate.reached
    await writeMessage(chat, 'Two')
    await page.keyboard.press('Enter')
    await isQueued(chat, 'Two')

    await runCommand(page, 'Kourier: New Chat')
    await message(chat, 'You').waitFor({ state: 'detached' })
    await runCommand(page, 'Kourier: Open Chat in Editor')
    const tab = chatFrame(page, 'editor')
    await ask(tab, 'Other')
    await message(tab, 'Kourier').getByText('Second answer.').waitFor()
    gate.release()

    await runCommand(page, 'Kourier: Move Chat to the Side Bar')
    await message(chat, 'Kourier').getByText('Second answer.').waitFor()
    await service.log.until(({ body }) => /One.*First answer\..*Two/.test(JSON.stringify(body ?? '')))
  })

  test('changes a question, goes back to the one before, branches from it, and deletes and restores', async ({
    service,
    windows,
  }) => {
    const { chat } = await open(windows)
    service.replies.add({ text: 'Answer one.' }, { text: 'Answer two.' })
    await ask(chat, 'Question one')
    await message(chat, 'Kourier').getByText('Answer one.').waitFor()
    await message(chat, 'You').hover()
    await message(chat, 'You').getByRole('button', { name: 'Edit' }).click()
    await chat.getByRole('textbox', { name: 'Edit message' }).fill('Question two')
    await chat.getByRole('textbox', { name: 'Edit message' }).press('Enter')
    await message(chat, 'Kourier').getByText('Answer two.').waitFor()
    assert.doesNotMatch(JSON.stringify(inferences(service).at(-1)?.body), /Question one/)
    await message(chat, 'You').getByRole('button', { name: 'Previous version' }).click()
    await message(chat, 'Kourier').getByText('Answer one.').waitFor()
    await message(chat, 'Kourier').getByRole('button', { name: 'Branch from here' }).click()
    await message(chat, 'You').getByText('Question one').waitFor()
    await message(chat, 'You').getByRole('button', { name: 'Previous version' }).waitFor({ state: 'detached' })
    await message(chat, 'You').getByRole('button', { name: 'Delete message' }).click()
    await message(chat, 'You').waitFor({ state: 'detached' })
    await chat.getByRole('button', { name: 'Undo' }).click()
    await message(chat, 'Kourier').getByText('Answer one.').waitFor()
  })
})
