// The packaged extension inside the extension host of a real editor: from its start to a completion.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import {
  CancellationTokenSource,
  ConfigurationTarget,
  commands,
  ExtensionMode,
  extensions,
  Position,
  Selection,
  Uri,
  window,
  workspace,
} from 'vscode'
import { settingsTable } from '../../src/core/settings.ts'
import { commandTable } from '../../src/editor/ui/commands.ts'
import { type Service, startService } from '../localService/server.ts'
import { observed, PlayedPage } from './observed.ts'
import { answersOf, Questions } from './questions.ts'

const email = 'ada@example.com'
const secret = 'kourier.credential'

describe('the packaged extension in the extension host', () => {
  let service: Service
  let questions: Questions

  before(async () => {
    questions = new Questions({})
    service = await startService({ interval: 1, plan: 'pro' })
    await extensions.getExtension('kourier.kourier')?.activate()
  })
  after(async () => {
    questions[Symbol.dispose]()
    await service.close()
  })

  it('activates by itself, asks nobody and gives nothing out', () => {
    const extension = extensions.getExtension('kourier.kourier')
    assert.equal(extension?.isActive, true)
    assert.equal(extension?.exports, undefined)
    assert.equal(observed().context.extensionMode, ExtensionMode.Test)
    assert.deepEqual(service.log.calls, [])
  })

  it('registers every command of its table', async () => {
    const known = await commands.getCommands(true)
    assert.deepEqual(
      Object.keys(commandTable).filter(id => !known.includes(id)),
      [],
    )
  })

  it('has every setting of its table in the editor', () => {
    const configuration = workspace.getConfiguration('kourier')
    for (const [key, { fallback }] of Object.entries(settingsTable)) {
      assert.deepEqual(configuration.inspect(key)?.defaultValue, fallback, key)
    }
  })

  it('signs in: consent, code, key in the secret storage and nowhere else', async () => {
    await workspace.getConfiguration('kourier').update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
    questions.answers = answersOf(email, { 'Sign in to': 'Continue' })
    const signingIn = commands.executeCommand('kourier.signIn')
    const registered = await service.log.until(call => call.path === '/agent/identity' && call.status === 200)
    const consent = `Sign in to Kourier (local) as ${email}?`
    assert.ok(
      questions.asked.some(({ text }) => text === consent),
      'the consent comes before the registration',
    )
    assert.equal((registered.body as { login_hint: string }).login_hint, email)
    const [registration] = service.state.registrations.all
    assert.ok(registration)
    service.state.registrations.approve(registration, registration.attempt, email, registration.attempt.code)
    await signingIn

    const credential = JSON.parse((await observed().context.secrets.get(secret)) ?? '{}')
    assert.match(credential.key, /^sk-bf-/)
    assert.equal(credential.resource, service.baseUrl)
    const { globalState, workspaceState } = observed().context
    const kept = [globalState, workspaceState].flatMap(state => state.keys().map(key => state.get(key)))
    assert.doesNotMatch(JSON.stringify([kept, workspace.getConfiguration('kourier')]), /sk-bf-|clm_/)
  })

  it('answers one chat turn over the real service', async () => {
    const page = new PlayedPage()
    const [id, provider] = observed().registered.registerWebviewViewProvider
    assert.equal(id, 'kourier.chat')
    await provider.resolveWebviewView(page.view, { state: undefined }, new CancellationTokenSource().token)
    assert.match(page.view.webview.html, /default-src 'none'; script-src 'nonce-[0-9a-f]{32}';/)
    const ready = page.next(message => message.kind === 'account' && message.account.is === 'in')
    page.send({ kind: 'ready' })
    await ready
    const gate = service.replies.hold(1)
    service.replies.add({ tokens: ['Hello', ' from', ' the service.'] })
    const begun = page.answered('Hello', 'streaming')
    const finished = page.answered('Hello from the service.')
    page.send({ kind: 'send', text: 'Say hello' })
    await begun
    gate.release()
    await finished
    assert.deepEqual(
      page.messages.map(({ role, text }) => [role, text]),
      [
        ['user', 'Say hello'],
        ['assistant', 'Hello from the service.'],
      ],
    )
    const events = page.received.flatMap(message => (message.kind === 'events' ? message.events : []))
    const deltas = events.flatMap(event => (event.kind === 'text-delta' ? [event.text] : []))
    assert.ok('Hello from the service.'.endsWith(deltas.join('')) && deltas.length > 0, 'it came in pieces')
  })

  it('suggests a completion from what the document already says', async () => {
    const folder = workspace.workspaceFolders?.[0]?.uri
    assert.ok(folder)
    const document = await workspace.openTextDocument(Uri.joinPath(folder, 'reports/delays.py'))
    const editor = await window.showTextDocument(document)
    const end = new Position(document.lineCount, 0)
    await editor.edit(edit => edit.insert(end, '\n\ndef mean'))
    const given = observed().registered.registerInlineCompletionItemProvider
    assert.equal(given.length, 2, 'a third argument is a proposal')
    const [, provider] = given
    const position = document.positionAt(document.getText().length)
    editor.selection = new Selection(position, position)
    const token = new CancellationTokenSource().token
    const suggested = await provider.provideInlineCompletionItems(
      document,
      position,
      { triggerKind: 0, selectedCompletionInfo: undefined },
      token,
    )
    const [item] = Array.isArray(suggested) ? suggested : (suggested?.items ?? [])
    assert.match(String(item?.insertText), /^_delay\(/)
    assert.equal(item?.range?.start.character, 'def mean'.length)
  })

  it('switches completions off for all languages, those too that have a switch or a value of their own', async () => {
    const shown = window.activeTextEditor
    assert.equal(shown?.document.languageId, 'python')
    const inPython = () => workspace.getConfiguration('kourier', { languageId: 'python' })
    const table = 'completions.enabled'
    const { Global } = ConfigurationTarget
    await inPython().update(table, { '*': true, python: true, sql: false }, Global)
    await inPython().update(table, { python: true }, Global, true)
    try {
      questions.answers = { picked: 'Turn Off for python' }
      await commands.executeCommand('kourier.toggleCompletions')
      assert.deepEqual(inPython().inspect(table)?.globalLanguageValue, { python: false })
      questions.answers = { picked: 'Turn On for python' }
      await commands.executeCommand('kourier.toggleCompletions')
      questions.answers = { picked: 'Turn Off for All Languages' }
      await commands.executeCommand('kourier.toggleCompletions')
      assert.deepEqual(inPython().inspect(table)?.globalValue, { '*': false, sql: false })
      assert.deepEqual(inPython().inspect(table)?.globalLanguageValue, { '*': false })
    } finally {
      await inPython().update(table, undefined, Global, true)
      await inPython().update(table, undefined, Global)
    }
  })

  it('says once what completions alone have met: a way of asking that the service does not offer', async () => {
    const settings = workspace.getConfiguration('kourier')
    await settings.update('surface', 'responses', ConfigurationTarget.Global)
    const body = { error: { message: 'Not found' } }
    service.faults.add({ on: '/v1/responses', kind: 'status', status: 404, body, times: 2 })
    questions.answers = { buttons: { 'Kourier (local) does not offer': 'Use Chat Completions' } }
    const notification = questions.next('Kourier (local) does not offer')
    try {
      const shown = window.activeTextEditor
      assert.ok(shown)
      const [, provider] = observed().registered.registerInlineCompletionItemProvider
      await shown.edit(edit => edit.insert(new Position(shown.document.lineCount, 0), '\n\ndef median'))
      const position = shown.document.positionAt(shown.document.getText().length)
      shown.selection = new Selection(position, position)
      const asked = { triggerKind: 0, selectedCompletionInfo: undefined }
      await provider.provideInlineCompletionItems(shown.document, position, asked, new CancellationTokenSource().token)
      const { text, buttons } = await notification
      assert.equal(
        text,
        'Kourier (local) does not offer the API that is set (/v1/responses). Use chat completions instead.',
      )
      assert.deepEqual(buttons, ['Use Chat Completions'])
      const isBack = () => workspace.getConfiguration('kourier').get('surface') === 'chat-completions'
      while (!isBack()) await new Promise<void>(resolve => workspace.onDidChangeConfiguration(() => resolve()))
    } finally {
      await settings.update('surface', undefined, ConfigurationTarget.Global)
    }
  })

  it('[T92] leaves the process as it was: no dispatcher, no fetch of ours for other extensions', () => {
    const { dispatchers, dispatchersBefore, fetchBefore } = observed()
    assert.deepEqual(dispatchers(), dispatchersBefore)
    assert.equal(globalThis.fetch, fetchBefore)
  })

  it('signs out: the key leaves the secret storage first and is then revoked', async () => {
    const { key } = JSON.parse((await observed().context.secrets.get(secret)) ?? '{}')
    questions.answers = answersOf(email, { 'Sign out of': 'Sign Out and Revoke Key' })
    await commands.executeCommand('kourier.signOut')
    assert.equal(await observed().context.secrets.get(secret), undefined)
    const use = await fetch(`${service.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(use.status, 401)
  })
})
