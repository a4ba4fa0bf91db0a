// The page as a person meets it: in a real browser, under the editor's policy, by role and name.
import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import { build } from 'esbuild'
import type { PanelAccount, ToPage } from '../../src/protocol/panel.ts'
import { continueBlocks, noBlocks } from '../../src/webview/markdown/markdown.ts'
import { englishWords } from '../support/englishPage.ts'
import { type Drawn, PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'
import { canary, heavy, hostile } from './hostile.ts'
import { themes } from './themes.ts'

/** Nothing was asked of the network, no policy was violated, nothing was reported. */
function assertQuiet(chat: ChatPage): void {
  assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
}

const service = 'Example AI'
const signedIn: ToPage = { kind: 'account', account: { is: 'in', service, email: 'ada@example.com' } }
const account = (value: PanelAccount): ToPage => ({ kind: 'account', account: value })
const model: ToPage = { kind: 'model', id: 'example-1' }
const conversation = new PageConversation()
const transcript = (...messages: readonly Drawn[]) => conversation.replay(...messages)
const activity = (value: Extract<ToPage, { kind: 'activity' }>['activity']): ToPage => ({
  kind: 'activity',
  conversation: 'c',
  activity: value,
})
const idle = activity({ is: 'idle' })
const answering = activity({ is: 'answering' })
type Answer = Extract<Drawn, { role: 'assistant' }>
const question = (text: string, id = 'q'): Drawn => ({ id, role: 'user', text })
const answer = (text: string, state: Answer['state'] = 'whole', id = 'a'): Answer => ({
  id,
  role: 'assistant',
  text,
  state,
})
const delta = (offset: number, text: string, turn?: string) => conversation.delta(offset, text, turn)
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const isFocused = async (of: Locator) => (await of.and(of.page().locator(':focus')).count()) === 1
const textOf = async (of: Locator) => (await of.allInnerTexts()).join('\n').trim()

test.describe('signing in', () => {
  test('signed out: a heading, and two ways in', async ({ openChat, page }) => {
    const chat = await openChat([account({ is: 'out', service })])
    await page.getByRole('heading', { name: `Sign in to ${service}` }).waitFor()
    await button(page, 'Sign in').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: '', action: 'sign-in' })
    await button(page, 'Use an API key').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: '', action: 'use-key' })
    assert.equal(await message(page).count(), 0)
    assertQuiet(chat)
  })

  test('where the browser can sign in, a third way stands between the two', async ({ openChat, page }) => {
    const chat = await openChat([account({ is: 'out', service, canUseBrowser: true })])
    const names = await page.getByRole('button').allInnerTexts()
    assert.deepEqual(names, ['Sign in', 'Sign in with the browser', 'Use an API key'])
    await button(page, 'Sign in with the browser').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: '', action: 'sign-in-with-browser' })
    await chat.post(account({ is: 'out', service, canUseBrowser: false }))
    await button(page, 'Sign in with the browser').waitFor({ state: 'detached' })
  })

  test('what went wrong last is said in one sentence', async ({ openChat, page }) => {
    const notice = { text: 'The code was refused in the browser. Sign in again.' }
    await openChat([account({ is: 'out', service, notice })])
    assert.equal(await textOf(page.getByRole('alert')), notice.text)
  })

  test('the end of a sign-in is said also where the key of before goes on working', async ({ openChat, page }) => {
    const notice = { text: 'The sign-in was cancelled; no key was kept.' }
    await openChat([account({ is: 'in', service, notice })])
    assert.equal(await textOf(page.getByRole('alert')), notice.text)
    assert.equal(await message(page).count(), 1)
  })

  test('while nothing is to be typed, what is being done, and a way out', async ({ openChat, page }) => {
    const chat = await openChat([account({ is: 'signing-in', service, text: 'Asking for a code…' })])
    await page.getByRole('status').filter({ hasText: 'Asking for a code…' }).waitFor()
    await button(page, 'Cancel').click()
    await chat.received('cancel-sign-in')
  })

  const code = { is: 'code', service, code: '4821 7730', host: 'app.example.ai', tag: 'amber-fox' } as const

  test('[T24] the code with its host, its tag and its buttons', async ({ openChat, page }) => {
    const chat = await openChat([account({ ...code, remainingMs: 600_000, isRenewing: false })])
    const card = page.getByRole('group', { name: 'Sign-in code' })
    const text = await textOf(card)
    for (const part of ['4821 7730', 'app.example.ai']) assert.ok(text.includes(part), part)
    assert.ok(
      text.includes('Only approve if the page shows the tag amber-fox. We never send codes by mail or chat.'),
      text,
    )
    await button(card, 'Copy code').click()
    await chat.received('copy-code')
    await button(card, 'Open browser').click()
    await chat.received('open-browser')
    await button(card, 'Get a new code').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: '', action: 'new-code' })
    await button(card, 'Cancel').click()
    await chat.received('cancel-sign-in')
    assertQuiet(chat)
  })

  test('a QR code of the page, dark on light with its margin, as long as the code lives', async ({
    openChat,
    page,
  }) => {
    const qr = { size: 21, path: 'M0 0h7v1h-7z' }
    const chat = await openChat([account({ ...code, qr, remainingMs: 600_000, isRenewing: false })])
    const drawn = page.getByRole('img', { name: 'QR code for app.example.ai' })
    assert.equal(await drawn.getAttribute('viewBox'), '-4 -4 29 29')
    assert.deepEqual(
      await drawn.locator('rect, path').evaluateAll(parts => parts.map(part => part.getAttribute('fill'))),
      ['#fff', '#000'],
    )
    await chat.post(account({ ...code, qr, remainingMs: 0, isRenewing: false }))
    await drawn.waitFor({ state: 'detached' })
    assertQuiet(chat)
  })

  test('what goes wrong meanwhile is said beside the code, read out, and gone when it is over', async ({
    openChat,
    page,
  }) => {
    const still = { ...code, remainingMs: 600_000, isRenewing: false }
    const chat = await openChat([account(still)])
    const status = page.getByRole('group', { name: 'Sign-in code' }).getByRole('status')
    assert.equal(await textOf(status), '')
    const trouble = 'The service does not answer at the moment; still trying.'
    await chat.post(account({ ...still, trouble }))
    assert.equal(await textOf(status), trouble)
    await chat.post(account(still))
    assert.equal(await textOf(status), '')
    assertQuiet(chat)
  })

  test('the time left counts down by itself, heard only now and then, to an end', async ({ openChat, page }) => {
    const chat = await openChat([], { hasClock: true })
    await chat.post(account({ ...code, remainingMs: 125_000, isRenewing: false }))
    const timer = page.getByRole('timer')
    const card = page.getByRole('group', { name: 'Sign-in code' })
    assert.equal(await textOf(timer), '2:05 left')
    const announced = () => card.locator('.unseen').textContent()
    assert.equal(await announced(), '3 minutes left')
    await page.clock.runFor(4_500)
    assert.equal(await textOf(timer), '2:01 left')
    assert.equal(await announced(), '3 minutes left')
    await page.clock.runFor(62_000)
    assert.equal(await textOf(timer), '0:59 left')
    assert.equal(await announced(), '1 minute left')
    await page.clock.runFor(60_000)
    assert.equal(await textOf(timer), 'This code has expired.')
    assert.equal(await button(card, 'Copy code').isDisabled(), true)
    assert.equal(await button(card, 'Open browser').isDisabled(), true)
    await button(card, 'Get a new code').click()
    await chat.post(account({ ...code, remainingMs: 0, isRenewing: true }))
    assert.equal(await textOf(timer), 'Getting a new code…')
    await chat.post(account({ ...code, code: '1111 2222', remainingMs: 600_000, isRenewing: false }))
    assert.equal(await textOf(timer), '10:00 left')
  })

  test('a draft stays while signed out, and cannot be sent', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript()])
    await message(page).fill('half a question')
    await chat.post(account({ is: 'out', service }))
    assert.equal(await message(page).count(), 0)
    const notice = { text: 'The key no longer works.', action: { id: 'sign-in', label: 'Sign in again' } } as const
    await chat.post(account({ is: 'refused', service, notice }))
    assert.equal(await message(page).inputValue(), 'half a question')
    await message(page).press('Enter')
    assert.equal(await button(page, 'Send').isDisabled(), true)
    await button(page.getByRole('alert'), 'Sign in again').click()
    await chat.received('act')
    assert.deepEqual(chat.sent, [])
  })
})

