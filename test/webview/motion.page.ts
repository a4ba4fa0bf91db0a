// Where motion is not wanted, by the system or by the editor, nothing moves in any state of the page.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'
import { pageStates } from './pageStates.ts'

/** The animations and transitions that run, with the element of each. */
const moving = (page: Page): Promise<string[]> =>
  page.evaluate(`document.getAnimations()
    .filter(({ playState }) => playState === 'running')
    .map(({ animationName, transitionProperty, effect }) =>
      (animationName ?? transitionProperty) + ' of ' + effect.target.className + (effect.pseudoElement ?? ''))`)

test('no state moves where motion is not wanted', async ({ context, server }) => {
  test.setTimeout(240_000)
  const found: Record<string, string[]> = {}
  const moved = new Set<string>()
  for (const [name, { messages, act }] of Object.entries(pageStates())) {
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    const chat = await ChatPage.open(page, server, { width: 420 })
    await chat.post(...messages)
    await act?.(chat)
    for (const animation of await moving(page)) moved.add(animation)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const bySystem = await moving(page)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.evaluate('document.body.classList.add("vscode-reduce-motion")')
    const byEditor = await moving(page)
    if (bySystem.length + byEditor.length > 0) found[name] = [...bySystem, ...byEditor]
    await page.close()
  }
  assert.deepEqual(found, {})
  // What moves elsewhere, so that a state of each kind has been seen.
  assert.deepEqual([...moved].sort(), ['breathe of ', 'pass of progress::after', 'turning of tool-running'])
})
