// A window that is closed or reloaded. It loads after all others, by its name: what the extension is afterwards, no test needs.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { authentication, ConfigurationTarget, commands, workspace } from 'vscode'
import { type Service, startService } from '../localService/server.ts'
import { approveLast } from '../support/approveLast.ts'
import { openPage } from './observed.ts'
import { answersOf, Questions } from './questions.ts'
import { endExtension, startExtension } from './restart.ts'

const email = 'ada@example.com'
const agreeing = answersOf(email, { 'Sign in to': 'Continue' })

describe('a window that ends', () => {
  let service: Service
  let questions: Questions
  before(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
    await workspace.getConfiguration('kourier').update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
  })
  after(() => service.close())
  beforeEach(() => {
    questions = new Questions(agreeing)
  })
  afterEach(() => questions[Symbol.dispose]())

  const polls = () => service.log.calls.filter(({ path }) => path === '/oauth2/token')

  async function untilRegistered(times: number): Promise<void> {
    await service.log.until(() => service.state.registrations.all.length === times)
  }

  it('[R36] is followed by one that says what was cut off, hints at the unused key, and goes on by one click', async () => {
    void commands.executeCommand('kourier.signIn')
    await untilRegistered(1)
    await service.log.until(({ path }) => path === '/oauth2/token')
    await endExtension()
    const before = polls().length
    approveLast(service, email)
    questions.answers = { buttons: { 'The sign-in to': 'Sign In Again' } }
    const notification = questions.next('The sign-in')
    startExtension()
    const { text, buttons } = await notification
    const host = new URL(service.authUrl).host
    assert.equal(
      text,
      `The sign-in to Kourier (local) as ${email} ended with the window. Signing in again sends the email to ${host} once more. If you had approved it already, revoke the unused key on the dashboard under API Keys.`,
    )
    assert.deepEqual(buttons, ['Sign In Again'])
    await untilRegistered(2)
    assert.equal(polls().length, before, 'nobody polls for the first one')
    const welcome = questions.next('Signed in to Kourier (local)')
    approveLast(service, email)
    await welcome
    const tokens = polls().map(({ body }) => (body as { claim_token?: string }).claim_token)
    assert.equal(tokens.filter(token => token === tokens[0]).length, before)
    assert.equal((await authentication.getAccounts('kourier')).length, 1)
  })

  it('[R37] in the middle of an answer: the next one shows the question and what came of it, marked', async () => {
    const words = ['Once', ' upon', ' a', ' time.']
    for (let count = 1; count < words.length; count++) {
      const page = await openPage()
      page.send({ kind: 'ready' })
      page.send({ kind: 'new-chat' })
      // The second and the third window have only been started: nobody waits until they have read the key.
      const gate = service.replies.hold(count)
      service.replies.add({ tokens: words })
      const shown = words.slice(0, count).join('')
      const begun = page.answered(shown, 'streaming')
      page.send({ kind: 'send', text: 'Tell me' })
      await begun
      await endExtension()
      gate.release()
      startExtension()
      const next = await openPage()
      const taken = next.answered(shown, 'interrupted')
      next.send({ kind: 'ready' })
      await taken
      assert.deepEqual(
        next.messages.map(({ text }) => text),
        ['Tell me', shown],
      )
    }
  })

  it('[R36] gives back a key that is on its way, and ends only then', async () => {
    questions.answers = { buttons: { 'Sign out of': 'Sign Out and Revoke Key' } }
    await commands.executeCommand('kourier.signOut')
    questions.answers = agreeing
    const keys = service.state.keys.all.length
    const begun = service.state.registrations.all.length
    void commands.executeCommand('kourier.signIn')
    await untilRegistered(begun + 1)
    const first = polls().length
    await service.log.until(() => polls().length > first)
    service.faults.add({ kind: 'delay', ms: 500, on: '/oauth2/token' })
    const before = polls().length
    await service.log.until(() => polls().length > before)
    approveLast(service, email)
    await endExtension()
    const given = service.state.keys.all.slice(keys).map(({ revokedAt }) => revokedAt !== undefined)
    assert.deepEqual(given, [true], 'the key was made, and revoked')
  })
})