test.describe('asking', () => {
  test('an empty conversation offers examples that fill the composer', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, model, transcript()])
    const log = page.getByRole('log', { name: 'Conversation' })
    const examples = log.getByRole('button')
    assert.equal(await examples.count(), 3)
    const text = await textOf(examples.first())
    await examples.first().click()
    assert.equal(await message(page).inputValue(), text)
    assert.equal(await isFocused(message(page)), true)
    assert.deepEqual(chat.sent, [])
    await chat.post(transcript(question('Hello')), activity({ is: 'answering' }))
    await button(log, text).waitFor({ state: 'detached' })
  })

  test('[T80] what is left out in a restricted window stands calmly above the composer, with the way to trust it', async ({
    openChat,
    page,
  }) => {
    const text = 'In Restricted Mode Kourier reads nothing of this workspace.'
    const action = { id: 'manage-trust', label: 'Manage Workspace Trust' } as const
    const chat = await openChat([signedIn, transcript(), { kind: 'limits', notice: { text, action } }])
    const note = page.getByRole('note')
    assert.ok((await textOf(note)).startsWith(text))
    assert.equal(await page.getByRole('alert').count(), 0)
    await button(note, 'Manage Workspace Trust').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: 'c', action: 'manage-trust' })
    await message(page).fill('It works all the same')
    await chat.post({ kind: 'limits' })
    await note.waitFor({ state: 'hidden' })
    assertQuiet(chat)
  })

  test('a window without a folder says why there are no modes, and opens one', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(), { kind: 'limits', lacksFolder: true }])
    await button(page, 'No folder').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: 'c', action: 'open-folder' })
    await chat.post({ kind: 'limits' })
    await button(page, 'No folder').waitFor({ state: 'detached' })
    assertQuiet(chat)
  })

  test('Enter sends, Shift+Enter does not', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript()])
    await message(page).fill('one')
    await message(page).press('Shift+Enter')
    await message(page).pressSequentially('two')
    await message(page).press('Enter')
    assert.deepEqual(await chat.received('send'), { kind: 'send', conversation: 'c', text: 'one\ntwo', number: 1 })
    assert.equal(chat.colourPreparations, 1, 'so that the code of the answer has its colours at once')
    assert.equal(await message(page).inputValue(), '')
    await message(page).press('Enter')
    assert.deepEqual(chat.sent, [])
  })

  test('with the other setting Enter makes a line and Ctrl+Enter sends', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(), { kind: 'settings', sendOnEnter: false }])
    await message(page).fill('one')
    await message(page).press('Enter')
    await message(page).press('Control+Enter')
    assert.deepEqual(await chat.received('send'), { kind: 'send', conversation: 'c', text: 'one\n', number: 1 })
  })

  test('the Enter of an input method does not send', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript()])
    await message(page).fill('にほ')
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      await message(page).dispatchEvent('keydown', { key: 'Enter', bubbles: true, ...init })
    }
    await chat.post()
    assert.deepEqual(chat.sent, [])
    assert.equal(await message(page).inputValue(), 'にほ')
  })

  test('the button sends, and gives the keyboard back', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript()])
    assert.equal(await button(page, 'Send').isDisabled(), true)
    await message(page).fill('   ')
    assert.equal(await button(page, 'Send').isDisabled(), true)
    await message(page).fill('Hello')
    await button(page, 'Send').click()
    await chat.received('send')
    assert.equal(await isFocused(message(page)), true)
  })

  test('the model has a button of its own', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, model, transcript()])
    await button(page, 'Model: example-1').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: 'c', action: 'select-model' })
  })

  test('focus is taken when asked for', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript()])
    assert.equal(await isFocused(message(page)), false)
    await chat.post({ kind: 'focus' })
    assert.equal(await isFocused(message(page)), true)
  })

  test('the composer grows with its text, up to a part of the page', async ({ openChat, page }) => {
    await openChat([signedIn, transcript()])
    const height = async () => (await message(page).boundingBox())?.height ?? 0
    const one = await height()
    await message(page).fill('1\n2\n3\n4')
    const four = await height()
    await message(page).fill('x\n'.repeat(200))
    assert.ok(four > one + 40, `${one} ${four}`)
    assert.ok((await height()) <= 640 * 0.4 + 1)
  })
})

