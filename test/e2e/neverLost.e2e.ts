// What a person has asked, received and written survives a crash, a reload, a second window, a move and a bad disk.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, type FrameLocator, type Page } from '@playwright/test'
import {
  ask,
  chatFrame,
  message,
  pick,
  reloadWindow,
  runCommand,
  statusBarItem,
  writeMessage,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { type ChatWindow, isQueued, queue, readyChat } from './chatSteps.ts'
import { storageOf } from './editorHarness.ts'
import type { EditorWindowOptions, EditorWindows } from './editorWindows.ts'
import { extensionHosts } from './extensionHosts.ts'
import { test } from './fixtures.ts'
import { inferences, writtenIn } from './inferences.ts'
import { unsentIn } from './storedTexts.ts'

const words = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `word${from + at} `)

async function open(windows: EditorWindows, options?: EditorWindowOptions): Promise<ChatWindow> {
  const { page } = await windows.openSignedIn(options)
  const chat = await readyChat(page)
  if ((await message(chat, 'You').count()) > 0) await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })
  return { page, chat }
}

const box = (chat: FrameLocator) => chat.getByRole('textbox', { name: 'Message' })
const chip = (chat: FrameLocator, name: string) =>
  chat.getByRole('list', { name: 'Context' }).getByRole('listitem').filter({ hasText: name })
const interruption = (chat: FrameLocator) => message(chat, 'Kourier').getByText('The answer was interrupted here.')
const countIn = async (chat: FrameLocator, text: string) => chat.getByRole('log').getByText(text).count()

/** Roles and texts of the last request, without the instructions. */
function lastMessages(service: Service): string[] {
  const { body } = inferences(service).at(-1) ?? assert.fail('nothing was sent')
  const { messages } = body as { messages: { role: string; content: unknown }[] } // as: the service has checked it
  return messages.slice(1).map(one => {
    const [role, text] = writtenIn(one)
    return `${role}: ${JSON.stringify(text)}`
  })
}

/** Asks, and writes the beginning of the next question while the answer streams; resolves with about 60 words there. */
async function askAndWriteOn(service: Service, chat: FrameLocator, question: string, draft: string): Promise<void> {
  service.replies.add({ tokens: words(0, 600), tokensPerSecond: 20 })
  await ask(chat, question)
  await message(chat, 'Kourier').getByText('word2 ').waitFor()
  await attach(chat, 'parcel.ts')
  await writeMessage(chat, draft)
  await message(chat, 'Kourier').getByText('word60 ').waitFor()
}

async function crash(service: Service, hosts: readonly number[]): Promise<void> {
  const call = inferences(service).at(-1)
  for (const host of hosts) process.kill(host, 'SIGKILL')
  await service.log.until(one => one === call && one.isAborted)
}

/** The same, and writes into the page that the editor makes anew, which has its extension only later. */
async function crashWhileWriting(
  service: Service,
  chat: FrameLocator,
  hosts: readonly number[],
  text: string,
): Promise<void> {
  await chat.locator('body').evaluate((body: { id: string }) => {
    body.id = 'before'
  })
  await crash(service, hosts)
  await chat.locator('#before').waitFor({ state: 'detached', timeout: 60_000 })
  await writeMessage(chat, text)
}

/** The question and what arrived are there once, with both ways on, and what was being written is as it was. */
async function isWholeAfterCrash(chat: FrameLocator, question: string, draft: string): Promise<void> {
  await interruption(chat).waitFor({ timeout: 60_000 })
  assert.match(await message(chat, 'Kourier').innerText(), /^word0 .*word39 word40/s)
  assert.equal(await countIn(chat, question), 1)
  for (const name of ['Continue', 'Retry'])
    await message(chat, 'Kourier').getByRole('button', { name }).first().waitFor()
  await expect(box(chat)).toHaveValue(draft)
  await chip(chat, 'parcel.ts').waitFor()
}

