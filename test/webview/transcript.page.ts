// A long conversation in the page: what is drawn and requested, where the reader is, and the search in it.
import assert from 'node:assert/strict'
import { expect, type Locator, type Page } from '@playwright/test'
import type { Part } from '../../src/protocol/conversation.ts'
import type { ToPage } from '../../src/protocol/panel.ts'
import { type Drawn, PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'
import { exchanges, ServedConversation } from './servedConversation.ts'

const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI' } }
const answerOf = (at: number) =>
  `Answer **${at}** about parcels.\n\n- one\n- two\n\n${'Some more of it. '.repeat(at % 7)}`

function assertQuiet(chat: ChatPage): void {
  assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
}

async function opened(chat: ChatPage, count: number): Promise<ServedConversation> {
  const served = new ServedConversation(chat, exchanges(count, answerOf))
  await served.open()
  return served
}

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
/** By its position among all messages, from 1. */
const messageAt = (page: Page, position: number) => page.locator(`article[aria-posinset="${position}"]`)
const drawnCount = (page: Page) => page.getByRole('article').count()
const top = async (page: Page, position: number) => (await messageAt(page, position).boundingBox())?.y ?? Number.NaN
const isAtEnd = `(log => log.scrollHeight - log.scrollTop - log.clientHeight < 2)(document.querySelector('.log'))`

/** Waits until nothing has moved for some frames. */
const settled = (page: Page) =>
  page.evaluate(`new Promise(done => {
    const state = () => { const log = document.querySelector('.log'); return log.scrollTop + ' ' + log.innerHTML.length }
    let before = state(), calm = 0
    requestAnimationFrame(function next() {
      calm = state() === before ? calm + 1 : 0
      before = state()
      if (calm > 12) done(); else requestAnimationFrame(next)
    })
  })`)

/** Turns the wheel, and waits until the page has come to rest. */
async function scroll(page: Page, px: number): Promise<void> {
  await log(page).hover()
  const ended = page.evaluate(
    "new Promise(done => document.querySelector('.log').addEventListener('scrollend', () => done(), { once: true }))",
  )
  await page.mouse.wheel(0, px)
  await ended
  await settled(page)
}

test.describe('a long conversation', () => {
  test('opens at its end with few messages, each with its position among all', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    const served = await opened(chat, 5_000)
    await messageAt(page, 10_000).getByText('Answer 4999').waitFor()
    assert.equal(await page.evaluate(isAtEnd), true)
    await settled(page)
    assert.ok((await drawnCount(page)) < 200, `${await drawnCount(page)} articles`)
    assert.equal(await messageAt(page, 10_000).getAttribute('aria-setsize'), '10000')
    assert.equal(await messageAt(page, 9_999).getAttribute('aria-label'), 'You')
    assert.equal(served.turnsSent, 0)
    assertQuiet(chat)
  })

  test('what the reader scrolls to is fetched, and nothing jumps meanwhile', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    const served = await opened(chat, 2_000)
    await log(page).hover()
    await settled(page)
    for (let step = 0; step < 15; step++) {
      const [before] = await visiblePositions(page)
      assert.ok(before)
      const y = await top(page, before)
      await scroll(page, -250)
      assert.ok(
        Math.abs((await top(page, before)) - y - 250) <= 2,
        `message ${before} moved from ${y} to ${await top(page, before)}`,
      )
    }
    await scroll(page, -40_000)
    assert.ok(served.turnsSent > 0)
    assert.ok(served.turnsSent < 300, `${served.turnsSent} turns were sent`)
    assert.ok((await visiblePositions(page)).length > 0)
    assert.equal(await page.locator('.absent').count(), 0)
    assertQuiet(chat)
  })

  test('Home, End and the arrows move by message, and the list has the focus when its message goes', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn])
    await opened(chat, 1_000)
    await log(page).focus()
    await page.keyboard.press('Home')
    await messageAt(page, 2).getByText('Answer 0').waitFor()
    await settled(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.evaluate('document.activeElement.ariaPosInSet'), '2')
    await page.keyboard.press('ArrowUp')
    assert.equal(await page.evaluate('document.activeElement.ariaPosInSet'), '1')
    await page.keyboard.press('End')
    await messageAt(page, 2_000).waitFor()
    await settled(page)
    assert.equal(await page.evaluate(isAtEnd), true)
    assert.equal(await page.evaluate('document.activeElement.className'), 'log')
    await page.keyboard.press('PageUp')
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await settled(page)
    assert.equal(await page.evaluate(isAtEnd), true)
    assertQuiet(chat)
  })

  test('an answer grows at the end while the reader is elsewhere, and a new question brings the reader back', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn])
    const served = await opened(chat, 500)
    await log(page).focus()
    await page.keyboard.press('Home')
    await messageAt(page, 1).waitFor()
    await settled(page)
    const turn = 'next'
    const value = { kind: 'text', id: 'x', text: '' } as const
    await served.append(
      { kind: 'turn-started', turn, parent: 't499', origin: { is: 'new' }, prompt: [{ ...value, text: 'And now?' }] },
      { kind: 'step-started', turn, model: 'm' },
      { kind: 'part-started', turn, value: { ...value, id: 'y' } },
    )
    await messageAt(page, 1_001).getByText('And now?').waitFor()
    await served.append({ kind: 'text-delta', turn, part: 'y', offset: 0, text: 'Well, **this**' })
    await messageAt(page, 1_002).getByText('Well, this').waitFor()
    assert.equal(await page.evaluate(isAtEnd), true)
    assertQuiet(chat)
  })

  test('the place of the reader is found again among messages that are not in the page yet', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn])
    await page.evaluate(
      `sessionStorage.setItem('state', JSON.stringify({ draft: '', at: 0, place: { message: 't100', offset: 5 } }))`,
    )
    await page.reload()
    await chat.received('ready')
    await chat.post(signedIn)
    await opened(chat, 1_000)
    const article = page.locator('article[data-id="t100"]')
    await article.getByText('Answer 100').waitFor()
    await settled(page)
    const y = ((await log(page).boundingBox())?.y ?? 0) - ((await article.boundingBox())?.y ?? 0)
    assert.ok(Math.abs(y - 5) < 4, `${y}`)
  })

  test('a selection over several screens is copied whole', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await opened(chat, 1_000)
    await settled(page)
    await page.evaluate(
      'getSelection().setBaseAndExtent(document.querySelector(\'article[aria-posinset="2000"]\'), 1, document.querySelector(\'article[aria-posinset="2000"]\'), 0)',
    )
    await scroll(page, -6_000)
    const [first] = await visiblePositions(page)
    assert.ok(first && first < 1_980, `${first}`)
    await page.evaluate(`getSelection().extend(document.querySelector('article[aria-posinset="${first}"]'), 0)`)
    const text = String(await page.evaluate('getSelection().toString()'))
    for (let at = Math.ceil(first / 2); at < 999; at++) assert.ok(text.includes(`Question ${at}`), `Question ${at}`)
    assertQuiet(chat)
  })
})

