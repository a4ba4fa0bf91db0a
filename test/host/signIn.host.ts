// What a person reads around a sign-in, in the real extension host: cancelled, overtaken, signed out elsewhere.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { authentication, ConfigurationTarget, commands, env, extensions, Uri, workspace } from 'vscode'
import { commandTable } from '../../src/editor/ui/commands.ts'
import type { ToPage } from '../../src/protocol/panel.ts'
import { storedSignIns } from '../../src/protocol/stored.ts'
import { type Service, startService } from '../localService/server.ts'
import { observed, openPage, type PlayedPage } from './observed.ts'
import { answersOf, Questions } from './questions.ts'

const email = 'ada@example.com'
const isCode = (account: unknown) => (account as { is?: string }).is === 'code'
const consent = { 'Sign in to': 'Continue' }
const goodbye = { 'Sign out': 'Sign Out and Revoke Key' }

describe('signing in and out', () => {
  let service: Service
  let questions: Questions
  let page: PlayedPage

  before(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
    await workspace.getConfiguration('kourier').update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
    page = await openPage()
    page.send({ kind: 'ready' })
  })
  after(() => service.close())
  beforeEach(() => {
    questions = new Questions({})
  })
  afterEach(async () => {
    service.faults.clear()
    answering(goodbye)
    await commands.executeCommand('kourier.signOut')
    questions[Symbol.dispose]()
  })

  const answering = (buttons: Readonly<Record<string, string>> = {}) => {
    questions.answers = answersOf(email, buttons)
    return questions
  }

  const live = () => service.state.keys.all.filter(({ revokedAt }) => revokedAt === undefined).length
  const accounts = () => authentication.getAccounts('kourier')

  async function askForCode() {
    const before = service.state.registrations.all.length
    const ended = commands.executeCommand('kourier.signIn')
    await service.log.until(() => service.state.registrations.all.length > before)
    const registration = service.state.registrations.all.at(-1)
    assert.ok(registration)
    const approve = () =>
      service.state.registrations.approve(registration, registration.attempt, email, registration.attempt.code)
    return { ended, approve }
  }

  async function signIn(): Promise<void> {
    const { ended, approve } = await askForCode()
    approve()
    await ended
    assert.equal((await accounts()).length, 1)
  }

  /** Cancelled while the answer with the key is on its way, and the service does not confirm its revocation. */
  async function cancelLate(): Promise<void> {
    const { ended, approve } = await askForCode()
    service.faults.add({ kind: 'delay', ms: 1_000, on: '/oauth2/token' })
    service.faults.add({ kind: 'status', status: 503, on: '/oauth2/revoke' })
    const last = service.log.calls.at(-1)?.sequence ?? 0
    await service.log.until(({ sequence, fault }) => sequence > last && fault === 'delay')
    approve()
    page.send({ kind: 'cancel-sign-in' })
    await ended
    service.clock.advance(1_000)
  }

  it('[T24] says afterwards which account it is, and how to end it', async () => {
    const { next } = answering(consent)
    const notification = next('Signed in to')
    await signIn()
    const { text, buttons } = await notification
    assert.equal(
      text,
      `Signed in to Kourier (local) as ${email}. The key can use your plan until you sign out here or revoke it on the dashboard.`,
    )
    assert.deepEqual(buttons, ['Open Chat'], 'without a button the editor cuts it after its first line')
  })

  it('says that a key which was only forgotten here still works, and leads to where it is revoked', async () => {
    answering(consent)
    await signIn()
    const { next } = answering({ 'Sign out': 'Sign Out Only', 'Signed out': 'Open Dashboard' })
    const notification = next('Signed out of')
    const dashboard = questions.nextOpened()
    await commands.executeCommand('kourier.signOut')
    assert.deepEqual(
      [(await notification).text, (await notification).buttons],
      ['Signed out of Kourier (local). The key still works until you revoke it on the dashboard.', ['Open Dashboard']],
    )
    assert.equal(await dashboard, `${service.authUrl}/dashboard`)
    for (const key of service.state.keys.all) service.state.keys.revoke(key, service.clock.now())
    assert.equal(live(), 0)
  })

  it('[T24] nothing opens by itself, and the code comes with a tag that the service’s page shows as well', async () => {
    const { opened } = answering(consent)
    const begun = page.received.length
    const shown = page.next(({ kind, ...rest }) => kind === 'account' && 'account' in rest && isCode(rest.account))
    const { ended } = await askForCode()
    const message = await shown
    assert.ok(message.kind === 'account' && message.account.is === 'code')
    const registration = service.state.registrations.all.at(-1)
    assert.match(message.account.tag, /^[a-z]{4}$/)
    assert.ok(registration?.clientName?.endsWith(`(${message.account.tag})`), registration?.clientName)
    const { tag, code, host } = message.account
    assert.equal(host, new URL(service.authUrl).host)
    const text = await questions.progressText(code)
    const sentence = `Kourier (local): enter code ${code} at ${host} (10 minutes left; the page must show the tag ${tag}).`
    assert.equal(text.slice(0, sentence.length), sentence)
    const drawn = page.received.slice(begun).map(message => JSON.stringify(message))
    const asked = drawn.findIndex(message => message.includes('Waiting for your consent'))
    const came = drawn.findIndex(message => message.includes('"is":"code"'))
    assert.ok(asked >= 0 && asked < came, 'no code before the user has agreed')
    assert.equal(opened.length, 0, 'the user opens the page')
    page.send({ kind: 'open-browser' })
    assert.equal(opened.length, 1)
    assert.ok(opened[0]?.startsWith(`${service.authUrl}/claim?`))
    page.send({ kind: 'cancel-sign-in' })
    await ended
    assert.deepEqual(await accounts(), [])
  })

  it('whoever closes the question before anything was sent reads so, and can begin again', async () => {
    answering()
    service.log.clear()
    const received = page.next(
      ({ kind, ...rest }) => kind === 'account' && JSON.stringify(rest).includes('your email was not sent'),
    )
    await commands.executeCommand('kourier.signIn')
    const message = await received
    assert.ok(message.kind === 'account' && message.account.is === 'out')
    assert.equal(message.account.notice?.action?.label, 'Sign In')
    assert.ok(service.log.calls.every(({ method }) => method === 'GET'))
  })

  it('a key that came after Cancel and was not revoked is said, and can be revoked once more', async () => {
    const { next, asked } = answering({ ...consent, 'Kourier (local) had made a key': 'Try Again' })
    const notification = next('Kourier (local) had made a key')
    const revoked = next('Kourier (local) has revoked the key.')
    await cancelLate()
    assert.deepEqual((await notification).buttons, ['Try Again', 'Open Dashboard'])
    await revoked
    assert.ok(asked.some(({ text }) => text === 'The sign-in was cancelled; no key was kept.'))
    assert.deepEqual([live(), await accounts()], [0, []])
  })

  it('whoever closes that finds the same in the menu, once', async () => {
    const { next } = answering({ ...consent, menu: 'Revoke the Last Key Again' })
    const notification = next('Kourier (local) had made a key')
    await cancelLate()
    await notification
    assert.equal(live(), 1)
    const revoked = next('Kourier (local) has revoked the key.')
    await commands.executeCommand('kourier.showMenu')
    await revoked
    assert.equal(live(), 0)
  })

  it('[R40] a sign-out in another window ends the answer under way, and says both', async () => {
    answering(consent)
    await signIn()
    const gate = service.replies.hold(1)
    service.replies.add({ tokens: ['Hello', ' again.'] })
    const begun = page.next(() => page.messages.at(-1)?.text === 'Hello')
    page.send({ kind: 'new-chat' })
    page.send({ kind: 'send', text: 'Say hello' })
    await begun
    const stopped = page.answered('Hello', 'stopped')
    const { next } = answering()
    const notification = next('You signed out of Kourier (local) in another window.')
    const { id } = JSON.parse((await observed().context.secrets.get('kourier.credential')) ?? '{}')
    await noteElsewhere('out', id)
    assert.match((await notification).text, /The answer under way was stopped; what arrived is kept\.$/)
    assert.deepEqual((await notification).buttons, ['Sign In'])
    await stopped
    gate.release()
    assert.deepEqual(await accounts(), [])
  })

  it('[T12] a key in a message is asked about, and neither sent nor kept', async () => {
    answering(consent)
    await signIn()
    const { key } = JSON.parse((await observed().context.secrets.get('kourier.credential')) ?? '{}')
    page.send({ kind: 'new-chat' })
    service.log.clear()
    const back = page.next(({ kind }) => kind === 'draft')
    const text = `Is ${key} right?`
    page.send({ kind: 'send', text })
    const { conversation: _, ...given } = (await back) as Extract<ToPage, { kind: 'draft' }>
    assert.deepEqual(given, { kind: 'draft', text }, 'who closes the question has lost nothing')
    assert.equal(service.log.calls.length, 0)

    const { next } = answering({ 'This message holds': 'Send Without the Key' })
    const asked = next('This message holds an API key.')
    service.replies.add({ text: 'Yes.' })
    const answered = page.answered('Yes.')
    page.send({ kind: 'send', text })
    assert.deepEqual((await asked).buttons, ['Send Without the Key'])
    await answered
    assert.doesNotMatch(JSON.stringify(page.messages), /sk-bf-[A-Za-z0-9]/)
    const [call] = service.log.calls.filter(({ path }) => path === '/v1/chat/completions')
    assert.match(JSON.stringify(call?.body), /Is sk-bf-… right\?/)
    assert.doesNotMatch(JSON.stringify(call?.body), /sk-bf-[A-Za-z0-9]/)
  })

  it('[T13] another extension that runs every command, or looks at what is exported, gets nothing', async () => {
    answering(consent)
    await signIn()
    answering()
    for (const id of Object.keys(commandTable)) {
      assert.equal(await commands.executeCommand(id, { key: true }, 'key'), undefined, id)
    }
    assert.equal(extensions.getExtension('kourier.kourier')?.exports, undefined)
    assert.equal((await accounts()).length, 1, 'and nobody was signed out by it')
    await commands.executeCommand('workbench.action.closeAllEditors')
    // What the commands have attached and written is not for the tests that follow.
    const page = await openPage()
    const context = page.next(({ kind }) => kind === 'draft-context')
    page.send({ kind: 'ready' })
    const shown = await context
    for (const { id } of shown.kind === 'draft-context' ? shown.chips : []) page.send({ kind: 'remove-chip', chip: id })
    page.send({ kind: 'draft', text: '', at: Date.now() })
  })

  it('[T22] a link into the editor does nothing', async () => {
    answering(consent)
    const before = JSON.stringify(workspace.getConfiguration('kourier'))
    service.log.clear()
    const { packageJSON } = extensions.getExtension('kourier.kourier') ?? {}
    assert.doesNotMatch(JSON.stringify(packageJSON.activationEvents), /onUri/)
    const link = (rest: string) => Uri.parse(`${env.uriScheme}://kourier.kourier${rest}`)
    for (const rest of [
      '',
      '/signIn',
      '/callback?code=1234&state=5',
      `/?baseUrl=${service.siteUrl}`,
      '/signIn?user_code=1',
    ]) {
      // The editor may refuse, or ask; a test's editor answers no question.
      await commands.executeCommand('vscode.open', link(rest)).then(undefined, () => {})
    }
    assert.equal(JSON.stringify(workspace.getConfiguration('kourier')), before)
    assert.deepEqual([service.log.calls, await accounts()], [[], []])
  })

  /** Writes into the file between windows what another one would. */
  async function noteElsewhere(is: 'in' | 'out', id = 'another-window'): Promise<void> {
    const file = Uri.joinPath(observed().context.globalStorageUri, 'windows', 'signIns.json').fsPath
    const read = storedSignIns.safeParse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')))
    const others = (read.data?.signIns ?? []).filter(note => note.id !== id)
    const note = { id, resource: service.baseUrl, is, at: Date.now() }
    await writeFile(file, JSON.stringify({ version: 1, signIns: [...others, note] }))
  }
})
