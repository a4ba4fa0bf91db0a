// Signing in with the browser, with the key of the environment, and going on after a reload.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import type { FrameLocator, Page } from '@playwright/test'
import { readSecrets } from '../editor/secrets.ts'
import {
  ask,
  dialog,
  logEverything,
  message,
  notification,
  openChat,
  quickInput,
  quickInputBox,
  reloadWindow,
  runCommand,
  setTheme,
  statusBarItem,
} from '../editor/workbench.ts'
import { shortCodes } from '../support/shortCodes.ts'
import { whileAsleep } from './extensionHosts.ts'
import { test } from './fixtures.ts'
import { approve, askForCode, email, liveKeys, register, shownCode, storedCredential } from './signInSteps.ts'

/** Presses the button of the chat page and answers the page that opens. */
async function inBrowser(chat: FrameLocator, button: 'Allow' | 'Deny'): Promise<Page> {
  const opened = chat.owner().page().context().waitForEvent('page')
  await chat.getByRole('button', { name: 'Sign in with the browser', exact: true }).click()
  const page = await opened
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: button }).click()
  return page
}

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
    const authorize = await inBrowser(chat, 'Allow')
    await authorize.getByRole('heading', { name: 'Back to the editor' }).waitFor()
    await notification(page, 'Signed in to Kourier (local).').waitFor()
    await chat.getByRole('textbox', { name: 'Message' }).waitFor()
    const credential = JSON.parse((await readSecrets(context, editor.url))[storedCredential] ?? '{}')
    assert.deepEqual([credential.origin, credential.resource], ['browser', service.baseUrl])
    assert.equal(service.state.keys.find(credential.key)?.email, email)
    const exchanges = service.log.calls.filter(({ path }) => path === '/oauth2/token')
    assert.equal(exchanges.length, 1)
  })

  test('says that it was denied, in the browser and in the editor', async ({ windows }) => {
    const page = await windows.open()
    const chat = await openChat(page)
    const authorize = await inBrowser(chat, 'Deny')
    await authorize.getByRole('heading', { name: 'Not signed in' }).waitFor()
    await chat.getByRole('alert').filter({ hasText: 'The sign-in was denied' }).waitFor()
    assert.equal(await notification(page, /The sign-in was denied/).count(), 0, 'it is said once')
  })

  test('ends with Cancel, and says so', async ({ context, windows }) => {
    const page = await windows.open()
    await statusBarItem(page, /sign in/).waitFor()
    const opened = context.waitForEvent('page')
    await runCommand(page, 'Kourier: Sign In with the Browser')
    await opened
    const waiting = notification(page, /Waiting for your approval in the browser, at auth\.localhost/)
    await waiting.getByRole('button', { name: 'Cancel' }).click()
    await notification(page, 'The sign-in was cancelled; no key was kept.').waitFor()
    await statusBarItem(page, /sign in/).waitFor()
  })

  test('is not offered any more where the service does not offer it', async ({ service, windows }) => {
    Object.assign(service.dialect, { browserSignIn: 'absent' })
    const page = await windows.open({ isSpent: true }) // it remembers what this service offers
    const chat = await openChat(page)
    await chat.getByRole('button', { name: 'Sign in with the browser', exact: true }).click()
    const alert = chat.getByRole('alert').filter({ hasText: 'does not offer this way to sign in' })
    await alert.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await chat.getByRole('button', { name: 'Sign in with the browser', exact: true }).waitFor({ state: 'detached' })
  })
})

