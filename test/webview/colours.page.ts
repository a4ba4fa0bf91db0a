// The colours of code, as a browser draws them.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import type { BlockColours, FromPage, ToPage } from '../../src/protocol/panel.ts'
import { inPage } from '../support/inPage.ts'
import { type Drawn, PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'

type Request = Extract<FromPage, { kind: 'colour' }>

const conversation = new PageConversation()
const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example' } }
const answer = (text: string, state: 'whole' | 'streaming' = 'whole') =>
  conversation.replay({ role: 'user', id: 'q', text: 'q' }, { id: 'a', role: 'assistant', text, state } as Drawn)
const fence = (code: string, label = 'ts') => `\`\`\`${label}\n${code}\n\`\`\``
const code = (page: Page) => page.locator('pre code').first()

const reply = ({ block, request }: Request, colours: BlockColours): ToPage => ({
  kind: 'colours',
  block,
  request,
  name: 'TypeScript',
  colours,
})

/** The first word of each line in style 1, red; the rest of it in style 2, blue and bold. */
function coloured(request: Request, first = 1): ToPage {
  const lines = request.text.split('\n').map(line => {
    const word = /^\S*/.exec(line)?.[0].length ?? 0
    return [word, first, line.length - word, first + 1]
  })
  const styles: [number, string, number][] = [
    [first, '#FF0000', 0],
    [first + 1, '#0000FF80', 2 + 4],
  ]
  return reply(request, { is: 'coloured', from: request.from, lines, styles })
}

/** The colour of every part of the code. */
const looks = (page: Page) =>
  code(page).evaluate(
    inPage<string[]>(`
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent.trim()
      if (text) found.push(text + ' ' + getComputedStyle(node.parentElement).color)
    }
    return found
  `),
  )

const setTheme = (page: Page, id: string, bodyClass: string) =>
  page.evaluate(`document.body.className = '${bodyClass}'; document.body.dataset.vscodeThemeId = '${id}'`)

async function answerAll(chat: ChatPage): Promise<void> {
  const request = await chat.received('colour')
  await chat.post(coloured(request))
}

const plainColor = 'rgb(204, 204, 204)'
const red = 'rgb(255, 0, 0)'
const blue = 'rgba(0, 0, 255, 0.5)'

test('code is shown at once without colours; colours move nothing and change no text', async ({ openChat, page }) => {
  const text = 'const a\n\n  let b = 1\nend'
  const chat = await openChat([signedIn, answer(fence(text, 'ts title="src/a.ts"'))])
  const group = page.getByRole('group', { name: /Code: / })
  const box = () => group.boundingBox()
  const before = await box()
  assert.deepEqual(await looks(page), [`${text} ${plainColor}`])
  const request = await chat.received('colour')
  assert.deepEqual(
    { ...request, block: 0, request: 0 },
    {
      kind: 'colour',
      block: 0,
      request: 0,
      label: 'ts title="src/a.ts"',
      theme: { id: '', kind: 'vs-dark' },
      from: 0,
      text,
      isOpen: true,
    },
  )
  await chat.post(coloured(request))
  await page.getByRole('group', { name: 'Code: TypeScript', exact: true }).waitFor()
  assert.deepEqual(await looks(page), [`const ${red}`, `a ${blue}`, `let b = 1 ${blue}`, `end ${red}`])
  assert.deepEqual(await box(), before)
  assert.equal(await code(page).textContent(), text)
  assert.ok(await group.getByText('src/a.ts').isVisible())
  const select = "getSelection().selectAllChildren(document.querySelector('pre code')), getSelection().toString()"
  const selected = await page.evaluate<string>(select)
  assert.equal(selected, text)
  await group.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied', { exact: true }).first().waitFor()
  assert.equal(await chat.clipboard(), text)
  assert.deepEqual(chat.faults, [])
})

test('while an answer streams, lines that have colours keep their elements', async ({ openChat, page }) => {
  const chat = await openChat([signedIn, answer('```ts\none 1\ntwo 2\nth', 'streaming')])
  await answerAll(chat)
  await code(page).evaluate(
    inPage(`for (const element of root.firstElementChild.children) element.setAttribute('data-settled', '')`),
  )
  const start = '```ts\none 1\ntwo 2\nth'.length
  await chat.post(conversation.delta(start, 'ree 3\nfo'))
  await answerAll(chat)
  assert.deepEqual(await looks(page), [
    ...[`one ${red}`, `1 ${blue}`, `two ${red}`, `2 ${blue}`, `three ${red}`, `3 ${blue}`],
    `fo ${red}`,
  ])
  assert.equal(await code(page).locator('[data-settled]').count(), 4)
  await chat.post(conversation.delta(start + 8, 'ur 4'))
  assert.equal(await code(page).textContent(), 'one 1\ntwo 2\nthree 3\nfour 4')
  await answerAll(chat)
  assert.deepEqual((await looks(page)).slice(6), [`four ${red}`, `4 ${blue}`])
  assert.equal(await code(page).locator('[data-settled]').count(), 4)
  assert.deepEqual(chat.faults, [])
})

test('with another theme the old colours go at once, and the visible block asks again', async ({ openChat, page }) => {
  const chat = await openChat([signedIn, answer(`${fence('a b')}\n\n${'text\n\n'.repeat(200)}`)])
  await page.getByRole('log').evaluate(log => log.scrollTo(0, 0))
  await answerAll(chat)
  assert.deepEqual(await looks(page), [`a ${red}`, `b ${blue}`])
  await setTheme(page, 'Other', 'vscode-high-contrast vscode-high-contrast-light')
  const request = await chat.received('colour')
  assert.deepEqual(request.theme, { id: 'Other', kind: 'hc-light' })
  assert.deepEqual(await looks(page), [`a ${plainColor}`, `b ${plainColor}`])
  await chat.post(coloured(request, 3))
  assert.deepEqual(await looks(page), [`a ${red}`, `b ${blue}`])
  await chat.post({ kind: 'theme' })
  assert.equal((await chat.received('colour')).from, 0)
  assert.deepEqual(await looks(page), [`a ${plainColor}`, `b ${plainColor}`])
})

test('blocks far from the viewport do not ask', async ({ openChat, page }) => {
  const chat = await openChat([signedIn, answer(`${fence('far')}\n\n${'text\n\n'.repeat(300)}${fence('near')}`)])
  assert.equal((await chat.received('colour')).text, 'near')
  assert.equal(chat.sent.filter(({ kind }) => kind === 'colour').length, 0)
  await page.getByRole('log').evaluate(log => log.scrollTo(0, 0))
  assert.equal((await chat.received('colour')).text, 'far')
})

test('marks of invisible characters are whole in coloured code', async ({ openChat, page }) => {
  const chat = await openChat([signedIn, answer(fence('a\u202eb c\u200b'))])
  const request = await chat.received('colour')
  const lines = [Array.from({ length: request.text.length }, () => [1, 1]).flat()]
  await chat.post(reply(request, { is: 'coloured', from: 0, lines, styles: [[1, '#FF0000', 0]] }))
  assert.deepEqual(await code(page).locator('.k-mark').allTextContents(), ['⟦U+202E⟧', '⟦U+200B⟧'])
  assert.equal(await code(page).textContent(), 'a⟦U+202E⟧b c⟦U+200B⟧')
})

test('hostile code and labels stay text, and wrong colours have no effect', async ({ openChat, page }) => {
  const hostile = '<img src=x onerror=alert(1)>\n</code></pre><script>alert(1)</script>\n{{7*7}} <!--'
  const chat = await openChat([signedIn, answer(fence(hostile, 'ts title="<img/src=x>"'))])
  const request = await chat.received('colour')
  const styles: [number, string, number][] = [[1, 'red; } * { display: none', 0]]
  await chat.post(reply(request, { is: 'coloured', from: 0, lines: [[5, 1]], styles }))
  assert.match(chat.faults.splice(0).join(), /does not fit: colours/)
  await setTheme(page, 'Other', 'vscode-dark')
  const again = await chat.received('colour')
  const lines = [[1_000, 1, 1_000, 2], [0, 1, 0, 1, 3], [], [4, 1], [5, 1]]
  await chat.post(reply(again, { is: 'coloured', from: 0, lines, styles: [[1, '#FF0000', 15]] }))
  assert.equal(await code(page).textContent(), hostile)
  assert.equal(await code(page).locator(':not(span)').count(), 0)
  assert.equal((await looks(page))[0], `${hostile.split('\n')[0]} ${red}`)
  assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
})

test('a long block has colours as far as it is shown, and the rest with all of it', async ({ openChat, page }) => {
  const text = 'word more\n'.repeat(3_000).trim()
  const chat = await openChat([signedIn, answer(fence(text))])
  const first = await chat.received('colour')
  assert.equal(first.text.length, 20_000)
  await chat.post(coloured(first))
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' })
  const second = await chat.received('colour')
  assert.ok(second.from > 1_900)
  await chat.post(coloured(second))
  assert.equal(await code(page).textContent(), text)
})
