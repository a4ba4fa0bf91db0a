// The buttons of code blocks, and the files that were changed from answers, as a person meets them.
import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import type { PartOf } from '../../src/protocol/conversation.ts'
import type { ToPage } from '../../src/protocol/panel.ts'
import { PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'

const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI', email: 'ada@example.com' } }
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const codeIn = (page: Page, language: string) => page.getByRole('group', { name: `Code: ${language}`, exact: true })
const limits = (mayRun: boolean): ToPage => ({ kind: 'limits', mayRun })

function answered(text: string, state: 'whole' | 'streaming' | 'stopped' = 'whole', asked = 'Question') {
  const conversation = new PageConversation()
  const messages = conversation.replay(
    { role: 'user', text: asked, id: 'q' },
    { role: 'assistant', id: 'a', text, state },
  )
  return { conversation, messages }
}

async function isOff(one: Locator): Promise<boolean> {
  return (await one.getAttribute('aria-disabled')) === 'true'
}

function assertQuiet(chat: ChatPage): void {
  assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
}

test('each button of a code block sends the code with the label of its fence', async ({ openChat, page }) => {
  const { messages } = answered('Text:\n\n```ts src/a.ts\nconst a = 1\n```\n\n- In a list:\n  ```sh\n  ls\n  ```\n')
  const chat = await openChat([signedIn, limits(true), messages])
  const [ts, sh] = [codeIn(page, 'ts'), codeIn(page, 'sh')]
  const sent = { kind: 'code', conversation: 'c', turn: 'a', language: 'ts', label: 'ts src/a.ts', text: 'const a = 1' }
  for (const [name, action] of [
    ['Insert at cursor', 'insert'],
    ['Apply to file', 'apply'],
    ['New file', 'new-file'],
  ] as const) {
    await button(ts, name).click()
    assert.deepEqual(await chat.received('code'), { ...sent, action })
  }
  assert.equal(await button(ts, 'Run in terminal').count(), 0)
  await button(sh, 'Run in terminal').click()
  assert.deepEqual(await chat.received('code'), { ...sent, action: 'run', language: 'sh', label: 'sh', text: 'ls' })
  assertQuiet(chat)
})

test('a commit message that was asked for is sent to where it is committed, once it is complete', async ({
  openChat,
  page,
}) => {
  const { messages } = answered('```text\nWeigh parcels\n```\n\n```\nWeig', 'streaming', '/commit in English')
  const chat = await openChat([signedIn, limits(true), messages])
  const [whole, part] = [0, 1].map(at => button(page, 'Use as commit message').nth(at))
  assert.ok(whole && part)
  await part.waitFor()
  assert.equal(await isOff(part), true)
  await part.click({ force: true })
  await whole.click()
  const sent = { kind: 'code', conversation: 'c', turn: 'a', action: 'commit-message' }
  assert.deepEqual(await chat.received('code'), { ...sent, language: 'text', label: 'text', text: 'Weigh parcels' })
  await chat.post(answered('```text\nWeigh parcels\n```\n', 'whole', 'Why /commit?').messages)
  await button(page, 'Use as commit message').waitFor({ state: 'detached' })
  assertQuiet(chat)
})

test('[T54] code that is still being written, or was cut off, cannot be applied or run', async ({ openChat, page }) => {
  const text = '```ts\nconst a = 1\n```\n\n```sh\nrm -rf bui'
  const { conversation, messages } = answered(text, 'streaming')
  const chat = await openChat([signedIn, limits(true), messages])
  await codeIn(page, 'sh').waitFor()
  assert.equal(await isOff(button(codeIn(page, 'ts'), 'Apply to file')), false, 'a block before the last is complete')
  const run = button(codeIn(page, 'sh'), 'Run in terminal')
  assert.equal(await isOff(run), true)
  await run.click({ force: true })
  await chat.post(conversation.append({ kind: 'turn-ended', turn: 'a', state: 'stopped' }))
  await page.getByRole('button', { name: 'Branch from here' }).waitFor({ state: 'attached' })
  assert.equal(await isOff(run), true)
  assert.equal(await isOff(button(codeIn(page, 'sh'), 'Apply to file')), true)
  assert.equal(
    chat.sent.some(({ kind }) => kind === 'code'),
    false,
  )
})

test('in Restricted Mode nothing runs, and the button has the reason', async ({ openChat, page }) => {
  const { messages } = answered('```bash\nls\n```')
  const chat = await openChat([signedIn, limits(false), messages])
  const run = button(codeIn(page, 'bash'), 'Run in terminal')
  assert.equal(await isOff(run), true)
  assert.match((await run.getAttribute('title')) ?? '', /Restricted Mode/)
  await chat.post(limits(true))
  await page.locator('[aria-label="Run in terminal"][aria-disabled="false"]').waitFor()
})

const file = (review: PartOf<'change-set'>['files'][number]['review'], name = 'a.ts') => ({
  ...{ uri: `file:///work/src/${name}`, change: 'modified' as const, hunks: 2, addedLines: 12, removedLines: 3 },
  review,
})
const part = (...files: ReturnType<typeof file>[]) => ({ kind: 'change-set' as const, id: 'changes-a', files })

test('a press that meets another file, because the list has just moved under the pointer, does nothing', async ({
  openChat,
  page,
}) => {
  const { conversation, messages } = answered('Done.')
  const chat = await openChat([signedIn, messages])
  await chat.post(
    conversation.append({ kind: 'change-set', turn: 'a', value: part(file('open'), file('open', 'b.ts')) }),
  )
  const undo = button(page.getByRole('list', { name: 'Changes', exact: true }).getByRole('listitem').first(), 'Undo')
  await undo.hover()
  const before = await undo.boundingBox()
  const chips = [{ id: '1', kind: 'file' as const, label: 'parcel.ts', state: 'ready' as const }]
  await chat.post({ kind: 'draft-context', conversation: 'c', chips, offers: [] })
  await page.getByText('parcel.ts').waitFor()
  assert.notEqual((await undo.boundingBox())?.y, before?.y)
  await page.mouse.down()
  await page.mouse.up()
  // Where the hand has followed, it is meant.
  await undo.click()
  const { uri } = file('open')
  assert.deepEqual(await chat.received('change'), { kind: 'change', conversation: 'c', action: 'undo', uri })
  await chat.post({ kind: 'draft-context', conversation: 'c', chips: [], offers: [] })
  await page.getByText('parcel.ts').waitFor({ state: 'detached' })
  await page.mouse.click(1, 1)
  assert.equal(chat.sent.filter(({ kind }) => kind === 'change').length, 0)
  assertQuiet(chat)
})

test('open changes are listed above the composer until they are kept or undone', async ({ openChat, page }) => {
  const { conversation, messages } = answered('Done.')
  const chat = await openChat([signedIn, messages])
  const list = page.getByRole('list', { name: 'Changes', exact: true })
  assert.equal(await list.count(), 0)
  await chat.post(
    conversation.append({ kind: 'change-set', turn: 'a', value: part(file('open'), file('open', 'b.ts')) }),
  )
  await list.getByText('a.ts +12 −3').waitFor()
  const [first] = await list.getByRole('listitem').all()
  assert.ok(first)
  for (const [name, action] of [
    ['Open diff', 'diff'],
    ['Keep', 'keep'],
    ['Undo', 'undo'],
  ] as const) {
    await button(first, name).click()
    assert.deepEqual(await chat.received('change'), {
      kind: 'change',
      conversation: 'c',
      action,
      uri: file('open').uri,
    })
  }
  await button(page, 'Keep all').click()
  assert.deepEqual(await chat.received('change'), { kind: 'change', conversation: 'c', action: 'keep' })
  await button(page, 'Undo all').click()
  assert.deepEqual(await chat.received('change'), { kind: 'change', conversation: 'c', action: 'undo' })
  const ofAnswer = page.getByRole('group', { name: 'Files changed from this answer' })
  for (const [name, action] of [
    ['Review', 'diff'],
    ['Keep', 'keep'],
    ['Undo', 'undo'],
  ] as const) {
    await button(ofAnswer, name).click()
    assert.deepEqual(await chat.received('change'), { kind: 'change', conversation: 'c', action, turn: 'a' })
  }
  await chat.post(
    conversation.append({ kind: 'change-set', turn: 'a', value: part(file('kept'), file('undone', 'b.ts')) }),
  )
  await list.waitFor({ state: 'detached' })
  assert.equal(await ofAnswer.count(), 0)
  const inMessage = page.getByRole('list', { name: 'Files changed from this answer' })
  assert.match(await inMessage.innerText(), /a\.ts.*Kept[\s\S]*b\.ts.*Undone/s)
  assertQuiet(chat)
})
