// What a person meets in a sign-in where the editor does not do its part: settings that cannot be written, a keyring that hangs.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Memento, SecretStorage } from 'vscode'
import { systemClock } from '../../../src/base/clock.ts'
import { Account } from '../../../src/core/account/account.ts'
import { environmentCredential } from '../../../src/core/account/environmentKey.ts'
import { SecretCredentialStore } from '../../../src/core/account/secretCredentialStore.ts'
import { SharedCredentialStore } from '../../../src/core/account/sharedCredentialStore.ts'
import { SignIn } from '../../../src/core/account/signIn.ts'
import { SignInMemory } from '../../../src/core/account/signInMemory.ts'
import type { SignInState } from '../../../src/core/account/signInState.ts'
import { Log } from '../../../src/core/log/log.ts'
import { AttemptFiles } from '../../../src/node/account/attemptFiles.ts'
import { FileHeartbeat } from '../../../src/node/account/fileHeartbeat.ts'
import { SignInFile } from '../../../src/node/account/signInFile.ts'
import { thisMachine } from '../../../src/node/account/thisMachine.ts'
import { UndiciHttp } from '../../../src/node/http/undiciHttp.ts'
import { systemProcesses } from '../../../src/node/systemProcesses.ts'
import type { StoredCredential } from '../../../src/protocol/stored.ts'
import { type Service, startService } from '../../localService/server.ts'
import { made, madeOf } from '../../support/credential.ts'
import { whileTimePasses } from '../../support/diskPace.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { direct } from '../../support/wire.ts'

const {
  panelAccount,
  editorSignInUi,
  SignInView: View,
  EditorSettings,
} = await withFakeVscode(async () => ({
  ...(await import('../../../src/editor/account/editorSignInUi.ts')),
  ...(await import('../../../src/editor/account/panelAccount.ts')),
  ...(await import('../../../src/editor/account/signInView.ts')),
  ...(await import('../../../src/editor/ui/editorSettings.ts')),
}))

const credential: StoredCredential = {
  version: 1,
  key: 'sk-bf-0123456789abc',
  resource: 'https://api.example.com',
  service: 'Example',
  origin: 'pasted',
}
const cancelled = 'The sign-in was cancelled; no key was kept.'
const root = mkdtempSync(join(tmpdir(), 'kourier-view-'))
let windows = 0

