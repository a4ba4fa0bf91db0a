// Behind a company's proxy: the service speaks https with a certificate of its own authority, and the only way to it is
// a tunnel, with a sign-in or without, by setting or by environment; a workspace cannot send the tunnel elsewhere.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  ask,
  changeSettings,
  dialog,
  message,
  notification,
  openChat,
  runCommand,
  statusBarItem,
} from '../editor/workbench.ts'
import { writeCaFile } from '../localService/caFile.ts'
import type { Service } from '../localService/server.ts'
import { type Canary, startCanary } from '../support/canary.ts'
import { ConnectProxy } from '../support/connectProxy.ts'
import { test as base } from './fixtures.ts'
import { approve, giveEmail, shownCode } from './signInSteps.ts'

/** A name that leads nowhere: without the proxy it cannot be reached. */
const publicName = 'kourier.test'
const signIn = 'ada:open sesame'

const basic = `Basic ${Buffer.from(signIn).toString('base64')}`

async function signInHere(service: Service, page: Page): Promise<void> {
  await runCommand(page, 'Kourier: Sign In')
  // The service names another host for the sign-in, which is sent nothing before the user agrees.
  await dialog(page)
    .filter({ hasText: `auth.${publicName}, which is another host` })
    .getByRole('button', { name: 'Continue' })
    .click()
  await giveEmail(page)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await shownCode(page)
  approve(service)
  await notification(page, /^Signed in to Kourier/).waitFor()
  await statusBarItem(page, /Signed in to/).waitFor()
}

async function askHere(service: Service, page: Page): Promise<void> {
  const chat = await openChat(page)
  await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })
  service.replies.add({ text: 'Through the tunnel.' })
  await ask(chat, 'Can you hear me?')
  await message(chat, 'Kourier').getByText('Through the tunnel.').waitFor()
}

/** What was asked for by name; the editor itself asks for more. */
const ours = ({ tunnels }: ConnectProxy) => tunnels.filter(({ target }) => target.includes(publicName))

function assertBlind(proxy: ConnectProxy): void {
  const targets = new Set(ours(proxy).map(({ target }) => target))
  assert.deepEqual([...targets].sort(), [`auth.${publicName}:443`, `${publicName}:443`])
  const seen = Buffer.concat(ours(proxy).flatMap(({ up, down }) => [...up, ...down])).toString('latin1')
  assert.ok(seen.length > 0)
  assert.doesNotMatch(seen, /sk-bf-|clm_|Bearer|ada@example\.com|Can you hear me/)
}

/** Whatever a test does, the folder that it does it in names another proxy. */
function nameProxy(folder: string, { origin }: Canary): void {
  mkdirSync(join(folder, '.vscode'), { recursive: true })
  const evil = { 'http.proxy': origin, 'http.noProxy': [publicName], 'http.proxyStrictSSL': false }
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(evil))
}

interface Around {
  readonly open: ConnectProxy
  readonly strict: ConnectProxy
  /** Where the workspace would send the tunnel. */
  readonly canary: Canary
}

const controlPort = ({ controlUrl }: Service) => Number(new URL(controlUrl).port)

const test = base.extend<Around>({
  open: async ({ service }, use) => {
    await using proxy = await ConnectProxy.start({ to: controlPort(service) })
    await use(proxy)
  },
  strict: async ({ service }, use) => {
    await using proxy = await ConnectProxy.start({ to: controlPort(service), signIn })
    await use(proxy)
  },
  // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other has an empty pattern.
  canary: async ({}, use) => {
    await using canary = await startCanary()
    await use(canary)
    const contacts = canary.contacts.filter(line => line.includes(publicName))
    assert.deepEqual(contacts, [], 'the workspace is not listened to')
  },
  editorNeeds: async ({ service, open }, use) => {
    const authority = writeCaFile(service.authority ?? '', undefined)
    await use({ env: { NODE_EXTRA_CA_CERTS: authority.path, https_proxy: open.origin } })
    authority.remove()
  },
  editor: async ({ editor, canary }, use) => {
    nameProxy(editor.workspace, canary)
    await use(editor)
  },
})

test.describe('[T05] behind a company’s proxy, in a workspace that names another', () => {
  test.use({ serviceOptions: { https: true, publicName } })

  test('[R10] [T17] that the settings name, and then the environment: stands in the way without its sign-in, which is said; carries ours and the chat, reads nothing of them, and keeps its password; unchecked certificates are said', async ({
    service,
    serviceHarness,
    editor,
    windows,
    open,
    strict,
  }) => {
    const page = await windows.open()
    await changeSettings(page, editor, { 'http.proxy': strict.origin })
    serviceHarness.clearLog()
    await runCommand(page, 'Kourier: Sign In')
    await notification(page, /proxy/i).waitFor()
    assert.ok(strict.tunnels.every(({ isOpen }) => !isOpen))
    assert.deepEqual(service.log.calls, [])

    await changeSettings(page, editor, { 'http.proxyAuthorization': basic })
    await signInHere(service, page)
    await askHere(service, page)
    assertBlind(strict)
    assert.deepEqual([...new Set(strict.credentials.filter(one => one))], [signIn])
    assert.doesNotMatch(JSON.stringify(service.log.calls), /proxy-authorization|open sesame/i)
    assert.deepEqual(ours(open), [])

    await changeSettings(page, editor, { 'http.proxy': '' })
    await askHere(service, page)
    const unchecked = /certificates are not checked/i
    assert.equal(await statusBarItem(page, unchecked).count(), 0)
    await changeSettings(page, editor, { 'http.proxyStrictSSL': false })
    await statusBarItem(page, unchecked).waitFor()
    await changeSettings(page, editor, { 'http.proxyStrictSSL': true })
    await statusBarItem(page, unchecked).waitFor({ state: 'detached' })
    await runCommand(page, 'Kourier: Sign Out')
    await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    await notification(page, /the key was revoked/).waitFor()
    assertBlind(open)
    assert.deepEqual(
      open.credentials.filter(one => one),
      [],
    )
  })
})
