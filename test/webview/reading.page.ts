// Reading an answer: formulas, diagrams, tables, links to files, the outline, pictures.
import assert from 'node:assert/strict'
import { expect, type Locator, type Page } from '@playwright/test'
import type { ToPage } from '../../src/protocol/panel.ts'
import { type Drawn, PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'
import { failingDiagrams, hostileDiagrams } from './hostile.ts'
import { overflowing } from './overflowing.ts'

/** Nothing was asked of the network, no policy was violated, nothing was reported. */
function assertQuiet(chat: ChatPage): void {
  assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
}

const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI', email: 'ada@example.com' } }
const conversation = new PageConversation()
const transcript = (...messages: readonly Drawn[]) => conversation.replay(...messages)
const isFocused = async (of: Locator) => (await of.and(of.page().locator(':focus')).count()) === 1
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

  test('[T33] one that is faulty, refused or too large stays as it was written within the page, and is said once', async ({
    openChat,
    page,
  }) => {
    const faulty = ['$\\frac{1$', '$\\href{https://canary.example}{x}$', `$${'x'.repeat(1_500)}\\nope$`]
    const chat = await openChat([signedIn, transcript(answer([...faulty, '$y$'].join('\n\n')))])
    await page.getByRole('math').waitFor({ state: 'attached' })
    assert.equal(await page.getByRole('math').count(), 1)
    const text = await page.getByRole('article').innerText()
    for (const source of faulty) assert.ok(text.includes(source), source)
    assert.deepEqual(await overflowing(page), [])
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

test.describe('diagrams', () => {
  const source = 'graph TD\n  A[Start] --> B{Is it?}\n  B -->|yes| C[End]'
  const block = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``
  const draw = (page: Page) => page.getByRole('button', { name: 'Draw diagram' })

  test('are drawn when asked for, as an image', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(answer(block(source)))])
    assert.equal(chat.lazyRequests.length, 0)
    await draw(page).click()
    const image = page.getByRole('img', { name: 'Diagram' })
    await image.waitFor()
    const address = decodeURIComponent((await image.getAttribute('src')) ?? '')
    assert.match(address, /^data:image\/svg\+xml;charset=utf-8,<svg /)
    assert.ok(['Start', 'yes', 'End'].every(label => address.includes(label)))
    assert.ok((await drawnWidths(page)).every(width => width > 50))
    assert.equal(await page.locator('.diagram-scratch').count(), 0)
    assertQuiet(chat)
  })

  test('can be drawn when all of their text is there, and their block stays the same until then', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn, transcript({ id: 'a', role: 'assistant', text: '', state: 'streaming' })])
    const begun = '```mermaid\ngraph TD\n'
    await chat.post(conversation.delta(0, begun, 'a'))
    const code = page.getByRole('group', { name: 'Code: mermaid' })
    await code.waitFor()
    await page.evaluate(`{ document.querySelector('fieldset.code').isSame = true }`)
    await chat.post(conversation.delta(begun.length, '  A --> B\n', 'a'))
    await code.getByText('A --> B').waitFor()
    assert.equal(await draw(page).count(), 0)
    await chat.post(conversation.delta(begun.length + 10, '```\n', 'a'))
    await draw(page).waitFor()
    assert.equal(await page.evaluate(`document.querySelector('fieldset.code').isSame`), true)
    await draw(page).click()
    await page.getByRole('img', { name: 'Diagram' }).waitFor()
    assertQuiet(chat)
  })

  /** As the browser has read the images. */
  async function drawnWidths(page: Page): Promise<number[]> {
    const all = "[...document.querySelectorAll('.diagram img')]"
    const widths = await page.evaluate(`Promise.all(${all}.map(one => one.decode().then(() => one.naturalWidth)))`)
    return widths as number[]
  }

  test('of every kind are drawn', async ({ openChat, page }) => {
    const kinds = [
      'sequenceDiagram\n  Ada->>Bob: Hello\n  Note over Bob: thinks\n  Bob-->>Ada: Hi',
      'classDiagram\n  Animal <|-- Duck\n  Animal : +int age\n  Duck : +swim()',
      'stateDiagram-v2\n  [*] --> Still\n  Still --> Moving\n  Moving --> [*]',
      'erDiagram\n  CUSTOMER ||--o{ ORDER : places',
      'gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section A\n  one :a1, 2024-01-01, 3d',
      'pie title Pets\n  "Dogs" : 3\n  "Cats" : 2',
      'gitGraph\n  commit\n  branch b\n  commit',
      'journey\n  title Day\n  section Work\n    Tea: 5: Me',
      'timeline\n  title T\n  2001 : one',
      'quadrantChart\n  x-axis Low --> High\n  A: [0.3, 0.6]',
      'xychart-beta\n  x-axis [a, b]\n  bar [1, 2]',
      'flowchart LR\n  subgraph one\n    A --> B\n  end\n  B -.-> C',
    ]
    const chat = await openChat([signedIn, transcript(...kinds.map((text, at) => answer(block(text), `k${at}`)))], {
      width: 700,
    })
    await pressAll(page, kinds.length)
    const reasons = (await page.locator('.code-note').allTextContents()).filter(text => text !== '')
    assert.deepEqual(reasons, [])
    const widths = await drawnWidths(page)
    assert.equal(widths.filter(width => width > 30).length, kinds.length)
    assertQuiet(chat)
  })

  /** Each after the other; all are drawn or have a reason. */
  async function pressAll(page: Page, count: number): Promise<void> {
    await page.evaluate(`until(() => document.querySelectorAll('.diagram-action').length === ${count})`)
    await page.evaluate("for (const button of document.querySelectorAll('.diagram-action')) button.click()")
    const done = "document.querySelectorAll('.diagram img, .code-note:not(:empty)').length"
    await page.evaluate(`until(() => ${done} === ${count})`)
  }

  test('[T33] hostile ones load nothing, run nothing, violate nothing, and become harmless images', async ({
    openChat,
    page,
    server,
  }) => {
    const sources = Object.values(hostileDiagrams)
    const chat = await openChat([signedIn, transcript(...sources.map((text, at) => answer(block(text), `h${at}`)))])
    await pressAll(page, sources.length)
    const judged = (await page.evaluate(`[...document.querySelectorAll('.diagram img')].map(image => {
      const text = decodeURIComponent(image.src.slice(image.src.indexOf(',') + 1))
      const style = /<style>([^]*?)<.style>/.exec(text)[1]
      const styles = [style, ...[...text.matchAll(/ style="([^"]*)"/g)].map(([, own]) => own)].join()
      const bare = text.replace(/ style="[^"]*"/g, '').replace(/<style>[^]*?<.style>/, '')
      const svg = new DOMParser().parseFromString(bare, 'image/svg+xml')
      const nodes = [...svg.querySelectorAll('*')]
      return {
        isFaulty: svg.querySelector('parsererror') !== null,
        styles,
        tags: nodes.map(node => node.localName),
        attributes: nodes.flatMap(node => [...node.attributes].map(({ name, value }) => name + '=' + value)),
      }
    })`)) as { isFaulty: boolean; styles: string; tags: string[]; attributes: string[] }[]
    assert.ok(judged.length >= 8, `${judged.length} were drawn`)
    for (const { isFaulty, styles, tags, attributes } of judged) {
      assert.equal(isFaulty, false)
      assert.deepEqual(
        tags.filter(tag => /^(?:script|image|img|foreignObject|iframe|a|use|animate|set)$/.test(tag)),
        [],
      )
      assert.deepEqual(
        attributes.filter(one => /^on|href=|^src|url\((?!["']?#)|javascript:/i.test(one)),
        [],
      )
      assert.doesNotMatch(styles, /url\((?!["']?#)|@import|image-set|canary/i)
    }
    assert.equal(await page.evaluate('typeof flag'), 'undefined')
    assert.equal(page.url(), `${server.origin}/dark`)
    assertQuiet(chat)
  })

  test('one that cannot be drawn says so in a sentence and keeps its source', async ({ openChat, page }) => {
    const sources = Object.values(failingDiagrams)
    const chat = await openChat([signedIn, transcript(...sources.map((text, at) => answer(block(text), `f${at}`)))])
    await pressAll(page, sources.length)
    assert.equal(await page.locator('.diagram').count(), 0)
    const reasons = new Set(await page.locator('.code-note').allTextContents())
    assert.deepEqual([...reasons].toSorted(), [
      'This diagram cannot be drawn, because line 2 of its source has a mistake.',
      'This diagram cannot be drawn.',
    ])
    assert.equal(await page.getByRole('group', { name: 'Code: mermaid' }).count(), sources.length)
    assertQuiet(chat)
  })

  test('have the original size when pressed, are copied, and give way to their source', async ({ openChat, page }) => {
    const wide = `graph LR\n${Array.from({ length: 12 }, (_, at) => `  N${at}[Number ${at}] --> N${at + 1}`).join('\n')}`
    const chat = await openChat([signedIn, transcript(answer(block(wide)))])
    await draw(page).click()
    const image = page.getByRole('img', { name: 'Diagram' })
    await image.waitFor()
    assert.ok(await isFocused(page.getByRole('button', { name: 'Show source' })))
    const widthOf = async () => (await image.boundingBox())?.width ?? 0
    assert.ok((await widthOf()) < 320)
    await page.getByRole('button', { name: 'Original size' }).click()
    assert.ok((await widthOf()) > 600)
    await page.getByRole('button', { name: 'Copy SVG' }).click()
    assert.match(await chat.clipboard(), /^<svg /)
    await page.getByRole('button', { name: 'Copy source' }).click()
    assert.equal(await chat.clipboard(), wide)
    await page.getByRole('button', { name: 'Show source' }).click()
    await draw(page).waitFor()
    assertQuiet(chat)
  })

  test('have the colours of the theme, also of the next one', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(answer(block(source)))])
    await draw(page).click()
    const image = page.getByRole('img', { name: 'Diagram' })
    await image.waitFor()
    const before = await image.getAttribute('src')
    await page.evaluate("document.documentElement.style.setProperty('--vscode-foreground', '#123456')")
    await page.evaluate("document.body.dataset.vscodeThemeId = 'another'")
    await page.waitForFunction(
      `document.querySelector('.diagram img').getAttribute('src') !== ${JSON.stringify(before)}`,
    )
    assert.match(decodeURIComponent((await image.getAttribute('src')) ?? ''), /#123456/)
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

  test('are links in a question and in the head of a code block as well', async ({ openChat, page }) => {
    const chat = await openChat([
      signedIn,
      transcript({ id: 'q', role: 'user', text: 'What does lib/b.ts do?' }, answer('```ts src/a.ts\nlet a\n```')),
    ])
    assert.deepEqual((await chat.received('find-links')).files, ['lib/b.ts', 'src/a.ts'])
    await chat.post({ kind: 'links', files: ['lib/b.ts', 'src/a.ts'], symbols: [] })
    await page.getByRole('article', { name: 'You' }).getByRole('link', { name: 'lib/b.ts' }).waitFor()
    await page.getByRole('group', { name: 'Code: ts' }).getByRole('link', { name: 'src/a.ts' }).click()
    assert.deepEqual(await chat.received('open-link'), { kind: 'open-link', target: 'file', text: 'src/a.ts' })
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

test.describe('an answer', () => {
  const long = Array.from(
    { length: 6 },
    (_, at) => `## Part ${at}\n\n${'Some words of a paragraph. '.repeat(60)}`,
  ).join('\n\n')

  test('that is long has an outline, whose headings are jumped to', async ({ openChat, page }) => {
    const chat = await openChat([signedIn, transcript(answer(long))])
    const roomBelow = 'document.documentElement.scrollHeight - document.documentElement.clientHeight'
    assert.equal(await page.evaluate(roomBelow), 0)
    // The editor's own elements around the page are some pixels too high as well.
    await page.evaluate("document.documentElement.style.height = 'calc(100% + 6px)'")
    const outline = page.getByRole('navigation', { name: 'Outline' })
    await outline.getByRole('button', { name: 'Outline' }).click()
    const part = outline.getByRole('button', { name: 'Part 4' })
    assert.equal(await outline.getByRole('listitem').count(), 6)
    await part.click()
    const heading = page.getByRole('heading', { name: 'Part 4' })
    assert.ok(await isFocused(heading))
    const [top, logTop] = [(await heading.boundingBox())?.y ?? -1, (await page.getByRole('log').boundingBox())?.y ?? 0]
    assert.ok(top >= logTop && top < logTop + 60, `${top} of ${logTop}`)
    assert.equal(await page.evaluate('scrollY'), 0)
    assert.equal(await part.count(), 0)
    await outline.getByRole('button', { name: 'Outline' }).press('Enter')
    await page.keyboard.press('Escape')
    assert.ok(await isFocused(outline.getByRole('button', { name: 'Outline' })))
    assert.equal(chat.sent.filter(({ kind }) => kind === 'stop').length, 0)
    assertQuiet(chat)
  })

  test('that is short has none; the outline grows while the answer is written, and moves nothing', async ({
    openChat,
    page,
  }) => {
    const short = Array.from({ length: 6 }, (_, at) => `# H${at}`).join('\n\n')
    const chat = await openChat([
      signedIn,
      transcript(answer(short, 'b'), { id: 'a', role: 'assistant', text: '', state: 'streaming' }),
    ])
    await chat.post(conversation.delta(0, long, 'a'))
    const outline = page.getByRole('navigation', { name: 'Outline' })
    await outline.waitFor({ state: 'attached' })
    assert.equal(await outline.count(), 1)
    await outline.getByRole('button', { name: 'Outline' }).focus()
    await page.keyboard.press('Enter')
    await chat.post(conversation.delta(long.length, '\n\n## Part 6\n\nend', 'a'))
    await outline.getByRole('button', { name: 'Part 6' }).waitFor()
    assertQuiet(chat)
  })

  test('has boxes of tasks that are read out, and tables that scroll and are copied', async ({ openChat, page }) => {
    const table = '| a | b |\n|---|---|\n| 1 | x\\|y |\n| $z$ | =1+1 |'
    const chat = await openChat([signedIn, transcript(answer(`- [x] written\n- [ ] tested\n\n${table}`))])
    const boxes = page.getByRole('checkbox')
    assert.deepEqual(
      [await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked(), await boxes.nth(0).isDisabled()],
      [true, false, true],
    )
    assert.equal(await page.getByRole('checkbox', { name: 'Not done' }).count(), 1)
    await page.getByRole('math').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await expect.poll(() => chat.clipboard()).toBe('| a | b |\n| --- | --- |\n| 1 | x\\|y |\n| $z$ | =1+1 |')
    await page.getByRole('button', { name: 'Copy for a spreadsheet' }).click()
    await expect.poll(() => chat.clipboard()).toBe("a\tb\n1\tx|y\n$z$\t'=1+1")
    await page.getByRole('group', { name: 'Table' }).focus()
    assert.ok(await isFocused(page.getByRole('group', { name: 'Table' })))
    assertQuiet(chat)
  })

  test('is copied as bare text, without the colours of the theme, the heads of code and buttons', async ({
    openChat,
    page,
  }) => {
    const text =
      'A **bold** word, $z$\n\n| a | b |\n|---|---|\n| 1 | [x](https://x.example/) |\n\n```ts a.ts\nlet a = 1\n\nlet b\n```'
    const chat = await openChat([signedIn, transcript(answer(text))])
    await page.getByRole('math').waitFor({ state: 'attached' })
    const copied = (from: string, to: string) =>
      page.evaluate<{ text: string; html: string }>(`{
        const [start, end] = [document.querySelector('${from}'), document.querySelector('${to}')]
        document.getSelection().setBaseAndExtent(start.firstChild, 0, end, end.childNodes.length)
        const clipboardData = new DataTransfer()
        start.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
        ;({ text: clipboardData.getData('text/plain'), html: clipboardData.getData('text/html') })
      }`)
    const all = await copied('.blocks p', '.code code')
    assert.match(all.html, /^<p>A <strong>bold<\/strong> word, .*<math[ >].*<\/p>/)
    assert.match(all.html, /<table>.*<td>1<\/td>\n<td><a href="https:\/\/x\.example\/">x<\/a><\/td>/s)
    assert.match(all.html, /<pre><code>/)
    assert.doesNotMatch(all.html, /style|class|<button|<svg|a\.ts/)
    assert.match(all.text, /a\tb\n1\tx\s+let a = 1\n\nlet b$/)
    const code = await copied('.code code', '.code code')
    assert.equal(code.text, 'let a = 1\n\nlet b')
    assert.match(code.html, /^<pre><code>/)
    assertQuiet(chat)
  })

  test('keeps the cells of a table apart in a narrow view, also where a path has no place to wrap', async ({
    openChat,
    page,
  }) => {
    await page.setViewportSize({ width: 300, height: 600 })
    const table = '| File | Size |\n|---|--:|\n| `desk/postage.test.mjs` | a_size_that_is_very_long_as_well |'
    await openChat([signedIn, transcript(answer(table))])
    const tooWide = await page
      .getByRole('cell')
      .evaluateAll((cells: { scrollWidth: number; clientWidth: number }[]) =>
        cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => [cell.scrollWidth, cell.clientWidth]),
      )
    assert.deepEqual(tooWide, [])
    assert.equal(await page.getByRole('cell').count(), 2)
  })

  test('keeps what it folds away as the reader has it when more is written', async ({ openChat, page }) => {
    const text = '<details>\n<summary>The log</summary>\n\n- a\n- needle\n'
    const chat = await openChat([
      signedIn,
      transcript({ id: 'q', role: 'user', text: 'Hi' }, { id: 'a', role: 'assistant', text, state: 'streaming' }),
    ])
    const fold = page.getByRole('log').locator('details')
    await fold.getByText('The log').click()
    await chat.post(conversation.delta(text.length, '- b\n\n</details>\n\n> [!WARNING]\n> Mind this.\n', 'a'))
    await page.getByRole('blockquote').getByText('Warning').waitFor()
    await fold.getByText('needle').waitFor()
    await fold.getByText('The log').click()
    await fold.getByText('needle').waitFor({ state: 'hidden' })
    assertQuiet(chat)
  })

  test('[T38] a link whose text is another address says where it leads', async ({ openChat, page }) => {
    const chat = await openChat([
      signedIn,
      transcript(answer('[https://bank.example/login](https://evil.example/x) [docs](https://docs.example/)')),
    ])
    const titles = await page.evaluate("[...document.querySelectorAll('[role=link]')].map(link => link.title)")
    assert.deepEqual(titles, ['Leads to evil.example: https://evil.example/x', 'https://docs.example/'])
    assertQuiet(chat)
  })
})

test.describe('a picture of a question', () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const part = { id: 'p', kind: 'image', mediaType: 'image/png', base64: png, name: 'shot.png' } as const

  test('is enlarged in a dialog, which Escape closes without stopping the answer', async ({ openChat, page }) => {
    const chat = await openChat([
      signedIn,
      conversation.replay(
        { id: 'q', role: 'user', text: 'Look', parts: [part] },
        { id: 'a', role: 'assistant', text: 'I see', state: 'streaming' },
      ),
      { kind: 'activity', conversation: 'c', activity: { is: 'answering' } },
    ])
    await page.getByRole('button', { name: 'Enlarge shot.png' }).click()
    const dialog = page.getByRole('dialog', { name: 'shot.png' })
    await dialog.getByRole('img', { name: 'shot.png' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assert.ok(await isFocused(page.getByRole('button', { name: 'Enlarge shot.png' })))
    assert.equal(chat.sent.filter(({ kind }) => kind === 'stop').length, 0)
    assertQuiet(chat)
  })
})

test.describe('a fault of a renderer', () => {
  test('leaves its part as text and the rest as it is', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await page.evaluate(`
      globalThis['kourier.math'] = tex => {
        if (tex === 'thrown') throw new Error('planted')
        if (tex === 'drawn') return { tag: 'span', attributes: {}, style: {}, get children() { throw new Error('planted') } }
        return { tag: 'span', attributes: {}, style: {}, children: [tex] }
      }
      globalThis['kourier.diagram'] = () => { throw new Error('planted') }`)
    await chat.post(transcript(answer('a $thrown$ b $drawn$ c $fine$ d\n\n```mermaid\ngraph TD\n```')))
    await page.getByText('a $thrown$ b $drawn$ c fine d').waitFor()
    await page.getByRole('button', { name: 'Draw diagram' }).click()
    await page.getByText('This diagram cannot be drawn.').waitFor()
    assert.match(await page.getByRole('group', { name: 'Code: mermaid' }).innerText(), /graph TD/)
    assert.deepEqual(chat.faults, ['A part of the page failed: Error: planted'])
  })
})
