// A part of the page that cannot be drawn is shown as plain text or by a notice, and everything around it stays.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import type { ToPage } from '../../src/protocol/panel.ts'
import { PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'
import { idle, signedIn } from './pageStates.ts'

/** Each text with such a name fails where it is drawn for the first time, and not where a fallback has it. */
const plantFaults = `{
  const real = document.createTextNode.bind(document)
  const failed = new Set()
  document.createTextNode = text => {
    const [name] = /boom-[a-z]+/.exec(text) ?? []
    if (name === undefined || failed.has(name)) return real(text)
    failed.add(name)
    throw new Error(name)
  }
}`

const broken = 'The chat could not be displayed. Close it and open it again; the log says why.'
const answer =
  '**First**\n\nboom-prose and **more**\n\n| a |\n|---|\n| boom-cell |\n\n```ts\nconst a = 1\n```\n\n- _Last_'

/** What failed, by the reports. */
const failures = ({ faults }: ChatPage) => faults.flatMap(text => text.match(/boom-[a-z]+/) ?? []).toSorted()

const shows = (page: Page, text: string) => page.getByText(text).first().waitFor()

test('a block, a call or a file of an answer that cannot be drawn is plain text, and the rest of the answer is drawn', async ({
  openChat,
  page,
}) => {
  const chat = await openChat([signedIn])
  await page.evaluate(plantFaults)
  const conversation = new PageConversation()
  const attached = { kind: 'attachment', id: 'f', source: 'file', name: 'boom-attached.ts', sizeChars: 1 } as const
  const replay = conversation.replay(
    { role: 'user', id: 'a', text: 'Why?', parts: [attached] },
    { role: 'assistant', id: 'a', text: answer, state: 'whole' },
  )
  const input = { path: 'boom-call.ts' }
  const call = { kind: 'tool-call', id: 't', call: 'x', name: 'read_file', isWritten: true, input } as const
  const file = { uri: 'file:///w/boom-file.ts', change: 'modified', review: 'open', hunks: 1 } as const
  const more = conversation.append(
    { kind: 'part-started', turn: 'a', value: { ...call, inputText: JSON.stringify(input) } },
    { kind: 'part-started', turn: 'a', value: { kind: 'text', id: 'x', text: 'Between **them**' } },
    {
      ...{ kind: 'part-started', turn: 'a' },
      value: { kind: 'change-set', id: 'c', files: [{ ...file, addedLines: 1, removedLines: 0 }] },
    },
  )
  await chat.post(replay, more, idle)
  const names = ['boom-attached', 'boom-call', 'boom-cell', 'boom-file', 'boom-prose']
  for (const name of names) await shows(page, name)
  assert.deepEqual(failures(chat), names)
  const answered = page.getByRole('article', { name: 'Kourier' })
  assert.deepEqual(await answered.locator('strong').allInnerTexts(), ['First', 'them'])
  assert.deepEqual(await answered.locator('em').allInnerTexts(), ['Last'])
  await answered.getByRole('group', { name: 'Code: ts' }).waitFor()
  await answered.getByRole('button', { name: 'Copy message' }).waitFor()
  await page.getByRole('article', { name: 'You' }).getByText('Why?').waitFor()
  assert.equal(await page.getByText(broken).count(), 0)
})

test('a part around the messages that cannot be drawn leaves the others, the messages and the composer', async ({
  openChat,
  page,
}) => {
  const chat = await openChat([signedIn])
  await page.evaluate(plantFaults)
  const conversation = new PageConversation()
  const replay = conversation.replay(
    { role: 'user', id: 'a', text: 'Why?' },
    { role: 'assistant', id: 'a', text: 'Because.', state: 'whole' },
  )
  const parts = [{ kind: 'text', id: 'm-text', text: 'boom-queued' }] as const
  const queued = conversation.append({ kind: 'message-queued', message: 'm', parts })
  const chips = ['boom-chip', 'other.ts'].map(label => ({ id: label, kind: 'file', label, state: 'ready' }) as const)
  const around: readonly ToPage[] = [
    { kind: 'limits', notice: { text: 'boom-limit' } },
    { kind: 'draft-context', conversation: 'c', chips, offers: [] },
    { kind: 'activity', conversation: 'c', activity: { is: 'failed', notice: { text: 'Try again.' } } },
  ]
  await chat.post(replay, queued, ...around)
  await shows(page, broken)
  const names = ['boom-chip', 'boom-limit', 'boom-queued']
  assert.deepEqual(failures(chat), names)
  await shows(page, 'boom-chip')
  await shows(page, 'other.ts')
  await shows(page, 'Try again.')
  await shows(page, 'Because.')
  await page.getByRole('textbox', { name: 'Message' }).fill('Still here')
})

test('what could not be drawn is drawn again with its next change', async ({ openChat, page }) => {
  const chat = await openChat([signedIn])
  await page.evaluate(plantFaults)
  const conversation = new PageConversation()
  await chat.post(conversation.replay({ role: 'assistant', id: 'a', text: 'A\n\n**boom-late**', state: 'streaming' }))
  await page.getByText('**boom-late**').waitFor()
  await chat.post(conversation.delta('A\n\n**boom-late**'.length, ' and *more*'))
  assert.equal(await page.locator('strong').innerText(), 'boom-late')
})