describe('a sign-in', () => {
  let service: Service
  const undici = new UndiciHttp(() => direct, systemClock)

  before(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
  })
  after(async () => {
    undici.dispose()
    await service.close()
    rmSync(root, { recursive: true })
  })

  /** A window whose clock does not advance: what waits for it waits for good. */
  function open(broken: Partial<SecretStorage> = {}, environmentKey?: string, reloaded?: Reloaded) {
    fakeEditor.reset()
    fakeEditor.picked = 'Type another'
    fakeEditor.settings.set('kourier.baseUrl', service.baseUrl)
    fakeEditor.typed = { 'Address of': service.baseUrl, 'Sign in to': 'ada@example.com' }
    const folder = reloaded?.folder ?? join(root, String(windows++))
    const clock = new FakeClock()
    const log = new Log()
    const secrets = reloaded?.secrets ?? ({ ...keyring(), ...broken } as SecretStorage)
    const settings = new EditorSettings()
    const notes = new SignInFile(folder, clock, log)
    const store = new SharedCredentialStore(new SecretCredentialStore(secrets, clock, log), notes)
    const http = undici.send
    const environment = () => environmentCredential(environmentKey, settings.service, log.redactor)
    const account = new Account(http, store, () => settings.service?.origin, log, environment, clock)
    const attempts = join(folder, 'signIns')
    const heartbeat = new FileHeartbeat(attempts, clock)
    const state = reloaded?.state ?? new FakeMemento()
    const write = (work: () => Promise<void>) => account.writeIfSafe(work)
    const memory = new SignInMemory(
      secrets,
      state,
      write,
      clock,
      heartbeat,
      new AttemptFiles(attempts, clock),
      systemProcesses,
    )
    const knownServers = { has: () => false, add: assert.fail }
    const ui = editorSignInUi({ account, machine: thisMachine, serviceName: () => 'Kourier (local)' })
    const options = {
      http,
      account,
      settings,
      memory,
      machine: thisMachine,
      ui,
      knownServers,
      isBrowserHere: true,
      clock,
      log,
    }
    const signIn = new SignIn(options)
    const redact = (text: string) => log.redactor.redact(text)
    const chat = { isVisible: false }
    new View({ signIn, account, clock, redact, openDashboard() {}, isChatVisible: () => chat.isVisible })
    const page = () => panelAccount({ account, signIn, clock, redact })
    return { view: signIn, page, chat, account, memory, state, clock, folder, secrets }
  }

  it('whose address cannot be kept in the settings says so, and leads to them', async () => {
    const { view, page, account } = open()
    await account.restore()
    fakeEditor.settings.clear()
    fakeEditor.onWrite = () => {
      throw new Error('Unable to write into user settings because the file has unsaved changes.')
    }
    await view.signIn()
    await settled()
    const text = 'Kourier could not write into your settings. Save or fix settings.json, then try again.'
    assert.deepEqual(fakeEditor.messages, [{ text, buttons: ['Open Settings'] }])
    const drawn = page()
    assert.ok(drawn.is === 'out')
    assert.deepEqual(drawn.notice, { text, action: { id: 'open-settings', label: 'Open Settings' } })
    view.dispose()
  })

  it('whose end stands in the chat in front is not told a second time', async () => {
    const { view, page, chat, account } = open()
    await account.restore()
    chat.isVisible = true
    service.faults.add({ kind: 'status', status: 503, on: '/agent/identity' })
    await view.signIn()
    await settled()
    const drawn = page()
    assert.match('notice' in drawn ? (drawn.notice?.text ?? '') : '', /has trouble/)
    assert.ok(!fakeEditor.messages.some(({ text }) => /has trouble/.test(text)))
    view.dispose()
  })

  for (const isVisible of [false, true])
    it(`that looks for the service says so in one place, ${isVisible ? 'the chat in front' : 'a notification'}`, async () => {
      const { view, page, chat, account, clock } = open()
      await account.restore()
      chat.isVisible = isVisible
      service.faults.add({ kind: 'silence', on: '/.well-known/oauth-protected-resource' })
      const searching = next(view, ({ is }) => is === 'finding the service')
      const ended = view.signIn()
      await searching
      await clock.advance(1_000)
      const text = `Looking for the service at ${new URL(service.baseUrl).host}`
      const drawn = page()
      assert.equal('text' in drawn && drawn.text, text)
      assert.deepEqual(fakeEditor.progressTexts, isVisible ? [] : [text])
      view.cancel()
      await ended
      service.faults.clear()
      view.dispose()
    })

  it('at another address, which cannot be reached, is tried again at that one and not at the one in the settings', async () => {
    const { view, page, account } = open()
    await account.restore()
    const retry = () => {
      const drawn = page()
      return 'notice' in drawn ? drawn.notice?.action : undefined
    }
    fakeEditor.typed = { ...fakeEditor.typed, 'Address of': 'http://127.0.0.1:9' }
    await view.signIn({ asksAddress: true })
    assert.deepEqual(retry(), { id: 'change-address', label: 'Retry' })
    fakeEditor.typed = { ...fakeEditor.typed, 'Address of': service.baseUrl }
    service.faults.add({ kind: 'status', status: 503, on: '/agent/identity' })
    await view.signIn({ asksAddress: true })
    assert.deepEqual(retry(), { id: 'sign-in', label: 'Retry' }, 'the settings hold it now')
    view.dispose()
  })

  const ways = [
    { identityTypes: 'service_auth', next: 'sign in with a code', button: 'Sign In' },
    { identityTypes: 'none', next: 'use an API key', button: 'Use an API Key' },
  ] as const
  for (const { identityTypes, next: way, button } of ways) {
    it(`with a browser that does not lead back says that it may be on another machine, and to ${way} instead`, async () => {
      await using other = await startService({ dialect: { identityTypes } })
      const { view, clock } = open()
      fakeEditor.settings.set('kourier.baseUrl', other.baseUrl)
      fakeEditor.settings.set('kourier.clientId', 'kourier-vscode')
      const { promise: opened, resolve } = Promise.withResolvers<void>()
      fakeEditor.onOpenExternal = () => resolve()
      const ended = view.signInWithBrowser()
      await opened
      await clock.advance(5 * 60_000)
      await ended
      await settled()
      const text = `The browser did not lead back to this editor in time. Where it runs on another machine it cannot: ${way} instead.`
      assert.deepEqual(fakeEditor.messages, [{ text, buttons: [button] }])
      view.dispose()
    })
  }

  for (const [clientId, button] of Object.entries({ '': 'Use an API Key', known: 'Sign In with the Browser' })) {
    it(`that the service does not offer says so by its name before anybody is asked, and leads on: ${button}`, async () => {
      await using other = await startService({ dialect: { identityTypes: 'none' } })
      const { view } = open()
      fakeEditor.settings.set('kourier.baseUrl', other.baseUrl)
      fakeEditor.settings.set('kourier.clientId', clientId)
      await view.signIn()
      await settled()
      const text = 'Kourier (local) does not offer this way to sign in. Take another one.'
      assert.deepEqual(fakeEditor.messages, [{ text, buttons: [button] }])
      view.dispose()
    })
  }

  /** Up to the code, and no further. */
  async function signInAndCancel({ view, clock }: ReturnType<typeof open>): Promise<void> {
    const shown = next(view, ({ is }) => is === 'code')
    const ended = view.signIn()
    await whileTimePasses(shown, clock)
    view.cancel()
    await whileTimePasses(ended, clock)
  }

  it('that is cancelled after a refusal says so in the page too, until the key of another window is refused', async () => {
    const window = open()
    const { view, account, clock, page } = window
    await account.accept(made({ ...credential, resource: service.baseUrl }))
    await account.onUnauthorized(made(credential))
    const refusal = page()
    assert.ok(refusal.is === 'refused')
    await signInAndCancel(window)
    const ended = { text: cancelled, action: { id: 'sign-in', label: 'Sign In' } }
    assert.deepEqual(page(), { ...refusal, notice: ended })
    await whileTimePasses(
      account.accept(made({ ...credential, key: 'sk-bf-of-another', resource: service.baseUrl })),
      clock,
    )
    await account.onUnauthorized(madeOf('sk-bf-of-another'))
    assert.deepEqual(page(), refusal)
    view.dispose()
  })

  it('that is cancelled beside a key of the environment says so in the page too, until that key is used', async () => {
    const window = open({}, 'sk-bf-of-the-environment')
    const { view, account, page } = window
    await account.restore()
    const before = page()
    assert.ok(before.is === 'in')
    await signInAndCancel(window)
    const ended = { text: cancelled, action: { id: 'sign-in', label: 'Sign In' } }
    assert.deepEqual(page(), { ...before, notice: ended })
    view.dropNotice()
    assert.deepEqual(page(), before)
    view.dispose()
  })

  it('[R36] that ended when another folder was opened goes on there by one click', async () => {
    const first = open()
    const shown = next(first.view, ({ is }) => is === 'code')
    void first.view.signIn()
    await whileTimePasses(shown, first.clock)
    await first.view.end()
    first.memory.dispose()
    const { account, view, clock } = open({}, undefined, { ...first, state: new FakeMemento() })
    await account.restore()
    await whileTimePasses(view.offerToResume(), clock)
    const { host } = new URL(service.authUrl)
    const text = `The sign-in to Kourier (local) as ada@example.com ended with the window. Signing in again sends the email to ${host} once more. If you had approved it already, revoke the unused key on the dashboard under API Keys.`
    assert.deepEqual(fakeEditor.messages.at(-1), { text, buttons: ['Sign In Again'] })
    view.dispose()
  })

  it('[R36] that goes on says of the one before it that the window ended, and hints at the unused key', async () => {
    const first = open()
    await first.memory.beginInBrowser('old')
    first.memory.dispose()
    const { view } = open({}, undefined, first)
    const ended = view.signIn()
    await view.offerToResume()
    await settled()
    const text =
      'A sign-in that was under way ended with its window. If you had approved it already, revoke the unused key on the dashboard under API Keys.'
    assert.ok(fakeEditor.messages.some(message => message.text === text && message.buttons.includes('Open Dashboard')))
    view.cancel()
    await ended
    view.dispose()
  })
})

function next({ onDidChange }: SignIn, isMet: (state: SignInState) => boolean): Promise<void> {
  return new Promise(resolve => {
    const listening = onDidChange(state => {
      if (!isMet(state)) return
      listening.dispose()
      resolve()
    })
  })
}

function keyring(): Partial<SecretStorage> {
  const kept = new Map<string, string>()
  return {
    get: async name => kept.get(name),
    store: async (name, value) => void kept.set(name, value),
    delete: async name => void kept.delete(name),
    onDidChange: () => ({ dispose() {} }),
  }
}

/** What a window leaves that goes away. */
interface Reloaded {
  readonly folder: string
  readonly secrets: SecretStorage
  readonly state: Memento
}
