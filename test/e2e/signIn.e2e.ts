// A person signs in, or tries to, and signs out again.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readSecrets } from '../editor/secrets.ts'
import {
  answer,
  chatFrame,
  dialog,
  hasCommand,
  logEverything,
  notification,
  openChat,
  quickInput,
  quickInputBox,
  reloadWindow,
  runCommand,
  statusBarItem,
  writeMessage,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { test } from './fixtures.ts'
import {
  approve,
  askForCode,
  email,
  giveEmail,
  openClaimPage,
  shownCode,
  storedAttempt,
  storedCredential,
} from './signInSteps.ts'

const callsTo = (service: Service, path: string) => service.log.calls.filter(call => call.path === path)
test.describe('signing in', () => {
  test('(a) goes from the palette over the consent and the claim page to "Signed in"', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    service.state.accounts.of(email).plan = 'free'
    const page = await windows.open()
    await logEverything(page)
    await runCommand(page, 'Kourier: Sign In')
    await giveEmail(page)
    assert.match(
      await dialog(page).innerText(),
      /ada@example\.com[\s\S]*auth\.localhost[\s\S]*plan until you revoke it/,
    )
    assert.equal(callsTo(service, '/agent/identity').length, 0, 'nothing carries the email before the consent')
    await dialog(page).getByRole('button', { name: 'Continue' }).click()

    const code = await shownCode(page)
    await statusBarItem(page, new RegExp(`${code}.*Enter this code`)).waitFor()
    await runCommand(page, 'Kourier: Open Chat')
    const chat = chatFrame(page)
    const card = chat.getByRole('group', { name: 'Sign-in code' })
    const drawn = await card.innerText()
    assert.ok(drawn.includes(code) && drawn.includes('auth.localhost'), drawn)

    const claim = await openClaimPage(page)
    const tag = /\(([a-z]{4})\)/.exec(await claim.getByText(/Kourier on /).innerText())?.[1]
    assert.ok(tag && drawn.includes(tag), 'page and editor show the same tag')
    await claim.getByRole('button', { name: 'Choose Pro' }).click()
    await claim.getByRole('textbox', { name: 'Code' }).fill(code)
    await claim.getByRole('button', { name: 'Approve' }).click()

    await notification(page, `Signed in to Kourier (local) as ${email}.`).waitFor()
    await chat.getByRole('textbox', { name: 'Message' }).waitFor()
    await statusBarItem(page, /Signed in to Kourier \(local\)/).waitFor()
    await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
    const credential = JSON.parse((await readSecrets(context, editor.url))[storedCredential] ?? '{}')
    assert.match(credential.key, /^sk-bf-/)
    assert.deepEqual(
      [credential.resource, credential.issuer, credential.email],
      [service.baseUrl, service.authUrl, email],
    )
    assert.equal(callsTo(service, '/agent/identity').length, 1)
  })

  test('(b) says that the request was denied', async ({ windows }) => {
    const page = await windows.open()
    await askForCode(page)
    const claim = await openClaimPage(page)
    await claim.getByRole('button', { name: 'Deny' }).click()
    const notice = notification(page, /The sign-in was denied/)
    await notice.getByRole('button', { name: 'Sign In' }).waitFor()
    await statusBarItem(page, /sign in/).waitFor()
    const chat = await openChat(page)
    await chat.getByRole('heading', { name: /^Sign in to / }).waitFor()
    assert.match(await chat.getByRole('alert').innerText(), /The sign-in was denied/)
  })

  test('(c) ends with the Cancel button: one sentence, no more polls, no key', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    const page = await windows.open()
    await askForCode(page)
    await notification(page, /enter code/)
      .getByRole('button', { name: 'Cancel' })
      .click()
    await notification(page, /enter code/).waitFor({ state: 'detached' })
    await notification(page, 'The sign-in was cancelled; no key was kept.')
      .getByRole('button', { name: 'Sign In' })
      .waitFor()
    await statusBarItem(page, /sign in/).waitFor()
    const cancelled = callsTo(service, '/oauth2/token').length
    // The polls of a second attempt take as long as those of the first would, had it gone on.
    const mark = service.log.calls.length
    await askForCode(page)
    const polls = () =>
      callsTo(service, '/oauth2/token')
        .slice(cancelled)
        .map(({ body }) => (body as { claim_token?: string } | undefined)?.claim_token)
    await service.log.until(() => polls().filter(token => token).length >= 2)
    assert.equal(new Set(polls().filter(token => token)).size, 1, 'only the second attempt polls')
    assert.equal(service.log.calls.slice(mark).filter(call => call.path === '/agent/identity').length, 1)
    // Of the attempt under way there is the email, for a window that is reloaded in the middle; no key, no claim token.
    assert.deepEqual(Object.keys(await readSecrets(context, editor.url)), [storedAttempt])
  })

  test('(d) offers a new code when the code has expired, and goes on with it', async ({ service, windows }) => {
    const page = await windows.open()
    const first = await askForCode(page)
    service.clock.advance(10 * 60_000)
    const expired = notification(page, /the code has expired/)
    await expired.waitFor()
    await statusBarItem(page, /code expired/).waitFor()
    await expired.getByRole('link', { name: 'Get a New Code' }).click()
    const second = await shownCode(page)
    assert.notEqual(second, first)
    const claim = await openClaimPage(page)
    await claim.getByRole('textbox', { name: 'Code' }).fill(second)
    await claim.getByRole('button', { name: 'Approve' }).click()
    await notification(page, /Signed in to/).waitFor()
    assert.equal(callsTo(service, '/agent/identity/claim').length, 1)
  })

  test('(h) signs out: the key is gone here and gets 401 at the service', async ({
    service,
    context,
    editor,
    windows,
  }) => {
    const { page, key } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    const use = () => fetch(`${service.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal((await use()).status, 200)
    await runCommand(page, 'Kourier: Sign Out')
    await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    await notification(page, /the key was revoked/).waitFor()
    assert.equal((await use()).status, 401)
    assert.equal((await readSecrets(context, editor.url))[storedCredential], undefined)
    await statusBarItem(page, /sign in/).waitFor()
    assert.equal(await hasCommand(page, 'Kourier: Sign Out'), false)
  })

  test('(i) says in one sentence that the service is down, and Retry works when it is back', async ({
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

  test('(j) is still signed in after the window was reloaded, without a request, and keeps the draft', async ({
    service,
    context,
    editor,
    windows,
    serviceHarness,
  }) => {
    const page = await windows.open({ isNew: true })
    await askForCode(page)
    approve(service)
    await statusBarItem(page, /Signed in to/).waitFor()
    await service.log.until(({ path }) => path === '/v1/models')
    await writeMessage(await openChat(page), 'half a thought')
    // Windows of other editors, which tests before had for themselves, keep their state in the same browser.
    const isKept = async (part: string) => {
      const { origins } = await context.storageState({ indexedDB: true })
      return JSON.stringify(origins.filter(({ origin }) => origin === new URL(editor.url).origin)).includes(part)
    }
    while (!(await isKept('a thought'))) await page.waitForTimeout(100)
    // A chat that is looked at asks for the models, and the editor keeps a moment late which view it opens with.
    await runCommand(page, 'View: Show Explorer')
    while (await isKept('"value":"workbench.view.extension.kourier"')) await page.waitForTimeout(100)
    serviceHarness.clearLog()
    await reloadWindow(page)
    await statusBarItem(page, /Signed in to/).waitFor()
    assert.deepEqual(service.log.calls, [])
    assert.equal(await notification(page, /ended with the window/).count(), 0)
    const draft = (await openChat(page)).getByRole('textbox', { name: 'Message' })
    assert.equal(await draft.inputValue(), 'half a thought')
    assert.equal(await hasCommand(page, 'Kourier: Sign In'), false)
  })
})

test.describe('the first sign-in', () => {
  test.use({ knowsAddress: false })

  test('asks for the address, refuses one that would send the key in clear, and keeps a good one', async ({
    service,
    serviceHarness,
    editor,
    windows,
  }) => {
    // A key of the test before would sign in again with its address.
    const page = await windows.open({ isNew: true })
    serviceHarness.clearLog() // a sign-in in the window that was closed may have asked once more
    await runCommand(page, 'Kourier: Sign In')
    await quickInputBox(page).fill('http://example.com')
    await quickInput(page).getByText('Use an https:// address').waitFor()
    await answer(page, service.baseUrl)
    await quickInput(page).getByText('Sign in to Kourier (local): your email').waitFor()
    const calls = service.log.calls.map(call => call.path)
    assert.ok(
      calls.every(path => path.startsWith('/.well-known/')),
      calls.join(),
    )
    assert.equal(JSON.parse(readFileSync(editor.settingsFile, 'utf8'))['kourier.baseUrl'], service.baseUrl)
  })
})