test.describe('what a screen reader announces', () => {
  test('finished sentences of an answer while it comes, not too often, and its end', async ({ openChat, page }) => {
    const chat = await openChat([], { hasClock: true })
    const conversation = new PageConversation()
    const announced = () => page.locator('body > #root > .unseen').textContent()
    const begun = { role: 'assistant', id: 'a', text: '', state: 'streaming' } as const
    await chat.post(signedIn, conversation.replay({ role: 'user', text: 'Why?' }, begun))
    const text = 'Because of *this*. And\n\n```js\nlet a\nlet b\n```\n\nof that. So there'
    await chat.post(conversation.delta(0, text.slice(0, 20)))
    assert.equal(await announced(), '')
    await page.clock.runFor(2_500)
    assert.equal(await announced(), 'Because of this.')
    await chat.post(conversation.delta(20, text.slice(20, 40)))
    await page.clock.runFor(2_500)
    assert.equal(await announced(), 'And')
    await chat.post(conversation.delta(40, text.slice(40)))
    await page.clock.runFor(200)
    assert.equal(await announced(), 'And')
    await page.clock.runFor(2_000)
    assert.equal(await announced(), 'Code block, 2 lines, js. of that.')
    await chat.post(conversation.append({ kind: 'turn-ended', turn: 'a', state: 'done' }))
    assert.equal(await announced(), 'So there End of the answer.')
    assertQuiet(chat)
  })

  for (const [state, text, spoken] of [
    ['length', 'Half', 'Kourier: Half The answer reached the length limit of the model.'],
    ['filtered', '', "The service's content filter ended this answer."],
    ['interrupted', '', 'The answer was interrupted here.'],
    ['done', '**Whole**\n\n| a | b |\n|---|---|\n| 1 | 2 |', 'Kourier: Whole a b 1 2'],
  ] as const)
    test(`why an answer has ended: ${state} ${text ? 'with' : 'without'} a text`, async ({ openChat, page }) => {
      const chat = await openChat([], { hasClock: true })
      const conversation = new PageConversation()
      const begun = { role: 'assistant', id: 'a', text, state: 'streaming' } as const
      await chat.post(signedIn, conversation.replay({ role: 'user', text: 'Why?' }, begun))
      await chat.post(conversation.append({ kind: 'turn-ended', turn: 'a', state }))
      await page.locator('body > #root > .unseen').getByText(spoken, { exact: true }).waitFor({ state: 'attached' })
    })

  test('why an answer has ended that has calls alone', async ({ openChat, page }) => {
    const chat = await openChat([], { hasClock: true })
    const conversation = new PageConversation()
    const begun = { role: 'assistant', id: 'a', text: '', state: 'streaming' } as const
    await chat.post(signedIn, conversation.replay({ role: 'user', text: 'Why?' }, begun))
    const call = { kind: 'tool-call', id: 'k', call: 'k', name: 'read_file', isWritten: true, inputText: '{}' } as const
    await chat.post(conversation.append({ kind: 'part-started', turn: 'a', value: call }))
    await chat.post(conversation.append({ kind: 'turn-ended', turn: 'a', state: 'stopped' }))
    const spoken = 'Kourier has called 1 tool and written no text. Stopped.'
    await page.locator('body > #root > .unseen').getByText(spoken, { exact: true }).waitFor({ state: 'attached' })
  })

  test('messages that are drawn again are not announced', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await opened(chat, 200)
    await settled(page)
    const live = await page.evaluate(
      "[...document.querySelectorAll('article')].filter(one => one.ariaLive !== 'off').length",
    )
    assert.equal(live, 0)
  })
})

