// The page by keyboard alone: the order of Tab, a ring on what has the focus, every action, and no focus that is lost.
import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'
import { answering, button, fullChat, idle, openHistory, pageStates, signedIn } from './pageStates.ts'
import { type Theme, themes } from './themes.ts'

/** Resolves when it has the focus, which it may receive with the next frame. */
const hasFocus = (of: Locator) => of.and(of.page().locator(':focus')).waitFor({ state: 'attached', timeout: 10_000 })
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const hasAnyFocus = (page: Page) => page.evaluate('until(() => document.activeElement !== document.body)')

interface Stop {
  readonly name: string
  /** It is in sight, and shows that it has the focus. */
  readonly isSeen: boolean
}

/** What has the focus: its name, and whether a ring or a border in the focus colour is around it or the box it is in. */
function focused(page: Page): Promise<Stop | undefined> {
  return page.evaluate(`{
    const element = document.activeElement
    const colour = getComputedStyle(document.body).getPropertyValue('--vscode-focusBorder')
    const probe = document.createElement('i')
    probe.style.color = colour
    document.body.append(probe)
    const wanted = getComputedStyle(probe).color
    probe.remove()
    const hasRing = one => {
      const { outlineStyle, outlineWidth, outlineColor, borderTopColor, borderTopStyle } = getComputedStyle(one)
      const isOutlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && outlineColor === wanted
      return isOutlined || (borderTopStyle !== 'none' && borderTopColor === wanted)
    }
    const named = element.getAttribute('aria-label') ?? (element.labels?.[0]?.innerText || element.innerText)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const isInWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
    const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const hasOwnRing = hasRing(element) || hasRing(element.closest('.composer') ?? element)
    element === document.body ? undefined : { name: named.replace(/\\s+/g, ' ').trim(), isSeen: isInWindow && isVisible && hasOwnRing }
  }`)
}

/** The stops of Tab from the first one on, until the focus leaves the page. */
async function walk(page: Page, first: Locator): Promise<Stop[]> {
  await first.focus()
  // The ring is shown for the keyboard alone.
  await page.keyboard.press('Shift')
  const stops: Stop[] = []
  for (let stop = await focused(page); stop && stops.length < 200; stop = await focused(page)) {
    stops.push(stop)
    await page.keyboard.press('Tab')
  }
  return stops
}

const unseen = (stops: readonly Stop[]) => stops.flatMap(({ name, isSeen }) => (isSeen ? [] : [name]))

const codeButtons = ['Insert at cursor', 'Apply to file', 'New file']
/** From the top of the page to its end; in a message, what it holds and then what can be done with it. */
const orderOfChat = [
  ...['Rename Why?', 'More actions', 'Open chats: 2', 'History', 'New chat', 'Conversation'],
  ...['parse.ts', 'Open parse.ts', 'Enlarge shot.png', 'Edit', 'Copy message', 'Delete message'],
  ...['Outline', 'link', ...codeButtons, 'Copy', ...codeButtons, 'Run in terminal', 'Copy'],
  ...['Table', 'Copy as Markdown', 'Copy for a spreadsheet', 'Draw diagram', ...codeButtons, 'Copy'],
  ...['Previous version', 'Copy message', 'Retry', 'Branch from here', 'Summary'],
  ...['Edit', 'Copy message', 'Delete message'],
  ...[
    'Thought for 4 s',
    'Read a file Stopped',
    'Open diff',
    'Review',
    'Keep',
    'Undo',
    'Continue',
    'Retry',
    'Copy message',
    'Retry',
    'Branch from here',
  ],
  ...['Open diff', 'Keep', 'Undo', 'Keep all', 'Undo all'],
  ...['Message', 'Add context', 'Attach image', 'Model: example/large-2'],
]

const names = (stops: readonly Stop[]) => stops.map(({ name }) => name)

/** The stops, which are the same in each theme. */
async function seenStops(chat: ChatPage, first: Locator): Promise<Stop[]> {
  const stops = await walk(chat.page, first)
  const found: Record<string, string[]> = { dark: unseen(stops) }
  for (const theme of Object.keys(themes).filter(name => name !== 'dark') as Theme[]) {
    await chat.showTheme(theme)
    found[theme] = unseen(await walk(chat.page, first))
  }
  assert.deepEqual(found, { dark: [], light: [], 'high-contrast': [], 'high-contrast-light': [] })
  return stops
}

