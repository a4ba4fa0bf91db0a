// The composer as a person uses it: mentions, slash commands, chips, past messages, and what is pasted, dropped and picked.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Chip, SuggestionItem } from '../../src/protocol/draft.ts'
import type { FromPage, PanelAgent, ToPage } from '../../src/protocol/panel.ts'
import { type Drawn, PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'

const conversation = new PageConversation()
const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI' } }
const idle: ToPage = { kind: 'activity', conversation: 'c', activity: { is: 'idle' } }
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
const asked = (text: string, id: string): Drawn => ({ role: 'user', text, id })
const answered = (id: string): Drawn => ({ role: 'assistant', id, text: 'Yes.', state: 'whole' })

const item = (label: string, more: Partial<SuggestionItem> = {}): SuggestionItem => ({
  kind: 'file',
  label,
  labelMatches: [0],
  detailMatches: [],
  insert: `@${label} `,
  ...more,
})

/** Answers as the extension does. */
async function suggest(chat: ChatPage, ...items: SuggestionItem[]): Promise<Extract<FromPage, { kind: 'suggest' }>> {
  const request = await chat.received('suggest')
  // as: the schema infers mutable arrays.
  const suggestions = { kind: 'suggestions', conversation: 'c', request: request.request, items, isComplete: true }
  await chat.post(suggestions as ToPage)
  return request
}

const begun = [signedIn, conversation.replay(), idle]

test.describe('mentions', () => {
  test('are completed by keyboard, and replace what was typed', async ({ openChat, page }) => {
    const chat = await openChat(begun)
    await message(page).pressSequentially('Look at @p')
    const first = await suggest(chat, item('parcel.ts', { detail: 'desk' }), item('package.json'))
    assert.deepEqual([first.trigger, first.text], ['@', ''])
    const second = await suggest(chat, item('parcel.ts', { detail: 'desk' }), item('package.json'))
    assert.deepEqual([second.trigger, second.text], ['@', 'p'])
    assert.deepEqual(await options(page).allInnerTexts(), ['parcel.ts\ndesk', 'package.json'])
    const active = () => page.locator('[aria-selected=true]').innerText()
    const pointed = async () => {
      const id = await message(page).getAttribute('aria-activedescendant')
      return page.locator(`#${id}`).innerText()
    }
    assert.equal(await active(), 'parcel.ts\ndesk')
    await page.keyboard.press('ArrowDown')
    assert.deepEqual([await active(), await pointed()], ['package.json', 'package.json'])
    await page.keyboard.press('ArrowDown')
    assert.equal(await active(), 'parcel.ts\ndesk')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    assert.equal(await message(page).inputValue(), 'Look at @package.json ')
    const taken = await chat.received('take-suggestion')
    assert.deepEqual([taken.request, taken.item], [second.request, 1])
    assert.equal(await options(page).count(), 0)
    await page.keyboard.press('Control+z')
    assert.equal(await message(page).inputValue(), 'Look at @p', 'the browser’s own undo')
  })

  test('leave the message alone: Escape closes the list, an address is no mention, and Enter then sends', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat(begun)
    await message(page).pressSequentially('#a')
    await suggest(chat)
    await suggest(chat, item('a.ts'))
    await options(page).first().waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await options(page).count(), 0)
    assert.equal(await message(page).inputValue(), '#a')
    await message(page).fill('ada@example.com')
    await page.keyboard.press('Enter')
    assert.equal((await chat.received('send')).text, 'ada@example.com')
    assert.deepEqual(
      chat.sent.filter(({ kind }) => kind === 'suggest'),
      [],
    )
  })

  test('begin with the button, and are chosen with the mouse while the text keeps the focus', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat(begun)
    await message(page).fill('See')
    await button(page, 'Add context').click()
    assert.equal(await message(page).inputValue(), 'See @')
    await suggest(chat, item('Problems', { kind: 'problems' }))
    await options(page).first().click()
    await chat.received('take-suggestion')
    await page.keyboard.type('!')
    assert.equal(await message(page).inputValue(), 'See @Problems !')
  })

  test('of a name with spaces stay for as long as one fits, and do not come back behind it', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat(begun)
    const notes = item('my notes.md')
    const type = async (key: string, ...items: SuggestionItem[]) => {
      await page.keyboard.type(key)
      return (await suggest(chat, ...items)).text
    }
    await message(page).fill('See ')
    for (const key of '@my ') await type(key, notes)
    assert.equal(await type('n', notes), 'my n')
    assert.deepEqual(await options(page).allInnerTexts(), ['my notes.md'])
    await page.keyboard.press('Enter')
    assert.equal(await message(page).inputValue(), 'See @my notes.md ')
    await chat.received('take-suggestion')
    await page.keyboard.type('and ')
    for (const key of '@ada') await type(key, item('ada.ts'))
    assert.equal(await type(' '), 'ada ')
    assert.equal(await options(page).count(), 0)
    await page.keyboard.type('is here')
    await page.keyboard.press('Enter')
    assert.equal((await chat.received('send')).text, 'See @my notes.md and @ada is here')
    assert.deepEqual(chat.sent, [])
  })

  test('go on over the signs of a mention within a name', async ({ openChat, page }) => {
    const chat = await openChat(begun)
    await message(page).fill('See ')
    let asked = ''
    for (const key of '@C#') {
      await page.keyboard.type(key)
      asked = (await suggest(chat, item('C# notes.md'))).text
    }
    assert.equal(asked, 'C#')
    await page.keyboard.press('Enter')
    assert.equal(await message(page).inputValue(), 'See @C# notes.md ')
  })

  test('of a list that is out of date are not taken', async ({ openChat, page }) => {
    const chat = await openChat(begun)
    await message(page).pressSequentially('@')
    await suggest(chat, item('old.ts'))
    await options(page).first().waitFor()
    await page.keyboard.type('n')
    await page.keyboard.press('Enter')
    assert.deepEqual(
      chat.sent.filter(({ kind }) => kind === 'take-suggestion'),
      [],
    )
  })

  test('show names as text', async ({ openChat, page }) => {
    const chat = await openChat(begun)
    await message(page).pressSequentially('@')
    await suggest(chat, item('<img src=x onerror=flag=1>\u202e.ts', { detail: '<b>x</b>' }))
    assert.match(await options(page).first().innerText(), /^<img src=x onerror=flag=1>.*<b>x<\/b>$/s)
    assert.equal(await page.locator('.suggestions img').count(), 0)
    assert.deepEqual(chat.faults, [])
  })
})

