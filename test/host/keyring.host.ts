// A keyring that throws, hangs, forgets or returns rubbish, in the real extension host: the key is never lost silently.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { authentication, ConfigurationTarget, commands, type SecretStorage, workspace } from 'vscode'
import { type Service, startService } from '../localService/server.ts'
import { approveLast } from '../support/approveLast.ts'
import { observed } from './observed.ts'
import { answersOf, Questions } from './questions.ts'

const email = 'ada@example.com'
const name = 'kourier.credential'
const choices = ['Retry', 'Keep for This Window', 'Use Environment Variable']

describe('a keyring that does not do its work', () => {
  let service: Service
  let questions: Questions
  const secrets = () => observed().context.secrets

  before(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
    await workspace.getConfiguration('kourier').update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
  })
  after(() => service.close())
  beforeEach(() => {
    questions = new Questions({})
  })
  afterEach(async () => {
    repair()
    answering({ 'Sign out': 'Sign Out and Revoke Key' })
    await commands.executeCommand('kourier.signOut')
    await secrets().delete(name)
    questions[Symbol.dispose]()
  })

  const answering = (buttons: Readonly<Record<string, string>>) => {
    questions.answers = answersOf(email, buttons)
    return questions
  }

  const own = () => secrets() as unknown as Record<string, unknown>
  /** Its own methods are in the class and show again. */
  function repair(): void {
    for (const method of ['get', 'store', 'delete']) delete own()[method]
  }
  const breakDown = (broken: Partial<SecretStorage>) => Object.assign(own(), broken)

  async function signIn(): Promise<void> {
    const before = service.state.registrations.all.length
    const signingIn = commands.executeCommand('kourier.signIn')
    await service.log.until(() => service.state.registrations.all.length > before)
    approveLast(service, email)
    assert.equal(await signingIn, undefined, 'whoever runs the command learns nothing from it')
  }

  const liveKeys = () => service.state.keys.all.filter(({ revokedAt }) => revokedAt === undefined).length

  const faults: Readonly<Record<string, { broken: Partial<SecretStorage>; explanation: RegExp }>> = {
    throws: {
      broken: { store: () => Promise.reject(new Error('org.freedesktop.secrets is not there')) },
      explanation: /keyring reports a failure, so the key is kept in memory and works until this window closes\./,
    },
    hangs: { broken: { store: () => new Promise(() => {}) }, explanation: /keyring does not answer/ },
    forgets: { broken: { store: async () => {} }, explanation: /keyring does not keep what it is given/ },
    'returns rubbish': { broken: { get: async () => '{"version":1,"key":' }, explanation: /keyring does not keep/ },
  }

  for (const [what, { broken, explanation }] of Object.entries(faults)) {
    it(`that ${what} is explained, and the key works in this window`, async () => {
      const { next } = answering({ 'Sign in to': 'Continue', 'You are signed in, but': 'Keep for This Window' })
      breakDown(broken)
      const explained = next('You are signed in, but')
      await signIn()
      const { text, buttons } = await explained
      assert.match(text, explanation)
      assert.deepEqual(buttons, choices)
      assert.doesNotMatch(text, /sk-bf-|freedesktop/)
      const [account] = await authentication.getAccounts('kourier')
      assert.equal(account?.label, email)
      assert.equal(liveKeys(), 1)
    })
  }

  it('that fails while another window stores a key: the one in memory is revoked, and that is said', async () => {
    const { next } = answering({ 'Sign in to': 'Continue', 'You are signed in, but': 'Keep for This Window' })
    breakDown(faults['throws']?.broken ?? {})
    const explained = next('You are signed in, but')
    await signIn()
    await explained
    assert.equal(liveKeys(), 1)
    repair()
    const notification = next('Another window has signed in to Kourier (local), and this one uses that key now.')
    const key = service.state.issueKey(email, 'another window')
    const other = { version: 1, key, resource: service.baseUrl, issuer: service.authUrl, service: 'Kourier (local)' }
    await secrets().store(name, JSON.stringify({ ...other, email, origin: 'registration' }))
    assert.match((await notification).text, /Its own, which was in memory only, was revoked\.$/)
    assert.equal(liveKeys(), 1)
    assert.equal(service.state.keys.find(key)?.revokedAt, undefined)
    service.state.keys.revoke(service.state.keys.find(key) ?? assert.fail(), Date.now())
  })

  it('is tried again when the user says so, and then holds the key', async () => {
    const { next } = answering({ 'Sign in to': 'Continue', 'You are signed in, but': 'Retry' })
    let times = 0
    breakDown({
      store: async (key, value) => {
        if (key === name && ++times === 1) throw new Error('locked')
        if (key === name) repair()
        await (Reflect.get(Object.getPrototypeOf(secrets()), 'store') as SecretStorage['store']).call(
          secrets(),
          key,
          value,
        )
      },
    })
    const kept = next("The key is in this machine's keyring now.")
    await signIn()
    await kept
    assert.match(JSON.parse((await secrets().get(name)) ?? '{}').key, /^sk-bf-/)
    assert.equal(liveKeys(), 1)
  })

  it('can be done without: the environment variable is explained, and the key is not shown', async () => {
    const { next } = answering({ 'Sign in to': 'Continue', 'You are signed in, but': 'Use Environment Variable' })
    breakDown(faults['throws']?.broken ?? {})
    const explained = next('Use the environment variable KOURIER_API_KEY')
    await signIn()
    const { buttons } = await explained
    assert.deepEqual(buttons, ['Open Dashboard'])
  })

  it('that does not delete keeps nobody signed in', async () => {
    const { asked } = answering({ 'Sign in to': 'Continue', 'Sign out': 'Sign Out Only' })
    await signIn()
    breakDown({ delete: () => Promise.reject(new Error('locked')) })
    await commands.executeCommand('kourier.signOut')
    assert.match(
      asked.at(-1)?.text ?? '',
      /keyring did not delete the key, and it may still work: revoke it on the dash/,
    )
    assert.deepEqual(await authentication.getAccounts('kourier'), [])
  })

  it('gives no other extension a session without the editor’s own consent', async () => {
    answering({ 'Sign in to': 'Continue' })
    await signIn()
    assert.equal(await authentication.getSession('kourier', ['inference'], { silent: true }), undefined)
  })
})