/** The rest is asked for with what arrived, and without what was being written, which stays. */
async function goesOn(service: Service, chat: FrameLocator, draft: string): Promise<void> {
  service.replies.add({ text: 'And that is all.' })
  await message(chat, 'Kourier').getByRole('button', { name: 'Continue' }).click()
  await message(chat, 'Kourier').getByText('And that is all.').waitFor()
  const [partial = '', request = ''] = lastMessages(service).slice(-2)
  assert.match(partial, /^assistant: "word0 .*word40/)
  assert.match(request, /^user: "Continue exactly where/)
  assert.equal(await box(chat).inputValue(), draft)
  assert.equal(await chip(chat, 'parcel.ts').count(), 1)
}

test.describe('never lost', () => {
  test('[R45] a crash in mid-answer, in the side bar and in a tab: all is there, also what is written meanwhile, and Continue goes on', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await open(windows, { isSpent: true })
    await askAndWriteOn(service, chat, 'Tell me everything', 'half a thought')
    await crashWhileWriting(service, chat, extensionHosts(editor), 'half a thought, and more')
    await isWholeAfterCrash(chat, 'Tell me everything', 'half a thought, and more')
    await goesOn(service, chat, 'half a thought, and more')

    await runCommand(page, 'Kourier: New Chat')
    await message(chat, 'You').waitFor({ state: 'detached' })
    await chat.getByRole('button', { name: 'Remove parcel.ts' }).click()
    await writeMessage(chat, '')
    await runCommand(page, 'Kourier: Open Chat in Editor')
    const inTab = chatFrame(page, 'editor')
    await askAndWriteOn(service, inTab, 'Tell me more', 'another thought')
    await crashWhileWriting(service, inTab, extensionHosts(editor), 'another thought, where it goes on')
    await isWholeAfterCrash(inTab, 'Tell me more', 'another thought, where it goes on')
    await goesOn(service, inTab, 'another thought, where it goes on')
  })

  test('a reload in mid-answer: a queued message waits in sight, and is sent once; no key is kept', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await open(windows)
    service.replies.add({ tokens: words(0, 600), tokensPerSecond: 20 })
    await ask(chat, 'Tell me everything')
    await message(chat, 'Kourier').getByText('word5 ').waitFor()
    await writeMessage(chat, 'And what then?')
    await page.keyboard.press('Enter')
    await isQueued(chat, 'And what then?')
    // Where a part of the editor keeps it, it is found after the test.
    await writeMessage(chat, 'half a thought on sk-bf-planted-0123456789')
    await chat.getByRole('alert').getByText('This message holds an API key.').waitFor()
    await message(chat, 'Kourier').getByText('word60 ').waitFor()
    await reloadWindow(page)
    const again = await readyChat(page)
    await interruption(again).waitFor({ timeout: 60_000 })
    assert.match(await message(again, 'Kourier').innerText(), /^word0 .*word39 word40/s)
    assert.equal(await countIn(again, 'Tell me everything'), 1)
    await isQueued(again, 'And what then?')
    assert.equal(await box(again).inputValue(), 'half a thought on sk-bf-…')
    assert.equal(inferences(service).length, 1, 'nothing was sent by itself')

    service.replies.add({ text: 'The rest.' }, { text: 'Then it ends.' })
    await message(again, 'Kourier').getByRole('button', { name: 'Continue' }).click()
    await message(again, 'Kourier').getByText('Then it ends.').waitFor()
    assert.equal(await countIn(again, 'And what then?'), 1)
    assert.equal(await queue(again).count(), 0)
    assert.equal(await box(again).inputValue(), 'half a thought on sk-bf-…')
    assert.deepEqual(
      lastMessages(service).map(text => text.slice(0, 30)),
      [
        'user: "Tell me everything"',
        'assistant: "word0 word1 word2 ',
        'user: "Continue exactly where ',
        'assistant: "The rest."',
        'user: "And what then?"',
      ],
    )
  })
})

