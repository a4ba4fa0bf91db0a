// The head of the chat and the history screen, as a person meets them: by role and name, with the keyboard and the pointer.
import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import type { HistoryFromPage, HistoryRow, HistoryToPage } from '../../src/protocol/historyPanel.ts'
import type { ToPage } from '../../src/protocol/panel.ts'
import { bringChecker, violations } from '../support/accessibility.ts'
import { PageConversation } from '../support/pageConversation.ts'
import type { ChatPage, Look } from './chatPage.ts'
import { test } from './fixtures.ts'

const DAY_MS = 86_400_000
const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI' } }
const conversation = new PageConversation('c')
const transcript = conversation.replay(
  { role: 'user', id: 'q', text: 'How do I parse JSON?' },
  { role: 'assistant', id: 'a', text: 'Call JSON.parse.', state: 'whole' },
)
const history = (message: HistoryToPage): ToPage => ({ kind: 'history', message })
const head = (values: Partial<Extract<HistoryToPage, { is: 'head' }>> = {}) =>
  history({
    ...{ is: 'head', conversation: 'c', title: 'How do I parse JSON?', place: 'editor', hasWorkspace: true },
    ...{ sessions: [], notices: [], ...values },
  })
const row = (conversation: string, values: Partial<HistoryRow> = {}): HistoryRow => ({
  conversation,
  title: `Chat ${conversation}`,
  updatedAt: Date.now() - 5 * 60_000,
  isPinned: false,
  isArchived: false,
  ...values,
})

type Asked<Is extends HistoryFromPage['is']> = Extract<HistoryFromPage, { is: Is }>

/** The next message of the history screen that is of this kind. */
async function asked<Is extends HistoryFromPage['is']>(chat: ChatPage, is: Is): Promise<Asked<Is>> {
  for (;;) {
    const { message } = await chat.received('history')
    if (message.is === is) return message as Asked<Is>
  }
}

/** Answers the request for a list with these rows. */
async function answer(chat: ChatPage, rows: readonly HistoryRow[], laterCount = 0): Promise<Asked<'list'>> {
  const request = await asked(chat, 'list')
  await chat.post(
    history({
      is: 'list',
      query: request.query,
      pinnedCount: rows.filter(({ isPinned }) => isPinned).length,
      times: rows.map(({ updatedAt }) => updatedAt),
      rows: rows.slice(0, 100),
      laterCount,
    }),
  )
  return request
}

type Open = (messages: readonly ToPage[], look?: Look) => Promise<ChatPage>

async function openHistory(openChat: Open, rows: readonly HistoryRow[], look?: Look): Promise<ChatPage> {
  const chat = await openChat([signedIn, head(), transcript], look)
  await button(chat.page, 'History').click()
  await answer(chat, rows)
  return chat
}

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search chats' })
const rowNamed = (page: Page, title: string) => page.getByRole('listitem').getByRole('button', { name: title }).first()
const isFocused = async (of: Locator) => (await of.and(of.page().locator(':focus')).count()) === 1

function assertQuiet(chat: ChatPage): void {
  assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
}

const startOfToday = () => new Date().setHours(0, 0, 0, 0)

const few = [
  row('p', { isPinned: true, updatedAt: Date.now() - 40 * DAY_MS }),
  row('t', { updatedAt: Math.max(Date.now() - 5 * 60_000, startOfToday()) }),
  row('w', { updatedAt: Date.now() - 4 * DAY_MS }),
  row('e', { updatedAt: Date.now() - 300 * DAY_MS }),
]