test.describe('signing in with the browser as a client that registers itself', () => {
  test.use({ serviceOptions: { dialect: { clientRegistration: 'open', redirectPort: 'registered' } } })

  test('registers for the port that listens and gets a key', async ({ service, windows }) => {
    const page = await windows.open()
    const chat = await openChat(page)
    await inBrowser(chat, 'Allow')
    await notification(page, 'Signed in to Kourier (local).').waitFor()
    assert.equal(liveKeys(service).length, 1)
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

test.describe('a code that waits for its approval', () => {
  test('is polled for no more after a reload, which is said, and goes on with one click and the same email', async ({
    service,
    windows,
  }) => {
    const page = await windows.open({ isNew: true }) // a chat that is shown would show it in the place of the notification
    await askForCode(page)
    const mark = service.log.calls.length
    await reloadWindow(page)
    const notice = notification(
      page,
      new RegExp(`The sign-in to Kourier \\(local\\) as ${email} ended with the window`),
    )
    await notice.waitFor()
    assert.ok(
      service.log.calls.slice(mark).every(({ path }) => path === '/oauth2/token'),
      'a window that starts asks nobody',
    )
    await notice.getByRole('button', { name: 'Sign In Again' }).click()
    await shownCode(page)
    assert.equal(service.state.registrations.all.at(-1)?.email, email)
    assert.equal(await dialog(page).isVisible(), false)
    approve(service)
    await notification(page, `Signed in to Kourier (local) as ${email}.`).waitFor()
    assert.equal(liveKeys(service).length, 1)
  })

  test('[R34] that ran out while the editor slept is asked for once, is said to have expired, and gives way to a new one', async ({
    service,
    editor,
    windows,
    serviceHarness,
  }) => {
    using _ = shortCodes(service, 5_000)
    const page = await windows.open()
    serviceHarness.clearLog()
    await register(page)
    await service.log.until(({ path, status }) => path === '/oauth2/token' && status !== undefined)
    const { asleep, awake } = await whileAsleep(editor, async () => {
      const asleep = service.log.calls.length
      const endsAt = service.state.registrations.all.at(-1)?.attempt.expiresAt ?? 0
      await page.waitForTimeout(endsAt - service.clock.now() + 1_000) // the header that dates an answer has whole seconds
      return { asleep, awake: service.log.calls.length }
    })
    assert.ok(awake - asleep <= 1, 'what slept said no more than it had begun')
    const expired = notification(page, /the code has expired/)
    const renew = expired.getByRole('link', { name: 'Get a New Code' })
    await renew.waitFor()
    const since = service.log.calls.slice(awake).map(({ path }) => path)
    assert.ok(since.length <= 1 && since.every(path => path === '/oauth2/token'), since.join())
    await renew.click()
    await shownCode(page)
    approve(service)
    await notification(page, `Signed in to Kourier (local) as ${email}.`).waitFor()
    assert.equal(liveKeys(service).length, 1)
  })

  test('offers the email of the last sign-in as the first of the list', async ({ service, windows }) => {
    const page = await windows.open()
    await askForCode(page)
    approve(service)
    await notification(page, /Signed in to/).waitFor()
    await runCommand(page, 'Kourier: Sign Out')
    await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    await notification(page, /the key was revoked/).waitFor()
    await runCommand(page, 'Kourier: Sign In')
    await quickInputBox(page).waitFor()
    await quickInput(page).getByText('used last').waitFor()
    assert.match(await page.getByRole('option').first().innerText(), new RegExp(email))
  })

  test('has a QR code that is seen in a light, a dark and a high-contrast theme', async ({ windows }) => {
    mkdirSync('build/e2e', { recursive: true })
    const page = await windows.open()
    await askForCode(page)
    const chat = await openChat(page)
    for (const theme of ['Light 2026', 'Dark 2026', 'Dark High Contrast', 'Light High Contrast']) {
      await setTheme(page, theme)
      const drawn = chat.getByRole('img', { name: /^QR code for auth\.localhost/ })
      await drawn.waitFor()
      const colours = await drawn
        .locator('rect, path')
        .evaluateAll(parts => parts.map(part => part.getAttribute('fill')))
      assert.deepEqual(colours, ['#fff', '#000'])
      await page.screenshot({ path: `build/e2e/qr-${theme.replace(/\W+/g, '-')}.png` })
    }
  })
})