test.describe('never lost between windows', () => {
  test('two windows on one chat see the same, refuse plainly, and lose and double nothing', async ({
    service,
    editor,
    windows,
  }) => {
    const before = extensionHosts(editor)
    const { chat } = await open(windows, { isNew: true }) // a window that is taken over has had its host before
    const hostsOfFirst = extensionHosts(editor).filter(host => !before.includes(host))
    const gate = service.replies.hold(2)
    service.replies.add({ tokens: ['Alpha ', 'beta ', 'gamma.'] })
    await ask(chat, 'Say these letters')
    await gate.reached

    const secondPage = await windows.open()
    const second = await readyChat(secondPage)
    await runCommand(secondPage, 'Kourier: New Chat')
    await message(second, 'You').waitFor({ state: 'detached' })
    await runCommand(secondPage, 'Kourier: Show Chat History')
    await second.getByRole('listitem').getByRole('button', { name: 'Say these letters' }).first().click()
    await message(second, 'Kourier').getByText('Alpha beta').waitFor()
    await second.getByRole('status').getByText('you can send when its answer has ended').waitFor()
    await writeMessage(second, 'And from here?')
    await secondPage.keyboard.press('Enter')
    assert.equal(await second.getByRole('button', { name: 'Send' }).isDisabled(), true)
    assert.equal(await second.getByRole('button', { name: 'Stop' }).count(), 0, 'it could not')
    assert.equal(await box(second).inputValue(), 'And from here?')
    gate.release()
    for (const one of [chat, second]) await message(one, 'Kourier').getByText('Alpha beta gamma.').waitFor()

    service.replies.add({ text: 'From there as well.' })
    await second.getByRole('button', { name: 'Send' }).click()
    for (const one of [second, chat]) {
      await message(one, 'Kourier').getByText('From there as well.').waitFor()
      assert.equal(await countIn(one, 'And from here?'), 1)
    }
    assert.match(lastMessages(service).join(), /Say these letters.*Alpha beta gamma\..*And from here\?/)

    const last = service.replies.hold(2)
    service.replies.add({ tokens: ['Once ', 'upon ', 'a time.'] })
    await ask(chat, 'Tell a story')
    await last.reached
    await message(second, 'Kourier').getByText('Once upon').waitFor()
    await crash(service, hostsOfFirst)
    await interruption(second).waitFor({ timeout: 60_000 })
    service.replies.add({ text: 'And they lived.' })
    await message(second, 'Kourier').getByRole('button', { name: 'Continue' }).click()
    for (const one of [second, chat]) {
      await message(one, 'Kourier').getByText('And they lived.').waitFor({ timeout: 60_000 })
      for (const text of ['Say these letters', 'And from here?', 'Tell a story', 'Alpha beta gamma.', 'Once upon'])
        assert.equal(await countIn(one, text), 1, text)
    }
  })
})

test.describe('never lost in one window', () => {
  test('[R47] a chat moves between side bar and tab in mid-answer, with what is being written, and can be searched', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await open(windows)
    const inTab = chatFrame(page, 'editor')
    const gates = [service.replies.hold(2)]
    service.replies.add({ tokens: ['Alpha ', 'beta ', 'gamma.'] })
    await ask(chat, 'Say the letters')
    await gates[0]?.reached
    await attach(chat, 'parcel.ts')
    await writeMessage(chat, 'half a thought')
    await runCommand(page, 'Kourier: Open Chat in Editor')
    await isMoved(inTab, 'Alpha beta', 'half a thought')
    await message(chat, 'You').waitFor({ state: 'detached' })
    assert.equal(await box(chat).inputValue(), '')
    assert.equal(await chip(chat, 'parcel.ts').count(), 0)
    await writeMessage(inTab, 'half a thought, and more')
    await runCommand(page, 'Kourier: Move Chat to the Side Bar')
    await isMoved(chat, 'Alpha beta', 'half a thought, and more')
    await moveView(page, 'New Secondary Side Bar Entry')
    const onTheOtherSide = chatFrame(page, 'other side')
    await isMoved(onTheOtherSide, 'Alpha beta', 'half a thought, and more')
    gates[0]?.release()
    await message(onTheOtherSide, 'Kourier').getByText('Alpha beta gamma.').waitFor()
    await runCommand(page, 'View: Reset View Locations')
    await isMoved(await readyChat(page), 'Alpha beta gamma.', 'half a thought, and more')
    assert.equal(inferences(service).length, 1)

    const lines = Array.from({ length: 120 }, (_, at) => `Line ${at} of it.`)
    service.replies.add({ text: lines.join('\n\n') })
    await chat.getByRole('button', { name: 'Remove parcel.ts' }).click()
    await ask(chat, 'Count')
    await message(chat, 'Kourier').getByText('Line 119 of it.').waitFor()
    await runCommand(page, 'Kourier: Open Chat in Editor')
    await message(inTab, 'Kourier').getByText('Line 119 of it.').waitFor()
    await runCommand(page, 'Kourier: Find in Chat')
    await inTab.getByRole('searchbox', { name: 'Find in chat' }).fill('Line 7')
    await inTab
      .getByRole('search')
      .getByText(/of 11$/)
      .waitFor()
    await inTab.getByRole('button', { name: 'Close' }).click()
    await inTab.getByRole('button', { name: 'Jump to latest' }).click()
    await runCommand(page, 'Kourier: Move Chat to the Side Bar')
    await message(chat, 'Kourier').getByText('Line 119 of it.').waitFor()
    assert.equal(await chat.getByRole('button', { name: 'Jump to latest' }).count(), 0, 'the end is in sight')
    assert.equal(await countIn(chat, 'Line 119 of it.'), 1)
  })
})