test.describe('answering', () => {
  test('an answer grows piece by piece and keeps its nodes', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('', 'streaming')), answering])
    const log = page.getByRole('log', { name: 'Conversation' })
    assert.equal(await textOf(log.getByRole('article', { name: 'You' })), 'Hi')
    const article = log.getByRole('article', { name: 'Kourier' })
    await chat.post(delta(0, 'Good **mor'), delta(10, 'ning**\n\n- one'))
    await page.evaluate("globalThis.bold = document.querySelector('strong')")
    await chat.post(delta(23, '\n- two\n'))
    assert.equal(await page.evaluate("bold === document.querySelector('strong')"), true)
    assert.match(await textOf(article), /Good morning\s+one\s+two/)
    assert.equal(await article.getAttribute('aria-live'), 'off')
    await chat.post(transcript(question('Hi'), answer('Good **morning**')), idle)
    assert.match((await page.locator('body > #root > .unseen').textContent()) ?? '', /^Kourier: Good/)
    assertQuiet(chat)
  })

  test('a list and a table that grow are drawn as they are at once', async ({ openChat, page }) => {
    const code = '1. code\n\n   ```js\n   let a = 1\n   ```\n2. code\n\n   ```js\n   let b = 2\n   ```\n3. no code\n'
    const list =
      '- same\n- same\n- [ ] open\n- [x] **done**\n  - inside\n  - same\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n\n- loose\n'
    const table = '| a | b |\n|---|--:|\n| same | 1 |\n| same | 1 |\n| `c` | [x](https://example.com/) |\n'
    const text = [code, list, table, '> - quoted\n> - same\n', '- one\n- two\n***\n'].join('\nand\n\n')
    const drawn = () => page.getByRole('article').locator('.blocks').innerHTML()
    const chat = await openChat([signedIn, transcript(answer(text)), idle])
    const whole = await drawn()
    await chat.post(transcript(answer('', 'streaming')), answering)
    for (let at = 0; at < text.length; at += 5) await chat.post(delta(at, text.slice(at, at + 5)))
    await page.getByRole('article').locator('hr').waitFor()
    assert.equal(await drawn(), whole)
    assertQuiet(chat)
  })

  test('a page that has missed an event asks for it', async ({ openChat }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('Good', 'streaming')), answering])
    conversation.skip()
    const from = conversation.next - 1
    await chat.post(delta(4, 'x'))
    assert.deepEqual(await chat.received('replay'), { kind: 'replay', conversation: 'c', from })
  })

  test('Stop and Escape stop; the next message may be sent meanwhile, and is queued', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('', 'streaming')), answering])
    assert.equal(await button(page, 'Send').count(), 0)
    await message(page).fill('first')
    await message(page).press('Enter')
    assert.deepEqual(await chat.received('send'), { kind: 'send', conversation: 'c', text: 'first', number: 1 })
    const beingSent = page.getByRole('listitem', { name: 'Message that is being sent' })
    assert.match(await textOf(beingSent), /first/)
    const parts = [{ kind: 'text', id: 'p', text: 'first' } as const]
    await chat.post(conversation.append({ kind: 'message-queued', message: 'm', parts }))
    await beingSent.waitFor({ state: 'detached' })
    const queued = page.getByRole('list', { name: 'Queued messages' })
    assert.match(await textOf(queued), /^first/)
    await button(queued, 'Send now').click()
    assert.deepEqual(await chat.received('steer'), { kind: 'steer', conversation: 'c', message: 'm' })
    const withdraw = { kind: 'withdraw', conversation: 'c', message: 'm' }
    await button(queued, 'Remove').click()
    assert.deepEqual(await chat.received('withdraw'), { ...withdraw, toComposer: true }, 'the composer is empty')
    await message(page).fill('other')
    await button(queued, 'Edit').click()
    assert.deepEqual(await chat.received('withdraw'), { ...withdraw, toComposer: true })
    await button(queued, 'Remove').click()
    assert.deepEqual(await chat.received('withdraw'), { ...withdraw, toComposer: false })
    await chat.post(conversation.append({ kind: 'message-withdrawn', message: 'm' }))
    await queued.waitFor({ state: 'detached' })
    const notice = page.getByRole('status').filter({ hasText: '1 message was removed from the queue.' })
    await button(notice, 'Undo').click()
    const again = { kind: 'queue-again', conversation: 'c', messages: ['m'] }
    assert.deepEqual(await chat.received('queue-again'), again)
    await notice.waitFor({ state: 'detached' })
    await message(page).fill('next')
    await button(page, 'Stop').click()
    await chat.received('stop')
    await page.keyboard.press('Escape')
    await chat.received('stop')
    await chat.post(transcript(question('Hi'), answer('Go', 'stopped')), idle)
    assert.match(await textOf(page.getByRole('article', { name: 'Kourier' })), /Go\s+Stopped\.\s+Continue\s+Retry/)
    await page.keyboard.press('Escape')
    await button(page, 'Send').click()
    assert.deepEqual(await chat.received('send'), { kind: 'send', conversation: 'c', text: 'next', number: 2 })
    assert.deepEqual(chat.sent, [])
  })

  test('an answer of another window can be neither stopped nor followed by a message, which stays', async ({
    openChat,
    page,
  }) => {
    const text = 'Another window is answering in this chat'
    const elsewhere = activity({ is: 'answering', wait: { text }, isElsewhere: true })
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('', 'streaming')), elsewhere])
    await page.getByRole('status').getByText(text).waitFor()
    assert.equal(await button(page, 'Stop').count(), 0)
    await message(page).fill('next')
    assert.equal(await button(page, 'Send').isDisabled(), true)
    await message(page).press('Enter')
    assert.equal(await message(page).inputValue(), 'next')
    await chat.post(idle)
    await button(page, 'Send').click()
    assert.deepEqual(await chat.received('send'), { kind: 'send', conversation: 'c', text: 'next', number: 1 })
    assert.deepEqual(chat.sent, [])
  })

  test('a wait is said, and may be cut short or given up', async ({ openChat, page }) => {
    const text = "The plan's limit is reached; trying again in {time}"
    const waiting = activity({ is: 'waiting', wait: { text, time: { left: 7_000 } }, mayRetryNow: true })
    const chat = await openChat([signedIn, transcript(question('Hi')), waiting])
    const status = page.getByRole('status')
    assert.ok((await textOf(status)).startsWith(text.replace('{time}', '7 s')))
    await button(status, 'Retry now').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: 'c', action: 'retry' })
    await button(status, 'Cancel').click()
    await chat.received('stop')
    await chat.post(idle)
    assert.equal(await textOf(status), '')
  })

  test('a refusal in the middle of an answer is no alert; it may be tried again, left, or another question sent', async ({
    openChat,
    page,
  }) => {
    const wait = { text: "The plan's limit is reached; what arrived is kept" }
    const held = activity({ is: 'waiting', wait, mayRetryNow: true, maySend: true })
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('Half', 'cut-off')), held])
    const status = page.getByRole('status')
    assert.ok((await textOf(status)).startsWith(wait.text))
    assert.equal(await page.getByRole('alert').count(), 0)
    await button(status, 'Retry now').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: 'c', action: 'retry' })
    await button(status, 'Cancel').click()
    await chat.received('stop')
    await message(page).fill('Something else')
    await message(page).press('Enter')
    assert.deepEqual(await chat.received('send'), {
      kind: 'send',
      conversation: 'c',
      text: 'Something else',
      number: 1,
    })
  })

  test('in line: how full it is, who is before, and only a way out', async ({ openChat, page }) => {
    const wait = {
      text: 'Waiting for a free slot (3 of 3 in use)',
      details: ['You are next.', 'In use by other\u202eroom: chat, completion.'],
    }
    const waiting = activity({ is: 'waiting', wait, mayRetryNow: false })
    const chat = await openChat([signedIn, transcript(question('Hi')), waiting])
    const status = page.getByRole('status')
    assert.ok((await textOf(status)).startsWith(wait.text))
    const details = page.getByRole('list', { name: 'Slots in use' }).getByRole('listitem')
    assert.deepEqual(await details.allTextContents(), [wait.details[0], 'In use by otherroom: chat, completion.'])
    assert.equal(await button(status, 'Retry now').count(), 0)
    await button(status, 'Cancel').click()
    await chat.received('stop')
    await chat.post(idle)
    assert.equal(await details.count(), 0)
  })

  test('the seconds of a wait go on by themselves, and are not read out one by one', async ({ openChat, page }) => {
    const chat = await openChat([], { hasClock: true })
    const again = { text: 'Trying again in {time}', time: { left: 7_000 } }
    await chat.post(signedIn, transcript(question('Hi')), activity({ is: 'waiting', wait: again, mayRetryNow: true }))
    const status = page.getByRole('status')
    const timer = status.getByRole('timer')
    assert.equal(await timer.getAttribute('aria-live'), 'off')
    const seconds = async (what: Locator) => /(\d+) s/.exec(await textOf(what))?.[1]
    assert.equal(await seconds(timer), '7')
    // Half a second more, because the counting begins some frames after the text is drawn.
    await page.clock.runFor(3_500)
    assert.equal(await seconds(timer), '4')
    await page.clock.runFor(60_000)
    assert.equal(await seconds(timer), '1')
    const asked = { text: 'The service asks to wait {time}', time: { left: 90_000 }, over: 'That wait is over' }
    await chat.post(activity({ is: 'waiting', wait: asked, mayRetryNow: true }))
    await page.clock.runFor(89_500)
    assert.equal(await seconds(timer), '1')
    await page.clock.runFor(2_000)
    assert.ok((await textOf(status)).startsWith(asked.over))
    assert.equal(await timer.count(), 0)
    const slow = { text: 'Waiting for the model ({time})', time: { since: 20_000 } }
    await chat.post(activity({ is: 'answering', wait: slow }))
    await page.clock.runFor(5_500)
    assert.match(await textOf(status), /Waiting for the model \(25 s\)/)
  })

  test('a fault is an alert with one sentence and one button', async ({ openChat, page }) => {
    const notice = { text: 'The connection broke off.', action: { id: 'retry', label: 'Retry' } } as const
    const chat = await openChat([
      signedIn,
      transcript(question('Hi'), answer('Half', 'cut-off')),
      activity({ is: 'failed', notice }),
    ])
    const alert = page.getByRole('alert')
    assert.ok((await textOf(alert)).includes(notice.text))
    await button(alert, 'Retry').click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: 'c', action: 'retry' })
  })

  test('a question without a whole answer can be asked again when nothing is under way', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi')), activity({ is: 'answering' })])
    const again = page.getByText('This question was not answered.').getByRole('button', { name: 'Retry' })
    assert.equal(await again.count(), 0)
    await chat.post(activity({ is: 'idle' }))
    await page.getByText('This question was not answered.').waitFor()
    await again.click()
    assert.deepEqual(await chat.received('act'), { kind: 'act', conversation: 'c', action: 'retry' })
    await chat.post(transcript(question('Hi'), answer('Hello')))
    await again.waitFor({ state: 'detached' })
  })

  for (const [end, sentence, mayContinue] of [
    ['stopped', 'Stopped.', true],
    ['interrupted', 'The answer was interrupted here.', true],
    ['length', 'The answer reached the length limit of the model.', true],
    ['filtered', "The service's content filter ended this answer.", false],
    ['refused', 'The model declined to answer.', false],
  ] as const) {
    test(`an answer that ended early says why, and what helps: ${end}`, async ({ openChat, page }) => {
      const chat = await openChat([signedIn, transcript(question('Hi'), answer('Hel', end)), idle])
      const ending = page.getByText(sentence).locator('..')
      await ending.getByRole('button', { name: 'Retry' }).click()
      assert.deepEqual(await chat.received('retry-turn'), { kind: 'retry-turn', conversation: 'c', turn: 'a' })
      const goOn = ending.getByRole('button', { name: 'Continue' })
      assert.equal(await goOn.count(), mayContinue ? 1 : 0)
      if (!mayContinue) return
      await goOn.click()
      assert.deepEqual(await chat.received('continue'), { kind: 'continue', conversation: 'c' })
    })
  }

  test('an answer that was cut off within a call says so at the call, and can be continued', async ({
    openChat,
    page,
  }) => {
    const state = conversation.replay(
      { role: 'user', text: 'Hi' },
      { role: 'assistant', id: 'a', text: '', state: 'streaming' },
    )
    const chat = await openChat([signedIn, state])
    const call = { kind: 'tool-call', id: 'k', call: 'k', name: 'explore', inputText: '{}', isWritten: false } as const
    await chat.post(conversation.append({ kind: 'part-started', turn: 'a', value: call }))
    const shown = page.getByRole('group', { name: 'Tool: explore' })
    await button(shown, 'Stop only this').waitFor()
    await chat.post(conversation.append({ kind: 'turn-ended', turn: 'a', state: 'interrupted' }), idle)
    await shown.getByText('Interrupted').waitFor()
    assert.equal(await button(shown, 'Stop only this').count(), 0)
    await page.getByRole('button', { name: 'Continue' }).click()
    assert.deepEqual(await chat.received('continue'), { kind: 'continue', conversation: 'c' })
  })

  test('with a key that is refused a question stays unanswered, without a button to ask it again', async ({
    openChat,
    page,
  }) => {
    const notice = { text: 'The key no longer works.', action: { id: 'sign-in', label: 'Sign in again' } } as const
    const chat = await openChat([account({ is: 'refused', service, notice }), transcript(question('Hi')), idle])
    const log = page.getByRole('log')
    await log.getByText('This question was not answered.').waitFor()
    assert.equal(await button(log, 'Retry').count(), 0)
    await chat.post(signedIn)
    await button(log, 'Retry').waitFor()
  })

  test('the versions of an answer and of a question are shown one at a time', async ({ openChat, page }) => {
    const chat = await openChat([
      signedIn,
      transcript(question('Hi'), { ...answer('The whole answer.'), earlier: ['Half <b>an</b>', 'Half again'] }),
      idle,
    ])
    const answered = page.getByRole('article', { name: 'Kourier' })
    assert.ok((await textOf(answered)).includes('The whole answer.'))
    const versions = answered.getByRole('group', { name: 'Versions' })
    assert.equal(await textOf(versions), '3 of 3')
    assert.equal(await button(versions, 'Next version').isDisabled(), true)
    await button(versions, 'Previous version').click()
    assert.deepEqual(await chat.received('choose-branch'), { kind: 'choose-branch', conversation: 'c', turn: 'a-1' })
    await chat.post(conversation.append({ kind: 'branch-chosen', turn: 'a-1' }))
    assert.match(await textOf(answered), /^Half again/)
    assert.equal(await textOf(versions), '2 of 3')
    const edited = { is: 'edit', of: 'a' } as const
    const prompt = [{ kind: 'text', id: 'p', text: 'Hello' } as const]
    await chat.post(conversation.append({ kind: 'turn-started', turn: 'e', origin: edited, prompt }))
    const asked = page.getByRole('article', { name: 'You' })
    assert.match(await textOf(asked), /^Hello/)
    await button(asked, 'Previous version').click()
    assert.deepEqual(await chat.received('choose-branch'), { kind: 'choose-branch', conversation: 'c', turn: 'a' })
  })

  test('a question is changed in its place; Escape leaves it as it was', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('Hello')), answering])
    const asked = page.getByRole('article', { name: 'You' })
    assert.equal(await button(asked, 'Edit').isDisabled(), true)
    await chat.post(idle)
    await button(asked, 'Edit').click()
    const box = asked.getByRole('textbox', { name: 'Edit message' })
    assert.equal(await isFocused(box), true)
    await box.fill('Something else')
    await box.press('Escape')
    assert.equal(await isFocused(button(asked, 'Edit')), true)
    await button(asked, 'Edit').click()
    assert.equal(await box.inputValue(), 'Hi')
    await box.fill('Bye')
    await box.press('Shift+Enter')
    await box.press('Enter')
    assert.deepEqual(await chat.received('edit-turn'), {
      kind: 'edit-turn',
      conversation: 'c',
      turn: 'a',
      text: 'Bye\n',
    })
    await box.waitFor({ state: 'detached' })
    const edits = chat.sent.map(({ kind }) => kind)
    assert.deepEqual(
      edits.filter(kind => kind !== 'draft'),
      ['begin-edit', 'end-edit', 'begin-edit'],
    )
  })

  test('while a question is changed, its attachments are removed and added as in the composer', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('Hello')), idle])
    const asked = page.getByRole('article', { name: 'You' })
    await button(asked, 'Edit').click()
    assert.equal((await chat.received('begin-edit')).edited, 'a')
    const box = asked.getByRole('textbox', { name: 'Edit message' })
    const gone = { state: 'unavailable', problem: 'old.ts is not there any more.' } as const
    await chat.post({
      ...{ kind: 'draft-context', conversation: 'c', edited: 'a' },
      chips: [
        { id: '1', kind: 'file', label: 'a.ts', state: 'ready', tokens: 12 },
        { id: '2', kind: 'file', label: 'old.ts', ...gone },
      ],
      offers: [{ offer: 'active-file', kind: 'file', label: 'b.ts' }],
    })
    await asked.getByText(gone.problem).waitFor()
    await button(asked, 'Remove old.ts').click()
    assert.equal((await chat.received('remove-chip')).chip, '2')
    await button(asked, 'Attach b.ts').click()
    assert.equal((await chat.received('take-offer')).edited, 'a')
    await box.fill('Hi @pa')
    const { request, edited, text: typed } = await chat.received('suggest')
    assert.equal(typed, 'pa')
    assert.equal(edited, 'a')
    const found = { label: 'parse.ts', labelMatches: [], detailMatches: [], insert: '@parse.ts ' }
    const items = [{ kind: 'file', ...found } as const]
    await chat.post({ kind: 'suggestions', conversation: 'c', request, items, isComplete: true })
    await asked.getByRole('option', { name: 'parse.ts' }).waitFor()
    await box.press('Enter')
    assert.equal(await box.inputValue(), 'Hi @parse.ts ')
    assert.equal((await chat.received('take-suggestion')).edited, 'a')
    await page.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.setData('application/vnd.code.uri-list', 'file:///w/c.ts')
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('.in-place textarea').dispatchEvent(drop)
    }`)
    const { uris, edited: dropped } = await chat.received('attach-uris')
    assert.deepEqual([uris, dropped], [['file:///w/c.ts'], 'a'])
    await box.fill('')
    await box.press('Enter')
    const sent = await chat.received('edit-turn')
    assert.deepEqual([sent.text, sent.chips], ['', ['1', '2']])
    await chat.post({ kind: 'refused-edit', conversation: 'c', turn: 'a', text: '', why: 'It was not sent.' })
    await page.getByRole('alert').getByText('It was not sent.').waitFor()
    assert.equal(await box.inputValue(), '')
    await asked
      .getByRole('button', { name: /^Remove / })
      .first()
      .click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  test('a changed question is sent by Ctrl+Enter alone where the setting says so', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('Hello')), idle])
    await chat.post({ kind: 'settings', sendOnEnter: false })
    const asked = page.getByRole('article', { name: 'You' })
    await button(asked, 'Edit').click()
    const box = asked.getByRole('textbox', { name: 'Edit message' })
    await box.fill('Bye')
    await box.press('Enter')
    assert.equal(await box.inputValue(), 'Bye\n')
    await box.press('Control+Enter')
    assert.equal((await chat.received('edit-turn')).text, 'Bye\n')
  })

  test('a message is deleted, which is undone; an answer is branched from and copied', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer('Hello **you**')), idle])
    await button(page, 'Delete message').click()
    const deleted = { kind: 'delete-turn', conversation: 'c', turn: 'a' } as const
    assert.deepEqual(await chat.received('delete-turn'), { ...deleted, value: true })
    await chat.post(conversation.append({ kind: 'turn-deleted', turn: 'a', value: true }))
    await page.getByText('The message and its answer were deleted.').waitFor()
    await button(page, 'Undo').click()
    assert.deepEqual(await chat.received('delete-turn'), { ...deleted, value: false })
    await chat.post(conversation.append({ kind: 'turn-deleted', turn: 'a', value: false }))
    const answered = page.getByRole('article', { name: 'Kourier' })
    await button(answered, 'Branch from here').click()
    assert.deepEqual(await chat.received('fork'), { kind: 'fork', conversation: 'c', turn: 'a' })
    await button(answered, 'Copy message').click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    assert.equal(await chat.clipboard(), 'Hello **you**')
  })

  test('reasoning is folded, with how long it took', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi', 'u')), answering])
    const turn = 'u'
    await chat.post(
      conversation.append(
        { kind: 'step-started', turn, model: 'm' },
        { kind: 'part-started', turn, value: { kind: 'reasoning', id: 'r', text: 'Let me see.', startedAt: -11_990 } },
      ),
    )
    const group = page.getByRole('article', { name: 'Kourier' }).getByRole('group')
    assert.equal(await textOf(group), 'Thinking')
    assert.equal(await page.getByText('Let me see.').count(), 0)
    await chat.post(conversation.append({ kind: 'part-ended', turn, part: 'r' }))
    await page.getByText('Thought for 12 s').click()
    await page.getByText('Let me see.').waitFor()
  })
})

test.describe('code', () => {
  const code = '```ts\nconst a = 1\n\tif (a) {\u202e}\n```'

  test('[T39] has its language, and is copied as it is seen, without a line end that would run it', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn, transcript(answer(code))])
    const block = page.getByRole('group', { name: 'Code: ts' })
    await button(block, 'Copy').click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    assert.equal(await chat.clipboard(), 'const a = 1\n\tif (a) {⟦U+202E⟧}')
    assert.equal(await block.locator('code').textContent(), await chat.clipboard())
  })

  test('[T39] a copied message has the marks that are seen', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('a\u200bb'), answer('echo\u202e *x*\r\ny\u001b'))])
    for (const [name, text] of [
      ['You', 'a⟦U+200B⟧b'],
      ['Kourier', 'echo⟦U+202E⟧ *x*\ny⟦U+001B⟧'],
    ] as const) {
      await button(page.getByRole('article', { name }), 'Copy message').click()
      await page.getByText('Copied', { exact: true }).first().waitFor()
      assert.equal(await chat.clipboard(), text)
    }
  })

  test('in a list it has the same', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(answer('- a\n  ```js\n  1\n  ```\n- b\n\n  ```\n  2\n  ```'))])
    await button(page.getByRole('listitem').getByRole('group', { name: 'Code: text' }), 'Copy').click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    assert.equal(await chat.clipboard(), '2')
  })

  test('is folded where it is long; copying unfolds it', async ({ openChat, page }) => {
    const long = `begin ${'x'.repeat(30_000)} end`
    const chat = await openChat([signedIn, transcript(answer(`\`\`\`\n${long}\n\`\`\``))])
    const block = page.getByRole('group', { name: 'Code: text' })
    assert.equal((await block.locator('code').textContent())?.length, 20_000)
    await button(block, 'Copy').click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    assert.equal(await block.locator('code').textContent(), long)
    assert.equal(await chat.clipboard(), long)
    assert.equal(await button(block, 'Show all').count(), 0)
  })

  test('[R52] an answer of a million characters is drawn, with a table of 5,000 rows and quotes a thousand deep', async ({
    openChat,
    page,
  }) => {
    const table = `| n |\n|---|\n${'| 1 |\n'.repeat(5_000)}`
    const deep = `${'> '.repeat(1_000)}deep`
    const long = `${'word '.repeat(200)}\n\n`.repeat(1_000)
    const chat = await openChat([signedIn, transcript(answer([table, deep, long, 'The end.'].join('\n\n')))])
    await page.getByText('The end.', { exact: true }).waitFor()
    assert.equal(await page.getByRole('row').count(), 201)
    assert.match((await page.getByRole('article').last().textContent()) ?? '', /> deep/)
    await message(page).fill('It can be written in')
    assert.equal(await message(page).inputValue(), 'It can be written in')
    assertQuiet(chat)
  })

  test('a long table shows the rest when asked', async ({ openChat, page }) => {
    const table = `| n |\n|---|\n${'| 1 |\n'.repeat(300)}`
    await openChat([signedIn, transcript(answer(table))])
    assert.equal(await page.getByRole('row').count(), 201)
    await page.getByRole('button', { name: 'Show all' }).click()
    assert.equal(await page.getByRole('row').count(), 301)
  })
})

