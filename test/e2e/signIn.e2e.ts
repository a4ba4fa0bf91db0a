// The first hour of an account: a person looks around, signs in, reloads the window, and signs out; and a service that is down.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Editor } from '../editor/codeServer.ts'
import { readSecrets } from '../editor/secrets.ts'
import {
  answer,
  dialog,
  ghostText,
  goTo,
  hasCommand,
  logEverything,
  notification,
  openChat,
  openFile,
  quickInput,
  quickInputBox,
  reloadWindow,
  runCommand,
  statusBarItem,
  type,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { test } from './fixtures.ts'
import { email, giveEmail, isSignedIn, liveKeys, openClaimPage, shownCode, storedCredential } from './signInSteps.ts'

const callsTo = (service: Service, path: string) => service.log.calls.filter(call => call.path === path)

test.describe('the first sign-in', () => {
  test.use({ knowsAddress: false })

  test('(a) (h) (j) [T15] goes from the first steps over address, consent and claim page to a key, which lasts until the user signs out', async ({
    service,
    serviceHarness,
    context,
    editor,
    windows,
  }) => {
    service.state.accounts.of(email).plan = 'free'
    // A key of the test before would sign in again with its address.
    const page = await windows.open({ isNew: true })
    serviceHarness.clearLog() // a sign-in in the window that was closed may have asked once more
    await logEverything(page)
    const done = await test.step('nobody is asked, and five steps are shown on request', () => lookAround(page))
    assert.equal(service.log.calls.length, 0, 'an editor without an account asks nobody')

    await runCommand(page, 'Kourier: Sign In')
    await quickInputBox(page).fill('http://example.com')
    await quickInput(page).getByText('Use an https:// address').waitFor()
    await answer(page, service.baseUrl)
    await quickInput(page).getByText('Sign in to Kourier (local): your email').waitFor()
    assert.equal(JSON.parse(readFileSync(editor.settingsFile, 'utf8'))['kourier.baseUrl'], service.baseUrl)
    await giveEmail(page)
    assert.match(
      await dialog(page).innerText(),
      /ada@example\.com[\s\S]*auth\.localhost[\s\S]*plan until you revoke it/,
    )
    const asked = service.log.calls.map(({ path }) => path)
    assert.ok(asked.length > 0 && asked.every(path => path.startsWith('/.well-known/')), asked.join())
    await dialog(page).getByRole('button', { name: 'Continue' }).click()

    const code = await test.step('a code that has run out gives way to another', () => secondCode(page, service))
    await test.step('the page of the service', () => approveOnPage(page, code))
    await notification(page, `Signed in to Kourier (local) as ${email}.`).waitFor()
    const chat = await openChat(page)
    await chat.getByRole('textbox', { name: 'Message' }).waitFor()
    await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
    await page.locator('.getting-started-step .codicon.complete').nth(done).waitFor()
    const credential = JSON.parse((await readSecrets(context, editor.url))[storedCredential] ?? '{}')
    assert.deepEqual(
      [credential.resource, credential.issuer, credential.email],
      [service.baseUrl, service.authUrl, email],
    )
    assert.equal(callsTo(service, '/agent/identity').length, 1)

    await test.step('a reload makes no request', async () => {
      await hideChatForGood(page, editor)
      serviceHarness.clearLog()
      await reloadWindow(page)
      await isSignedIn(page)
      assert.deepEqual(service.log.calls, [])
      assert.equal(await hasCommand(page, 'Kourier: Sign In'), false)
    })

    await test.step('signing out revokes the key, at the second attempt', async () => {
      service.faults.add({ kind: 'status', status: 503, on: '/oauth2/revoke' })
      await runCommand(page, 'Kourier: Sign Out')
      await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
      const unconfirmed = notification(page, /did not confirm that the key was revoked/)
      await unconfirmed.getByRole('button', { name: 'Open Dashboard' }).waitFor()
      assert.equal((await readSecrets(context, editor.url))[storedCredential], undefined)
      await unconfirmed.getByRole('button', { name: 'Try Again' }).click()
      await notification(page, 'Kourier (local) has revoked the key.').waitFor()
      assert.deepEqual(liveKeys(service), [])
      assert.equal(await hasCommand(page, 'Kourier: Sign Out'), false)
    })
  })
})

/** A user who has just installed the extension types, and looks at what it can do. Returns how many steps are done. */
async function lookAround(page: Page): Promise<number> {
  await statusBarItem(page, /You are signed out/).waitFor()
  assert.equal(await page.locator('.tabs-container .tab').count(), 0, 'nothing opens by itself')
  await openFile(page, 'reports/delays.py')
  await goTo(page, 10_000)
  await type(page, '\n\ndef ')
  // The editor asks once more, at once, and the answer has come before the next command can be chosen.
  await runCommand(page, 'Trigger Inline Suggestion')
  await runCommand(page, 'File: Save')
  assert.equal(await ghostText(page), '')
  await runCommand(page, 'Kourier: Show Menu')
  await page.getByRole('option', { name: 'Get Started' }).click()
  const steps = page.locator('.getting-started-step')
  await steps.nth(4).waitFor()
  assert.equal(await steps.count(), 5)
  return page.locator('.getting-started-step .codicon.complete').count()
}

async function secondCode(page: Page, service: Service): Promise<string> {
  const first = await shownCode(page)
  await statusBarItem(page, new RegExp(`${first}.*Enter this code`)).waitFor()
  service.clock.advance(10 * 60_000)
  const expired = notification(page, /the code has expired/)
  await expired.waitFor()
  await statusBarItem(page, /code expired/).waitFor()
  await expired.getByRole('link', { name: 'Get a New Code' }).click()
  const second = await shownCode(page)
  assert.notEqual(second, first)
  return second
}

/** The page and the editor show the same tag; a free plan is changed on the way. */
async function approveOnPage(page: Page, code: string): Promise<void> {
  const claim = await openClaimPage(page)
  const tag = /\(([a-z]{4})\)/.exec(await claim.getByText(/Kourier on /).innerText())?.[1]
  const card = (await openChat(page)).getByRole('group', { name: 'Sign-in code' })
  const drawn = await card.innerText()
  for (const part of [code, 'auth.localhost', tag ?? 'no tag']) assert.ok(drawn.includes(part), `${part} in ${drawn}`)
  await claim.bringToFront()
  await claim.getByRole('button', { name: 'Choose Pro' }).click()
  await claim.getByRole('textbox', { name: 'Code' }).fill(code)
  await claim.getByRole('button', { name: 'Approve' }).click()
  await page.bringToFront()
}

/** A chat that is looked at asks for the models, and the editor stores a moment late which view it opens with. */
async function hideChatForGood(page: Page, { url }: Editor): Promise<void> {
  await runCommand(page, 'View: Show Explorer')
  const isKept = async () => {
    const { origins } = await page.context().storageState({ indexedDB: true })
    // Windows of other editors, which tests before had for themselves, keep their state in the same browser.
    const own = origins.filter(({ origin }) => origin === new URL(url).origin)
    return JSON.stringify(own).includes('"value":"workbench.view.extension.kourier"')
  }
  await test.expect.poll(isKept).toBe(false)
}

test('(i) a service that is down is said in one sentence, and Retry works when it is back', async ({
  windows,
  serviceHarness,
}) => {
  const page = await windows.open()
  await serviceHarness.stop()
  await runCommand(page, 'Kourier: Sign In')
  const notice = notification(page, /^127\.0\.0\.1:\d+ cannot be reached\. Check the network, then try again\.$/)
  await notice.waitFor()
  const chat = await openChat(page)
  assert.match(await chat.getByRole('alert').innerText(), /cannot be reached/)
  await serviceHarness.startAgain()
  await chat.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
  await quickInputBox(page).waitFor()
  assert.match(await quickInput(page).innerText(), /Sign in to Kourier \(local\): your email/)
})