test('a slash command is completed at the beginning of the message alone', async ({ openChat, page }) => {
  const chat = await openChat(begun)
  await message(page).pressSequentially('/')
  await suggest(chat, item('/fix', { kind: 'command', insert: '/fix ' }))
  await page.keyboard.press('Tab')
  assert.equal(await message(page).inputValue(), '/fix ')
  await chat.received('take-suggestion')
  await message(page).pressSequentially('the path /usr')
  assert.deepEqual(
    chat.sent.filter(({ kind }) => kind === 'suggest'),
    [],
  )
})

const compact = item('/compact', { kind: 'command', insert: '/compact', acts: true })

for (const key of ['Tab', 'Enter'])
  test(`a command that acts is completed by ${key}, and carried out once by Enter after it`, async ({
    openChat,
    page,
  }) => {
    const chat = await openChat(begun)
    await message(page).pressSequentially('/comp')
    for (const _ of '/comp') await suggest(chat, compact)
    await options(page).first().waitFor()
    await page.keyboard.press(key)
    assert.equal(await message(page).inputValue(), '/compact')
    await suggest(chat, compact)
    await page.keyboard.press('Enter')
    assert.deepEqual(await chat.received('send'), { kind: 'send', conversation: 'c', text: '/compact', number: 1 })
    await chat.post({ kind: 'draft', conversation: 'c', text: '' })
    assert.equal(await message(page).inputValue(), '')
    assert.equal(await options(page).count(), 0)
    await page.keyboard.press('Enter')
    await page.keyboard.type('x')
    await chat.post(idle)
    assert.deepEqual(chat.sent, [])
  })