test('Tab goes through the conversation in order, and each stop is seen', async ({ openChat, page }) => {
  const chat = await openChat(fullChat().messages, { width: 420, height: 700 })
  await button(page, 'Outline').waitFor()
  assert.deepEqual(names(await seenStops(chat, button(page, 'Rename Why?'))), orderOfChat)
  assert.deepEqual(chat.faults, [])
})

test('code that is wider than the panel is a stop of its own and scrolls by the arrow keys', async ({
  openChat,
  page,
}) => {
  const line = 'const aLongName = anotherLongName(thirdLongName, fourthLongName, fifthLongName)'
  const answer = { role: 'assistant', id: 'a', text: `\`\`\`ts\n${line}\n\`\`\``, state: 'whole' } as const
  const replay = new PageConversation().replay({ role: 'user', text: 'Why?', id: 'a' }, answer)
  await openChat([signedIn, replay, idle], { width: 320, height: 700 })
  await button(page.getByRole('group', { name: 'Code: ts' }), 'Copy').focus()
  await page.keyboard.press('Tab')
  assert.deepEqual(await focused(page), { name: line, isSeen: true })
  await page.keyboard.press('ArrowRight')
  await page.evaluate('until(() => document.activeElement.scrollLeft > 0)')
})

const otherStops: Readonly<Record<string, readonly string[]>> = {
  'signed out': ['Retry', 'Sign in', 'Sign in with the browser', 'Use an API key'],
  'a code': ['Open browser', 'Copy code', 'Get a new code', 'Cancel'],
  'a message that is too long': [
    'Remove big.ts',
    'Compact',
    'New chat',
    'Dismiss',
    'AGENTS.md 120 tokens',
    'Remove AGENTS.md',
  ],
}

for (const [name, expected] of Object.entries(otherStops))
  test(`${name}: Tab goes through it in order, and each stop is seen`, async ({ openChat, page }) => {
    const chat = await openChat(pageStates[name] ?? [], { width: 420, height: 900 })
    const stops = names(
      await seenStops(
        chat,
        page
          .getByRole('main')
          .getByRole('button', { name: expected[0] ?? '' })
          .first(),
      ),
    )
    assert.deepEqual(stops.slice(0, expected.length), expected)
  })

test('Tab goes through the history, of which the rows are one stop', async ({ openChat, page }) => {
  const chat = await openChat(pageStates['a short chat'] ?? [], { width: 420, height: 900 })
  await openHistory(chat)
  const stops = names(await seenStops(chat, button(page, 'Back')))
  assert.deepEqual(stops.slice(0, 3), ['Back', 'Search chats', 'Which chats'])
  assert.match(stops[3] ?? '', /^Chat p /)
  assert.deepEqual(stops.slice(4), ['Actions for Chat p'])
})

test('each action of a message and of a code block is done by Enter', async ({ openChat, page }) => {
  const chat = await openChat(fullChat().messages, { width: 420, height: 700 })
  const done = async (place: Locator, kind: FromPage['kind']) => {
    await place.focus()
    await page.keyboard.press('Enter')
    return chat.received(kind)
  }
  const [question, answer] = [
    page.getByRole('article', { name: 'You' }),
    page.getByRole('article', { name: 'Kourier' }),
  ]
  await done(button(question.first(), 'Open parse.ts'), 'open-part')
  await done(answer.first().getByRole('link', { name: 'link' }), 'open')
  const code = page.getByRole('group', { name: 'Code: sh' })
  const actions: string[] = []
  for (const name of ['Insert at cursor', 'Apply to file', 'New file', 'Run in terminal']) {
    const message = await done(button(code, name), 'code')
    if (message.kind === 'code') actions.push(message.action)
  }
  assert.deepEqual(actions, ['insert', 'apply', 'new-file', 'run'])
  await done(button(answer.last(), 'Branch from here'), 'fork')
  await done(button(answer.last(), 'Retry').last(), 'retry-turn')
  await done(button(answer.first(), 'Previous version'), 'choose-branch')
  await done(button(page.getByRole('list', { name: 'Changes' }), 'Keep'), 'change')
  await done(button(page, 'Undo all'), 'change')
  await button(question.first(), 'Enlarge shot.png').focus()
  await page.keyboard.press('Enter')
  await hasFocus(button(page.getByRole('dialog'), 'Close'))
  await page.keyboard.press('Escape')
  await hasFocus(button(question.first(), 'Enlarge shot.png'))
  await button(answer.first(), 'Outline').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.equal((await focused(page))?.name, 'What there is')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('heading', { name: 'Part 1' }))
})

