// What a sign-in that has ended leaves for the next one, in the real extension host: what it may send without a question.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'mocha'
import { ConfigurationTarget, commands, Uri, workspace } from 'vscode'
import { type Service, startService } from '../localService/server.ts'
import { observed, openPage } from './observed.ts'
import { Questions } from './questions.ts'

const email = 'ada@example.com'

describe('signing in again', () => {
  let service: Service
  let questions: Questions
  const settings = () => workspace.getConfiguration('kourier')
  const registrations = () => service.log.calls.filter(({ path }) => path === '/agent/identity').length

  before(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
    await settings().update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
    await settings().update('clientId', 'kourier-vscode', ConfigurationTarget.Global)
    questions = new Questions({})
  })
  after(async () => {
    questions[Symbol.dispose]()
    await settings().update('clientId', undefined, ConfigurationTarget.Global)
    await service.close()
  })
  afterEach(() => service.faults.clear())

  const refuse = () => {
    questions.answers = { typed: { 'Sign in to': email } }
  }

  it('[T23] a sign-in with the browser that ran out offers the browser again, and no email', async () => {
    service.faults.add({ kind: 'status', status: 400, body: { error: 'invalid_grant' }, on: '/oauth2/token' })
    const over = questions.next('The time for this sign-in has run out.')
    const opened = questions.nextOpened()
    const ended = commands.executeCommand('kourier.signInWithBrowser')
    const address = new URL(await opened)
    const [note] = notes()
    assert.equal((note as { way?: string } | undefined)?.way, 'browser', 'a window that is reloaded now leaves word')
    assert.doesNotMatch(JSON.stringify(note), /@|sk-|state|verifier/)
    await sendBack(address)
    await ended
    assert.deepEqual(notes(), [], 'and one that is reloaded later has nothing to say')
    assert.deepEqual((await over).buttons, ['Sign In with the Browser'])
    const sent = registrations()
    refuse()
    await commands.executeCommand('kourier.signIn.resume')
    assert.equal(registrations(), sent)
  })

  it('a sign-in with the browser that the service or the network stood in the way of says so, and offers it again', async () => {
    refuse()
    const trouble = questions.next('Kourier (local) has trouble with the sign-in')
    await inBrowser({ error: 'server_error', error_description: 'The disk is full.' })
    const { text, buttons } = await trouble
    assert.equal(text, 'Kourier (local) has trouble with the sign-in at the moment (“The disk is full.”). Try again.')
    assert.deepEqual(buttons, ['Retry'])
    service.faults.add({ kind: 'html', on: '/oauth2/token' })
    const page = questions.next(`${new URL(service.authUrl).host} answered with a web page.`)
    await inBrowser()
    assert.deepEqual((await page).buttons, ['Retry'])
  })

  it('a sign-in with the browser that was denied, or cancelled, offers the browser again', async () => {
    const over = questions.next('The sign-in was denied')
    await inBrowser({ error: 'access_denied' })
    assert.deepEqual((await over).buttons, ['Sign In with the Browser'])
    const cancelled = questions.next('The sign-in was cancelled; no key was kept.')
    const again = questions.nextOpened()
    questions.answers = { buttons: { 'The sign-in was cancelled': 'Sign In with the Browser' } }
    const ended = commands.executeCommand('kourier.signInWithBrowser')
    await again
    const third = questions.nextOpened()
    const page = await openPage()
    page.send({ kind: 'cancel-sign-in' })
    await ended
    assert.deepEqual((await cancelled).buttons, ['Sign In with the Browser'])
    const address = await third
    assert.ok(address.startsWith(`${service.authUrl}/oauth2/authorize?`), 'the button leads there')
    refuse()
    page.send({ kind: 'cancel-sign-in' })
  })

  /** What the next window would find. */
  const notes = () => {
    const folder = Uri.joinPath(observed().context.globalStorageUri, 'signIns').fsPath
    const files = readdirSync(folder).filter(name => name.endsWith('.json'))
    return files.map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  }

  /** From the command to its end, with what the browser brings. */
  async function inBrowser(parameters?: Readonly<Record<string, string>>): Promise<void> {
    const opened = questions.nextOpened()
    const ended = commands.executeCommand('kourier.signInWithBrowser')
    await sendBack(new URL(await opened), parameters)
    await ended
  }

  /** As the service's page does when the user allows it. */
  async function sendBack({ searchParams }: URL, parameters: Readonly<Record<string, string>> = { code: 'some-code' }) {
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    const answer = { ...parameters, state: searchParams.get('state') ?? '', iss: service.authUrl }
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value)
    await fetch(back)
  }
})
