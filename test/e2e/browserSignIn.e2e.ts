// Signing in with the browser, and with the key of the environment.
import assert from 'node:assert/strict'
import { readSecrets } from '../editor/secrets.ts'
import {
  ask,
  logEverything,
  message,
  notification,
  openChat,
  quickInput,
  runCommand,
  statusBarItem,
} from '../editor/workbench.ts'
import { test } from './fixtures.ts'
import { email, storedCredential } from './signInSteps.ts'

test.describe('signing in with the browser', () => {
  test.use({ settings: { 'kourier.clientId': 'kourier-vscode' } })

  test('goes from the chat page over the authorize page to a key, without an email typed here', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    const page = await windows.open()
    await logEverything(page)
    const chat = await openChat(page)
    const opened = context.waitForEvent('page')
    await chat.getByRole('button', { name: 'Sign in with the browser', exact: true }).click()
    const authorize = await opened
    await authorize.getByRole('textbox', { name: 'Email' }).fill(email)
    await authorize.getByRole('button', { name: 'Sign in' }).click()
    await authorize.getByRole('button', { name: 'Allow' }).click()
    await authorize.getByRole('heading', { name: 'Back to the editor' }).waitFor()
    await notification(page, 'Signed in to Kourier (local).').waitFor()
    await chat.getByRole('textbox', { name: 'Message' }).waitFor()
    const credential = JSON.parse((await readSecrets(context, editor.url))[storedCredential] ?? '{}')
    assert.deepEqual([credential.origin, credential.resource], ['browser', service.baseUrl])
    assert.equal(service.state.keys.find(credential.key)?.email, email)
    const exchanges = service.log.calls.filter(({ path }) => path === '/oauth2/token')
    assert.equal(exchanges.length, 1)
  })
})

test.describe('a key of the environment', () => {
  test.use({
    editorNeeds: async ({ service }, use) => {
      service.state.accounts.of(email)
      await use({ env: { KOURIER_API_KEY: service.state.issueKey(email, 'From the environment') } })
    },
  })

  test('is used where nothing is stored, is said in the menu, and is written nowhere', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    const page = await windows.open()
    await statusBarItem(page, /Signed in to/).waitFor()
    const chat = await openChat(page)
    service.replies.add({ text: 'Hello from the environment.' })
    await ask(chat, 'Hi')
    await message(chat, 'Kourier').filter({ hasText: 'Hello from the environment.' }).waitFor()
    await runCommand(page, 'Kourier: Show Menu')
    await quickInput(page)
      .getByText(/with the key of KOURIER_API_KEY/)
      .waitFor()
    assert.deepEqual(await readSecrets(context, editor.url), {})
  })
})