test('Tab after a command that acts closes the list, and the next leaves the composer', async ({ openChat, page }) => {
  const chat = await openChat(begun)
  await message(page).fill('/compact')
  await suggest(chat, compact)
  await options(page).first().waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await options(page).count(), 0)
  assert.equal(await message(page).inputValue(), '/compact')
  assert.deepEqual(chat.sent, [])
})

test('what is attached is named with its size, opened and removed; what is offered is attached by a click', async ({
  openChat,
  page,
}) => {
  const chat = await openChat([
    ...begun,
    {
      kind: 'draft-context',
      conversation: 'c',
      chips: [
        { id: '1', kind: 'file', label: 'parcel.ts', detail: 'desk', state: 'ready', tokens: 1_234 },
        { id: '2', kind: 'folder', label: 'desk', state: 'reading' },
        { id: '3', kind: 'file', label: 'gone.ts', state: 'unavailable', problem: 'gone.ts is not there any more.' },
      ],
      offers: [{ offer: 'selection', kind: 'selection', label: 'delays.py:1-7' }],
    },
  ])
  const chips = page.getByRole('list', { name: 'Context' }).getByRole('listitem')
  const texts = (await chips.allInnerTexts()).map(text => text.replace(/\s+/g, ' '))
  assert.deepEqual(texts, ['parcel.ts 1.2k tokens', 'desk Reading…', 'gone.ts gone.ts is not there any more.'])
  await chips
    .first()
    .getByRole('button', { name: /^parcel\.ts/ })
    .click()
  assert.deepEqual(await chat.received('open-chip'), { kind: 'open-chip', conversation: 'c', chip: '1' })
  await button(page, 'Remove gone.ts').click()
  assert.deepEqual(await chat.received('remove-chip'), { kind: 'remove-chip', conversation: 'c', chip: '3' })
  await button(page, 'Attach delays.py:1-7').click()
  assert.deepEqual(await chat.received('take-offer'), { kind: 'take-offer', conversation: 'c', offer: 'selection' })
})

test('what is attached is sent without a text, also while an answer comes; what goes along by itself is not', async ({
  openChat,
  page,
}) => {
  const context = (...chips: Chip[]): ToPage => ({
    kind: 'draft-context',
    conversation: 'c',
    chips: [...chips],
    offers: [],
  })
  const own: Chip = { id: '1', kind: 'instructions', label: 'AGENTS.md', state: 'ready', isAutomatic: true }
  const chat = await openChat([...begun, context(own)])
  assert.ok(await button(page, 'Send').isDisabled())
  await chat.post(context(own, { id: '2', kind: 'image', label: 'shot.png', state: 'ready' }))
  await button(page, 'Send').click()
  assert.equal((await chat.received('send')).text, '')
  await page.getByRole('group', { name: 'Message that is being sent' }).getByText('shot.png').waitFor()
  assert.deepEqual(await page.getByRole('list', { name: 'Context', exact: true }).count(), 0)
  await chat.post({ kind: 'activity', conversation: 'c', activity: { is: 'answering' } })
  await chat.post(context(own, { id: '3', kind: 'image', label: 'other.png', state: 'ready' }))
  await message(page).press('Enter')
  assert.equal((await chat.received('send')).text, '')
})

test('what has gone along with a message by itself is folded below it, as it was sent', async ({ openChat, page }) => {
  const along = (name: string, text: string) =>
    ({ kind: 'attachment', id: name, source: 'environment', name, sizeChars: text.length, text }) as const
  const parts = [along('environment', 'System: Linux.'), along('situation', 'The user has a.ts open.')]
  await openChat([signedIn, new PageConversation().replay({ role: 'user', text: 'Why?', id: 'q', parts }), idle])
  const bubble = page.getByRole('article', { name: 'You' })
  await bubble.getByText('Why?').waitFor()
  assert.equal(await bubble.getByText('System: Linux.').count(), 0)
  await bubble.getByText('Sent along: workspace and open editors').click()
  await bubble.getByText('System: Linux.').waitFor()
  await bubble.getByText('The user has a.ts open.').waitFor()
})

