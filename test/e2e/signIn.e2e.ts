// A person signs in, or tries to, and signs out again.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readSecrets, secretName } from '../editor/secrets.ts'
import {
  answer,
  chatFrame,
  dialog,
  hasCommand,
  notification,
  openChat,
  quickInput,
  quickInputBox,
  reloadWindow,
  runCommand,
  statusBarItem,
  writeMessage,
} from '../editor/workbench.ts'
import { email, World } from './world.ts'

const callsTo = (world: World, path: string) => world.service.log.calls.filter(call => call.path === path)
const stored = secretName('kourier.kourier', 'kourier.credential')
const attempted = secretName('kourier.kourier', 'kourier.lastSignIn')

describe('signing in', () => {
  const world = new World()

  it('(a) goes from the palette over the consent and the claim page to "Signed in"', async () => {
    world.service.state.accounts.of(email).plan = 'free'
    const page = await world.window()
    await world.logEverything(page)
    await runCommand(page, 'Kourier: Sign In')
    await world.giveEmail(page)
    assert.match(
      await dialog(page).innerText(),
      /ada@example\.com[\s\S]*auth\.localhost[\s\S]*plan until you revoke it/,
    )
    assert.equal(callsTo(world, '/agent/identity').length, 0, 'nothing carries the email before the consent')
    await dialog(page).getByRole('button', { name: 'Continue' }).click()

    const code = await world.shownCode(page)
    await statusBarItem(page, new RegExp(`${code}.*Enter this code`)).waitFor()
    await runCommand(page, 'Kourier: Open Chat')
    const chat = chatFrame(page)
    const card = chat.getByRole('group', { name: 'Sign-in code' })
    const drawn = await card.innerText()
    assert.ok(drawn.includes(code) && drawn.includes('auth.localhost'), drawn)

    const claim = await world.claimPage(page)
    const tag = /\(([a-z]{4})\)/.exec(await claim.getByText(/Kourier on /).innerText())?.[1]
    assert.ok(tag && drawn.includes(tag), 'page and editor show the same tag')
    await claim.getByRole('button', { name: 'Choose Pro' }).click()
    await claim.getByRole('textbox', { name: 'Code' }).fill(code)
    await claim.getByRole('button', { name: 'Approve' }).click()

    await notification(page, `Signed in to Kourier (local) as ${email}.`).waitFor()
    await chat.getByRole('textbox', { name: 'Message' }).waitFor()
    await statusBarItem(page, /Signed in to Kourier \(local\)/).waitFor()
    await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
    const credential = JSON.parse((await readSecrets(world.context, world.editor.url))[stored] ?? '{}')
    assert.match(credential.key, /^sk-bf-/)
    assert.deepEqual(
      [credential.resource, credential.issuer, credential.email],
      [world.service.baseUrl, world.service.authUrl, email],
    )
    assert.equal(callsTo(world, '/agent/identity').length, 1)
  })

  it('(b) says that the request was denied', async () => {
    const page = await world.window()
    await world.askForCode(page)
    const claim = await world.claimPage(page)
    await claim.getByRole('button', { name: 'Deny' }).click()
    const said = notification(page, /The sign-in was denied/)
    await said.getByRole('button', { name: 'Sign In' }).waitFor()
    await statusBarItem(page, /sign in/).waitFor()
    const chat = await openChat(page)
    await chat.getByRole('heading', { name: /^Sign in to / }).waitFor()
    assert.match(await chat.getByRole('alert').innerText(), /The sign-in was denied/)
  })

  it('(c) ends with the Cancel button: one sentence, no more polls, no key', async () => {
    const page = await world.window()
    await world.askForCode(page)
    await notification(page, /enter code/)
      .getByRole('button', { name: 'Cancel' })
      .click()
    await notification(page, /enter code/).waitFor({ state: 'detached' })
    await notification(page, 'The sign-in was cancelled; no key was kept.')
      .getByRole('button', { name: 'Sign In' })
      .waitFor()
    await statusBarItem(page, /sign in/).waitFor()
    const cancelled = callsTo(world, '/oauth2/token').length
    // The polls of a second attempt take as long as those of the first would, had it gone on.
    const mark = world.service.log.calls.length
    await world.askForCode(page)
    const polls = () =>
      callsTo(world, '/oauth2/token')
        .slice(cancelled)
        .map(({ body }) => (body as { claim_token?: string } | undefined)?.claim_token)
    await world.service.log.until(() => polls().filter(token => token).length >= 2)
    assert.equal(new Set(polls().filter(token => token)).size, 1, 'only the second attempt polls')
    assert.equal(world.service.log.calls.slice(mark).filter(call => call.path === '/agent/identity').length, 1)
    // Of the attempt under way there is the email, for a window that is reloaded in the middle; no key, no claim token.
    assert.deepEqual(Object.keys(await readSecrets(world.context, world.editor.url)), [attempted])
  })

  it('(d) offers a new code when the code has expired, and goes on with it', async () => {
    const page = await world.window()
    const first = await world.askForCode(page)
    world.service.clock.advance(10 * 60_000)
    const expired = notification(page, /the code has expired/)
    await expired.waitFor()
    await statusBarItem(page, /code expired/).waitFor()
    await expired.getByRole('link', { name: 'Get a New Code' }).click()
    const second = await world.shownCode(page)
    assert.notEqual(second, first)
    const claim = await world.claimPage(page)
    await claim.getByRole('textbox', { name: 'Code' }).fill(second)
    await claim.getByRole('button', { name: 'Approve' }).click()
    await notification(page, /Signed in to/).waitFor()
    assert.equal(callsTo(world, '/agent/identity/claim').length, 1)
  })

  it('(h) signs out: the key is gone here and gets 401 at the service', async () => {
    const { page, key } = await world.signedInWindow()
    await statusBarItem(page, /Signed in to/).waitFor()
    const use = () => fetch(`${world.service.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal((await use()).status, 200)
    await runCommand(page, 'Kourier: Sign Out')
    await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    await notification(page, /the key was revoked/).waitFor()
    assert.equal((await use()).status, 401)
    assert.equal((await readSecrets(world.context, world.editor.url))[stored], undefined)
    await statusBarItem(page, /sign in/).waitFor()
    assert.equal(await hasCommand(page, 'Kourier: Sign Out'), false)
  })

  it('(i) says in one sentence that the service is down, and Retry works when it is back', async () => {
    const page = await world.window()
    await world.stopService()
    await runCommand(page, 'Kourier: Sign In')
    const said = notification(page, /^127\.0\.0\.1:\d+ cannot be reached\. Check the network, then try again\.$/)
    await said.waitFor()
    const chat = await openChat(page)
    assert.match(await chat.getByRole('alert').innerText(), /cannot be reached/)
    await world.startServiceAgain()
    await chat.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
    await quickInputBox(page).waitFor()
    assert.match(await quickInput(page).innerText(), /Sign in to Kourier \(local\): your email/)
  })

  it('(j) is still signed in after the window was reloaded, without a request, and keeps the draft', async () => {
    const page = await world.window()
    await world.askForCode(page)
    world.approve()
    await statusBarItem(page, /Signed in to/).waitFor()
    await world.service.log.until(({ path }) => path === '/v1/models')
    await writeMessage(await openChat(page), 'half a thought')
    const isKept = async (part: string) =>
      JSON.stringify(await world.context.storageState({ indexedDB: true })).includes(part)
    while (!(await isKept('a thought'))) await page.waitForTimeout(100)
    // A chat that is looked at asks for the models, and the editor keeps a moment late which view it opens with.
    await runCommand(page, 'View: Show Explorer')
    while (await isKept('"value":"workbench.view.extension.kourier"')) await page.waitForTimeout(100)
    world.clearLog()
    await reloadWindow(page)
    await statusBarItem(page, /Signed in to/).waitFor()
    assert.deepEqual(world.service.log.calls, [])
    assert.equal(await notification(page, /ended with the window/).count(), 0)
    const draft = (await openChat(page)).getByRole('textbox', { name: 'Message' })
    assert.equal(await draft.inputValue(), 'half a thought')
    assert.equal(await hasCommand(page, 'Kourier: Sign In'), false)
  })

  it('[T15] says so when signing out could not revoke the key', async () => {
    const { page } = await world.signedInWindow()
    await statusBarItem(page, /Signed in to/).waitFor()
    world.service.faults.add({ kind: 'status', status: 503, on: '/oauth2/revoke' })
    await runCommand(page, 'Kourier: Sign Out')
    await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    const said = notification(page, /did not confirm that the key was revoked/)
    await said.getByRole('button', { name: 'Open Dashboard' }).waitFor()
    assert.equal((await readSecrets(world.context, world.editor.url))[stored], undefined)
  })
})

describe('the first sign-in', () => {
  const world = new World({ knowsAddress: false })

  it('asks for the address, refuses one that would send the key in clear, and keeps a good one', async () => {
    const page = await world.window()
    await runCommand(page, 'Kourier: Sign In')
    await quickInputBox(page).fill('http://example.com')
    await quickInput(page).getByText('Only https:// addresses are used').waitFor()
    await answer(page, world.service.baseUrl)
    await quickInput(page).getByText('Sign in to Kourier (local): your email').waitFor()
    const calls = world.service.log.calls.map(call => call.path)
    assert.ok(
      calls.every(path => path.startsWith('/.well-known/')),
      calls.join(),
    )
    assert.equal(JSON.parse(readFileSync(world.editor.settingsFile, 'utf8'))['kourier.baseUrl'], world.service.baseUrl)
  })
})