test.describe('a page that is told its conversation in its HTML', () => {
  const kept = (conversation: string, text: string): ToPage => ({
    ...{ kind: 'kept-draft', conversation, text, at: 5, carriesDraft: false },
  })
  const first = [signedIn, kept('c', 'half a question'), transcript(question('What is it?'), answer('A page.'))]

  test('is drawn and written in without a word of the extension', async ({ openChat, page }) => {
    const chat = await openChat([], { first })
    assert.equal(await page.getByRole('article').count(), 2)
    const box = page.getByRole('textbox', { name: 'Message' })
    assert.equal(await box.inputValue(), 'half a question')
    await box.press('End')
    await page.keyboard.type(', whole')
    await box.blur()
    await chat.post(...first)
    assert.equal(chat.drafts.at(-1), 'half a question, whole')
    assert.equal(await box.inputValue(), 'half a question, whole')
  })

  test('shows what it has kept of another conversation once the extension has answered', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, kept('d', ''), idle], { first })
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('a text of d')
    await page.reload()
    await chat.received('ready')
    assert.equal(await page.getByRole('article').count(), 0)
    await chat.post(signedIn, kept('d', ''))
    assert.equal(await box.inputValue(), 'a text of d')
  })

  test('shows the conversation of a new HTML at once, and hands over what it has kept of another', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn, kept('d', ''), idle])
    await page.getByRole('textbox', { name: 'Message' }).fill('a text of d')
    await chat.renew(first)
    assert.equal(await page.getByRole('article').count(), 2)
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'half a question')
    assert.deepEqual(chat.drafts, ['a text of d'])
  })
})

