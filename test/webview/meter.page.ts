// The meter of the context, what does not fit, and the summary in the transcript, as a person meets them.
import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import type { PageContextUse } from '../../src/protocol/contextUse.ts'
import type { Chip } from '../../src/protocol/draft.ts'
import type { ToPage } from '../../src/protocol/panel.ts'
import { bringChecker, violations } from '../support/accessibility.ts'
import { PageConversation } from '../support/pageConversation.ts'
import { test } from './fixtures.ts'

const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI' } }
const conversation = new PageConversation()
const limit = 200_000
const parts: PageContextUse['parts'] = [
  { kind: 'chip', chip: 'chip-1', label: 'big.ts', tokens: 90_000 },
  { kind: 'conversation', tokens: 60_000 },
  { kind: 'attached', label: 'old.ts', tokens: 20_000 },
  { kind: 'surroundings', tokens: 900 },
  { kind: 'queued', tokens: 80 },
  { kind: 'system', tokens: 60 },
  { kind: 'text', tokens: 3 },
]
const use = (more: Partial<PageContextUse>): ToPage =>
  // as: nothing changes the members that the schema has as mutable.
  ({
    kind: 'context-use',
    conversation: 'c',
    use: { tokens: 170_063, limit, parts, mayCompact: true, isCompacting: false, ...more },
  }) as ToPage
const chat = (): ToPage[] => [
  signedIn,
  conversation.replay(
    { role: 'user', text: 'First?', id: 'a' },
    { role: 'assistant', id: 'a', text: 'One.', state: 'whole' },
    { role: 'user', text: 'Second?', id: 'b' },
    { role: 'assistant', id: 'b', text: 'Two.', state: 'whole' },
  ),
]
const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true })
const meter = (page: Page) => page.getByRole('meter', { name: 'Context used' })
const popover = (page: Page) => page.getByRole('dialog', { name: 'Context used' })
async function found(page: Page): Promise<unknown[]> {
  await bringChecker(page)
  return violations(page)
}
const isFocused = async (of: Locator) => (await of.and(of.page().locator(':focus')).count()) === 1

test('the meter has its figures for everyone, and shows a percentage from 10 % on', async ({ openChat, page }) => {
  const opened = await openChat([...chat(), use({ tokens: 19_000 })])
  assert.equal(await meter(page).getAttribute('aria-valuenow'), '19000')
  assert.equal(await meter(page).getAttribute('aria-valuemax'), '200000')
  assert.equal(await meter(page).getAttribute('aria-valuetext'), '19,000 of 200,000 tokens, 10 %')
  assert.equal(await meter(page).innerText(), '')
  await opened.post(use({ tokens: 24_000 }))
  assert.equal(await meter(page).innerText(), '12 %')
})

test('by keyboard: what takes most comes first, each with what helps, and Escape returns', async ({
  openChat,
  page,
}) => {
  const opened = await openChat([...chat(), use({})])
  const opener = button(page, 'Show what uses the context')
  await opener.focus()
  await page.keyboard.press('Enter')
  const rows = await popover(page).getByRole('listitem').allInnerTexts()
  assert.deepEqual(
    rows.map(text => text.replaceAll('\n', ' ')),
    [
      'big.ts 90k Remove',
      'Questions and answers 60k Compact',
      'old.ts, attached before 20k Compact',
      'Workspace and open editors, sent before 900 Compact',
      'Queued messages 80',
      "Kourier's own instructions 60",
      'Your message 3',
    ],
  )
  assert.deepEqual(await found(page), [])
  await page.keyboard.press('Tab')
  assert.equal(await isFocused(button(popover(page), 'Remove big.ts')), true)
  await page.keyboard.press('Enter')
  assert.deepEqual(await opened.received('remove-chip'), { kind: 'remove-chip', conversation: 'c', chip: 'chip-1' })
  await page.keyboard.press('Escape')
  assert.equal(await popover(page).count(), 0)
  assert.equal(await isFocused(opener), true)
  assert.deepEqual(
    opened.sent.filter(({ kind }) => kind === 'stop'),
    [],
  )
})

