// Signing in and out in the real editor: what a person is asked before anything is sent, keys that are pasted, lost or left
// behind, and services that lie about themselves.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { authentication, CancellationTokenSource, ConfigurationTarget, commands, Uri, workspace } from 'vscode'
import type { Fault } from '../localService/faults.ts'
import { type Service, startService } from '../localService/server.ts'
import { approveLast } from '../support/approveLast.ts'
import { type Canary, startCanary } from '../support/canary.ts'
import { findSecrets, sweepFolder } from '../support/sweep.ts'
import { observed, openPage } from './observed.ts'
import { type Answers, Questions } from './questions.ts'

const email = 'ada@example.com'
const name = 'kourier.credential'
const consent = `Sign in to Kourier (local) as ${email}?`
const agreeing = { buttons: { [consent]: 'Continue' }, typed: { 'Sign in to': email } }

describe('signing in and out', () => {
  let service: Service
  let canary: Canary
  let questions: Questions
  const secrets = () => observed().context.secrets
  const setAddress = (address: string) =>
    workspace.getConfiguration('kourier').update('baseUrl', address, ConfigurationTarget.Global)
  const calls = (path: string) => service.log.calls.filter(call => call.path === path)
  const keyOf = (who = email) => {
    service.state.accounts.of(who)
    return service.state.issueKey(who, 'made on the dashboard')
  }

  before(async () => {
    canary = await startCanary()
  })
  after(() => canary[Symbol.asyncDispose]())
  beforeEach(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
    await setAddress(service.baseUrl)
    questions = new Questions(agreeing)
  })
  afterEach(async () => {
    service.faults.clear()
    await signOut('Sign Out Only')
    await secrets().delete(name)
    questions[Symbol.dispose]()
    await service.close()
    assert.deepEqual(canary.contacts, [])
  })

  const signOut = (how: string) => {
    questions.answers = { buttons: { 'Sign out of': how } }
    return commands.executeCommand('kourier.signOut')
  }
  const answering = (answers: Answers) => {
    questions.answers = answers
  }
  const useKey = (key: string) => {
    answering({ typed: { 'API key for': key } })
    return commands.executeCommand('kourier.useApiKey')
  }
  const accounts = async () => (await authentication.getAccounts('kourier')).map(({ label }) => label)

  /** From the command to a registration that is approved; resolves when the command has ended. */
  async function signIn(beforeApproval: () => void = () => {}): Promise<void> {
    const signingIn = commands.executeCommand('kourier.signIn')
    await service.log.until(call => call.path === '/agent/identity' && call.status === 200)
    beforeApproval()
    approveLast(service, email)
    await signingIn
  }

  it('[T23] nothing that carries the email is sent before the consent, and nothing after a No', async () => {
    answering({ ...agreeing, buttons: {} })
    await commands.executeCommand('kourier.signIn')
    const [question] = questions.asked
    assert.equal(question?.text, consent)
    assert.deepEqual(question?.buttons, ['Continue', 'Use Another Email'])
    for (const words of ['Your email', new URL(service.authUrl).host, 'use your plan until you revoke it'])
      assert.ok(question?.detail.includes(words), words)
    const sent = service.log.calls.filter(({ method }) => method !== 'GET')
    assert.deepEqual(sent, [])
    assert.doesNotMatch(JSON.stringify(service.log.calls), /ada/)
  })

  it('[T23] the email can be changed until the last moment, and only the one agreed to is sent', async () => {
    answering({
      typed: { 'Sign in to': 'other@example.com' },
      buttons: { 'Sign in to Kourier (local) as other@example.com?': 'Use Another Email', [consent]: 'Continue' },
    })
    const changed = questions.next('Sign in to Kourier (local) as other@').then(() => answering(agreeing))
    await signIn()
    await changed
    assert.deepEqual(
      calls('/agent/identity').map(({ body }) => (body as { login_hint?: string }).login_hint),
      [email],
    )
    assert.doesNotMatch(JSON.stringify(service.log.calls), /other@/)
  })

  it('takes a pasted key that the service accepts, and stores it for this service only', async () => {
    const key = keyOf()
    const notification = questions.next('Signed in to Kourier (local).')
    await useKey(key)
    await notification
    const { origin, resource, key: kept } = JSON.parse((await secrets().get(name)) ?? '{}')
    assert.deepEqual([origin, resource, kept], ['pasted', service.baseUrl, key])
    assert.deepEqual(await accounts(), ['Kourier (local)'])
    assert.ok(service.log.calls.every(({ method }) => method === 'GET'))
    await signOut('Sign Out and Revoke Key')
    assert.equal(await secrets().get(name), undefined)
  })

  it('stores no pasted key that the service refuses, or that it could not be asked about', async () => {
    const revoked = keyOf()
    const found = service.state.keys.find(revoked)
    assert.ok(found)
    service.state.keys.revoke(found, service.clock.now())
    for (const key of [revoked, 'sk-bf-nobody-ever-made-this']) {
      const refused = questions.next('Kourier (local) does not accept this key.')
      await useKey(key)
      assert.deepEqual((await refused).buttons, ['Use an API Key'])
      assert.equal(await secrets().get(name), undefined)
    }
    service.faults.add({ kind: 'status', status: 503, on: '/v1/models', times: 'always' })
    const troubled = questions.next(`Kourier (local) at ${new URL(service.baseUrl).host} has trouble answering`)
    await useKey(keyOf())
    assert.deepEqual((await troubled).buttons, ['Retry'])
    assert.equal(await secrets().get(name), undefined)
    assert.deepEqual(await accounts(), [])
  })

  it('[T06] another address gets no key, and the first one is signed in again without a question', async () => {
    const key = keyOf()
    await useKey(key)
    const page = await openPage()
    const first = service
    const other = await startService({ plan: 'pro' })
    try {
      const out = page.next(message => message.kind === 'account' && message.account.is === 'out')
      page.send({ kind: 'ready' })
      await setAddress(other.baseUrl)
      await out
      assert.deepEqual(await accounts(), [])
      page.send({ kind: 'send', text: 'Do you know me?' })
      // Signing in over there asks as anybody would, and the key at hand is not part of it.
      service = other
      answering({ ...agreeing, buttons: {} })
      await commands.executeCommand('kourier.signIn')
      service = first
      assert.ok(other.log.calls.length > 0)
      assert.ok(other.log.calls.every(({ headers }) => !('authorization' in headers) && !('x-api-key' in headers)))
      assert.ok(!JSON.stringify(other.log.calls).includes(key))
      const back = page.next(message => message.kind === 'account' && message.account.is === 'in')
      await setAddress(first.baseUrl)
      await back
      assert.deepEqual(await accounts(), ['Kourier (local)'])
    } finally {
      service = first
      await other.close()
    }
  })

  it('[T09] an http address of another machine is asked for anew, before anything is sent there', async () => {
    const http = workspace.getConfiguration('http')
    // Whatever goes to a name that nobody knows goes through this proxy.
    await http.update('proxy', canary.origin, ConfigurationTarget.Global)
    try {
      for (const address of ['http://kourier.test', 'http://10.0.0.1:8080/v1', 'http://169.254.169.254']) {
        await setAddress(address)
        const boxes = questions.boxes.length
        answering({})
        await commands.executeCommand('kourier.signIn')
        await commands.executeCommand('kourier.useApiKey')
        assert.deepEqual(questions.boxes.slice(boxes), ['Address of your service', 'Address of your service'])
      }
      assert.deepEqual(
        canary.contacts.filter(line => /kourier\.test|10\.0\.0\.1|169\.254/.test(line) && !isOfAnother(line)),
        [],
      )
    } finally {
      ;(canary.contacts as string[]).length = 0
      await http.update('proxy', undefined, ConfigurationTarget.Global)
    }
  })

  /** A part of the editor looks whether it runs in a cloud. */
  const isOfAnother = (line: string) => line.includes('/metadata/instance/compute')

  const resourcePlace = '/.well-known/oauth-protected-resource'
  const serverPlace = '/.well-known/oauth-authorization-server'
  const document = (on: string, change: (at: Service, there: string) => object): [string, typeof change] => [on, change]
  const lies: Readonly<Record<string, [string, (at: Service, there: string) => object]>> = {
    'another resource': document(resourcePlace, ({ authUrl }, there) => ({
      resource: there,
      authorization_servers: [authUrl],
    })),
    'another issuer': document(serverPlace, (_, there) => ({ issuer: there, token_endpoint: `${there}/token` })),
    'tokens elsewhere': document(serverPlace, ({ authUrl }, there) => ({
      issuer: authUrl,
      token_endpoint: `${there}/token`,
    })),
    'registration elsewhere': document(serverPlace, ({ authUrl }, there) => ({
      issuer: authUrl,
      agent_auth: { identity_endpoint: `${there}/agent/identity` },
    })),
    'revocation elsewhere': document(serverPlace, ({ authUrl }, there) => ({
      issuer: authUrl,
      revocation_endpoint: `${there}/revoke`,
    })),
  }
  for (const [what, [on, change]] of Object.entries(lies)) {
    it(`[T20] documents that name ${what} are not used, and that is said`, async () => {
      const body = change(service, canary.origin)
      service.faults.add({ kind: 'status', status: 200, body, on, times: 'always' })
      await commands.executeCommand('kourier.signIn')
      const notification = questions.asked.at(-1)
      // Whose document it is that cannot be believed.
      assert.match(notification?.text ?? '', /answered in a way that Kourier does not understand|cannot be reached/)
      assert.equal(notification?.buttons.length, 1)
      assert.ok(service.log.calls.every(({ method }) => method === 'GET'))
      assert.deepEqual(questions.boxes, [], 'nobody is asked for an email')
    })
  }

  for (const verification_uri of [
    'javascript:alert(1)',
    'vscode://kourier.kourier/steal',
    'command:workbench.action.quit',
    'https://auth.localhost@evil.test/claim',
    'file:///etc/passwd',
  ]) {
    it(`[T21] ${verification_uri} is opened by nobody, and no code is shown`, async () => {
      const claim = { user_code: '12345678', expires_in: 600, interval: 1, verification_uri }
      const body = { claim_token: 'clm_lie-lie-lie-lie', claim }
      service.faults.add({ kind: 'status', status: 200, body, on: '/agent/identity' })
      const page = await openPage()
      const mark = page.received.length
      await commands.executeCommand('kourier.signIn')
      await commands.executeCommand('kourier.signIn.openBrowser')
      const notification = questions.asked.at(-1)
      assert.match(notification?.text ?? '', /names a page for the code that is not safe to open/)
      assert.deepEqual(notification?.buttons, ['Retry'])
      assert.deepEqual(questions.opened, [])
      assert.deepEqual(calls('/oauth2/token'), [])
      assert.doesNotMatch(JSON.stringify(page.received.slice(mark)), /12345678|steal|evil/)
    })
  }

  for (const status of [302, 308] as const) {
    it(`[T08] a ${status} elsewhere is followed at no step, and the place is named where somebody waits`, async () => {
      const redirect = (on: string): Fault => ({ kind: 'redirect', status, to: `${canary.origin}/steal`, on })
      const host = new URL(canary.origin).host
      for (const on of [resourcePlace, serverPlace, '/agent/identity']) {
        service.faults.add({ ...redirect(on), times: 'always' })
        await commands.executeCommand('kourier.signIn')
        assert.ok(questions.asked.at(-1)?.text.includes(host), on)
        service.faults.clear()
      }
      const key = keyOf()
      service.faults.add(redirect('/v1/models'))
      await useKey(key)
      assert.ok(questions.asked.at(-1)?.text.includes(host))
      assert.equal(await secrets().get(name), undefined)
      service.faults.clear()
      await useKey(key)
      service.faults.add(redirect('/v1/chat/completions'), redirect('/oauth2/revoke'))
      const page = await openPage()
      page.send({ kind: 'ready' })
      const failed = page.next(message => message.kind === 'activity' && message.activity.is === 'failed')
      page.send({ kind: 'send', text: 'Where do you send me?' })
      assert.ok(JSON.stringify(await failed).includes(host))
    })
  }

  it('[R38] an answer with the key that was lost is said, with what to do', async () => {
    const notification = questions.next('Kourier (local) may have made a key that was lost on the way')
    await signIn(() => {
      service.faults.add({ kind: 'cut', afterBytes: 10, on: '/oauth2/token', times: 'always' })
      const settle = service.log.until(call => call.path === '/oauth2/token' && call.status === 200)
      void settle.then(() => service.faults.clear())
    })
    const { text, buttons } = await notification
    assert.match(text, /Revoke it on the dashboard under API Keys, then sign in again\./)
    assert.deepEqual(buttons, ['Sign In'])
    assert.equal(await secrets().get(name), undefined)
  })

  const silentRevocations: Readonly<Record<string, () => Fault>> = {
    'a failure': () => ({ kind: 'status', status: 500 }),
    'a redirect': () => ({ kind: 'redirect', status: 307, to: `${canary.origin}/steal` }),
    'a reset': () => ({ kind: 'reset' }),
  }
  for (const [what, fault] of Object.entries(silentRevocations)) {
    it(`[T15] signing out with ${what} for an answer forgets the key here and says that it may still work`, async () => {
      await signIn()
      service.faults.add({ ...fault(), on: '/oauth2/revoke', times: 'always' })
      const notification = questions.next(
        'Signed out here, but Kourier (local) did not confirm that the key was revoked.',
      )
      await signOut('Sign Out and Revoke Key')
      assert.deepEqual((await notification).buttons, ['Try Again', 'Open Dashboard'])
      assert.equal(await secrets().get(name), undefined)
      assert.deepEqual(await accounts(), [])
    })
  }

  it('[T15] the dashboard is opened where the key was made, also after it is gone here, and before anybody signs in', async () => {
    const dashboard = `${service.authUrl}/dashboard`
    const before = questions.nextOpened()
    await commands.executeCommand('kourier.openDashboard')
    assert.equal(await before, dashboard)
    answering(agreeing)
    await signIn()
    service.faults.add({ kind: 'status', status: 500, on: '/oauth2/revoke', times: 'always' })
    answering({
      buttons: { 'Sign out of': 'Sign Out and Revoke Key', 'Signed out here, but Kourier (local)': 'Open Dashboard' },
    })
    const gone = questions.nextOpened()
    const documents = calls('/.well-known/oauth-protected-resource').length
    await commands.executeCommand('kourier.signOut')
    assert.equal(await gone, dashboard)
    assert.equal(calls('/.well-known/oauth-protected-resource').length, documents, 'the key itself says where')
  })

  it('[T11] [T10] the page hears of no key and no token, and the service’s words bring none back to it', async () => {
    const page = await openPage()
    page.send({ kind: 'ready' })
    const mark = page.received.length
    const { registrations } = service.state
    const open = registrations.open.bind(registrations)
    let claimToken = ''
    registrations.open = (...given) => {
      const made = open(...given)
      claimToken = made.claimToken
      return made
    }
    await signIn()
    const { key } = JSON.parse((await secrets().get(name)) ?? '{}') as { key: string }
    assert.ok(key && claimToken)
    const echo = `What is ${key} with ${claimToken}, Bearer ${key}?`
    const body = { error: { message: echo } }
    service.faults.add({ kind: 'status', status: 400, body, on: '/v1/chat/completions', times: 'always' })
    const failed = page.next(message => message.kind === 'activity' && message.activity.is === 'failed')
    page.send({ kind: 'send', text: 'Do you repeat what you hear?' })
    assert.match(JSON.stringify(await failed), /What is …/)
    service.faults.clear()
    service.replies.add({ text: 'I do not.' })
    const whole = page.answered('I do not.')
    page.send({ kind: 'send', text: 'And now?' })
    await whole
    await signOut('Sign Out and Revoke Key')

    const denied = { error: 'access_denied', error_description: `No more of ${key} and ${claimToken}` }
    service.faults.add({ kind: 'status', status: 403, body: denied, on: '/agent/identity' })
    answering(agreeing)
    await commands.executeCommand('kourier.signIn')
    assert.match(questions.asked.at(-1)?.text ?? '', /No more of …/)
    const shown = JSON.stringify([page.received.slice(mark), page.view.webview.html, questions.asked])
    assert.deepEqual(findSecrets('the page', shown, [key, claimToken]), [])
    assert.doesNotMatch(shown, /cla_/)
  })

  it('a refusal that names no reason is put down to no plan alone', async () => {
    await useKey(keyOf())
    const page = await openPage()
    page.send({ kind: 'ready' })
    const body = { error: { message: 'Access denied by firewall', code: 'access_denied' } }
    service.faults.add({ kind: 'status', status: 403, body, on: '/v1/chat/completions', times: 'always' })
    const failed = page.next(message => message.kind === 'activity' && message.activity.is === 'failed')
    page.send({ kind: 'send', text: 'May I?' })
    const message = await failed
    assert.ok(message.kind === 'activity' && message.activity.is === 'failed')
    assert.deepEqual(message.activity.notice, {
      text: `The request to Kourier (local) at ${new URL(service.baseUrl).host} was refused (“Access denied by firewall”). Either your plan does not allow it, which the dashboard shows, or a firewall or proxy on the way does not.`,
      action: { id: 'open-dashboard', label: 'Open Dashboard' },
    })
  })

  it('[T80] in a restricted window the chat says what is left out, and nothing of it is done', async () => {
    const { workspace: room, commands: run } = observed().vscode
    const trust = Object.getOwnPropertyDescriptor(room, 'isTrusted')
    assert.ok(trust)
    const own = { executeCommand: run.executeCommand }
    const page = await openPage()
    const limits = () => page.next(({ kind }) => kind === 'limits')
    Object.defineProperty(room, 'isTrusted', { configurable: true, get: () => false })
    try {
      const received = limits()
      page.send({ kind: 'ready' })
      assert.deepEqual(await received, {
        kind: 'limits',
        mayRun: false,
        notice: {
          text: 'In Restricted Mode Kourier reads nothing of this workspace: the chat knows only what you write, and completions are off.',
          action: { id: 'manage-trust', label: 'Manage Workspace Trust' },
        },
      })
      const managed = new Promise<void>(resolve => {
        const executeCommand = async (id: string, ...rest: unknown[]) =>
          id === 'workbench.trust.manage' ? resolve() : own.executeCommand(id, ...rest)
        Object.assign(run, { executeCommand })
      })
      page.send({ kind: 'act', action: 'manage-trust' })
      await managed
      const [, provider] = observed().registered.registerInlineCompletionItemProvider
      const document = await workspace.openTextDocument({ language: 'python', content: 'def mean' })
      const context = { triggerKind: 0, selectedCompletionInfo: undefined }
      const { token } = new CancellationTokenSource()
      const position = document.positionAt(8)
      assert.equal(await provider.provideInlineCompletionItems(document, position, context, token), undefined)
    } finally {
      Object.defineProperty(room, 'isTrusted', trust)
      Object.assign(run, own)
    }
    const trusted = limits()
    page.send({ kind: 'ready' })
    assert.deepEqual(await trusted, { kind: 'limits', mayRun: true })
  })

  it('[T04] what a container writes moves no address; an address that moves asks before it gets anything', async () => {
    await useKey(keyOf())
    const page = await openPage()
    page.send({ kind: 'ready' })
    const machine = Uri.joinPath(observed().context.globalStorageUri, '../../../Machine/settings.json')
    const before = await workspace.fs.readFile(machine)
    const read = JSON.parse(new TextDecoder().decode(before)) as object
    const evil = { 'kourier.baseUrl': canary.origin, kourier: { baseUrl: canary.origin } }
    // A sign that the editor has read the file.
    const mark = { 'editor.tabSize': 7 }
    const writeMachine = async (settings: Uint8Array) => {
      const changed = new Promise<void>(resolve => {
        const listening = workspace.onDidChangeConfiguration(change => {
          if (!change.affectsConfiguration('editor.tabSize')) return
          listening.dispose()
          resolve()
        })
      })
      await workspace.fs.writeFile(machine, settings)
      await changed
    }
    await writeMachine(new TextEncoder().encode(JSON.stringify({ ...read, ...evil, ...mark })))
    try {
      service.replies.add({ text: 'Still me.' })
      const answered = page.answered('Still me.')
      page.send({ kind: 'send', text: 'Who are you?' })
      await answered
      assert.deepEqual(canary.contacts, [])
    } finally {
      await writeMachine(before)
    }
    const out = page.next(message => message.kind === 'account' && message.account.is === 'out')
    const host = new URL(service.baseUrl).host
    const there = new URL(canary.origin).host
    const text = `The address in the settings leads to ${there} now, which does not get the key for Kourier (local) at ${host}. Sign in there as well? Or change the address back.`
    const asked = questions.next('The address in the settings leads to')
    await setAddress(canary.origin)
    const message = await out
    assert.ok(message.kind === 'account' && message.account.is === 'out')
    assert.deepEqual(message.account.notice, { text, action: { id: 'sign-in', label: 'Sign In' } })
    assert.deepEqual([(await asked).text, (await asked).buttons], [text, ['Sign In']])
    assert.deepEqual(canary.contacts, [])
    const back = page.next(message => message.kind === 'account' && message.account.is === 'in')
    await setAddress(service.baseUrl)
    await back
  })

  it('[T16] settings sync and exported profiles find nothing: no file of the user’s and no memento holds a secret', async () => {
    const { registrations } = service.state
    const tokens: string[] = []
    const open = registrations.open.bind(registrations)
    registrations.open = (...given) => {
      const made = open(...given)
      tokens.push(made.claimToken, made.attemptToken)
      return made
    }
    const { globalState, workspaceState, globalStorageUri } = observed().context
    const synced: unknown[] = []
    const setKeysForSync = globalState.setKeysForSync.bind(globalState)
    Object.assign(globalState, { setKeysForSync: (keys: readonly string[]) => synced.push(keys) })
    await signIn().finally(() => Object.assign(globalState, { setKeysForSync }))
    const { key } = JSON.parse((await secrets().get(name)) ?? '{}') as { key: string }
    const canaries = [key, email, ...tokens]
    assert.equal(canaries.length, 4)
    // Settings, snippets, keys and profiles lie there, and what extensions keep.
    assert.deepEqual(sweepFolder(Uri.joinPath(globalStorageUri, '../..').fsPath, canaries), [])
    const mementos = [globalState, workspaceState].flatMap(state => state.keys().map(one => [one, state.get(one)]))
    assert.deepEqual(findSecrets('mementos', JSON.stringify(mementos), canaries), [])
    const settings = JSON.stringify(workspace.getConfiguration('kourier'))
    assert.deepEqual(findSecrets('settings', settings, canaries), [])
    assert.deepEqual(synced, [], 'no key of a memento is named for the sync')
  })

  /** The chat page as the extension's provider draws it. */
})
