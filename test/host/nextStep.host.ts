// What a person reads, and can do, where the service lies or is silent in use: each time a sentence and a next step.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { authentication, ConfigurationTarget, commands, workspace } from 'vscode'
import type { ToPage } from '../../src/protocol/panel.ts'
import type { Fault } from '../localService/faults.ts'
import { type Service, startService } from '../localService/server.ts'
import { approveLast } from '../support/approveLast.ts'
import { openPage, type PlayedPage } from './observed.ts'
import { answersOf, Questions } from './questions.ts'

const email = 'ada@example.com'
const hasFailed = (message: ToPage) => message.kind === 'activity' && message.activity.is === 'failed'

describe('a service that leaves its user without a word', () => {
  let page: PlayedPage
  let service: Service
  let questions: Questions

  before(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
    await workspace.getConfiguration('kourier').update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
    page = await openPage()
    page.send({ kind: 'ready' })
  })
  after(() => service.close())
  beforeEach(() => {
    questions = new Questions(answersOf(email, { 'Sign in to': 'Continue' }))
  })
  afterEach(async () => {
    service.faults.clear()
    questions.answers = answersOf(email, { 'Sign out': 'Sign Out Only' })
    await commands.executeCommand('kourier.signOut')
    questions[Symbol.dispose]()
  })

  /** Of the key that was made last. */
  const isRevoked = () => service.state.keys.all.at(-1)?.revokedAt !== undefined

  async function signIn(): Promise<void> {
    const before = service.state.registrations.all.length
    const ended = commands.executeCommand('kourier.signIn')
    await service.log.until(() => service.state.registrations.all.length > before)
    approveLast(service, email)
    await ended
  }

  function faultyWith(status: number, on: string, body: unknown): Fault {
    return { kind: 'status', status, headers: { 'content-type': 'application/json' }, body, on, times: 'always' }
  }

  it('with nonsense for a key: nobody refused, and it can be tried again', async () => {
    service.faults.add(faultyWith(200, 'POST /oauth2/token', {}))
    await commands.executeCommand('kourier.signIn')
    const [first] = questions.asked.filter(({ detail }) => !detail)
    const { host } = new URL(service.authUrl)
    assert.deepEqual(
      [first?.text, first?.buttons],
      [
        `${host} answered in a way that Kourier does not understand. Try again, or tell whoever runs the service; the log says where the answer is wrong.`,
        ['Retry'],
      ],
    )
  })

  it('in silence: first that it is looked for, then that it takes its time, and Cancel ends it', async () => {
    service.faults.add({ kind: 'silence', on: '/.well-known/oauth-protected-resource' })
    const cancelled = questions.next('The sign-in was cancelled; no key was kept.')
    const ended = commands.executeCommand('kourier.signIn')
    await questions.progressText(
      `Looking for the service at ${new URL(service.baseUrl).host} takes longer than usual; still trying`,
    )
    page.send({ kind: 'cancel-sign-in' })
    await ended
    assert.deepEqual((await cancelled).buttons, ['Sign In'])
  })

  it('when a question is not accepted: what to do next is said', async () => {
    await signIn()
    service.faults.add(faultyWith(422, 'POST /v1/chat', {}))
    const failed = page.next(hasFailed)
    page.send({ kind: 'send', text: 'A question' })
    const message = await failed
    assert.ok(message.kind === 'activity' && message.activity.is === 'failed')
    assert.deepEqual(message.activity.notice, {
      text: 'Kourier (local) did not accept the request. Ask in another way or in a new chat; if it goes on, tell whoever runs the service.',
      action: { id: 'show-log', label: 'Show Log' },
    })
    page.send({ kind: 'new-chat' })
    page.send({ kind: 'draft', text: '', at: Date.now() })
  })

  it('while a key is being revoked: the user is signed out already, and reads so', async () => {
    await signIn()
    service.faults.add({ kind: 'delay', ms: 60_000, on: '/oauth2/revoke' })
    questions.answers = answersOf(email, { 'Sign out': 'Sign Out and Revoke Key' })
    const end = questions.next('Signed out of Kourier (local); the key was revoked.')
    const ended = commands.executeCommand('kourier.signOut')
    await questions.progressText('Signed out here. Asking Kourier (local) to revoke the key…')
    // Before that its delay has not begun, and would last as long as a minute does.
    await service.log.until(({ fault }) => fault === 'delay')
    assert.deepEqual([await authentication.getAccounts('kourier'), isRevoked()], [[], false])
    service.clock.advance(60_000)
    await end
    await ended
    assert.equal(isRevoked(), true)
  })
})