test('from 80 % on the conversation can be compacted by a button of its own, and the request be looked at', async ({
  openChat,
  page,
}) => {
  const opened = await openChat([...chat(), use({ tokens: 150_000 })])
  await button(page, 'Show what uses the context').click()
  assert.equal(await button(popover(page), 'Compact').count(), 0)
  await opened.post(use({}))
  await button(popover(page), 'Compact').click()
  assert.deepEqual(await opened.received('compact'), { kind: 'compact', conversation: 'c' })
  assert.equal(await popover(page).count(), 0)
  await button(page, 'Show what uses the context').click()
  await button(popover(page), 'Preview request').click()
  await opened.received('preview-request')
  await opened.post(use({ isCompacting: true }))
  await page.getByRole('status').filter({ hasText: 'The conversation is being summarized…' }).waitFor()
  await button(page, 'Stop').click()
  await opened.received('stop-compaction')
  const done = page.getByRole('status').filter({ hasText: 'The conversation was summarized.' })
  await opened.post(use({}))
  assert.equal(await done.count(), 0)
  await opened.post(use({ isCompacting: true }))
  await opened.post(use({}), conversation.append({ kind: 'summary', turn: 'a', summary: 's', text: 'About one.' }))
  await done.waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('And now?')
  await page.keyboard.press('Enter')
  await done.waitFor({ state: 'detached' })
})

test('what does not fit is an alert with buttons, and the message is in the composer', async ({ openChat, page }) => {
  const text = 'This message needs about 260,000 tokens, but m accepts only 200,000. Remove big.ts.'
  const trouble = { text, drops: [{ chip: 'chip-1', label: 'big.ts' }], helps: ['compact', 'new-chat'] as const }
  const opened = await openChat([...chat(), use({})])
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Why?')
  await button(page, 'Send').click()
  await opened.received('send')
  await opened.post({ kind: 'draft', conversation: 'c', text: 'Why?' }, use({ tokens: 260_000, trouble }))
  assert.equal(await page.getByRole('alert').innerText(), text)
  assert.equal(await box.inputValue(), 'Why?')
  assert.equal(await meter(page).innerText(), '130 %')
  assert.deepEqual(await found(page), [])
  await button(page, 'Remove big.ts').click()
  assert.equal((await opened.received('remove-chip')).chip, 'chip-1')
  await button(page, 'Compact').click()
  await opened.received('compact')
  // The head has a button of the same name, as an icon.
  await page.getByText('New chat', { exact: true }).click()
  await opened.received('new-chat')
  await button(page, 'Dismiss').click()
  await opened.received('dismiss-trouble')
})

test('a changed question that does not fit is in its editor again, with the alert', async ({ openChat, page }) => {
  const opened = await openChat([...chat(), use({})])
  const box = page.getByRole('textbox', { name: 'Edit message' })
  await button(page, 'Edit').first().click()
  await box.fill('A long one')
  await button(page.getByRole('log'), 'Send').click()
  const { turn } = await opened.received('edit-turn')
  await box.waitFor({ state: 'detached' })
  const trouble = { text: 'About 260,000 tokens would be sent.', drops: [], helps: ['new-chat'] as const }
  await opened.post({ kind: 'refused-edit', conversation: 'c', turn, text: 'A long one' }, use({ trouble }))
  assert.equal(await page.getByRole('alert').innerText(), trouble.text)
  assert.equal(await box.inputValue(), 'A long one')
  assert.equal(await isFocused(box), true)
  await box.press('Escape')
  await button(page, 'Edit').first().click()
  assert.equal(await box.inputValue(), 'First?')
})

test('what goes along by itself is a list of its own, and can be opened and removed', async ({ openChat, page }) => {
  const chips: Chip[] = [
    { id: 'i', kind: 'instructions', label: 'AGENTS.md', state: 'ready', tokens: 40, isAutomatic: true },
    { id: 'f', kind: 'file', label: 'a.ts', state: 'ready', tokens: 7 },
  ]
  const opened = await openChat([...chat(), { kind: 'draft-context', conversation: 'c', chips, offers: [] }])
  const automatic = page.getByRole('list', { name: 'Added automatically' })
  const label = automatic.getByRole('button', { name: 'AGENTS.md' }).first()
  assert.match((await label.getAttribute('title')) ?? '', /^AGENTS.md, added automatically/)
  assert.equal(await page.getByRole('list', { name: 'Context', exact: true }).getByRole('listitem').count(), 1)
  await label.click()
  assert.equal((await opened.received('open-chip')).chip, 'i')
  await button(automatic, 'Remove AGENTS.md').click()
  assert.equal((await opened.received('remove-chip')).chip, 'i')
})