test('the arrow keys move between messages, and the one that has the focus is seen', async ({ openChat, page }) => {
  await openChat(pageStates['a fault'] ?? [], { width: 420, height: 700 })
  await page.getByRole('log').focus()
  await page.keyboard.press('ArrowDown')
  assert.deepEqual(await focused(page), { name: 'You', isSeen: true })
  await page.keyboard.press('ArrowDown')
  assert.deepEqual(await focused(page), { name: 'Kourier', isSeen: true })
})

test('the message box says where help is, to those who use a screen reader', async ({ openChat, page }) => {
  const chat = await openChat([signedIn])
  const description = () => composer(page).getAttribute('aria-description')
  assert.equal(await description(), null)
  await page.evaluate('document.body.classList.add("vscode-using-screen-reader")')
  await chat.post({ kind: 'model', id: 'm' })
  assert.equal(await description(), 'Press Alt+F1 for accessibility help.')
})

test.describe('the focus is not lost', () => {
  const conversation = new PageConversation()
  const talk = () =>
    conversation.replay(
      { role: 'user', text: 'First?', id: 'a' },
      { role: 'assistant', id: 'a', text: 'One.', state: 'whole' },
      { role: 'user', text: 'Second?', id: 'b' },
      { role: 'assistant', id: 'b', text: 'Two.', state: 'whole' },
    )
  const begun = (): readonly ToPage[] => [signedIn, talk(), idle]
  const press = async (of: Locator, key = 'Enter') => {
    await of.focus()
    await of.page().keyboard.press(key)
  }
  const you = (page: Page) => page.getByRole('article', { name: 'You' })
  const chips = (...names: readonly string[]): ToPage => ({
    kind: 'draft-context',
    conversation: 'c',
    chips: names.map(label => ({ id: label, kind: 'file', label, state: 'ready' })),
    offers: [],
  })

  test('when a message is deleted, and when that is undone', async ({ openChat, page }) => {
    const chat = await openChat(begun())
    await press(button(you(page).first(), 'Delete message'))
    await chat.received('delete-turn')
    await chat.post(conversation.append({ kind: 'turn-deleted', turn: 'a', value: true }))
    await hasFocus(you(page)) // the next message
    await press(button(page, 'Undo'))
    await chat.post(conversation.append({ kind: 'turn-deleted', turn: 'a', value: false }))
    await hasFocus(composer(page))
    await press(button(you(page).last(), 'Delete message'))
    await chat.post(conversation.append({ kind: 'turn-deleted', turn: 'b', value: true }))
    await hasFocus(page.getByRole('article', { name: 'Kourier' })) // the previous message
  })

  test('when a chip is removed', async ({ openChat, page }) => {
    const chat = await openChat([...begun(), chips('a.ts', 'b.ts', 'c.ts')])
    await press(button(page, 'Remove b.ts'))
    await chat.post(chips('a.ts', 'c.ts'))
    await hasFocus(button(page, 'Remove c.ts'))
    await page.keyboard.press('Enter')
    await chat.post(chips('a.ts'))
    await hasFocus(button(page, 'Remove a.ts'))
    await page.keyboard.press('Enter')
    await chat.post(chips())
    await hasFocus(composer(page))
  })

  test('when the find bar is closed', async ({ openChat, page }) => {
    await openChat(begun())
    await button(you(page).first(), 'Copy message').focus()
    await page.keyboard.press('Control+f')
    await hasFocus(page.getByRole('searchbox', { name: 'Find in chat' }))
    await page.keyboard.press('Escape')
    await hasFocus(button(you(page).first(), 'Copy message'))
    await page.keyboard.press('Control+f')
    await hasFocus(page.getByRole('searchbox', { name: 'Find in chat' }))
    await press(button(page, 'Close'))
    await hasFocus(button(you(page).first(), 'Copy message'))
  })

  test('when a question is edited, or is not after all', async ({ openChat, page }) => {
    const chat = await openChat(begun())
    await press(button(you(page).last(), 'Edit'))
    await page.keyboard.press('Escape')
    await hasFocus(button(you(page).last(), 'Edit'))
    await page.keyboard.press('Enter')
    await press(button(page, 'Cancel'))
    await hasFocus(button(you(page).last(), 'Edit'))
    await page.keyboard.press('Enter')
    await page.keyboard.type(' And why?')
    await page.keyboard.press('Enter')
    await chat.received('edit-turn')
    await chat.post(
      conversation.append({
        ...{ kind: 'turn-started', turn: 'c', parent: 'a', origin: { is: 'edit', of: 'b' } },
        prompt: [{ kind: 'text', id: 'p', text: 'Second? And why?' }],
      }),
      answering,
    )
    await you(page).getByText('Second? And why?').waitFor()
    await hasFocus(composer(page))
  })

  test('when an answer is asked for again, stopped, and when its other version is shown', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat(begun())
    const last = page.getByRole('article', { name: 'Kourier' }).last()
    await press(button(last, 'Retry'))
    await chat.post(
      conversation.append(
        { kind: 'turn-started', turn: 'c', parent: 'a', origin: { is: 'retry', of: 'b' } },
        { kind: 'step-started', turn: 'c', model: 'm' },
        { kind: 'part-started', turn: 'c', value: { kind: 'text', id: 'c-text', text: 'Three.' } },
      ),
      answering,
    )
    await last.getByText('Three.').waitFor()
    await hasAnyFocus(page)
    await press(button(page, 'Stop'))
    await chat.received('stop')
    await chat.post(conversation.append({ kind: 'turn-ended', turn: 'c', state: 'stopped' }), idle)
    await hasFocus(composer(page))
    await press(button(last, 'Previous version'))
    await chat.received('choose-branch')
    await chat.post(conversation.append({ kind: 'branch-chosen', turn: 'b' }))
    await last.getByText('Two.').waitFor()
    await hasAnyFocus(page)
  })

  test('when a message is sent, queued and withdrawn', async ({ openChat, page }) => {
    const chat = await openChat(begun())
    await composer(page).fill('Third?')
    await press(button(page, 'Send'))
    await hasFocus(composer(page))
    const parts = [{ kind: 'text', id: 'm-text', text: 'And then?' }] as const
    await chat.post(answering, conversation.append({ kind: 'message-queued', message: 'm', parts }))
    await press(button(page.getByRole('list', { name: 'Queued messages' }), 'Remove'))
    await chat.received('withdraw')
    await chat.post(conversation.append({ kind: 'message-withdrawn', message: 'm' }))
    await hasFocus(composer(page))
  })

  test('when the title is changed, and when it is not after all', async ({ openChat, page }) => {
    const chat = await openChat(begun())
    await press(button(page, 'Rename First?'))
    await hasFocus(page.getByRole('textbox', { name: 'Title of the chat' }))
    await page.keyboard.press('Escape')
    await hasFocus(button(page, 'Rename First?'))
    await page.keyboard.press('Enter')
    await page.keyboard.type('Numbers')
    await page.keyboard.press('Enter')
    await chat.received('history')
    await hasFocus(button(page, /^Rename /))
  })

  test('when a wait is cancelled', async ({ openChat, page }) => {
    const chat = await openChat(pageStates['a question that waits'] ?? [])
    await press(button(page, 'Cancel'))
    await chat.post(idle)
    await hasFocus(composer(page))
  })

  test('when a fault is gone', async ({ openChat, page }) => {
    const chat = await openChat(pageStates['a fault'] ?? [])
    await press(button(page.getByRole('alert'), 'Retry'))
    await chat.post(answering)
    await hasFocus(composer(page))
  })

  test('when a summary is removed, and when a change is kept', async ({ openChat, page }) => {
    const { conversation, messages } = fullChat()
    const chat = await openChat(messages, { width: 420, height: 700 })
    await press(page.getByRole('log').locator('summary', { hasText: 'Summary' }))
    await press(button(page, 'Remove summary'))
    await chat.post(conversation.append({ kind: 'summary', turn: 'a', summary: 's' }))
    await hasAnyFocus(page)
    const file = { uri: 'file:///w/open.ts', change: 'modified', hunks: 1, addedLines: 20, removedLines: 3 } as const
    await press(button(page.getByRole('list', { name: 'Changes' }), 'Keep'))
    await chat.received('change')
    const value = { kind: 'change-set', id: 'x', files: [{ ...file, review: 'kept' }] } as const
    await chat.post(conversation.append({ kind: 'change-set', turn: 'b', value }))
    await page.getByRole('list', { name: 'Changes' }).waitFor({ state: 'detached' })
    await hasFocus(composer(page))
  })

  test('while somebody signs in', async ({ openChat, page }) => {
    const messagesOf = (name: string) => pageStates[name] ?? []
    const chat = await openChat(messagesOf('signed out'))
    await press(button(page, 'Sign in'))
    await chat.post(...messagesOf('signing in'))
    await hasFocus(button(page, 'Cancel'))
    await chat.post(...messagesOf('a code'))
    await hasAnyFocus(page)
    await chat.post(...messagesOf('an empty chat'))
    await hasFocus(composer(page))
  })

  test('when the history is closed, and a chat in it deleted', async ({ openChat, page }) => {
    const chat = await openChat(begun())
    await openHistory(chat)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    await page.evaluate('until(() => document.activeElement.classList.contains("history-row"))')
    await press(button(page, 'Undo'))
    await hasAnyFocus(page)
    await page.keyboard.press('Escape')
    await page.evaluate('until(() => document.activeElement.getAttribute("aria-label") === "History")')
  })
})

