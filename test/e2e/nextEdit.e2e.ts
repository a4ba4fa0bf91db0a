// A person changes a name, and Tab leads from place to place, with the language server that the editor brings along.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { fewBuiltIns } from '../editor/codeServer.ts'
import { goTo, openFile, savedText, setTheme, statusBarItem, tab, type } from '../editor/workbench.ts'
import { inPage } from '../support/inPage.ts'
import { test } from './fixtures.ts'

const path = 'desk/parcel.ts'
const themes = [
  ['Light Modern', 'light'],
  ['Dark High Contrast', 'highContrast'],
  ['Dark Modern', 'dark'],
] as const

/** What hints draw behind the lines, which is no text of the page but content of its styles. What cannot be seen is not. */
const contents = inPage<string>(`
  const contentOf = span => {
    const { content, color } = getComputedStyle(span, '::after')
    return color === 'rgba(0, 0, 0, 0)' ? 'none' : content
  }
  return [...root.querySelectorAll('span')].map(contentOf).filter(text => !/^(?:none|normal)$/.test(text)).join(' ')`)

const drawn = (page: Page): Promise<string> => page.locator('.view-lines').first().evaluate(contents)

const isDrawn = (page: Page, text: RegExp) => expect.poll(() => drawn(page), { timeout: 4_000 }).toMatch(text)
const isGone = (page: Page) => expect.poll(() => drawn(page)).not.toMatch(/Reading|Tab/)

/** A change before the language knows the file is carried nowhere; so it is taken back, and made again. */
async function change(page: Page, [line, column]: readonly [number, number], key: string, hint: RegExp): Promise<void> {
  for (let attempt = 0; attempt < 15; attempt++) {
    await goTo(page, line, column)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    // The places of the name at the cursor are looked up after a short rest.
    await isDrawn(page, hint).catch(() => {})
    await type(page, key)
    const isShown = await isDrawn(page, hint).then(
      () => true,
      () => false,
    )
    if (isShown) return
    await page.keyboard.press('Backspace')
  }
  assert.fail('no hint has come')
}