test.describe('hostile text', () => {
  type Gate = { clean: string; again: string; parsed: string; bad: number }
  const tags =
    'a blockquote br code del details em h1 h2 h3 h4 h5 h6 hr kbd li ol p pre s span strong sub summary sup table tbody td th thead tr ul'.split(
      ' ',
    )
  const all = Object.values(hostile)

  test('loads nothing, runs nothing and violates nothing, whole and piece by piece', async ({
    openChat,
    page,
    server,
  }) => {
    const chat = await openChat([signedIn, transcript(...all.map((text, at) => answer(text, 'whole', `w${at}`)))])
    await chat.post(transcript(...all.map((_, at) => answer('', 'streaming', `s${at}`))))
    for (let step = 0; step < 6; step++) {
      const cut = (text: string, end: number) => Math.ceil((text.length * end) / 6)
      const deltas = all.map((text, at) =>
        delta(cut(text, step), text.slice(cut(text, step), cut(text, step + 1)), `s${at}`),
      )
      await chat.post(...deltas)
    }
    assert.equal(await page.getByRole('article').count(), all.length)
    assertQuiet(chat)
    assert.equal(await page.evaluate('typeof flag'), 'undefined')
    assert.equal(page.url(), `${server.origin}/dark`)
    assertQuiet(chat)
  })

  /** The tooltip of a link is its address, after a warning if the text names another one. */
  const addressIn = (title: string) => title.replace(/^Leads to \S+: /, '')

  test('no element can load or run; every link only tells the extension', async ({ openChat, page, server }) => {
    const chat = await openChat([signedIn, transcript(...all.map((text, at) => answer(text, 'whole', `w${at}`)))])
    const log = page.getByRole('log')
    const loaders =
      'img,script,style,link,meta,base,iframe,object,embed,video,audio,form,input,math,[href],[src],[style],[id]'
    // A formula is made of our own elements, whose styles were set by script.
    const stray = `[...document.querySelector('[role=log]').querySelectorAll('${loaders}')].filter(node => !node.closest('.katex'))`
    assert.deepEqual(await page.evaluate(`${stray}.map(node => node.outerHTML)`), [])
    const inFormulas = '.katex :is(img,script,style,a,[href],[src],[id])'
    assert.equal(await log.locator(inFormulas).count(), 0)
    const handlers = await page.evaluate(
      '[...document.querySelectorAll("*")].flatMap(node => node.getAttributeNames()).filter(name => name.startsWith("on"))',
    )
    assert.deepEqual(handlers, [])
    await chat.page.evaluate(`until(() => document.querySelectorAll('article').length === ${all.length})`)
    const links = log.getByRole('link')
    const titles = (await page.evaluate(
      '[...document.querySelectorAll("[role=link]")].map(link => link.title)',
    )) as string[]
    assert.ok(titles.length > 5)
    await links.first().click()
    assert.deepEqual(await chat.received('open'), { kind: 'open', url: addressIn(titles[0] ?? '') })
    await page.evaluate('for (const link of document.querySelectorAll("[role=link]")) link.click()')
    for (const title of titles) {
      const url = addressIn(title)
      assert.match(url, /^(?:https?:\/\/|mailto:)/)
      assert.deepEqual(await chat.received('open'), { kind: 'open', url })
    }
    assert.equal(page.url(), `${server.origin}/dark`)
    assertQuiet(chat)
  })

  test('a link is reached and opened by keyboard', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(answer('[go](https://example.com/a)'))])
    await page.getByRole('link', { name: 'go' }).focus()
    await page.keyboard.press('Enter')
    assert.deepEqual(await chat.received('open'), { kind: 'open', url: 'https://example.com/a' })
  })

  test('names from outside are text: account, model, fault, question', async ({ openChat, page }) => {
    const bad = `<img src=${canary}/x onerror=flag=1>\u202e\u001b[31m`
    const chat = await openChat([
      account({ is: 'out', service: bad, notice: { text: bad, action: { id: 'retry', label: bad } } }),
      account({
        is: 'code',
        ...{ service: bad, code: bad, host: bad, tag: bad, trouble: bad },
        ...{ remainingMs: 9_000, isRenewing: false },
      }),
    ])
    await chat.post(
      account({ is: 'in', service: bad, email: bad }),
      { kind: 'model', id: bad },
      transcript(question(bad)),
    )
    await chat.post(activity({ is: 'failed', notice: { text: bad, action: { id: 'retry', label: bad } } }))
    assert.equal(await page.locator('img').count(), 0)
    const text = String(await page.evaluate('document.body.innerText'))
    assert.ok(!text.includes('\u202e') && !text.includes('\u001b'))
    assertQuiet(chat)
  })

  test('the sanitiser takes nothing away from what markdown makes, and changes nothing the second time', async ({
    page,
  }) => {
    const gate = await build({
      stdin: {
        contents: `import DOMPurify from 'dompurify'
          import { allowed } from './src/webview/view/safeHtml.tsx'
          const clean = html => DOMPurify.sanitize(html, { ...allowed, RETURN_DOM_FRAGMENT: false })
          const parsed = html => new DOMParser().parseFromString(html, 'text/html').body
          const bad = html => parsed(html).querySelectorAll(':not(${[...tags].join()}), [style], [id], [src]').length
          globalThis.gate = html => ({
            clean: clean(html), again: clean(clean(html)), parsed: parsed(html).innerHTML, bad: bad(clean(html)),
          })`,
        resolveDir: '.',
      },
      bundle: true,
      write: false,
      format: 'iife',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    })
    await page.evaluate(gate.outputFiles[0]?.text ?? '')
    const table = '3. three\n4. four\n\n| a |\n|--:|\n| 1 |'
    const made = [...all, table].flatMap(text =>
      continueBlocks(noBlocks, text, englishWords).blocks.map(block => (block.kind === 'html' ? block.html : '')),
    )
    for (const html of [...made, ...all]) {
      const { clean, again, parsed, bad } = (await page.evaluate(`gate(${JSON.stringify(html)})`)) as Gate
      assert.equal(again, clean)
      if (made.includes(html)) assert.equal(clean, parsed)
      assert.equal(bad, 0, clean)
    }
  })
})