test.describe('the history', () => {
  test('lists chats by day, pinned ones first, and a screen reader knows how many there are', async ({
    openChat,
    page,
  }) => {
    const chat = await openHistory(openChat, few)
    assert.deepEqual(await page.getByRole('heading').allInnerTexts(), [
      'History',
      'Pinned',
      'Today',
      'This week',
      'Earlier',
    ])
    const pinned = page.getByRole('list', { name: 'Pinned' }).getByRole('listitem')
    assert.deepEqual(
      [await pinned.getAttribute('aria-setsize'), await pinned.getAttribute('aria-posinset')],
      ['1', '1'],
    )
    assert.match(await rowNamed(page, 'Chat t').innerText(), /5 ?m/)
    assert.equal(await isFocused(search(page)), true)
    assertQuiet(chat)
  })

  test('returns with Escape to the same text, the same place and the same focus, and stops no answer', async ({
    openChat,
    page,
  }) => {
    const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join('\n\n')
    const talk = new PageConversation('c').replay(
      { role: 'user', id: 'q', text: 'Why?' },
      { role: 'assistant', id: 'a', text: long, state: 'whole' },
    )
    const chat = await openChat([signedIn, head(), talk])
    const log = page.getByRole('log')
    await page.getByRole('textbox', { name: 'Message' }).fill('half a thought')
    const end = await log.evaluate(box => box.scrollTop)
    await log.hover()
    await page.mouse.wheel(0, -300)
    await page.evaluate(`until(() => document.querySelector('.log').scrollTop < ${end - 200})`)
    await chat.post({ kind: 'activity', conversation: 'c', activity: { is: 'answering' } })
    await page.getByRole('textbox', { name: 'Message' }).focus()
    const before = await log.evaluate(box => box.scrollTop)
    await chat.post(history({ is: 'show' }))
    await answer(chat, few)
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).count(), 0, 'what is covered cannot be reached')
    await page.keyboard.press('Escape')
    await search(page).waitFor({ state: 'detached' })
    const message = page.getByRole('textbox', { name: 'Message' })
    await page.evaluate(`until(() => document.activeElement?.tagName === 'TEXTAREA')`)
    assert.equal(await message.inputValue(), 'half a thought')
    assert.equal(await log.evaluate(box => box.scrollTop), before)
    assert.equal(chat.sent.filter(({ kind }) => kind === 'stop').length, 0)
  })

  test('is used with the keyboard alone', async ({ openChat, page }) => {
    const chat = await openHistory(openChat, few)
    await page.keyboard.press('ArrowDown')
    assert.equal(await isFocused(rowNamed(page, 'Chat p')), true)
    await page.keyboard.press('ArrowDown')
    await page.evaluate(`until(() => document.activeElement.innerText.startsWith('Chat t'))`)
    await page.keyboard.press('End')
    await page.evaluate(`until(() => document.activeElement.innerText.startsWith('Chat e'))`)
    await page.keyboard.press('Home')
    await page.evaluate(`until(() => document.activeElement.innerText.startsWith('Chat p'))`)

    await page.keyboard.press('F2')
    const box = page.getByRole('textbox', { name: 'Title of the chat' })
    assert.equal(await box.inputValue(), 'Chat p')
    await page.keyboard.type('Parsing')
    await page.keyboard.press('Enter')
    assert.deepEqual(await asked(chat, 'rename'), { is: 'rename', conversation: 'p', title: 'Parsing' })
    await page.evaluate(`until(() => document.activeElement.innerText.startsWith('Parsing'))`)

    await page.keyboard.press('F2')
    await page.keyboard.type('something else')
    await page.keyboard.press('Escape')
    await rowNamed(page, 'Parsing').waitFor()

    await page.keyboard.press('Control+Enter')
    assert.deepEqual(await asked(chat, 'open'), { is: 'open', conversation: 'p', where: 'editor' })
    await page.keyboard.press('Enter')
    assert.deepEqual(await asked(chat, 'open'), { is: 'open', conversation: 'p', where: 'here' })
    await chat.post(history({ is: 'hide' }))
    await search(page).waitFor({ state: 'detached' })
    assertQuiet(chat)
  })

  test('deletes at once, and Undo brings the chat back until the next question is sent', async ({ openChat, page }) => {
    const chat = await openHistory(openChat, few)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    assert.deepEqual(await asked(chat, 'flag'), { is: 'flag', conversation: 'p', flag: 'deleted', value: true })
    await rowNamed(page, 'Chat p').waitFor({ state: 'detached' })
    await page.evaluate(`until(() => document.activeElement.innerText.startsWith('Chat t'))`)
    const notice = page.getByRole('status').filter({ hasText: 'The chat “Chat p” was deleted.' })
    await button(notice, 'Undo').click()
    assert.deepEqual(await asked(chat, 'flag'), { is: 'flag', conversation: 'p', flag: 'deleted', value: false })
    await chat.post(history({ is: 'changed' }))
    await answer(chat, few)
    await rowNamed(page, 'Chat p').waitFor()
    assert.equal(await notice.count(), 0)
    await rowNamed(page, 'Chat p').press('Delete')
    await chat.post(history({ is: 'hide' }))
    await notice.waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('Something else')
    await page.keyboard.press('Enter')
    await notice.waitFor({ state: 'detached' })
    assertQuiet(chat)
  })

  test('of several deletions one Undo brings all back, and later the list of deleted chats does', async ({
    openChat,
    page,
  }) => {
    const chat = await openHistory(openChat, few)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    assert.equal((await asked(chat, 'flag')).conversation, 'p')
    await page
      .getByRole('button', { name: /^Chat t/ })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Delete')
    assert.equal((await asked(chat, 'flag')).conversation, 't')
    const notice = page.getByRole('status').filter({ hasText: '2 chats were deleted.' })
    await button(notice, 'Undo').click()
    for (const conversation of ['p', 't'])
      assert.deepEqual(await asked(chat, 'flag'), { is: 'flag', conversation, flag: 'deleted', value: false })
    await page.getByRole('combobox', { name: 'Which chats' }).selectOption('Recently deleted')
    assert.equal((await answer(chat, [row('t')])).scope, 'deleted')
    await button(page, 'Actions for Chat t').click()
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Restore'])
    await page.keyboard.press('Enter')
    assert.deepEqual(await asked(chat, 'flag'), { is: 'flag', conversation: 't', flag: 'deleted', value: false })
    assert.deepEqual(await asked(chat, 'open'), { is: 'open', conversation: 't', where: 'here' })
    assertQuiet(chat)
  })

  test('what was never sent says so, and has only the actions that make sense', async ({ openChat, page }) => {
    const chat = await openHistory(openChat, [row('t', { isUnsent: true })])
    const unsent = page.getByRole('button', { name: 'Chat t Not sent' })
    await unsent.focus()
    await page.keyboard.press('F2')
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).count(), 0)
    await button(page, 'Actions for Chat t').click()
    const names = ['Open', 'Open in editor tab', 'Delete']
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), names)
    await page.keyboard.press('Escape')
    await unsent.click()
    assert.deepEqual(await asked(chat, 'open'), { is: 'open', conversation: 't', where: 'here' })
  })

  test('offers every action of a chat in a menu', async ({ openChat, page }) => {
    const chat = await openHistory(openChat, few)
    const openMenu = () => button(page, 'Actions for Chat t').click()
    await openMenu()
    const menu = page.getByRole('menu', { name: 'Actions for Chat t' })
    const names = ['Open', 'Open in editor tab', 'Rename', 'Pin', 'Archive', 'Export…', 'Delete']
    assert.deepEqual(await menu.getByRole('menuitem').allInnerTexts(), names)
    const [of, at] = [await button(page, 'Actions for Chat t').boundingBox(), await menu.boundingBox()]
    assert.ok(of && at && Math.abs(at.y - (of.y + of.height)) < 2 && at.x > 0, 'it is below its button')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    assert.equal(await search(page).count(), 1, 'the first Escape closes the menu alone')
    assert.equal(await isFocused(button(page, 'Actions for Chat t')), true)
    await openMenu()
    await page.getByRole('menuitem', { name: 'Pin' }).click()
    assert.deepEqual(await asked(chat, 'flag'), { is: 'flag', conversation: 't', flag: 'pinned', value: true })
    await openMenu()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    assert.deepEqual(await asked(chat, 'export'), { is: 'export', conversation: 't' })
    await openMenu()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Title of the chat' }).inputValue(), 'Chat t')
    assertQuiet(chat)
  })

  for (const theme of ['dark', 'light'] as const)
    test(`an accessibility checker finds nothing in it, in a narrow side bar and the ${theme} theme`, async ({
      openChat,
      page,
    }) => {
      const chat = await openHistory(openChat, few, { width: 200, theme })
      await bringChecker(page)
      assert.deepEqual(await violations(page), [])
      await button(page, 'Actions for Chat t').click()
      assert.deepEqual(await violations(page), [])
      await page.keyboard.press('Escape')
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 200)
      await page.keyboard.press('Escape')
      await chat.post(head({ sessions: [{ conversation: 'd', title: 'Sorting', state: 'answering' }] }))
      assert.deepEqual(await violations(page), [])
    })

  test('searches as the user types, marks what was found, and opens it at its place', async ({ openChat, page }) => {
    const chat = await openHistory(openChat, few)
    await search(page).pressSequentially('js')
    await asked(chat, 'list')
    const found = row('f', { title: 'Parsing', excerpt: 'Call JSON.parse <b>and</b> catch', turn: 'turn-7' })
    const request = await answer(chat, [found])
    assert.deepEqual([request.text, request.scope], ['js', 'workspace'])
    const list = page.getByRole('list', { name: 'Found' })
    assert.deepEqual(await list.locator('mark').allInnerTexts(), ['JS'])
    assert.match(await list.innerText(), /Call JSON\.parse <b>and<\/b> catch/)
    await page.getByText('1 chat found').waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    assert.deepEqual(await asked(chat, 'open'), { is: 'open', conversation: 'f', where: 'here', turn: 'turn-7' })
    assertQuiet(chat)
  })

  test('an answer to an earlier search is not shown', async ({ openChat, page }) => {
    const chat = await openHistory(openChat, few)
    await search(page).fill('first')
    const first = await asked(chat, 'list')
    await search(page).fill('second')
    await answer(chat, [row('second')])
    const late = {
      is: 'list',
      query: first.query,
      pinnedCount: 0,
      times: [1],
      rows: [row('first')],
      laterCount: 0,
    } as const
    await chat.post(history({ ...late, times: [1], rows: [row('first')] }))
    assert.equal(await rowNamed(page, 'Chat second').count(), 1)
    assert.equal(await rowNamed(page, 'Chat first').count(), 0)
  })

  test('what is not found or not there is explained, with what to do', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, head(), transcript])
    await chat.post(history({ is: 'show' }))
    await answer(chat, [], 2)
    await page.getByText('There are no chats here yet.').waitFor()
    await page.getByText('2 chats of a newer version of Kourier are kept unchanged.').waitFor()
    await button(page, 'Import…').click()
    await asked(chat, 'import')
    await search(page).fill('<i>zebra')
    await answer(chat, [])
    await page.getByText('No chat contains “<i>zebra”.').waitFor()
    await button(page, 'Search all workspaces').click()
    const again = await answer(chat, [])
    assert.deepEqual([again.text, again.scope], ['<i>zebra', 'all'])
    await page.getByRole('combobox', { name: 'Which chats' }).selectOption('Archived')
    const archived = await answer(chat, [])
    assert.equal(archived.scope, 'archived')
    assertQuiet(chat)
  })

  test('the chats of other workspaces have their names, and open ones what they are doing', async ({
    openChat,
    page,
  }) => {
    const sessions = [{ conversation: 't', title: 'Chat t', state: 'answering' as const }]
    const chat = await openChat([signedIn, head({ sessions, hasWorkspace: false }), transcript])
    await chat.post(history({ is: 'show' }))
    const request = await answer(chat, [row('t', { workspace: 'parcels' })])
    assert.equal(request.scope, 'all')
    assert.match(await rowNamed(page, 'Chat t').innerText(), /Chat t\s+Answering\s+parcels/)
    await page.getByRole('combobox').selectOption('deleted')
    await answer(chat, [row('u')])
    assert.match(await rowNamed(page, 'Chat u').innerText(), /Chat u[\s\S]*No folder/)
  })

  test('[R51] of 10,000 chats only those in view are in the document, and they are shown in one frame', async ({
    openChat,
    page,
  }) => {
    const count = 10_000
    // Of whole days, so that those of the first day are many at any hour.
    const now = startOfToday() - 60_000
    const all = Array.from({ length: count }, (_, at) => row(String(at), { updatedAt: now - at * 60_000 }))
    const chat = await openChat([signedIn, head(), transcript])
    await chat.post(history({ is: 'show' }))
    const { query } = await asked(chat, 'list')
    const times = all.map(({ updatedAt }) => updatedAt)
    const list = history({ is: 'list', query, pinnedCount: 0, times, rows: all.slice(0, 100), laterCount: 0 })
    const ms = await page.evaluate<number>(`(async () => {
      const message = ${JSON.stringify(list)}
      await new Promise(requestAnimationFrame)
      const begin = performance.now()
      postMessage(message, location.origin)
      await until(() => document.querySelector('.history-row'))
      return performance.now() - begin
    })()`)
    assert.ok(ms < 1_000, `${ms} ms`)
    const rows = page.locator('.history-row')
    assert.ok((await rows.count()) < 60, `${await rows.count()} rows`)
    const first = page.getByRole('listitem').first()
    assert.ok(Number(await first.getAttribute('aria-setsize')) > 100)
    await search(page).press('ArrowDown')
    await page.keyboard.press('End')
    const wanted = await asked(chat, 'rows')
    assert.equal(wanted.from, 9_900)
    await chat.post(history({ is: 'rows', query, from: wanted.from, rows: all.slice(wanted.from) }))
    await page.evaluate(`until(() => document.activeElement.innerText.startsWith('Chat 9999'))`)
    assert.ok((await rows.count()) < 60)
    await page.mouse.move(160, 300)
    await page.mouse.wheel(0, -100_000)
    await rowNamed(page, 'Chat 9800').waitFor({ state: 'detached' })
    assert.equal(await isFocused(rowNamed(page, 'Chat 9999')), true, 'what is scrolled out of view keeps the focus')
    assertQuiet(chat)
  })
})

