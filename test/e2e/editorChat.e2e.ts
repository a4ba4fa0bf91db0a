// The granted model answers in the editor's own chat, without any other sign-in.
import assert from 'node:assert/strict'
import { fewBuiltIns } from '../editor/codeServer.ts'
import { changeSettings, notification, openChat, runCommand, statusBarItem } from '../editor/workbench.ts'
import { test } from './fixtures.ts'

test.describe('the editor’s own chat', () => {
  test.use({
    settings: { 'chat.disableAIFeatures': false },
    editorNeeds: { builtIn: [...fewBuiltIns, 'copilot'] },
  })

  test('is set up by a command that says what it did, and a plain message reaches the service', async ({
    service,
    editor,
    windows,
  }) => {
    const { page } = await windows.openSignedIn()
    const chat = await openChat(page)
    await chat.getByRole('button', { name: `Model: ${service.model}` }).waitFor()
    // An editor that starts without its AI features may start its extensions a second time in the middle of that.
    await changeSettings(page, editor, { 'chat.disableAIFeatures': true })
    await statusBarItem(page, 'Copilot status').waitFor({ state: 'detached' })
    await runCommand(page, "Kourier: Use in the Editor's Chat")
    const notice = notification(page, /can now be picked in the editor's chat/)
    await notice.waitFor({ timeout: 30_000 })
    const text = await notice.innerText()
    assert.match(text, /Kourier was added to the editor's list of model providers\. Remove it there to undo this\./)
    assert.match(text, /The AI features of the editor were off \(chat\.disableAIFeatures\) and are on now\./)
    // The editor's chat takes the model some time after it can be picked; until then it finds none.
    await page
      .getByRole('button', { name: `Models, ${service.model}` })
      .first()
      .waitFor()
    const mark = service.log.calls.length
    service.replies.add({ text: 'Hello from the service.', match: 'Say hello' })
    const input = page.locator('.interactive-input-editor, .chat-editor-container').last()
    await input.click()
    await page.keyboard.type('Say hello')
    await page.keyboard.press('Enter')
    await service.log.until(call => call.sequence > mark && JSON.stringify(call.body ?? '').includes('Say hello'))
    await page.getByText('Hello from the service.').first().waitFor({ timeout: 30_000 })
  })
})
