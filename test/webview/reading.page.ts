// Reading an answer: formulas, diagrams, tables, links to files, the outline, pictures.
import assert from 'node:assert/strict'
import type { ToPage } from '../../src/protocol/panel.ts'
import { type Drawn, PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'

/** Nothing was asked of the network, no policy was violated, nothing was reported. */
function assertQuiet(chat: ChatPage): void {
  assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
}

const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI', email: 'ada@example.com' } }
const conversation = new PageConversation()
const transcript = (...messages: readonly Drawn[]) => conversation.replay(...messages)
const answer = (text: string, id = 'a'): Drawn => ({ id, role: 'assistant', text, state: 'whole' })

test.describe('formulas', () => {
  test('are typeset in the line and on their own, with MathML beside', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(answer('no formula: $5 and $6, `$x$`'))])
    assert.equal(chat.lazyRequests.length, 0)
    await chat.post(
      transcript(
        answer('The root of $x^2 = 2$ is \\(\\sqrt 2\\).\n\n$$\n\\int_0^1 x\\,dx = \\frac12\n$$\n\n```math\na+b\n```'),
      ),
    )
    const formulas = page.getByRole('math')
    await formulas.nth(3).waitFor({ state: 'attached' })
    assert.equal(await formulas.count(), 4)
    assert.ok(chat.lazyRequests.includes('/math.js') && chat.lazyRequests.includes('/math.css'))
    assertQuiet(chat)
  })

  test('one that is faulty, refused or too large stays as it was written, and is said once', async ({
    openChat,
    page,
  }) => {
    const faulty = ['$\\frac{1$', '$\\href{https://canary.example}{x}$', `$${'x'.repeat(1_500)}\\nope$`]
    const chat = await openChat([signedIn, transcript(answer([...faulty, '$y$'].join('\n\n')))])
    await page.getByRole('math').waitFor({ state: 'attached' })
    assert.equal(await page.getByRole('math').count(), 1)
    const text = await page.getByRole('article').innerText()
    for (const source of faulty) assert.ok(text.includes(source), source)
    assertQuiet(chat)
  })

  test('while it is being written it is text; when it ends it is a formula', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript({ id: 'a', role: 'assistant', text: '', state: 'streaming' })])
    await chat.post(conversation.delta(0, 'so $a', 'a'))
    assert.match(await page.getByRole('article').innerText(), /so \$a/)
    assert.equal(chat.lazyRequests.length, 0)
    await chat.post(conversation.delta(5, '+b$', 'a'))
    await page.getByRole('math').waitFor({ state: 'attached' })
    assertQuiet(chat)
  })
})

test.describe('names of files and symbols', () => {
  const text =
    'See src/a.ts:12 and `lib/b.ts`, [the third](c.ts#L3), `fooBar` and `src/none.ts`; not ../x.ts, `a\u202e.ts` or `npm test`.'

  test('become links when the extension has found them, and are opened by it', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(answer(text))])
    assert.deepEqual(await chat.received('find-links'), {
      kind: 'find-links',
      files: ['src/a.ts:12', 'lib/b.ts', 'c.ts#L3', 'src/none.ts'],
      symbols: ['fooBar'],
    })
    assert.equal(await page.getByRole('link').count(), 0)
    const before = await page.getByRole('article').innerText()
    await chat.post({ kind: 'links', files: ['src/a.ts:12', 'lib/b.ts', 'c.ts#L3'], symbols: ['fooBar'] })
    assert.deepEqual(await page.getByRole('link').allInnerTexts(), ['src/a.ts:12', 'lib/b.ts', 'the third', 'fooBar'])
    assert.equal(await page.getByRole('article').innerText(), before)
    await page.getByRole('link', { name: 'the third' }).click()
    assert.deepEqual(await chat.received('open-link'), { kind: 'open-link', target: 'file', text: 'c.ts#L3' })
    await page.getByRole('link', { name: 'fooBar' }).focus()
    await page.keyboard.press('Enter')
    assert.deepEqual(await chat.received('open-link'), { kind: 'open-link', target: 'symbol', text: 'fooBar' })
    assertQuiet(chat)
  })

  test('while a name is being written it is not asked about', async ({ openChat, page }) => {
    const look = { hasClock: true }
    const chat = await openChat(
      [signedIn, transcript({ id: 'a', role: 'assistant', text: '', state: 'streaming' })],
      look,
    )
    await chat.post(conversation.delta(0, 'in src/a.t', 'a'))
    await page.clock.runFor(300)
    await chat.post(conversation.delta(10, 's here', 'a'))
    // The browser reports what is near the viewport by its own time.
    while (!chat.sent.some(({ kind }) => kind === 'find-links')) await page.clock.runFor(200)
    assert.deepEqual((await chat.received('find-links')).files, ['src/a.ts'])
  })

  test('an answer asks for a limited number of names', async ({ openChat }) => {
    const many = Array.from({ length: 300 }, (_, at) => `f${at}.ts`).join(' ')
    const chat = await openChat([signedIn, transcript(answer(many))])
    const asked: string[] = []
    for (let batch = 0; batch < 2; batch++) {
      asked.push(...(await chat.received('find-links')).files)
      await chat.post({ kind: 'links', files: [], symbols: [] })
    }
    assert.equal(new Set(asked).size, 80)
  })
})