test.describe('reading', () => {
  const long = Array.from({ length: 60 }, (_, at) => `Line ${at}`).join('\n\n')
  const isAtEnd = (page: Page) =>
    page.evaluate("(log => log.scrollHeight - log.scrollTop - log.clientHeight < 2)(document.querySelector('.log'))")
  const latest = (page: Page) => button(page, 'Jump to latest')

  test('the end is followed while the reader is there, and only then', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer(long, 'streaming')), answering])
    await chat.post(delta(long.length, '\n\nmore'))
    assert.equal(await isAtEnd(page), true)
    assert.equal(await latest(page).count(), 0)
    await page.getByRole('log').hover()
    await page.mouse.wheel(0, -400)
    await latest(page).waitFor()
    await chat.post(delta(long.length + 6, '\n\nand more'))
    assert.equal(await isAtEnd(page), false)
    await latest(page).click()
    assert.equal(await isAtEnd(page), true)
    await latest(page).waitFor({ state: 'detached' })
  })

  test('a new question is shown wherever the reader was', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(question('Hi'), answer(long))])
    await page.getByRole('log').hover()
    await page.mouse.wheel(0, -400)
    await latest(page).waitFor()
    await chat.post(transcript(question('Hi'), answer(long), question('Again', 'q2')))
    assert.equal(await isAtEnd(page), true)
  })

  test('in a narrow view the sentence of a fault has the whole width, and its button stands below', async ({
    openChat,
    page,
  }) => {
    const text = '127.0.0.1:41414 answered with a web page. It may be the login page of your network.'
    const notice = { text, action: { id: 'retry', label: 'Retry' } } as const
    await openChat([signedIn, transcript(question('Hi')), activity({ is: 'failed', notice })])
    const alert = page.getByRole('alert')
    const [sentence, retry] = [await alert.getByText(text).boundingBox(), await button(alert, 'Retry').boundingBox()]
    assert.ok(sentence && retry && retry.y >= sentence.y + sentence.height, 'not squeezed beside it')
  })

  test('draft and place survive a reload', async ({ openChat, page }) => {
    const pairs = Array.from({ length: 40 }, (_, at) => [question(`Q${at}`, `q${at}`), answer(long, 'whole', `a${at}`)])
    const whole = [signedIn, transcript(...pairs.flat())]
    const chat = await openChat(whole)
    await message(page).fill('a draft')
    await page.getByRole('log').hover()
    await page.mouse.wheel(0, -3_000)
    await page.evaluate("until(() => JSON.parse(sessionStorage.getItem('state')).place.message)")
    const place = "JSON.parse(sessionStorage.getItem('state')).place"
    const before = (await page.evaluate(place)) as { message: string; offset: number }
    await page.reload()
    await chat.received('ready')
    await chat.post(
      { kind: 'kept-draft', conversation: 'c', text: 'one of long ago', at: 1, carriesDraft: false },
      ...whole,
    )
    assert.equal(await message(page).inputValue(), 'a draft')
    await chat.post({
      kind: 'kept-draft',
      conversation: 'c',
      text: 'one that the editor has lost',
      at: Number.MAX_SAFE_INTEGER,
      carriesDraft: false,
    })
    assert.equal(await message(page).inputValue(), 'one that the editor has lost')
    const first = page.locator(`article[data-id="${before.message}"]`)
    await first.waitFor()
    const top = ((await page.getByRole('log').boundingBox())?.y ?? 0) - ((await first.boundingBox())?.y ?? 0)
    assert.ok(Math.abs(top - before.offset) < 4, `${top} ${before.offset}`)
    assert.equal(await isAtEnd(page), false)
  })

  test('a question and a summary that are being changed survive a reload, and take no focus', async ({
    openChat,
    page,
  }) => {
    const conversation = new PageConversation()
    const summary = { kind: 'summary', turn: 'a', summary: 's', text: 'They greeted.' } as const
    const whole = [signedIn, conversation.replay(question('Hi', 'a'), answer('Hello.')), idle]
    const chat = await openChat([...whole, conversation.append(summary)])
    await button(page.getByRole('article', { name: 'You' }), 'Edit').click()
    await page.getByRole('textbox', { name: 'Edit message' }).fill('Hi, all')
    await page.locator('summary', { hasText: 'Summary' }).click()
    await button(page, 'Edit summary').click()
    await page.getByRole('textbox', { name: 'Summary' }).fill('They were polite.')
    await page.reload()
    await chat.received('ready')
    const again = new PageConversation()
    await chat.post(signedIn, again.replay(question('Hi', 'a'), answer('Hello.')), again.append(summary), idle)
    assert.equal(await page.getByRole('textbox', { name: 'Edit message' }).inputValue(), 'Hi, all')
    assert.equal(await page.getByRole('textbox', { name: 'Summary' }).inputValue(), 'They were polite.')
    assert.equal(await page.evaluate('document.activeElement === document.body'), true)
    await page.getByRole('textbox', { name: 'Edit message' }).press('Enter')
    assert.equal((await chat.received('edit-turn')).text, 'Hi, all')
    await button(page, 'Save').click()
    assert.equal((await chat.received('change-summary')).text, 'They were polite.')
    await page.getByRole('textbox', { name: 'Summary' }).waitFor({ state: 'detached' })
  })

  test('a message that cannot be drawn is shown as it came, beside the others', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await page.evaluate(`{
      const real = Array.from
      Array.from = (list, ...rest) => {
        if (list instanceof NodeList && list[0]?.textContent?.includes('boom')) throw new Error('Not this one')
        return real(list, ...rest)
      }
    }`)
    await chat.post(transcript(question('Hi'), answer('**boom**'), answer('**fine**', 'whole', 'b')))
    const answers = page.getByRole('article', { name: 'Kourier' })
    assert.deepEqual(await answers.allInnerTexts(), ['**boom**', 'fine'])
    assert.match((await chat.received('report')).text, /Not this one/)
  })

  test('everything is reached by Tab, in the order of the page', async ({ openChat, page }) => {
    await openChat([signedIn, model, transcript(question('Hi'), answer('[go](https://example.com)\n\n```js\n1\n```'))])
    await message(page).fill('x')
    const names: string[] = []
    for (let count = 0; count < 20; count++) {
      await page.keyboard.press('Shift+Tab')
      const name = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"
      names.unshift(String(await page.evaluate(name)))
      if (names[0] === 'Conversation') break
    }
    assert.deepEqual(names, [
      'Conversation',
      ...['Edit', 'Copy message', 'Delete message'],
      ...['go', 'Insert at cursor', 'Apply to file', 'New file', 'Copy'],
      ...['Copy message', 'Retry', 'Branch from here'],
    ])
    await message(page).focus()
    for (const name of ['Add context', 'Attach image', 'Model: example-1', 'Send']) {
      await page.keyboard.press('Tab')
      assert.equal(await isFocused(button(page, name)), true, name)
    }
  })
})