test('[A18] a summary is folded at its place, is changed by keyboard, and is removed, which is undone', async ({
  openChat,
  page,
}) => {
  const opened = await openChat(chat())
  await opened.post(conversation.append({ kind: 'summary', turn: 'a', summary: 's', text: 'It was about **one**.' }))
  const log = page.getByRole('log')
  const order = (await log.innerText()).replaceAll(/\s+/g, ' ')
  assert.match(order, /One\..*Summary.*Second\?/)
  assert.equal(await page.getByText('It was about').count(), 0)
  const fold = log.locator('summary', { hasText: 'Summary' })
  await fold.focus()
  await page.keyboard.press('Enter')
  await page.getByText('It was about one.').waitFor()
  await button(page, 'Edit summary').focus()
  await page.keyboard.press('Enter')
  const box = page.getByRole('textbox', { name: 'Summary' })
  assert.equal(await isFocused(box), true)
  assert.equal(await box.inputValue(), 'It was about **one**.')
  assert.deepEqual(await found(page), [])
  await page.keyboard.press('Escape')
  assert.equal(await isFocused(button(page, 'Edit summary')), true)
  await page.keyboard.press('Enter')
  await box.fill('It was about two.\nMostly.')
  await page.keyboard.press('Control+Enter')
  assert.deepEqual(await opened.received('change-summary'), {
    kind: 'change-summary',
    conversation: 'c',
    summary: 's',
    text: 'It was about two.\nMostly.',
  })
  await opened.post(conversation.append({ kind: 'summary', turn: 'a', summary: 's', text: 'It was about two.' }))
  await page.getByText('It was about two.').waitFor()
  await button(page, 'Remove summary').click()
  assert.deepEqual(await opened.received('change-summary'), { kind: 'change-summary', conversation: 'c', summary: 's' })
  await opened.post(conversation.append({ kind: 'summary', turn: 'a', summary: 's' }))
  assert.equal(await fold.count(), 0)
  assert.match((await log.innerText()).replaceAll(/\s+/g, ' '), /First\?.*One\./)
  await page.getByText('The summary was removed.').waitFor()
  await button(page, 'Undo').click()
  const { summary } = await opened.received('restore-summary')
  assert.deepEqual(summary, { id: 's', turn: 'a', text: 'It was about two.' })
  await opened.post(conversation.append({ kind: 'summary', turn: 'a', summary: 's', text: 'It was about two.' }))
  assert.equal(await fold.count(), 1)
  assert.equal(await button(page, 'Undo').count(), 0)
  assert.deepEqual({ faults: opened.faults, requests: opened.strayRequests }, { faults: [], requests: [] })
})

test('a summary that is made much shorter stays in sight', async ({ openChat, page }) => {
  const long = new PageConversation()
  const opened = await openChat([
    signedIn,
    long.replay(
      { role: 'user', text: 'First?', id: 'a' },
      { role: 'assistant', id: 'a', text: 'One.', state: 'whole' },
      { role: 'user', text: 'Second?', id: 'b' },
      { role: 'assistant', id: 'b', text: 'Two.\n\n'.repeat(200), state: 'whole' },
    ),
    long.append({ kind: 'summary', turn: 'a', summary: 's', text: 'It was about one. '.repeat(2_000) }),
  ])
  const fold = page.getByRole('log').locator('summary', { hasText: 'Summary' })
  await fold.click()
  await button(page, 'Edit summary').click()
  const box = page.getByRole('textbox', { name: 'Summary' })
  await box.fill('Short.')
  await box.press('Control+Enter')
  await opened.post(long.append({ kind: 'summary', turn: 'a', summary: 's', text: 'Short.' }))
  await page.getByText('Short.').waitFor()
  const [log, at] = [await page.getByRole('log').boundingBox(), await fold.boundingBox()]
  assert.ok(log && at && at.y >= log.y && at.y + at.height <= log.y + log.height, JSON.stringify({ log, at }))
})

test('where it is narrow, the names of what takes room have room themselves', async ({ openChat, page }) => {
  await openChat([...chat(), use({})], { width: 200 })
  await meter(page).locator('xpath=..').getByRole('button').click()
  const rows = page.getByRole('dialog').getByRole('listitem')
  const widths = await rows.evaluateAll((all: { firstElementChild: { clientWidth: number } }[]) =>
    all.map(row => row.firstElementChild.clientWidth),
  )
  assert.equal(widths.length, parts.length)
  assert.ok(Math.min(...widths) > 90, `${widths}`)
})
