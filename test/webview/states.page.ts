// Every state of the page: the accessibility checker finds nothing, nothing moves unasked, and all of it fits at every size.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { bringChecker, violations } from '../support/accessibility.ts'
import { ChatPage } from './chatPage.ts'
import { chatStates } from './chatStates.ts'
import { test } from './fixtures.ts'
import { overflowing } from './overflowing.ts'
import { type Theme, themes } from './themes.ts'

/** The browser itself gives what scrolls the focus, which the checker does not know; a test of the keyboard shows it. */
const allRules = { exceptFor: 'scrollable-region-focusable' }
const aboutColours = ['color-contrast', 'link-in-text-block']

for (const [name, { messages, act }] of Object.entries(chatStates))
  test(`${name}: accessible in each theme, still where motion is not wanted, and never too wide`, async ({
    openChat,
    page,
  }) => {
    const chat = await openChat(messages, { theme: 'dark', width: 420, height: 700 })
    await act?.(chat)
    await test.step('motion', () => isStill(page))
    await test.step('themes', () => isAccessible(chat))
    await test.step('sizes', () => fits(chat))
    assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
  })

test('where motion is wanted, what is under way moves', async ({ context, server }) => {
  const moved = new Set<string>()
  for (const name of ['signing in', 'no answer yet', 'an exploration is under way']) {
    const page = await context.newPage()
    const chat = await ChatPage.open(page, server, { width: 420 })
    await chat.post(...(chatStates[name]?.messages ?? []))
    for (const animation of await moving(page)) moved.add(animation)
  }
  assert.deepEqual([...moved].sort(), ['breathe of ', 'pass of progress::after', 'turning of tool-running'])
})

/** The animations and transitions that run, with the element of each. */
const moving = (page: Page): Promise<string[]> =>
  page.evaluate(`document.getAnimations()
    .filter(({ playState }) => playState === 'running')
    .map(({ animationName, transitionProperty, effect }) =>
      (animationName ?? transitionProperty) + ' of ' + effect.target.className + (effect.pseudoElement ?? ''))`)

/** Motion can be unwanted by the system or by the editor; it stays unwanted by the first. */
async function isStill(page: Page): Promise<void> {
  await page.evaluate('document.body.classList.add("vscode-reduce-motion")')
  const byEditor = await moving(page)
  await page.evaluate('document.body.classList.remove("vscode-reduce-motion")')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  assert.deepEqual({ byEditor, bySystem: await moving(page) }, { byEditor: [], bySystem: [] })
}

/** All rules in one theme, and those about colours in the others. */
async function isAccessible(chat: ChatPage): Promise<void> {
  await bringChecker(chat.page)
  const found: Record<string, unknown> = {}
  for (const theme of Object.keys(themes) as Theme[]) {
    if (theme !== 'dark') await chat.showTheme(theme)
    found[theme] = await violations(chat.page, theme === 'dark' ? allRules : aboutColours)
  }
  assert.deepEqual(found, { dark: [], light: [], 'high-contrast': [], 'high-contrast-light': [] })
}

/** From a narrow side bar with text of nearly twice the usual size to a very wide tab. */
async function fits(chat: ChatPage): Promise<void> {
  const { page } = chat
  await page.evaluate('until(() => !document.querySelector(".k-math:not(:has(.katex))"))')
  const outside: Record<string, string[]> = {}
  await chat.setFontSize(24)
  for (const [look, size] of [
    ['narrow, with large text', { width: 200, height: 560 }],
    ['very wide', { width: 2_000, height: 400 }],
  ] as const) {
    await page.setViewportSize(size)
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    outside[look] = await overflowing(page)
  }
  assert.deepEqual(outside, { 'narrow, with large text': [], 'very wide': [] })
}
