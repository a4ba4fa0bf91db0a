// Axe, the accessibility checker, at every state of the page: all of its rules, and those about colours in the four themes.
import assert from 'node:assert/strict'
import { bringChecker, violations } from '../support/accessibility.ts'
import { test } from './fixtures.ts'
import { pageStates } from './pageStates.ts'
import { type Theme, themes } from './themes.ts'

const aboutColours = ['color-contrast', 'link-in-text-block']

for (const [name, { messages, act }] of Object.entries(pageStates()))
  test(`${name}: the checker finds nothing in any theme`, async ({ openChat, page }) => {
    const chat = await openChat(messages, { theme: 'dark', width: 420, height: 700 })
    await act?.(chat)
    await bringChecker(page)
    const found: Record<string, unknown> = {}
    for (const theme of Object.keys(themes) as Theme[]) {
      if (theme !== 'dark') await chat.showTheme(theme)
      found[theme] = await violations(page, theme === 'dark' ? undefined : aboutColours)
    }
    assert.deepEqual(found, { dark: [], light: [], 'high-contrast': [], 'high-contrast-light': [] })
    assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
  })