async function visiblePositions(page: Page): Promise<number[]> {
  return (await page.evaluate(`{
    const box = document.querySelector('.log').getBoundingClientRect()
    const isVisible = rect => rect.bottom > box.top + 20 && rect.top < box.bottom - 20
    ;[...document.querySelectorAll('article')].filter(one => isVisible(one.getBoundingClientRect())).map(one => Number(one.ariaPosInSet))
  }`)) as number[]
}

test('the actions of an answer before the last take no room, and are beside the next question', async ({
  openChat,
  page,
}) => {
  const drawn = ['a', 'b'].flatMap((id): Drawn[] => [
    { role: 'user', id, text: `Question ${id}` },
    { role: 'assistant', id, text: `Answer ${id}.`, state: 'whole' },
  ])
  await openChat([signedIn, new PageConversation().replay(...drawn)])
  const first = page.getByRole('article').filter({ hasText: 'Answer a.' })
  const bottom = async (of: Locator) => ((box: Box) => (box ? box.y + box.height : 0))(await of.boundingBox())
  const text = await bottom(first.getByText('Answer a.'))
  const next = await page.getByText('Question b').boundingBox()
  assert.ok(next && next.y - text < 40, `${(next?.y ?? 0) - text} px between the answer and the next question`)
  await first.hover()
  await first.getByRole('button', { name: 'Copy message' }).click()
  const actions = await first.getByRole('button', { name: 'Branch from here' }).boundingBox()
  assert.ok(next && actions && actions.x + actions.width < next.x)
})

type Box = Awaited<ReturnType<Locator['boundingBox']>>

