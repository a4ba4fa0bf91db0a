// Hostile Markdown in a real editor: as it streams, after a reload and from the history, it stays text; its links lead to the address that is shown.
import assert from 'node:assert/strict'
import type { FrameLocator } from '@playwright/test'
import { ask, dialog, message, openChat, reloadWindow, runCommand, statusBarItem } from '../editor/workbench.ts'
import { canary, hostile } from '../webview/hostile.ts'
import { openEmptyChat } from './chatSteps.ts'
import { test } from './fixtures.ts'
import { pageComplaints } from './pageComplaints.ts'

/** What must not be in an answer; a formula is made of our own elements. */
const loaders =
  'img,script,style,link,meta,base,iframe,object,embed,video,audio,form,input,math,[href],[src],[style],[id],[onclick],[onerror],[onload],[ontoggle]'

async function assertHarmless(chat: FrameLocator, when: string): Promise<void> {
  await message(chat, 'Kourier').getByText('The end of it.').waitFor({ timeout: 120_000 })
  const found = await message(chat, 'Kourier')
    .locator(loaders)
    .evaluateAll(nodes => nodes.filter(node => !node.closest('.katex')).map(node => node.outerHTML))
  assert.deepEqual(found, [], when)
  assert.equal(await chat.locator('body').evaluate(() => 'flag' in globalThis), false, when)
}

test('[T30] [T31] [T32] hostile Markdown loads and runs nothing while it streams, after a reload and from the history', async ({
  context,
  service,
  windows,
}) => {
  test.slow()
  const strays: string[] = []
  context.on('request', request => request.url().startsWith(canary) && strays.push(request.url()))
  const opened = await openEmptyChat(windows)
  const { page } = opened
  let { chat } = opened
  const complaints = pageComplaints(page)
  const text = [...Object.values(hostile), 'The end of it.'].join('\n\n')
  service.replies.add({ tokens: [...text] })
  await ask(chat, 'Show me all of it')
  await assertHarmless(chat, 'streamed')

  await reloadWindow(page)
  await statusBarItem(page, /Signed in to/).waitFor()
  chat = await openChat(page)
  await assertHarmless(chat, 'after a reload')

  await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })
  await runCommand(page, 'Kourier: Show Chat History')
  await chat.getByRole('listitem').getByRole('button', { name: 'Show me all of it' }).first().press('Enter')
  await assertHarmless(chat, 'from the history')
  assert.deepEqual(strays, [])
  assert.deepEqual(complaints, [])
})

test('[T33] [T38] the whole address of a link is shown and opened; a formula and a diagram are drawn, and no policy is violated', async ({
  context,
  service,
  windows,
}) => {
  const address = `https://pages.example/a?q=AT%26T&next=%2Fa%3Fb&long=${'x'.repeat(300)}#end%20`
  const { page, chat } = await openEmptyChat(windows)
  const complaints = pageComplaints(page)
  service.replies.add({ text: `[the page](${address})` })
  await ask(chat, 'Where is it?')
  const link = message(chat, 'Kourier').getByRole('link', { name: 'the page' })
  await link.click()
  const question = dialog(page)
  await question.waitFor()
  assert.ok((await question.innerText()).includes(address), await question.innerText())
  const opened = context.waitForEvent('request', request => request.url().startsWith('https://pages.example'))
  await question.getByRole('button', { name: 'Open', exact: true }).click()
  await dialog(page).getByText('external website').waitFor() // The editor asks as well.
  await dialog(page).getByRole('button', { name: 'Open', exact: true }).click()
  assert.equal((await opened).url(), address.replace(/#.*/, '')) // No request has a fragment.

  service.replies.add({ text: 'So:\n\n$$\nx^2 + y^2\n$$\n\n```mermaid\ngraph TD\n  A[Start] --> B[End]\n```\n' })
  await ask(chat, 'Draw it')
  await message(chat, 'Kourier').getByRole('math').waitFor({ state: 'attached' })
  await chat.getByRole('button', { name: 'Draw diagram' }).click()
  const image = chat.getByRole('img', { name: 'Diagram' })
  await image.waitFor()
  const width = await image.evaluate((one: { naturalWidth: number }) => one.naturalWidth)
  assert.ok(width > 50, 'the browser has drawn it')
  assert.deepEqual(complaints, [])
})
