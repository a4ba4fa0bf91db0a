// Behind a company's proxy: the service speaks https with a certificate of its own authority, and the only way to it is
// a tunnel, with a sign-in or without, by setting or by environment; a workspace cannot send the tunnel elsewhere.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from '@playwright/test'
import { ask, changeSettings, notification, openChat, runCommand, statusBarItem } from '../editor/workbench.ts'
import { type CaFile, writeCaFile } from '../localService/caFile.ts'
import { type Canary, startCanary } from '../support/canary.ts'
import { ConnectProxy } from '../support/connectProxy.ts'
import { message, World } from './world.ts'

/** A name that leads nowhere: whoever does not take the proxy finds nobody. */
const publicName = 'kourier.test'
const signIn = 'ada:open sesame'

const basic = `Basic ${Buffer.from(signIn).toString('base64')}`

async function signInAndAsk(world: World, page: Page): Promise<void> {
  await world.askForCode(page)
  world.approve()
  await notification(page, /^Signed in to Kourier/).waitFor()
  await statusBarItem(page, /Signed in to/).waitFor()
  const chat = await openChat(page)
  world.service.replies.add({ text: 'Through the tunnel.' })
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

/** Whatever the tests do, the folder that they do it in names another proxy. */
function nameProxy(folder: string, { origin }: Canary): void {
  mkdirSync(join(folder, '.vscode'), { recursive: true })
  const evil = { 'http.proxy': origin, 'http.noProxy': [publicName], 'http.proxyStrictSSL': false }
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(evil))
}

describe('[T05] behind a company’s proxy, in a workspace that names another', () => {
  let open: ConnectProxy
  let strict: ConnectProxy
  let authority: CaFile
  let canary: Canary
  const world = new World({
    service: { https: true, publicName },
    around: async service => {
      const to = Number(new URL(service.controlUrl).port)
      open = await ConnectProxy.start({ to })
      strict = await ConnectProxy.start({ to, signIn })
      canary = await startCanary()
      authority = writeCaFile(service.authority ?? '', undefined)
      return { env: { NODE_EXTRA_CA_CERTS: authority.path, https_proxy: open.origin } }
    },
  })
  before(() => nameProxy(world.workspace, canary))
  after(async () => {
    assert.deepEqual(
      canary.contacts.filter(line => line.includes(publicName)),
      [],
      'the workspace is not listened to',
    )
    authority.remove()
    for (const one of [open, strict, canary]) await one[Symbol.asyncDispose]()
  })

  it('[T17] that the environment names: carries sign-in and chat and reads nothing; unchecked certificates are said', async () => {
    const page = await world.window()
    await signInAndAsk(world, page)
    assertBlind(open)
    assert.deepEqual(
      open.credentials.filter(one => one),
      [],
    )
    const unchecked = /certificates are not checked/i
    assert.equal(await statusBarItem(page, unchecked).count(), 0)
    await changeSettings(page, world.editor, { 'http.proxyStrictSSL': false })
    await statusBarItem(page, unchecked).waitFor()
    await changeSettings(page, world.editor, { 'http.proxyStrictSSL': true })
    await statusBarItem(page, unchecked).waitFor({ state: 'detached' })
  })

  it('[R10] that the settings name without its sign-in: is named as what stands in the way', async () => {
    const page = await world.window()
    await changeSettings(page, world.editor, { 'http.proxy': strict.origin })
    world.clearLog()
    await runCommand(page, 'Kourier: Sign In')
    await notification(page, /proxy/i).waitFor()
    assert.ok(strict.tunnels.every(({ isOpen }) => !isOpen))
    assert.deepEqual(world.service.log.calls, [])
  })

  it('[T17] that wants a sign-in: carries ours and the chat, reads nothing of them, and its password stays with it', async () => {
    const page = await world.window()
    await changeSettings(page, world.editor, { 'http.proxyAuthorization': basic })
    await signInAndAsk(world, page)
    assertBlind(strict)
    assert.deepEqual([...new Set(strict.credentials.filter(one => one))], [signIn])
    assert.doesNotMatch(JSON.stringify(world.service.log.calls), /proxy-authorization|open sesame/i)
  })
})
