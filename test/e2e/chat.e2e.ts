// A person asks, reads, stops, copies, and loses nothing.
import assert from 'node:assert/strict'
import process from 'node:process'
import type { FrameLocator, Page } from '@playwright/test'
import { ask, chatFrame, message, openChat, runCommand, statusBarItem, writeMessage } from '../editor/workbench.ts'
import type { EditorWindowOptions, EditorWindows } from './editorWindows.ts'
import { extensionHosts } from './extensionHosts.ts'
import { test } from './fixtures.ts'
import { inferences, writtenIn } from './inferences.ts'

/**
 * In a window that is kept, the title of the chat of the test before is asked for some time after its answer, and meets what
 * this test has changed at the service: a test with a fault that only its own question may meet wants a new window.
 */
async function open(
  windows: EditorWindows,
  options?: EditorWindowOptions,
): Promise<{ page: Page; chat: FrameLocator }> {
  const { page } = await windows.openSignedIn(options)
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
  test('(e) streams an answer, stops at once, keeps what came, and answers the next question', async ({
    service,
    windows,
  }) => {
    const { chat } = await open(windows)
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

    service.replies.add({ text: 'The second answer.' })
    await ask(chat, 'And now?')
    await message(chat, 'Kourier').getByText('The second answer.').waitFor()
    const sent = inferences(service).at(-1)?.body as { messages: { role: string; content: string }[] }
    assert.deepEqual(sent.messages.slice(1).map(writtenIn), [
      ['user', 'Say the letters'],
      ['assistant', 'Alpha beta gamma '],
      ['user', 'And now?'],
    ])
  })

  test('(f) copies a code block exactly', async ({ service, windows }) => {
    const { page, chat } = await open(windows)
    const code = 'def greet(name: str) -> str:\n    return f"Hello, {name}"'
    service.replies.add({ text: `Here:\n\n\`\`\`python\n${code}\n\`\`\`\n` })
    await ask(chat, 'A greeting, please')
    await chat.getByRole('group', { name: 'Code: python' }).getByRole('button', { name: 'Copy' }).click()
    await chat.getByText('Copied').first().waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(copied.trimEnd(), code)
  })

  test('(i) says in one sentence that the service is down; Retry works when it is back', async ({
    service,
    windows,
  }) => {
    const { chat } = await open(windows)
    service.faults.add({ kind: 'reset', on: 'POST /v1/chat', times: 'always' })
    await ask(chat, 'Are you there?')
    const alert = chat.getByRole('alert')
    await alert.waitFor({ timeout: 30_000 })
    assert.match(await alert.innerText(), /closed the connection without an answer/)
    assert.equal(inferences(service).length > 0, true)
    service.faults.clear()
    service.replies.add({ text: 'I am back.' })
    await alert.getByRole('button', { name: 'Retry' }).click()
    await message(chat, 'Kourier').getByText('I am back.').waitFor()
    assert.equal(await alert.count(), 0)
    assert.equal(await chat.getByRole('log').getByText('Are you there?').count(), 1, 'the question stands once')
  })

  test('keeps the conversation and the draft when the view is hidden and shown, also while it streams', async ({
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

  test('[R45] has the question and all but the last second of its answer when the extension host was killed', async ({
    service,
    editor,
    windows,
  }) => {
    const { chat } = await open(windows, { isSpent: true })
    service.replies.add({ tokens: Array.from({ length: 600 }, (_, at) => `word${at} `), tokensPerSecond: 20 })
    await ask(chat, 'Tell me everything')
    await message(chat, 'Kourier').getByText('word60 ').waitFor()
    const call = inferences(service).at(-1)
    // A window that was closed may still have its own for a while.
    for (const host of extensionHosts(editor)) process.kill(host, 'SIGKILL')
    await service.log.until(one => one === call && one.isAborted)
    await chat.getByText('The answer was interrupted here.').waitFor({ timeout: 30_000 })
    assert.match(await message(chat, 'Kourier').innerText(), /^word0 .*word39 word40/s)
    assert.equal(await chat.getByRole('log').getByText('Tell me everything').count(), 1)
    service.replies.add({ text: 'From the beginning.' })
    await chat.getByRole('button', { name: 'Retry' }).first().click()
    await message(chat, 'Kourier').getByText('From the beginning.').waitFor()
  })

  test('begins an empty conversation with New Chat', async ({ service, windows }) => {
    const { page, chat } = await open(windows)
    service.replies.add({ text: 'Remember me.' })
    await ask(chat, 'First chat')
    await message(chat, 'Kourier').getByText('Remember me.').waitFor()
    await runCommand(page, 'Kourier: New Chat')
    await message(chat, 'You').waitFor({ state: 'detached' })
    service.replies.add({ text: 'Fresh.' })
    await ask(chat, 'Second chat')
    await message(chat, 'Kourier').getByText('Fresh.').waitFor()
    assert.doesNotMatch(JSON.stringify(inferences(service).at(-1)?.body), /First chat/)
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
    const queued = chat.getByRole('list', { name: 'Queued messages' })
    await queued.getByText('Two').waitFor()

    await runCommand(page, 'Kourier: New Chat')
    await message(chat, 'You').waitFor({ state: 'detached' })
    await runCommand(page, 'Kourier: Open Chat in Editor')
    const tab = chatFrame(page, 'editor')
    await ask(tab, 'Other')
    await message(tab, 'Kourier').getByText('Second answer.').waitFor()
    gate.release()
    await service.log.until(() => inferences(service).length >= 3)

    await runCommand(page, 'Kourier: Move Chat to the Side Bar')
    await message(chat, 'Kourier').getByText('Second answer.').waitFor()
    assert.match(JSON.stringify(inferences(service).at(-1)?.body), /One.*First answer\..*Two/)
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

  test('keeps what arrived when the plan’s limit is reached in mid-answer, and tries again on request', async ({
    service,
    windows,
  }) => {
    const { chat } = await open(windows, { isNew: true })
    service.replies.add({ tokens: ['Half', ' an', ' answer.'] }, { text: 'The whole answer.' })
    const limit = { error: { type: 'rate_limit_error', code: 429, message: 'Slower.' } }
    const text = `data: ${JSON.stringify(limit)}\n\n`
    service.faults.add({ kind: 'insert', before: 3, on: 'POST /v1/chat', text })
    await ask(chat, 'Go on')
    const wait = chat.getByRole('status').filter({ hasText: 'what arrived is kept' })
    await wait.getByRole('button', { name: 'Retry now' }).waitFor()
    assert.match(await message(chat, 'Kourier').innerText(), /Half an/)
    await wait.getByRole('button', { name: 'Retry now' }).click()
    await message(chat, 'Kourier').getByText('The whole answer.').waitFor()
    assert.equal(await chat.getByRole('alert').count(), 0)
  })

  test('shows one notice and a way on when the key was revoked elsewhere', async ({ service, windows }) => {
    const { chat } = await open(windows, { isNew: true })
    for (const key of service.state.keys.all) service.state.keys.revoke(key, Date.now())
    await ask(chat, 'Still there?')
    await chat.getByRole('alert').getByRole('button', { name: 'Sign In' }).first().waitFor()
    await message(chat, 'You').getByText('Still there?').waitFor()
  })
})

// For the time in `Retry-After`, no window asks this service for completions.
test.describe('a chat whose service limits requests', () => {
  test.use({ serviceOptions: {} })

  test('waits visibly at the plan’s limit and goes on by itself', async ({ service, windows }) => {
    const { chat } = await open(windows)
    service.faults.add({ kind: 'status', status: 429, headers: { 'retry-after': '30' }, on: 'POST /v1/chat' })
    service.replies.add({ text: 'There you are.' })
    await ask(chat, 'In a hurry')
    const wait = chat.getByRole('status').filter({ hasText: 'limit is reached' })
    await wait.getByRole('button', { name: 'Retry now' }).click()
    await message(chat, 'Kourier').getByText('There you are.').waitFor()
    assert.equal(await chat.getByRole('alert').count(), 0, 'a 429 is never shown as a fault')
  })
})