test.describe('the head', () => {
  test('has the title, which is renamed in its place, and is usable in a narrow side bar', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn, head(), transcript], { width: 200 })
    const title = button(page, 'Rename How do I parse JSON?')
    await title.click()
    await page.getByRole('textbox', { name: 'Title of the chat' }).fill('Parsing JSON')
    await page.keyboard.press('Enter')
    assert.deepEqual(await asked(chat, 'rename'), { is: 'rename', conversation: 'c', title: 'Parsing JSON' })
    await chat.post(conversation.append({ kind: 'title', text: 'Parsing JSON', by: 'user' }))
    await button(page, 'Rename Parsing JSON').waitFor()
    for (const name of ['History', 'New chat', 'More actions']) {
      const box = await button(page, name).boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= 200 && box.y < 34, `${name} is in the line`)
    }
    await button(page, 'New chat').click()
    await chat.received('new-chat')
    assertQuiet(chat)
  })

  test('a deleted chat comes back with Undo', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, head(), transcript])
    await button(page, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    assert.deepEqual(await asked(chat, 'flag'), { is: 'flag', conversation: 'c', flag: 'deleted', value: true })
    await button(page, 'Undo').click()
    assert.deepEqual(await asked(chat, 'flag'), { is: 'flag', conversation: 'c', flag: 'deleted', value: false })
    assert.deepEqual(await asked(chat, 'open'), { is: 'open', conversation: 'c', where: 'here' })
  })

  test('other open chats are listed with what they are doing', async ({ openChat, page }) => {
    const sessions = [
      { conversation: 'c', title: 'How do I parse JSON?', state: 'idle' as const },
      { conversation: 'd', title: 'Sorting', state: 'answering' as const },
    ]
    const chat = await openChat([signedIn, head({ sessions }), transcript])
    await button(page, 'Open chats: 2').click()
    const items = page.getByRole('menuitemradio')
    assert.deepEqual(await items.allInnerTexts(), ['How do I parse JSON?', 'Sorting\nAnswering'])
    await items.nth(1).click()
    assert.deepEqual(await asked(chat, 'open'), { is: 'open', conversation: 'd', where: 'here' })
    assertQuiet(chat)
  })

  test('what is wrong with the file of the chat is noted calmly, and goes away', async ({ openChat, page }) => {
    const text = 'This chat cannot be saved at the moment.'
    const chat = await openChat([signedIn, head({ notices: [text] }), transcript])
    const note = page.getByRole('note').filter({ hasText: text })
    await note.waitFor()
    await chat.post(head())
    await note.waitFor({ state: 'detached' })
  })

  test('a search result is scrolled to, also in the chat that is shown', async ({ openChat, page }) => {
    const talk = new PageConversation('c').replay(
      ...Array.from({ length: 20 }, (_, at) => [
        { role: 'user', id: `q${at}`, text: `Question ${at}` } as const,
        { role: 'assistant', id: `a${at}`, text: 'word '.repeat(200), state: 'whole' } as const,
      ]).flat(),
    )
    const chat = await openChat([
      signedIn,
      head(),
      { kind: 'kept-draft', conversation: 'c', text: '', at: 0, carriesDraft: false },
      talk,
    ])
    await chat.post(history({ is: 'turn', conversation: 'c', turn: 'a3' }))
    await page.evaluate(`until(() => (() => {
      const box = document.querySelector('.log').getBoundingClientRect()
      const found = [...document.querySelectorAll('article')].find(one => one.innerText.includes('Question 3'))
      const top = found?.getBoundingClientRect().top
      return top !== undefined && Math.abs(top - box.top) < 40
    })())`)
  })
})
