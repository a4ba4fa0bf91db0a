// The cards and lists of the agent in a browser: keys for a decision, and what an accessibility checker finds: Q3.
import process from 'node:process'
import type { Browser, Page } from '@playwright/test'
import type { ToPage } from '../../../src/protocol/panel.ts'
import { launchChromium } from '../../editor/chromium.ts'
import { bringChecker, violations } from '../../support/accessibility.ts'
import { type AgentTurnOptions, agentTurn, plan } from '../../support/agentTurn.ts'
import { ChatPage, PageServer } from '../../webview/chatPage.ts'
import { type Theme, themes } from '../../webview/themes.ts'
import type { Row } from './rows.ts'

const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI', email: 'ada@example.com' } }

/** One question each, and several in one card. */
const asked: readonly AgentTurnOptions[] = [
  { asks: ['edit'] },
  { asks: ['command'] },
  { asks: ['secret'] },
  { asks: ['continue'] },
]

const shown: readonly AgentTurnOptions[] = [
  ...asked,
  { asks: ['edit', 'command', 'secret'], plan },
  { plan, commands: [{ id: 1, command: 'npm run watch' }], mode: 'plan', isEnded: true },
]

export async function run(): Promise<readonly Row[]> {
  const server = await PageServer.start()
  const browser = await launchChromium()
  try {
    return [await keys(browser, server), await findings(browser, server)]
  } finally {
    await browser.close()
    server.close()
  }
}

async function open(browser: Browser, server: PageServer, options: AgentTurnOptions) {
  const page = await browser.newPage()
  const chat = await ChatPage.open(page, server, { width: 420, height: 700 })
  await chat.post(signedIn)
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await chat.post(...agentTurn(options))
  return { page, chat }
}

async function keys(browser: Browser, server: PageServer): Promise<Row> {
  const most: number[] = []
  for (const options of asked) {
    for (const key of ['Enter', 'Escape']) {
      const { page, chat } = await open(browser, server, options)
      await page.locator('.approvals button').first().waitFor()
      most.push(await pressesUntil(page, chat, key))
      await page.close()
    }
  }
  const worst = Math.max(...most)
  return {
    id: 'Q3',
    metric: `keys per decision, at most (${most.length} decisions)`,
    target: '1',
    measured: `${worst}`,
    isMet: worst === 1,
  }
}

/** How often the key must be pressed until the extension has the answer. */
async function pressesUntil(page: Page, chat: ChatPage, key: string): Promise<number> {
  await page.locator('.approvals').locator(':focus').waitFor()
  const most = 5
  for (let presses = 1; presses <= most; presses++) {
    await page.keyboard.press(key)
    await chat.post()
    if (chat.sent.some(({ kind }) => kind === 'answer-questions')) return presses
  }
  return Number.POSITIVE_INFINITY
}

async function findings(browser: Browser, server: PageServer): Promise<Row> {
  let [found, looks] = [0, 0]
  for (const options of shown) {
    const { page, chat } = await open(browser, server, options)
    await bringChecker(page)
    for (const theme of Object.keys(themes) as Theme[]) {
      if (theme !== 'dark') await chat.showTheme(theme)
      const here = await violations(page)
      if (here.length > 0) process.stderr.write(`${theme}: ${JSON.stringify(here)}\n`)
      found += here.length
      looks++
    }
    await page.close()
  }
  return {
    id: 'Q3',
    metric: `findings of axe on cards and lists (${looks} looks)`,
    target: '0',
    measured: `${found}`,
    isMet: found === 0,
  }
}
