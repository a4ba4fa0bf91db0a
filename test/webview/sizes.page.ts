// The page at every size: from 200 to 2,000 pixels wide, with large text, and as it is when the window is zoomed.
import assert from 'node:assert/strict'
import type { ToPage } from '../../src/protocol/panel.ts'
import { chatStates } from './chatStates.ts'
import { test } from './fixtures.ts'
import { button, pageStates } from './pageStates.ts'

/** A zoomed window has fewer pixels for the page; text of 24 pixels is nearly twice the usual size. */
const looks = {
  'narrow, with large text': { width: 200, height: 560, fontSize: 24 },
  'narrow, with small text': { width: 200, height: 560, fontSize: 9 },
  'zoomed in a small window': { width: 260, height: 300 },
  'very wide': { width: 2_000, height: 400 },
}

test('the messages have the font that the user has set for the editor’s chat', async ({ openChat, page }) => {
  const chat = await openChat(chatStates['a short answer']?.messages ?? [])
  const fonts = () =>
    page.evaluate(`['.message.mine p', '.blocks p', 'textarea'].map(one => {
      const { fontSize, fontFamily } = getComputedStyle(document.querySelector(one))
      return fontSize + ' ' + fontFamily
    })`)
  const [, , ofComposer] = (await fonts()) as string[]
  await chat.post({ kind: 'settings', sendOnEnter: true, font: { sizePx: 19, family: 'Georgia' } })
  assert.deepEqual(await fonts(), ['19px Georgia', '19px Georgia', ofComposer])
  await chat.post({ kind: 'settings', sendOnEnter: true })
  assert.deepEqual(await fonts(), [ofComposer, ofComposer, ofComposer])
})

const files = Array.from({ length: 30 }, (_, at) => `aFileWithAName${at}.ts`)
const manyChips = (): ToPage => ({
  ...{ kind: 'draft-context', conversation: 'c', offers: [] },
  chips: files.map((label, at) => ({ id: label, kind: 'file', label, state: 'ready', tokens: 100 * at })),
})

for (const [look, size] of Object.entries(looks))
  test(`${look}: of many chips whole rows are seen, with their names`, async ({ openChat, page }) => {
    await openChat([...(pageStates['an empty chat'] ?? []), manyChips()], size)
    const { cut, names } = await page.evaluate<{ cut: number; names: number[] }>(`{
      const list = document.querySelector('.chips')
      const { top, bottom } = list.getBoundingClientRect()
      const inPart = [...list.querySelectorAll('.chip')].filter(chip => {
        const box = chip.getBoundingClientRect()
        return box.top < bottom - 1 && box.bottom > bottom + 1
      })
      const em = parseFloat(getComputedStyle(list).fontSize)
      const names = [...list.querySelectorAll('.chip-name > span:first-of-type')]
      ;({ cut: inPart.length, names: names.map(one => one.getBoundingClientRect().width / em) })
    }`)
    assert.equal(cut, 0, 'chips that are cut through')
    assert.ok(Math.min(...names) > 3, `${Math.min(...names)} em of a name`)
    await button(page, 'Remove aFileWithAName29.ts').focus()
    assert.equal(await page.evaluate('document.activeElement.checkVisibility()'), true)
  })

test('in a very wide page, lines of text stay as short as they are to be read', async ({ openChat, page }) => {
  const { messages } = chatStates['an answer of everything'] ?? { messages: [] }
  await openChat([...messages], looks['very wide'])
  const paragraph = await page.getByRole('article', { name: 'Kourier' }).locator('p').first().boundingBox()
  const composer = await page.getByRole('textbox', { name: 'Message' }).boundingBox()
  for (const box of [paragraph, composer]) {
    assert.ok(box && box.width < 900, `${box?.width} px`)
    assert.ok(Math.abs(box.x + box.width / 2 - 1_000) < 60, 'in the middle')
  }
})