test('the messages before come back with the arrow keys, and at last what was being written', async ({
  openChat,
  page,
}) => {
  const chat = await openChat([
    signedIn,
    conversation.replay(asked('One', 'a'), answered('a'), asked('Two', 'b'), answered('b')),
    idle,
  ])
  await message(page).fill('half')
  await page.keyboard.press('Home')
  const values: string[] = []
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'End', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
    await page.keyboard.press(key)
    values.push(await message(page).inputValue())
  }
  assert.deepEqual(values, ['Two', 'One', 'One', 'One', 'Two', 'half', 'half'])
  assert.deepEqual(await chat.received('past-prompts'), {
    ...{ kind: 'past-prompts', conversation: 'c', before: 'a', from: 0 },
  })
})

test('in an empty chat the messages of earlier chats come back, as far as they are asked for', async ({
  openChat,
  page,
}) => {
  const chat = await openChat([signedIn, conversation.replay(), idle])
  const value = () => message(page).inputValue()
  const answer = async (texts: string[], isComplete: boolean) => {
    const { from } = await chat.received('past-prompts')
    const prompts = texts.map(text => ({ text, conversation: 'd', turn: text, hasAttached: text === 'First' }))
    await chat.post({ kind: 'past-prompts', conversation: 'c', from, prompts, isComplete })
  }
  assert.deepEqual(
    chat.sent.filter(({ kind }) => kind === 'past-prompts'),
    [],
    'nothing is read before it is wanted',
  )
  await message(page).press('ArrowUp')
  await answer(['Third', 'Second', 'Second', 'First'], false)
  assert.equal(await value(), 'Third', 'shown when it has come')
  const values: string[] = []
  for (const key of ['ArrowUp', 'ArrowUp']) {
    await message(page).press(key)
    values.push(await value())
  }
  assert.deepEqual(values, ['Second', 'First'])
  assert.deepEqual(await chat.received('recall'), {
    ...{ kind: 'recall', conversation: 'c', prompt: { text: 'First', conversation: 'd', turn: 'First' } },
  })
  await message(page).press('ArrowUp')
  await message(page).press('Home')
  await answer(['Zeroth'], true)
  assert.equal(await value(), 'First', 'other keys have come since')
  await message(page).press('ArrowUp')
  assert.equal(await value(), 'Zeroth')
  await message(page).press('ArrowUp')
  assert.equal(await value(), 'Zeroth', 'there is none before it')
  assert.deepEqual(await chat.received('recall'), { kind: 'recall', conversation: 'c' }, 'nothing was attached to it')
  await message(page).press('End')
  await message(page).press('ArrowDown')
  await message(page).pressSequentially('?')
  await chat.received('keep-recalled')
  await message(page).fill('')
  await message(page).press('ArrowUp')
  assert.equal(await value(), 'Third')
})

/** Dispatches a paste with these contents on the composer. */
const paste = (page: Page, contents: Record<string, string>) =>
  page.evaluate(`{
    const data = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(contents)})) data.setData(type, text)
    const box = document.querySelector('.composer textarea')
    box.focus()
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }`)