test.describe('find in chat', () => {
  const box = (page: Page) => page.getByRole('searchbox', { name: 'Find in chat' })
  const count = (page: Page) => page.locator('.find-count')
  const marked = (page: Page, name: string) =>
    page.evaluate(`[...(CSS.highlights.get('${name}') ?? [])].map(range => range.toString())`)
  const placeIn = async (page: Page) => {
    const [, number, total] = /^(\d+) of (\d+)$/.exec((await count(page).textContent()) ?? '') ?? []
    return { number: Number(number), total: Number(total) }
  }
  /** Which message the current occurrence is in, and where in its text. */
  const currentPlace = async (page: Page) =>
    String(
      await page.evaluate(`{
        const [range] = CSS.highlights.get('found-current')
        const article = range.startContainer.parentElement.closest('article')
        const before = new Range()
        before.setStart(article, 0)
        before.setEnd(range.startContainer, range.startOffset)
        article.ariaPosInSet + ' ' + before.toString().length
      }`),
    )
  const waitForCount = (page: Page, text: string) => count(page).getByText(text, { exact: true }).waitFor()

  for (const [chatLength, height, text] of [
    ['a chat that fits whole', 640, 'Why is it red?'],
    ['a long chat in a low panel', 240, `Why is it red?${'\n\nline'.repeat(60)}`],
  ] as const)
    test(`what is found is clear of the bar, in ${chatLength}`, async ({ openChat, page }) => {
      const question: Drawn = { role: 'user', id: 'q', text }
      const answer: Drawn = { role: 'assistant', id: 'q', text: 'Because.', state: 'whole' }
      await openChat([signedIn, new PageConversation().replay(question, answer)], { height })
      await page.keyboard.press('Control+f')
      await box(page).fill('red')
      await waitForCount(page, '1 of 1')
      await page.evaluate(`until(() => {
        const [range] = CSS.highlights.get('found-current') ?? []
        return range?.getBoundingClientRect().top >= document.querySelector('.find').getBoundingClientRect().bottom
      })`)
      await settled(page)
      const isJumpShown = (await page.getByRole('button', { name: 'Jump to latest' }).count()) > 0
      assert.equal(isJumpShown, height < 640)
    })

  test('finds what is not in the page, goes to it, and gives the focus back', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    const bodies = exchanges(1_000, at => (at % 400 === 7 ? `A **needle**, and a second\nneedle: ${at}` : answerOf(at)))
    const served = new ServedConversation(chat, bodies)
    await served.open()
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await page.keyboard.press('Control+f')
    await box(page).fill('NEEDLE')
    await waitForCount(page, '1 of 6')
    const places: string[] = []
    for (let step = 0; step < 6; step++) {
      const current = page.locator('article', { hasText: `second` })
      await page.evaluate("until(() => CSS.highlights.get('found-current')?.size === 1)")
      await settled(page)
      places.push(
        String(
          await page.evaluate(
            "[...CSS.highlights.get('found-current')][0].startContainer.parentElement.closest('article').ariaPosInSet",
          ),
        ),
      )
      assert.ok((await current.count()) > 0)
      const y = Number(await page.evaluate("[...CSS.highlights.get('found-current')][0].getBoundingClientRect().top"))
      assert.ok(y > 0 && y < 560, `in sight at ${y}`)
      await box(page).press(step < 3 ? 'Enter' : 'F3')
      await waitForCount(page, `${((step + 1) % 6) + 1} of 6`)
    }
    assert.deepEqual(places, ['16', '16', '816', '816', '1616', '1616'])
    await box(page).press('Shift+Enter')
    await waitForCount(page, '6 of 6')
    await expect(page.locator('body > #root > .unseen')).toContainText(/of 6/)
    await box(page).press('Escape')
    assert.equal(await box(page).count(), 0)
    // What is no longer drawn has ranges without text until the next frame.
    await expect.poll(() => marked(page, 'found')).toEqual([])
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Message')
    assertQuiet(chat)
  })

  test('unfolds what an answer has folded away', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    const text = '> [!NOTE]\n> A needle.\n\n<details>\n<summary>More</summary>\n\n- needle\n\n</details>'
    await new ServedConversation(
      chat,
      exchanges(1, () => text),
    ).open()
    const fold = page.getByRole('log').locator('details')
    await fold.getByText('needle').waitFor({ state: 'hidden' })
    await chat.post({ kind: 'find' })
    await box(page).fill('needle')
    await waitForCount(page, '1 of 2')
    await box(page).press('Enter')
    await waitForCount(page, '2 of 2')
    await fold.getByText('needle').waitFor()
    await page.evaluate("until(() => CSS.highlights.get('found-current')?.size === 1)")
    assertQuiet(chat)
  })

  test('an answer that streams is searched as it grows; the command opens the bar', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    const bodies = exchanges(2, at => (at === 0 ? 'tick' : ''))
    const served = new ServedConversation(chat, bodies.slice(0, -1))
    await served.open()
    await chat.post({ kind: 'find' })
    await box(page).fill('tick')
    await waitForCount(page, '1 of 1')
    await served.append({ kind: 'text-delta', turn: 't1', part: 'a1', offset: 0, text: 'tick *tick* `tick`' })
    await waitForCount(page, '1 of 4')
    await page.evaluate("until(() => CSS.highlights.get('found')?.size === 4)")
    await box(page).fill('nothing like it')
    await waitForCount(page, 'No results')
    assert.deepEqual(await marked(page, 'found'), [])
    assertQuiet(chat)
  })

  test('each occurrence that is counted is shown when it is visited, also what was folded away', async ({
    openChat,
    page,
  }) => {
    const rows = Array.from({ length: 230 }, (_, at) => `| ${at} | ${at % 100 === 28 ? 'needle' : ''} |`).join('\n')
    const answers = [
      'AT&amp;T nee**dle** <https://example.com/needle> [a](needle_(1).md) snake_needle_case \\*needle\\* \u200bneedle',
      `| a | b |\n|--|--|\n${rows}\n`,
      `\`\`\`js\n${'x = 1\n'.repeat(4_000)}needle\n\`\`\``,
      '- [ ] a needle\n  1. needle\n\n     > needle `needle`\n\n$needle$ and $$needle$$\n\n![needle](a.png)\n\nnee\n\ndle',
      `${'> '.repeat(120)}needle`,
      '1. a needle `` `needle` `` <b>needle</b>\n\n    needle\n***\nneedle  \nneedle',
    ]
    const chat = await openChat([signedIn])
    const long = `${'word '.repeat(1_000)}needle`
    const bodies = exchanges(60, at => answers[at] ?? 'Nothing').map(body =>
      body.kind === 'turn-started' && body.turn === 't1'
        ? { ...body, prompt: [{ kind: 'text', id: 'p1', text: long } as const] }
        : body,
    )
    const served = new ServedConversation(chat, bodies)
    await served.open()
    await chat.post({ kind: 'find' })
    await box(page).fill('needle')
    // Until the page has read all of them, the count is about right.
    await count(page)
      .getByText(/^[1-9]\d* of 24$/)
      .waitFor()
    await settled(page)
    const { number, total } = await placeIn(page)
    const seen = new Set<string>()
    let place = ''
    for (let step = 0; step < total; step++) {
      await page.evaluate("until(() => CSS.highlights.get('found-current')?.size === 1)")
      // The count changes before the place does.
      await expect.poll(() => currentPlace(page)).not.toBe(place)
      place = await currentPlace(page)
      seen.add(place)
      await box(page).press('Enter')
      await waitForCount(page, `${((number + step) % total) + 1} of ${total}`)
    }
    assert.equal(seen.size, total)
    for (const [text, expected] of [
      ['AT&T needle', /^1 of 1$/],
      ['nee dle', /^No results$/],
      ['$needle', /^No results$/],
    ] as const) {
      await box(page).fill(text)
      await count(page).getByText(expected).waitFor()
    }
    assertQuiet(chat)
  })

  test('begins at what is in sight, goes on there with each letter, and counts case and whole words where that is on', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn])
    const lines = Array.from(
      { length: 120 },
      (_, at) => `Line ${at}: a needle${at === 118 ? ' and needlework' : ''}.\n`,
    )
    await new ServedConversation(
      chat,
      exchanges(1, () => lines.join('\n')),
    ).open()
    await page.getByText('Line 119:').waitFor()
    await chat.post({ kind: 'find' })
    const numberNow = async () => Number(/^\d+/.exec((await count(page).textContent()) ?? '')?.[0])
    await box(page).pressSequentially('need')
    await count(page)
      .getByText(/^[1-9]\d* of 121$/)
      .waitFor()
    const first = await numberNow()
    assert.ok(first > 100, `it began at ${first}`)
    await box(page).pressSequentially('le')
    await settled(page)
    assert.equal(await numberNow(), first)
    await page.getByRole('button', { name: 'Match whole word' }).click()
    await waitForCount(page, `${first} of 120`)
    await box(page).press('Alt+c')
    assert.equal(await page.getByRole('button', { name: 'Match case' }).getAttribute('aria-pressed'), 'true')
    await box(page).fill('Needle')
    await waitForCount(page, 'No results')
    await box(page).press('Alt+c')
    await waitForCount(page, `${first} of 120`)
    await page.evaluate("until(() => CSS.highlights.get('found')?.size >= 120)")
    assertQuiet(chat)
  })

  test('reasoning, formulas and calls are counted, and unfolded when they are visited', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    const lines = Array.from({ length: 2_000 }, (_, at) => `${at}: ${at === 1_900 ? 'omega' : 'nothing'}`)
    const answer = 'Hence $\\frac{\\Omega}{2}$ and an *omega*.\n\n$$\\omega^2$$\n'
    const parts: Part[] = [
      { kind: 'reasoning', id: 'r', text: 'The omega first.', startedAt: 0, endedAt: 2_000 },
      {
        ...{ kind: 'tool-call', id: 'k', call: 'k', name: 'read_file', inputText: '', isWritten: true },
        input: { omega: 'a.txt' },
        result: { outcome: 'ok', content: [{ kind: 'text', text: lines.join('\n') }] },
      },
    ]
    const bodies = exchanges(40, at => (at === 0 ? answer : answerOf(at)))
    bodies.splice(2, 0, ...parts.map(value => ({ kind: 'part-started', turn: 't0', value }) as const))
    const served = new ServedConversation(chat, bodies)
    await served.open()
    await chat.post({ kind: 'find' })
    await box(page).fill('omega')
    await waitForCount(page, '1 of 5')
    const isOpen = () =>
      page.locator('article details').evaluateAll(all => all.map(one => (one as unknown as { open: boolean }).open))
    const visited: unknown[] = []
    for (let step = 1; step <= 5; step++) {
      await waitForCount(page, `${step} of 5`)
      await page.evaluate("until(() => CSS.highlights.get('found-current')?.size === 1)")
      await settled(page)
      visited.push(
        await page.evaluate(`{
          const [range] = CSS.highlights.get('found-current')
          const formula = document.querySelector('[data-found=found-current]')
          const { top, bottom } = range.getBoundingClientRect()
          const box = range.startContainer.parentElement.closest('pre, .log').getBoundingClientRect()
          const isSeen = top >= box.top && bottom <= box.bottom
          formula ? [formula.dataset.source, isSeen] : [range.toString(), isSeen]
        }`),
        await isOpen(),
      )
      await box(page).press('Enter')
    }
    assert.deepEqual(visited, [
      ...[
        ['omega', true],
        [true, false],
      ],
      ...[
        ['omega', true],
        [true, true],
      ],
      ...[
        ['$\\frac{\\Omega}{2}$', true],
        [true, true],
      ],
      ...[
        ['omega', true],
        [true, true],
      ],
      ...[
        ['$$\\omega^2$$', true],
        [true, true],
      ],
    ])
    await box(page).press('Escape')
    assert.equal(await page.locator('[data-found]').count(), 0)
    assertQuiet(chat)
  })

  test('the text of buttons and of another block is not found', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    const served = new ServedConversation(
      chat,
      exchanges(1, () => '```js\nlet a = 1\n```\n\nlet\n\na'),
    )
    await served.open()
    await chat.post({ kind: 'find' })
    for (const [text, shown] of [
      ['copy', 'No results'],
      ['let a', '1 of 1'],
      ['js', 'No results'],
    ] as const) {
      await box(page).fill(text)
      await waitForCount(page, shown)
    }
    assertQuiet(chat)
  })
})