async function reported(chat: ChatPage): Promise<boolean> {
  await chat.page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return chat.hasFocus
}

test('the extension is told whether the page has the keyboard, and which message to read', async ({
  openChat,
  page,
}) => {
  const chat = await openChat(fullChat().messages, { width: 420, height: 700 })
  assert.equal(await reported(chat), true)
  await page.evaluate('window.dispatchEvent(new Event("blur"))')
  assert.equal(await reported(chat), true, 'as the document says')
  await chat.post({ kind: 'read-focused' })
  assert.deepEqual(await chat.received('read'), { kind: 'read', conversation: 'c' })
  await page.getByRole('log').focus()
  await page.keyboard.press('ArrowUp')
  await chat.post({ kind: 'focus-message', conversation: 'c', message: { turn: 'a', role: 'user' } })
  await page.evaluate('until(() => document.activeElement.getAttribute("aria-label") === "You")')
  await chat.post({ kind: 'read-focused' })
  const { message } = await chat.received('read')
  assert.equal(message?.role, 'user')
})

test('the questions before and after the place in view have the focus by a command', async ({ openChat, page }) => {
  const conversation = new PageConversation()
  const long = 'A line.\n\n'.repeat(60)
  const turns = ['One?', 'Two?', 'Three?'].flatMap(
    (text, at) =>
      [
        { role: 'user', text },
        { role: 'assistant', id: `a${at}`, text: long, state: 'whole' },
      ] as const,
  )
  const chat = await openChat([...fullChat().messages.slice(0, 1), conversation.replay(...turns)])
  const focused = () => page.evaluate('document.activeElement.innerText')
  const step = async (by: 1 | -1, text: string) => {
    await chat.post({ kind: 'go-to-question', by })
    await page.evaluate(`until(() => document.activeElement.innerText.startsWith('${text}'))`)
  }
  await step(-1, 'Three?')
  await step(-1, 'Two?')
  await step(-1, 'One?')
  await chat.post({ kind: 'go-to-question', by: -1 })
  await step(1, 'Two?')
  assert.match(String(await focused()), /^Two\?/)
})