/** Moves the chat as one does with the editor's own command. */
async function moveView(page: Page, place: string): Promise<void> {
  await runCommand(page, 'View: Move View')
  await pick(page, 'Chat')
  await pick(page, place)
}

/** By its name, as a mention. */
async function attach(chat: FrameLocator, name: string): Promise<void> {
  await writeMessage(chat, `@${name}`)
  await chat.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name }).first().click()
  await chip(chat, name).waitFor()
}

async function isMoved(chat: FrameLocator, answer: string, draft: string): Promise<void> {
  await message(chat, 'Kourier').getByText(answer).waitFor()
  assert.equal(await countIn(chat, answer), 1)
  await chip(chat, 'parcel.ts').waitFor()
  assert.equal(await chip(chat, 'parcel.ts').count(), 1)
  assert.equal(await box(chat).inputValue(), draft)
}

test.describe('an extension host that ends and is started again', () => {
  // A window whose host ends three times within five minutes asks before it starts another.
  test.use({ editorNeeds: {} })

  test('[R46] twice: the chat goes on where it was, answers once, and is there once', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await open(windows)
    service.replies.add({ text: 'I am here.' })
    await ask(chat, 'Are you there?')
    await message(chat, 'Kourier').getByText('I am here.').waitFor()
    for (let time = 0; time < 2; time++) {
      const before = extensionHosts(editor)
      for (const host of before) process.kill(host, 'SIGKILL')
      await expect
        .poll(() => extensionHosts(editor).some(host => before.includes(host)), { timeout: 60_000 })
        .toBe(false)
      await message(await readyChat(page), 'Kourier')
        .getByText('I am here.')
        .waitFor()
    }
    const again = await readyChat(page)
    service.replies.add({ text: 'Still here.' })
    const sent = inferences(service).length
    await ask(again, 'And now?')
    await message(again, 'Kourier').getByText('Still here.').waitFor()
    assert.equal(inferences(service).length - sent, 1)
    for (const text of ['Are you there?', 'I am here.', 'And now?', 'Still here.'])
      assert.equal(await countIn(again, text), 1, text)
    assert.equal(await page.locator('iframe.webview[src*="extensionId=kourier.kourier"]').count(), 1)
    assert.equal(await statusBarItem(page, /Signed in to/).count(), 1)
  })
})

test.describe('never lost on a bad disk', () => {
  test.use({ editorNeeds: {} })

  test('[R43] [R44] one sentence says that a chat is not saved and what helps, and it is saved when it can be', async ({
    service,
    editor,
    windows,
  }) => {
    const storage = storageOf(editor)
    const folder = join(storage, 'conversations')
    mkdirSync(storage, { recursive: true })
    writeFileSync(folder, 'a file, where the folder should be')
    const { page, chat } = await open(windows)
    service.replies.add({ text: 'I shall.' })
    await ask(chat, 'Remember this')
    await message(chat, 'Kourier').getByText('I shall.').waitFor()
    const note = (text: string) => chat.getByRole('note').getByText(text)
    await note('This chat cannot be saved').waitFor()
    await writeMessage(chat, 'half a thought')
    rmSync(folder)
    await note('This chat cannot be saved').waitFor({ state: 'detached' })

    const [name = ''] = readdirSync(folder).filter(one => one.endsWith('.jsonl'))
    const journal = join(folder, name)
    renameSync(journal, `${journal}.aside`)
    symlinkSync('/dev/full', journal)
    service.replies.add({ text: 'That too.' })
    await ask(chat, 'And this')
    await message(chat, 'Kourier').getByText('That too.').waitFor()
    await note('This chat cannot be saved, because the disk is full.').waitFor()
    await writeMessage(chat, 'another half')
    rmSync(journal)
    renameSync(`${journal}.aside`, journal)
    await note('This chat cannot be saved').waitFor({ state: 'detached' })
    await expect.poll(() => unsentIn(storage)).toContain('"another half"')

    await reloadWindow(page)
    const again = await readyChat(page)
    await message(again, 'Kourier').getByText('That too.').waitFor()
    for (const text of ['Remember this', 'I shall.', 'And this', 'That too.'])
      assert.equal(await countIn(again, text), 1, text)
    assert.equal(await box(again).inputValue(), 'another half')
  })
})