test.describe('the next edit', () => {
  test.use({ editorNeeds: { builtIn: [...fewBuiltIns, 'typescript-language-features', 'node_modules'] } })

  test('leads by Tab to the other places of a changed name, until Escape refuses it', async ({
    editor,
    service,
    windows,
  }) => {
    // Only what the language knows is wanted here.
    service.replies.addAside({ match: 'You complete code', text: '<insert></insert>' })
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    await openFile(page, path)
    await change(page, [11, 20], 's', /: Readings<string>/)
    await page.keyboard.press('Tab')
    await statusBarItem(page, /Ln 13,/).waitFor()
    await page.keyboard.press('Tab')
    // That of line 20, because the one of line 13 is drawn until its change has been made.
    await isDrawn(page, /t\(text: string\): Readings<string>/)
    await page.keyboard.press('Tab')
    await statusBarItem(page, /Ln 20,/).waitFor()
    await page.keyboard.press('Tab')
    await isDrawn(page, /: Readings<number>/)
    await page.keyboard.press('Escape')
    await isGone(page)
    const text = await savedText(page, editor, path)
    assert.match(text, /export type Readings</)
    assert.equal(text.match(/\): Readings</g)?.length, 2)
    assert.equal(text.match(/\): Reading</g)?.length, 3)
    await page.keyboard.press('Control+Z')
    assert.equal((await savedText(page, editor, path)).match(/\): Readings</g)?.length, 1, 'one undo for each place')
  })

  test('is drawn in each theme, leads into a second file, and leaves Tab its meanings', async ({
    editor,
    service,
    windows,
  }) => {
    service.replies.addAside({ match: 'You complete code', text: '<insert></insert>' })
    const counter = 'desk/counter.ts'
    const lines = ["import type { Parcel } from './parcel'", '', 'export const parcels: Parcel[] = []', '']
    writeFileSync(join(editor.workspace, counter), lines.join('\n'))
    const snippets = { pair: { prefix: 'pairs', body: 'pair($1, $2)$0' } }
    mkdirSync(join(editor.workspace, '.vscode'), { recursive: true })
    writeFileSync(join(editor.workspace, '.vscode/own.code-snippets'), JSON.stringify(snippets))
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    await openFile(page, counter)
    await openFile(page, path)
    await change(page, [3, 24], 's', /Tab: next edit below, in line 51/)
    const file = await test.step('Tab indents in the indentation of another line', async () => {
      await goTo(page, 4, 1)
      await expect.poll(() => drawn(page)).not.toMatch(/Tab/)
      await page.keyboard.press('Tab')
      const text = await savedText(page, editor, path)
      assert.match(text, /^ {4}readonly sender/m)
      await page.keyboard.press('Control+Z')
      return text
    })
    assert.doesNotMatch(file, /: Parcels \|/)
    await test.step('Tab accepts the item of the list, and goes on in a snippet', async () => {
      await goTo(page, 9)
      await type(page, '\npairs')
      await page
        .locator('.suggest-widget.visible')
        .getByRole('option', { name: /^pairs/ })
        .first()
        .waitFor()
      await page.keyboard.press('Tab')
      await page.locator('.suggest-widget.visible').waitFor({ state: 'detached' })
      // Numbers, for which no list opens that takes the Tab.
      await type(page, '1')
      await page.keyboard.press('Tab')
      await type(page, '2')
      assert.match(await savedText(page, editor, path), /^pair\(1, 2\)$/m)
      await page.keyboard.press('Escape')
    })
    await goTo(page, 12)
    await isDrawn(page, /Tab: next edit below, in line 52/)
    await page.keyboard.press('Tab')
    await statusBarItem(page, /Ln 52,/).waitFor()
    await isDrawn(page, /: Parcels \| string/)
    for (const [theme, name] of themes) {
      await setTheme(page, theme)
      await isDrawn(page, /: Parcels \| string/)
      await page.screenshot({ path: `build/nextEdit/${name}.png` })
    }
    await page.keyboard.press('Tab')
    await isDrawn(page, /Tab: next edit in desk\/counter\.ts/)
    await page.screenshot({ path: 'build/nextEdit/otherFile.png' })
    await page.keyboard.press('Tab')
    await expect(tab(page, 'counter.ts')).toHaveClass(/active/)
    const isMade = (change: RegExp) => expect.poll(() => savedText(page, editor, counter)).toMatch(change)
    await isDrawn(page, /import type \{ Parcels \}/)
    await page.keyboard.press('Tab')
    await isMade(/import type \{ Parcels \}/)
    await isDrawn(page, /parcels: Parcels\[\]/)
    await page.keyboard.press('Tab')
    await statusBarItem(page, /Ln 3,/).waitFor()
    await page.keyboard.press('Tab')
    await isMade(/parcels: Parcels\[\]/)
    await expect.poll(() => drawn(page)).not.toMatch(/Parcels|Tab/)
  })
})

test('what no language knows is asked of the model: the callers of a function with another parameter', async ({
  editor,
  service,
  windows,
}) => {
  const delays = 'reports/delays.py'
  service.replies.addAside({ match: 'You complete code', text: '<insert></insert>' })
  const search = '    return mean(minutes(delivery.delay) for delivery in deliveries)'
  const replace = search.replace('delivery.delay', 'delivery.delay, 60')
  const text = `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`
  service.replies.addAside({ match: 'You predict the next edit', text })
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  await openFile(page, delays)
  // The first move loads what finds hints.
  await goTo(page, 20, 28)
  await page.keyboard.press('ArrowRight')
  await type(page, ', per: float')
  await expect.poll(() => drawn(page), { timeout: 20_000 }).toMatch(/minutes\(delivery\.delay, 60\)/)
  // Where the editor's list of words is open, the first one is the list's.
  await expect(async () => {
    if (!(await statusBarItem(page, /Ln 28,/).isVisible())) await page.keyboard.press('Tab')
    await statusBarItem(page, /Ln 28,/).waitFor({ timeout: 3_000 })
  }).toPass()
  await page.keyboard.press('Tab')
  assert.ok((await savedText(page, editor, delays)).includes(replace))
})
