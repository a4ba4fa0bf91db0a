// The granted model answers in the editor's own chat, without any other sign-in.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { fewBuiltIns } from '../editor/codeServer.ts'
import { notification, openChat, reloadWindow, runCommand } from '../editor/workbench.ts'
import { extensionHosts } from './extensionHosts.ts'
import { World } from './world.ts'

describe('the editor’s own chat', () => {
  const world = new World({ around: async () => ({ builtIn: [...fewBuiltIns, 'copilot'] }) })

  async function seesModel(page: Page): Promise<void> {
    const chat = await openChat(page)
    await chat.getByRole('button', { name: `Model: ${world.service.model}` }).waitFor()
  }

  it('is set up by a command that says what it did, and a plain message reaches the service', {
    timeout: 180_000,
  }, async () => {
    const { page } = await world.signedInWindow()
    await seesModel(page)
    // Where its AI features are off, a new editor that puts its own chat away while it starts may start its extensions
    // once more and leave the first of them running: one of ours offers the model, and its chat asks the other.
    if (extensionHosts(world.editor).length > 1) {
      await reloadWindow(page)
      await seesModel(page)
    }
    await runCommand(page, "Kourier: Use in the Editor's Chat")
    const said = notification(page, /can now be picked in the editor's chat/)
    await said.waitFor({ timeout: 30_000 })
    const text = await said.innerText()
    assert.match(text, /Kourier stands in the editor's list of model providers; delete it there to undo this\./)
    // The editor under test begins without them.
    assert.match(text, /The AI features of the editor were off \(chat\.disableAIFeatures\) and are on now\./)
    // The editor's chat takes the model some time after it can be picked; until then it finds none.
    await page
      .getByRole('button', { name: `Models, ${world.service.model}` })
      .first()
      .waitFor()
    const mark = world.service.log.calls.length
    world.service.replies.add({ text: 'Hello from the service.', match: 'Say hello' })
    const input = page.locator('.interactive-input-editor, .chat-editor-container').last()
    await input.click()
    await page.keyboard.type('Say hello')
    await page.keyboard.press('Enter')
    await world.service.log.until(call => call.sequence > mark && JSON.stringify(call.body ?? '').includes('Say hello'))
    await page.getByText('Hello from the service.').first().waitFor({ timeout: 30_000 })
  })
})