test.describe('size', () => {
  /** The longest the page was busy at a stretch while this was posted and drawn. */
  async function longestTaskMs(chat: ChatPage, messages: ToPage[]): Promise<number> {
    await chat.page.evaluate(`
      globalThis.longest = 0
      globalThis.watch = new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
      })
      watch.observe({ type: 'longtask' })`)
    await chat.post(...messages)
    await chat.page.evaluate(
      "until(() => document.querySelector('.log article:last-of-type')?.textContent.includes('The end'))",
    )
    return Number(
      await chat.page.evaluate(
        'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(longest))))',
      ),
    )
  }

  const paragraph = 'A paragraph with **bold** and `code`, as long as such things are. '.repeat(8)
  const megabyte = `${`${paragraph}\n\n`.repeat(2_000)}The end`
  const many = Array.from({ length: 1_000 }, (_, at) => answer(`Message **${at}**\n\n- a\n- b`, 'whole', `m${at}`))
  const cases: Record<string, Drawn[]> = {
    'an answer of a megabyte': [answer(megabyte)],
    'a thousand messages': [...many.slice(1), answer('The end')],
    'everything heavy': [...Object.values(heavy).map((text, at) => answer(text, 'whole', `h${at}`)), answer('The end')],
  }
  for (const [name, messages] of Object.entries(cases)) {
    test(`${name} does not freeze the page`, async ({ openChat }) => {
      const chat = await openChat([signedIn])
      const longest = await longestTaskMs(chat, [transcript(...messages)])
      test.info().annotations.push({ type: 'longest task', description: `${Math.round(longest)} ms` })
      // Half a second is the aim on an idle machine; what is caught here is work that grows with the square of the text.
      assert.ok(longest < 5_000, `${longest} ms`)
      assertQuiet(chat)
    })
  }
})

test.describe('looks', () => {
  for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
    test(`${theme}: nothing runs out of a narrow page`, async ({ openChat, page }) => {
      const wide = `\`${'x'.repeat(200)}\` ${'y'.repeat(200)}\n\n| ${'a | '.repeat(20)}\n|${'-|'.repeat(20)}\n\n\`\`\`\n${'z'.repeat(500)}\n\`\`\``
      const chat = await openChat([signedIn, model, transcript(question('q'.repeat(300)), answer(wide))], {
        theme,
        width: 200,
      })
      const isNarrow = () =>
        page.evaluate(
          'document.scrollingElement.scrollWidth <= 200 && document.querySelector(".log").scrollWidth <= 200',
        )
      assert.equal(await isNarrow(), true)
      await chat.post(
        account({
          is: 'code',
          service,
          code: '4821 7730',
          host: 'app.a-long-name.example.ai',
          tag: 'amber-fox',
          remainingMs: 9e5,
          isRenewing: false,
        }),
      )
      assert.equal(await page.evaluate('document.scrollingElement.scrollWidth <= 200'), true)
      assertQuiet(chat)
    })
  }
})
