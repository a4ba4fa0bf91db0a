// Kills the extension host of a real editor while its chat is answered, again and again, and prints what was lost.
//
// node test/bench/panelKills.ts [--count 50] [--seed 1]
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { FrameLocator } from '@playwright/test'
import { readyChat } from '../e2e/chatSteps.ts'
import { EditorHarness, withoutGit } from '../e2e/editorHarness.ts'
import { EditorWindows } from '../e2e/editorWindows.ts'
import { extensionHosts } from '../e2e/extensionHosts.ts'
import { ServiceHarness } from '../e2e/serviceHarness.ts'
import { cachedScripts, launchChromium } from '../editor/chromium.ts'
import { ask, message, reloadWindow, runCommand, windowContext, writeMessage } from '../editor/workbench.ts'
import { hashedRandom } from './typing/hashed.ts'

const WORDS_PER_SECOND = 40
/** The kill comes at a random time before. */
const LATEST_KILL_MS = 2_500
/** What was written earlier than so long before the kill is kept. */
const KEPT_DRAFT_MS = 400
/** What a second brings, and what a slow frame adds. */
const MOST_LOST_WORDS = 1.25 * WORDS_PER_SECOND

const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } })
const count = Number(values.count ?? 50)
const random = hashedRandom('kills', values.seed ?? '1')

await main()

async function main(): Promise<void> {
  await using service = await ServiceHarness.start()
  await using harness = await EditorHarness.start({ builtIn: withoutGit }, 0)
  const browser = await launchChromium({ args: [cachedScripts] })
  const lost = { questions: 0, answers: 0, drafts: 0 }
  let mostWords = 0
  try {
    const windows = new EditorWindows(await browser.newContext(windowContext), harness, service)
    await windows.prepare({ 'kourier.baseUrl': service.service.baseUrl })
    const { page } = await windows.openSignedIn()
    let chat = await readyChat(page)
    for (let at = 0; at < count; at++) {
      const question = `Question ${at}`
      const draft = random() < 0.5 ? `half of ${at}` : ''
      service.service.replies.add({
        tokens: Array.from({ length: 400 }, (_, word) => `word${word} `),
        tokensPerSecond: WORDS_PER_SECOND,
      })
      await ask(chat, question)
      if (draft) await writeMessage(chat, draft)
      await page.waitForTimeout(KEPT_DRAFT_MS + random() * LATEST_KILL_MS)
      const before = wordsIn(await textOf(chat))
      for (const host of extensionHosts(harness.editor)) process.kill(host, 'SIGKILL')
      service.service.replies.clear()
      await reloadWindow(page)
      chat = await readyChat(page)
      const isThere = await message(chat, 'You')
        .getByText(question, { exact: true })
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        )
      const missing = before - wordsIn(await textOf(chat))
      mostWords = Math.max(mostWords, missing)
      if (!isThere) {
        lost.questions++
        await page.screenshot({ path: `build/kill${at}.png` })
        process.stderr.write(`${await chat.locator('body').ariaSnapshot()}\n`)
      }
      if (missing > MOST_LOST_WORDS) lost.answers++
      if ((await chat.getByRole('textbox', { name: 'Message' }).inputValue()) !== draft) lost.drafts++
      process.stderr.write(
        `${at + 1}: ${before} words before, ${Math.max(0, missing)} missing, ${JSON.stringify(lost)}\n`,
      )
      await writeMessage(chat, '')
      await runCommand(page, 'Kourier: New Chat')
      await message(chat, 'You').waitFor({ state: 'detached' })
    }
  } finally {
    await browser.close()
  }
  process.stdout.write(
    `${count} kills; lost: ${lost.questions} questions, ${lost.answers} answers by more than a second, ${lost.drafts} unsent texts; most words missing: ${mostWords}\n`,
  )
  process.exit(lost.questions + lost.answers + lost.drafts === 0 ? 0 : 1)
}

async function textOf(chat: FrameLocator): Promise<string> {
  const answers = chat.getByRole('article', { name: 'Kourier', exact: true })
  return (await answers.count()) === 0 ? '' : ((await answers.last().textContent()) ?? '')
}

function wordsIn(text: string): number {
  return new Set(text.match(/word\d+/g)).size
}