test('rich text is pasted as Markdown, and code of the editor as it is', async ({ openChat, page }) => {
  const chat = await openChat(begun)
  const html = `<meta charset="utf-8"><h2>Plan</h2><ul><li>Read <b>all</b></li><li><a href="https://example.com/">more</a></li></ul>
    <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><pre><code class="language-ts">const a = 1</code></pre>
    <img src="https://canary.example/x.png"><script>flag = 1</script>`
  await paste(page, { 'text/html': html, 'text/plain': 'Plan Read all more' })
  const text = await message(page).inputValue()
  assert.match(text, /^## Plan\n\n- {3}Read \*\*all\*\*\n- {3}\[more\]\(https:\/\/example\.com\/\)/)
  assert.match(text, /\| a +\| b +\|\n\| -+ \| -+ \|\n\| 1 +\| 2 +\|/)
  assert.match(text, /```ts\nconst a = 1\n```/)
  assert.doesNotMatch(text, /canary|flag/)
  assert.deepEqual({ requests: chat.strayRequests, faults: chat.faults }, { requests: [], faults: [] })
  await message(page).fill('')
  await paste(page, { 'text/html': '<div><b>x</b></div>', 'text/plain': 'x', 'vscode-editor-data': '{}' })
  assert.equal(await message(page).inputValue(), '', 'left to the browser, which pastes the plain text')
})

test('a very long text that is pasted is attached, and the composer stays as it is', async ({ openChat, page }) => {
  const chat = await openChat([signedIn])
  await message(page).fill('Read this: ')
  const log = 'a line of a log\n'.repeat(4_000)
  await paste(page, { 'text/plain': log })
  const attached = await chat.received('attach-text')
  assert.deepEqual([attached.name, attached.text], ['Pasted text', log])
  assert.equal(await message(page).inputValue(), 'Read this: ')
})

test('pasted text has no backslash but where it would become a heading, a list or another block', async ({
  openChat,
  page,
}) => {
  await openChat(begun)
  const pasted = async (html: string) => {
    await message(page).fill('')
    await paste(page, { 'text/html': html, 'text/plain': 'plain' })
    return await message(page).inputValue()
  }
  const text =
    await pasted(`<p><b>Why</b> is my_var[0] * 2 + _x_ \`a\` &lt; b # c - d?</p><p># one</p><p>- two</p><p>3. three</p>
    <p>&gt; four</p><p>---</p><p>2026 was</p><p>-1</p>`)
  assert.equal(
    text,
    `**Why** is my_var[0] * 2 + _x_ \`a\` < b # c - d?\n\n\\# one\n\n\\- two\n\n3\\. three\n\n\\> four\n\n\\---\n\n2026 was\n\n-1`,
  )
  assert.equal(await pasted('<pre>my_var</pre>'), 'my_var', 'a word that was copied from code')
  assert.equal(await pasted('<span><code>  npm ci </code></span>'), 'npm ci')
  assert.equal(await pasted('<pre>a\nb</pre>'), '```\na\nb\n```')
  assert.equal(await pasted('<pre class="language-go">a <b>b</b>\nc_d</pre>'), '```go\na b\nc_d\n```')
  assert.equal(await pasted('<p>Run <code>npm_ci</code></p>'), 'Run `npm_ci`')
})

test('[T11] [T12] a key in the message is told at once, and only the page has it', async ({ openChat, page }) => {
  const key = 'sk-bf-planted-0123456789'
  await openChat(begun)
  const notice = page.getByRole('alert').filter({ hasText: 'holds an API key' })
  const kept = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
  await message(page).fill('Why is ')
  await notice.waitFor({ state: 'detached' })
  await message(page).press('End')
  await page.keyboard.insertText(`${key} refused?`)
  await notice.waitFor()
  assert.equal(await message(page).inputValue(), `Why is ${key} refused?`)
  assert.match(await kept(), /Why is sk-bf-… refused/)
  await message(page).fill('Why?')
  await notice.waitFor({ state: 'detached' })
  await message(page).fill(`Why is ${key} refused?`)
  await button(page, 'Remove the key').click()
  await notice.waitFor({ state: 'detached' })
  assert.equal(await message(page).inputValue(), 'Why is sk-bf-… refused?')
  assert.doesNotMatch(await kept(), /planted/)
})

test('[T12] a key of another service and a private key are named at once, and are taken out by a button', async ({
  openChat,
  page,
}) => {
  const key = 'ghp_a8Kd03mZq71xWcR5tYpLb9NvE2hUsJ6gF4oG'
  await openChat(begun)
  const notice = page.getByRole('alert').filter({ hasText: 'seems to hold' })
  await message(page).fill(`Why is ${key} refused?`)
  await notice.getByText('a key of GitHub').waitFor()
  assert.match(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })'), /Why is ghp_… refused/)
  await button(page, 'Remove the key').click()
  await notice.waitFor({ state: 'detached' })
  assert.equal(await message(page).inputValue(), 'Why is ghp_… refused?')
  const lines = `${key.slice(4)}${key.slice(4, 32)}\n`.repeat(8)
  await message(page).fill(`-----BEGIN PRIVATE KEY-----\n${lines}-----END PRIVATE KEY-----`)
  await notice.getByText('a private key').waitFor()
})

