// The account in everyday life: a first look, a refused key, a plan without API access, a key that is lost.
import assert from 'node:assert/strict'
import { readSecrets } from '../editor/secrets.ts'
import {
  ask,
  dialog,
  goTo,
  message,
  notification,
  openChat,
  openFile,
  reloadWindow,
  runCommand,
  statusBarItem,
  type,
} from '../editor/workbench.ts'
import { test } from './fixtures.ts'
import { approve, askForCode, email, isSignedIn, liveKeys, storedCredential } from './signInSteps.ts'

/** Run in the page: a browser whose storage is full; the editor goes on without a word. */
function fullStorage(): void {
  const store = globalThis as unknown as { Storage: { prototype: { setItem(name: string, value: string): void } } }
  const { setItem } = store.Storage.prototype
  store.Storage.prototype.setItem = function (name, value) {
    if (name === 'secrets.provider') throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    setItem.call(this, name, value)
  }
}

test.describe('the account', () => {
  test('begins with five steps, which nobody is shown unasked and which know when they are done', async ({
    service,
    windows,
  }) => {
    const page = await windows.open({ isNew: true })
    await statusBarItem(page, /You are signed out/).waitFor()
    assert.deepEqual(service.log.calls, [], 'an editor that only starts asks nobody')
    assert.equal(await page.locator('.tabs-container .tab').count(), 0, 'nothing opens by itself')
    await runCommand(page, 'Kourier: Show Menu')
    await page.getByRole('option', { name: 'Get Started' }).click()
    const steps = page.locator('.getting-started-step')
    await steps.nth(4).waitFor()
    assert.equal(await steps.count(), 5)
    const done = page.locator('.getting-started-step .codicon.complete')
    const before = await done.count()
    await askForCode(page)
    approve(service)
    await notification(page, /^Signed in to/).waitFor()
    await done.nth(before).waitFor()
  })

  test('says once that the key is refused while nobody looks at the chat, and asks no more with it', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    const { page, key } = await windows.openSignedIn()
    await isSignedIn(page)
    for (const one of service.state.keys.all) service.state.keys.revoke(one, Date.now())
    await openFile(page, 'reports/delays.py')
    await goTo(page, 10_000)
    await type(page, '\n\ndef mean')
    const notice = notification(page, /no longer accepts the key\. Sign in again\.$/)
    await notice.getByRole('button', { name: 'Sign In' }).waitFor()
    const refused = () => service.log.calls.filter(({ status }) => status === 401).length
    const asked = refused()
    await type(page, '_delay(deliveries):\n    return ')
    await statusBarItem(page, /no longer accepted/).waitFor()
    assert.equal(refused(), asked, 'no request goes out with a refused key')
    const messages = page.locator('.notification-list-item-message', { hasText: 'no longer accepts the key' })
    assert.equal(await messages.count(), 1)
    const credential = JSON.parse((await readSecrets(context, editor.url))[storedCredential] ?? '{}')
    assert.equal(credential.key, key, 'the key stays until the user decides')
  })

  test('shows the service’s own words and the way to the dashboard where the plan has no API access', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    service.state.accounts.of(email).plan = 'free'
    const { page } = await windows.openSignedIn({ isSpent: true }) // no list is known in it
    await isSignedIn(page)
    const chat = await openChat(page)
    await ask(chat, 'May I?')
    const alert = chat.getByRole('alert')
    await alert.getByText('The Free plan has no API access').waitFor()
    await alert.getByRole('button', { name: 'Open Dashboard' }).waitFor()
    await message(chat, 'You').getByText('May I?').waitFor()
    await isSignedIn(page)
    assert.ok((await readSecrets(context, editor.url))[storedCredential], 'a 403 takes no key away')
  })

  test('[T15] signs out, says when the service did not confirm the revocation, and asks it once more', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    const { page } = await windows.openSignedIn()
    await isSignedIn(page)
    service.faults.add({ kind: 'status', status: 503, on: '/oauth2/revoke' })
    await runCommand(page, 'Kourier: Sign Out')
    await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    const unconfirmed = notification(page, /did not confirm that the key was revoked/)
    await unconfirmed.getByRole('button', { name: 'Open Dashboard' }).waitFor()
    assert.equal((await readSecrets(context, editor.url))[storedCredential], undefined)
    await unconfirmed.getByRole('button', { name: 'Try Again' }).click()
    await notification(page, 'Kourier (local) has revoked the key.').waitFor()
    assert.deepEqual(liveKeys(service), [])
  })

  test('[R41] a secret storage that holds rubbish or loses a key is said, and takes the next key', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    const { page } = await windows.openSignedIn()
    await isSignedIn(page)
    await page.evaluate("localStorage.setItem('secrets.provider', 'rubbish')")
    await reloadWindow(page)
    await statusBarItem(page, /You are signed out/).waitFor()
    await askForCode(page)
    approve(service)
    await isSignedIn(page)
    assert.match((await readSecrets(context, editor.url))[storedCredential] ?? '', /"key":"sk-bf-/)
    await runCommand(page, 'Kourier: Sign Out')
    await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    await notification(page, /the key was revoked/).waitFor()
    await page.evaluate(fullStorage)
    await askForCode(page)
    approve(service)
    await isSignedIn(page)
    await reloadWindow(page)
    await statusBarItem(page, /You are signed out/).waitFor()
    const chat = await openChat(page)
    await chat.getByRole('alert').getByText('its secret storage holds no key now. Sign in again.').waitFor()
  })
})