test('[T11] characters that nobody sees are told at once, and are taken out by a button; an emoji needs its own', async ({
  openChat,
  page,
}) => {
  const family = '\u{1f469}\u200d\u{1f467}'
  await openChat(begun)
  const notice = page.getByRole('alert').filter({ hasText: 'cannot be seen' })
  await message(page).fill(`Why ${family}?`)
  assert.equal(await notice.count(), 0)
  await message(page).fill(`Why\u200b ${family}\u202e?`)
  await notice.getByText('2 characters').waitFor()
  await button(page, 'Remove what cannot be seen').click()
  await notice.waitFor({ state: 'detached' })
  assert.equal(await message(page).inputValue(), `Why ${family}?`)
})

/** A picture of this size, as a file that is dropped or pasted. */
const withPicture = (page: Page, width: number, height: number, act: string) =>
  page.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(${width}, ${height})
    canvas.getContext('2d').fillRect(0, 0, 10, 10)
    const file = new File([await canvas.convertToBlob()], 'shot.png', { type: 'image/png' })
    const data = new DataTransfer()
    data.items.add(file)
    const box = document.querySelector('.composer textarea')
    ${act}
  })()`)

test('a pasted picture or file is attached, scaled to what models take; a text that has a picture of it is text', async ({
  openChat,
  page,
}) => {
  const chat = await openChat(begun)
  await withPicture(
    page,
    3_136,
    1_000,
    `box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))`,
  )
  const { name, mediaType, width, height, base64 } = await chat.received('attach-image')
  assert.deepEqual(
    { name, mediaType, width, height },
    { name: 'shot.png', mediaType: 'image/png', width: 1_568, height: 500 },
  )
  assert.ok(Buffer.from(base64, 'base64').subarray(1, 4).equals(Buffer.from('PNG')))
  const paste = `box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))`
  await withPicture(page, 4, 4, `data.setData('text/plain', '/home/ada/shot.png'); ${paste}`)
  assert.equal((await chat.received('attach-image')).name, 'shot.png')
  await withPicture(page, 4, 4, `data.setData('text/plain', 'a\\tb'); data.setData('text/html', '<b>b</b>'); ${paste}`)
  assert.equal(await message(page).inputValue(), '**b**')
  assert.equal(chat.sent.filter(({ kind }) => kind === 'attach-image').length, 0)
  assert.deepEqual(chat.faults, [])
})

test('a picture that is attached is small in its chip, and whole in a dialog before it is sent', async ({
  openChat,
  page,
}) => {
  const chat = await openChat(begun)
  const chips: Chip[] = [{ id: 'p', kind: 'image', label: 'shot.png', state: 'reading' }]
  const show = (state: Chip['state']) =>
    chat.post({ kind: 'draft-context', conversation: 'c', chips: chips.map(one => ({ ...one, state })), offers: [] })
  await show('reading')
  assert.equal(chat.sent.filter(({ kind }) => kind === 'show-picture').length, 0)
  await show('ready')
  assert.equal((await chat.received('show-picture')).chip, 'p')
  await chat.post({ kind: 'scale-image', request: 1, base64: await readFile('media/icon.png', 'base64') })
  const { image } = await chat.received('scaled-image')
  assert.deepEqual([image?.mediaType, image?.width, image?.height], ['image/png', 256, 256])
  await chat.post({
    kind: 'chip-picture',
    conversation: 'c',
    chip: 'p',
    mediaType: 'image/png',
    base64: image?.base64 ?? '',
  })
  const inChip = page.getByRole('list', { name: 'Context' }).locator('img').first()
  await inChip.waitFor()
  assert.equal(await page.evaluate("document.querySelector('.chip img').naturalWidth"), 256)
  await page.getByRole('button', { name: 'shot.png', exact: true }).click()
  await page.getByRole('dialog', { name: 'shot.png' }).getByRole('img', { name: 'shot.png' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual([chat.faults, chat.sent.filter(({ kind }) => kind === 'stop')], [[], []])
})

test('what is no image cannot be scaled', async ({ openChat }) => {
  const chat = await openChat(begun)
  await chat.post({ kind: 'scale-image', request: 2, base64: btoa('<svg xmlns="http://www.w3.org/2000/svg"/>') })
  assert.deepEqual(await chat.received('scaled-image'), { kind: 'scaled-image', request: 2 })
})

test('files and tabs of the editor are dropped as what they name, others by their content', async ({
  openChat,
  page,
}) => {
  const chat = await openChat(begun)
  const drop = `box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))`
  await withPicture(
    page,
    4,
    4,
    `data.setData('application/vnd.code.uri-list', 'file:///w/a.ts\\r\\nfile:///w/b.ts'); ${drop}`,
  )
  assert.deepEqual((await chat.received('attach-uris')).uris, ['file:///w/a.ts', 'file:///w/b.ts'])
  await withPicture(page, 4, 4, drop)
  assert.equal((await chat.received('attach-image')).name, 'shot.png')
  await page.evaluate(`{
    const data = new DataTransfer()
    data.items.add(new File(['line'], 'notes.txt', { type: 'text/plain' }))
    data.items.add(new File(['a\\0b'], 'program', { type: '' }))
    const box = document.querySelector('.composer textarea')
    ${drop}
  }`)
  const text = await chat.received('attach-text')
  assert.deepEqual([text.name, text.text], ['notes.txt', 'line'])
  await page.getByRole('alert').getByText('program was not attached').waitFor()
})

/** Dispatches events of a drag at the top of the page, far from the message. */
const drag = (page: Page, types: readonly string[], contents: Record<string, string>, init = '') =>
  page.evaluate(`{
    const data = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(contents)})) data.setData(type, text)
    for (const type of ${JSON.stringify(types)}) {
      const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, ${init} })
      document.querySelector('main').dispatchEvent(event)
    }
  }`)

test('the whole page takes what is dragged over it, and says so; what is dragged from the page itself is left alone', async ({
  openChat,
  page,
}) => {
  const chat = await openChat(begun)
  const area = page.getByText('Drop here to attach to your message')
  const file = { 'application/vnd.code.uri-list': 'vscode-remote://host/w/a.ts' }
  await drag(page, ['dragover'], file)
  await area.waitFor()
  await drag(page, ['dragleave'], file, 'relatedTarget: document.body')
  await area.waitFor()
  await drag(page, ['dragleave'], file)
  await area.waitFor({ state: 'detached' })
  await drag(page, ['dragover', 'drop'], file)
  assert.deepEqual((await chat.received('attach-uris')).uris, ['vscode-remote://host/w/a.ts'])
  await page.locator('textarea:focus').waitFor()
  assert.equal(await area.count(), 0)
  await drag(page, ['dragover'], { 'text/plain': 'a word' })
  await drag(page, ['dragstart', 'dragover', 'drop', 'dragend'], { 'text/uri-list': 'file:///w/b.ts' })
  assert.equal(await area.count(), 0)
  await drag(page, ['dragover', 'drop'], { 'text/uri-list': 'file:///w/c.ts' })
  assert.deepEqual((await chat.received('attach-uris')).uris, ['file:///w/c.ts'])
})

test('a link of a browser becomes text at the cursor, and a picture of a browser is attached', async ({
  openChat,
  page,
}) => {
  const chat = await openChat(begun)
  await message(page).fill('See ')
  const link = { 'text/uri-list': 'https://example.com/a', 'text/html': '<a href="https://example.com/a">the page</a>' }
  await drag(page, ['dragover', 'drop'], link)
  await drag(page, ['dragover', 'drop'], { 'text/uri-list': '# note\r\nhttps://example.com/b' })
  assert.equal(await message(page).inputValue(), 'See [the page](https://example.com/a)https://example.com/b')
  await withPicture(
    page,
    4,
    4,
    `data.setData('text/uri-list', 'https://example.com/shot.png')
    box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))`,
  )
  assert.equal((await chat.received('attach-image')).name, 'shot.png')
  assert.equal(chat.sent.filter(({ kind }) => kind === 'attach-uris').length, 0)
})

for (const [system, key] of [
  ['Macintosh; Intel Mac OS X 10_15_7', 'Cmd'],
  ['X11; Linux x86_64', 'Ctrl'],
] as const)
  test.describe(`on ${system}`, () => {
    test.use({ userAgent: `Mozilla/5.0 (${system}) AppleWebKit/537.36` })

    test(`the button names ${key} where Enter begins a line`, async ({ openChat, page }) => {
      await openChat([...begun, { kind: 'settings', sendOnEnter: false }])
      assert.equal(await button(page, 'Send').getAttribute('title'), `Send (${key}+Enter)`)
    })
  })

test('a drawing in SVG is attached as the text that it is, whether it is dropped or picked', async ({
  openChat,
  page,
}) => {
  const chat = await openChat(begun)
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  await page.evaluate(`{
    const data = new DataTransfer()
    data.items.add(new File(['${drawing}'], 'dropped.svg', { type: 'image/svg+xml' }))
    const box = document.querySelector('.composer textarea')
    box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  }`)
  const dropped = await chat.received('attach-text')
  assert.deepEqual([dropped.name, dropped.text], ['dropped.svg', drawing])
  const choosing = page.waitForEvent('filechooser')
  await button(page, 'Attach image').click()
  const file = { name: 'picked.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) }
  await (await choosing).setFiles(file)
  const picked = await chat.received('attach-text')
  assert.deepEqual([picked.name, picked.text], ['picked.svg', drawing])
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('a folder among files of the file manager is named as not attached, and the files are attached', async ({
  openChat,
  page,
}, info) => {
  const chat = await openChat(begun)
  const [folder, file] = [info.outputPath('album'), info.outputPath('notes.txt')]
  await mkdir(folder, { recursive: true })
  await writeFile(file, 'line')
  const box = await message(page).boundingBox()
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [folder, file], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5, data })
  assert.equal((await chat.received('attach-text')).name, 'notes.txt')
  await page
    .getByRole('alert')
    .getByText(/^album was not attached, because it is a folder/)
    .waitFor()
  assert.deepEqual(chat.faults, [])
})

test('what is dropped and refused is named where it is seen, until it is dismissed or something is attached', async ({
  openChat,
  page,
}) => {
  const chat = await openChat(begun)
  const dropLog = (chars: number) =>
    page.evaluate(`{
      const data = new DataTransfer()
      data.items.add(new File(['x'.repeat(${chars})], 'build.log', { type: 'text/plain' }))
      const box = document.querySelector('.composer textarea')
      box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    }`)
  const refusal = page.getByRole('alert').getByText(/^build\.log was not attached, because it is/)
  await dropLog(600_000)
  await refusal.waitFor()
  await button(page, 'Dismiss').click()
  assert.equal(await refusal.count(), 0)
  await dropLog(600_000)
  await refusal.waitFor()
  await dropLog(6)
  await chat.received('attach-text')
  await refusal.waitFor({ state: 'detached' })
})

for (const language of [undefined, 'de'] as const)
  test(`where it is narrow, a model can be recognised, and the button to send is in the row of the meter, ${language ?? 'en'}`, async ({
    openChat,
    page,
  }) => {
    const agent: PanelAgent = { modes: ['ask', 'sandbox'], mode: 'sandbox', questions: [], plan: [], commands: [] }
    const use = { tokens: 10, limit: 1_000, parts: [], mayCompact: false, isCompacting: false }
    const facts: ToPage[] = [
      { kind: 'model', id: 'kourier-large-2-preview' },
      { kind: 'context-use', conversation: 'c', use },
      { kind: 'agent', conversation: 'c', agent },
    ]
    await openChat([...begun, ...facts], { width: 200, ...(language && { language }) })
    const middleOf = async (one: Locator) => {
      const { y, height } = (await one.boundingBox()) ?? { y: 0, height: 0 }
      return y + height / 2
    }
    const send = page.locator('.send')
    for (let width = 200; width < 420; width += 5) {
      await page.setViewportSize({ width, height: 600 })
      const apart = (await middleOf(page.getByRole('meter'))) - (await middleOf(send))
      assert.ok(Math.abs(apart) < 4, `${apart} pixels at ${width}`)
      const name = await page.locator('.model-name').boundingBox()
      assert.ok((name?.width ?? 0) > 50, `${name?.width} pixels of the name at ${width}`)
    }
  })
