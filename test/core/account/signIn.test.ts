// Every state of a sign-in with every event: the next state, what is sent, and what becomes of a key.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AnotherSignInError, KeyringError } from '../../../src/core/account/credentialStore.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import type { StateName } from '../../../src/core/account/signInState.ts'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { made, madeOf } from '../../support/credential.ts'
import { api, granted, key, SignInWindow, type Waiting } from '../../support/signInWindow.ts'
import { eventually } from '../../support/wire.ts'

/** How a state is reached, what it waits for there, and an answer that refuses. */
interface Way {
  readonly begin: (window: SignInWindow) => Promise<void>
  readonly holding: Waiting
  readonly prepare?: (window: SignInWindow) => void
  readonly no: (window: SignInWindow) => Promise<void>
}

const byCode = (window: SignInWindow) => window.signIn.signIn()
const byBrowser = (window: SignInWindow) => window.signIn.signInWithBrowser()
const byKey = (window: SignInWindow) => window.signIn.useApiKey()
const giving = (value: unknown) => (window: SignInWindow) => window.give(value)
const denied = giving({ status: 400, body: { error: 'access_denied', error_description: 'No.' } })

const ways: Readonly<Record<Exclude<StateName, 'ended'>, Way>> = {
  'asking about another window': {
    begin: byCode,
    holding: 'wantsSignInHere',
    prepare: window => {
      window.store.unread = ['https://other.example.com']
    },
    no: giving(false),
  },
  'asking for the address': {
    begin: byCode,
    holding: 'askAddress',
    prepare: window => {
      window.settings = { service: undefined, baseUrl: '' }
    },
    no: giving(undefined),
  },
  'finding the service': { begin: byCode, holding: 'api document', no: giving({ status: 404 }) },
  'asking about the server': { begin: byCode, holding: 'mayContact', no: giving(false) },
  'looking for a key': { begin: byCode, holding: 'load', no: window => window.fail(new KeyringError('failed')) },
  'looking for email': { begin: byCode, holding: 'findEmails', no: giving([]) },
  'waiting for email': { begin: byCode, holding: 'askEmail', no: giving(undefined) },
  'waiting for consent': { begin: byCode, holding: 'askConsent', no: giving('stop') },
  registering: { begin: byCode, holding: 'registration', no: denied },
  code: {
    begin: byCode,
    holding: 'token',
    prepare: window => {
      window.usual = { ...window.usual, token: granted }
    },
    no: denied,
  },
  browser: {
    begin: byBrowser,
    holding: 'redirect',
    prepare: window => {
      window.usual = { ...window.usual, token: granted }
    },
    no: giving({ error: 'access_denied', iss: 'https://auth.example.com' }),
  },
  'fetching the key': {
    begin: byBrowser,
    holding: 'token',
    prepare: window => {
      window.usual = { ...window.usual, token: granted }
    },
    no: denied,
  },
  'waiting for a key': { begin: byKey, holding: 'askKey', no: giving(undefined) },
  'checking the key': { begin: byKey, holding: 'models', no: giving({ status: 401 }) },
  'keeping the key': {
    begin: byBrowser,
    holding: 'save',
    prepare: window => {
      window.usual = { ...window.usual, token: granted }
    },
    no: window => window.fail(new AnotherSignInError('Another window has signed in meanwhile')),
  },
}

async function reach(name: Exclude<StateName, 'ended'>): Promise<SignInWindow> {
  const window = new SignInWindow()
  const { begin, holding, prepare } = ways[name]
  await window.account.restore()
  prepare?.(window)
  window.hold(holding)
  void begin(window)
  if (name === 'code') {
    await eventually('there is a code', () => window.at === 'code')
    await window.clock.advance(5_000)
  }
  await eventually(`it waits: ${name}`, () => window.isHeld && window.at === name)
  window.sent.length = 0
  return window
}

/** After an end, whatever was on its way to the user or the service still arrives. */
async function thenItArrives(window: SignInWindow): Promise<void> {
  await window.rest()
  if (window.isHeld) await window.goOn()
}

const events = {
  'the answer comes': window => window.goOn(),
  'the answer is no': (window, { no }) => no(window),
  'there is no answer': window => window.fail(new TransportError('service.test', 'during', 'reset')),
  cancelled: window => {
    window.signIn.cancel()
    return window.rest()
  },
  'cancelled, then the answer comes': window => {
    window.signIn.cancel()
    return thenItArrives(window)
  },
  'another window signs in': window => window.store.putOfAnother(madeOf('sk-bf-of-another-window')),
  'another window signs in, then the answer comes': async window => {
    await window.store.putOfAnother(madeOf('sk-bf-of-another-window'))
    await thenItArrives(window)
  },
  'the window closes': window => {
    void window.signIn.end()
    return window.rest()
  },
  'the window closes, then the answer comes': async window => {
    const ended = window.signIn.end()
    await thenItArrives(window)
    await ended
  },
  'signing in again': window => {
    void window.signIn.useApiKey()
    return window.rest()
  },
  'another code is wanted': window => {
    window.signIn.renew()
    return window.rest()
  },
} as const satisfies Record<string, (window: SignInWindow, way: Way) => Promise<void>>

type EventName = keyof typeof events

async function outcomeOf(window: SignInWindow): Promise<string> {
  await window.rest()
  const kept = await window.store.kept()
  const facts = [
    window.at,
    window.sent.length > 0 ? `sends: ${window.sent.join(', ')}` : '',
    kept?.hasTextOf(madeOf(key)) ? 'stored' : '',
    window.notes.size > 0 ? 'leaves a note' : '',
    window.reports.length > 0 ? `reports: ${window.reports.join(', ')}` : '',
    window.shown > 0 ? 'shown' : '',
  ]
  return facts.filter(Boolean).join('; ')
}

/** Nothing has been sent that could bring a key. */
const unsent = {
  cancelled: 'ended: cancelled',
  'cancelled, then the answer comes': 'ended: cancelled',
  'another window signs in': 'ended: overtaken',
  'another window signs in, then the answer comes': 'ended: overtaken',
  'the window closes': 'ended: window closed',
  'the window closes, then the answer comes': 'ended: window closed',
} as const

/** There is a note of it, for a window that comes after this one. */
const begun = {
  cancelled: 'ended: cancelled',
  'cancelled, then the answer comes': 'ended: cancelled',
  'another window signs in': 'ended: overtaken',
  'another window signs in, then the answer comes': 'ended: overtaken',
  'the window closes': 'ended: window closed; leaves a note',
  'the window closes, then the answer comes': 'ended: window closed; leaves a note',
} as const

/** The answer may carry a key: one that comes too late is revoked. */
const issuing = {
  cancelled: 'ended: cancelled',
  'cancelled, then the answer comes': 'ended: cancelled; sends: revocation',
  'another window signs in': 'ended: overtaken',
  'another window signs in, then the answer comes': 'ended: overtaken; sends: revocation',
  'the window closes': 'ended: window closed; leaves a note',
  'the window closes, then the answer comes': 'ended: window closed; sends: revocation; leaves a note',
} as const

const table: Readonly<Record<keyof typeof ways, Readonly<Record<EventName, string>>>> = {
  'asking about another window': {
    ...unsent,
    'the answer comes': 'code; sends: api document, server document, registration; leaves a note',
    'the answer is no': 'ended: closed',
    'there is no answer': 'ended: failed',
    'signing in again': 'asking about another window; shown',
    'another code is wanted': 'asking about another window',
  },
  'asking for the address': {
    ...unsent,
    'the answer comes': 'code; sends: api document, server document, registration; leaves a note',
    'the answer is no': 'ended: closed',
    'there is no answer': 'ended: failed',
    'another window signs in': 'asking for the address',
    'another window signs in, then the answer comes': 'ended: overtaken; sends: api document, server document',
    'signing in again': 'asking for the address; shown',
    'another code is wanted': 'asking for the address',
  },
  'finding the service': {
    ...unsent,
    'the answer comes': 'code; sends: server document, registration; leaves a note',
    'the answer is no': 'ended: failed; sends: models',
    'there is no answer': 'ended: failed',
    'signing in again': 'finding the service; shown',
    'another code is wanted': 'finding the service',
  },
  'asking about the server': {
    ...unsent,
    'the answer comes': 'code; sends: server document, registration; leaves a note',
    'the answer is no': 'ended: closed',
    'there is no answer': 'ended: failed',
    'signing in again': 'asking about the server; shown',
    'another code is wanted': 'asking about the server',
  },
  'looking for a key': {
    ...unsent,
    'the answer comes': 'code; sends: registration; leaves a note',
    'the answer is no': 'code; sends: registration; leaves a note',
    'there is no answer': 'code; sends: registration; leaves a note',
    'another window signs in': 'looking for a key',
    'signing in again': 'looking for a key; shown',
    'another code is wanted': 'looking for a key',
  },
  'looking for email': {
    ...unsent,
    'the answer comes': 'code; sends: registration; leaves a note',
    'the answer is no': 'code; sends: registration; leaves a note',
    'there is no answer': 'ended: failed',
    'signing in again': 'looking for email; shown',
    'another code is wanted': 'looking for email',
  },
  'waiting for email': {
    ...unsent,
    'the answer comes': 'code; sends: registration; leaves a note',
    'the answer is no': 'ended: not agreed',
    'there is no answer': 'ended: failed',
    'signing in again': 'waiting for email; shown',
    'another code is wanted': 'waiting for email',
  },
  'waiting for consent': {
    ...unsent,
    'the answer comes': 'code; sends: registration; leaves a note',
    'the answer is no': 'ended: not agreed',
    'there is no answer': 'ended: failed',
    'signing in again': 'waiting for consent; shown',
    'another code is wanted': 'waiting for consent',
  },
  registering: {
    ...begun,
    'the answer comes': 'code; leaves a note',
    'the answer is no': 'ended: failed',
    'there is no answer': 'ended: failed',
    'signing in again': 'registering; leaves a note; shown',
    'another code is wanted': 'registering; leaves a note',
  },
  code: {
    ...issuing,
    'the answer comes': 'ended: signed in; stored',
    'the answer is no': 'ended: failed',
    'there is no answer': 'code; leaves a note',
    'signing in again': 'code; leaves a note; shown',
    'another code is wanted': 'code; leaves a note',
  },
  browser: {
    ...begun,
    'the answer comes': 'ended: signed in; sends: token; stored',
    'the answer is no': 'ended: failed',
    'there is no answer': 'ended: failed',
    'signing in again': 'browser; leaves a note; shown',
    'another code is wanted': 'browser; leaves a note',
  },
  'fetching the key': {
    ...issuing,
    'the answer comes': 'ended: signed in; stored',
    'the answer is no': 'ended: failed',
    'there is no answer': 'ended: failed',
    'signing in again': 'fetching the key; leaves a note; shown',
    'another code is wanted': 'fetching the key; leaves a note',
  },
  'waiting for a key': {
    ...unsent,
    'the answer comes': 'ended: signed in; sends: models; stored',
    'the answer is no': 'ended: closed',
    'there is no answer': 'ended: failed',
    'signing in again': 'waiting for a key; shown',
    'another code is wanted': 'waiting for a key',
  },
  'checking the key': {
    ...unsent,
    'the answer comes': 'ended: signed in; stored',
    'the answer is no': 'ended: key refused',
    'there is no answer': 'ended: failed',
    'signing in again': 'checking the key; shown',
    'another code is wanted': 'checking the key',
  },
  'keeping the key': {
    'the answer comes': 'ended: signed in; stored',
    'the answer is no': 'ended: overtaken; sends: revocation',
    'there is no answer': 'ended: signed in; reports: held in memory',
    cancelled: 'keeping the key; leaves a note',
    'cancelled, then the answer comes': 'ended: signed in; stored',
    'another window signs in': 'keeping the key; leaves a note',
    'another window signs in, then the answer comes': 'ended: signed in; stored',
    'the window closes': 'keeping the key; leaves a note',
    'the window closes, then the answer comes': 'ended: signed in; stored',
    'signing in again': 'keeping the key; leaves a note; shown',
    'another code is wanted': 'keeping the key; leaves a note',
  },
}

describe('[R36] [R39] each state with each event', () => {
  for (const name of Object.keys(ways) as (keyof typeof ways)[])
    test(name, async () => {
      for (const [event, act] of Object.entries(events)) {
        using window = await reach(name)
        await act(window, ways[name])
        assert.equal(await outcomeOf(window), table[name][event as EventName], event)
        if (window.revoked.length > 0) assert.deepEqual(window.revoked, [`token=${key}`], event)
        const written = JSON.stringify([...window.notes.values()])
        assert.doesNotMatch(written, /sk-bf|clm_|@/, 'no note holds a secret or an email')
      }
    })
})

const afterEnd: Readonly<Record<string, readonly [(window: SignInWindow) => unknown, string]>> = {
  cancelled: [window => window.signIn.cancel(), 'ended: not agreed'],
  'another code is wanted': [window => window.signIn.renew(), 'ended: not agreed'],
  'its notice is dropped': [window => window.signIn.dropNotice(), 'idle'],
  'another window signs in': [window => window.store.putOfAnother(madeOf('sk-bf-of-another-window')), 'idle'],
  'the window closes': [window => void window.signIn.end(), 'ended: not agreed'],
  'signing in again': [
    window => {
      window.hold('askKey')
      void window.signIn.useApiKey()
    },
    'waiting for a key; sends: api document, server document',
  ],
}
for (const [event, [act, expected]] of Object.entries(afterEnd)) {
  test(`an attempt that has ended, and ${event}`, async () => {
    using window = await reach('waiting for consent')
    await window.give('stop')
    await act(window)
    assert.equal(await outcomeOf(window), expected)
  })
}

test('a second sign-in while one is under way ends with it', async () => {
  using window = await reach('code')
  let hasEnded = false
  const again = window.signIn.signIn().then(() => {
    hasEnded = true
  })
  await window.rest()
  assert.equal(hasEnded, false)
  await window.goOn()
  await again
  assert.equal(window.at, 'ended: signed in')
})

test('[T23] the email can be changed until the consent, and only the one agreed to is sent and remembered', async () => {
  using window = await reach('waiting for email')
  window.hold('askConsent')
  await window.give('other@example.com')
  window.hold('askEmail')
  await window.give('use another email')
  assert.equal(window.at, 'waiting for email')
  await window.give('ada@example.com')
  assert.deepEqual(
    window.bodies.map(body => JSON.parse(body).login_hint),
    ['ada@example.com'],
  )
  assert.match([...window.secrets.values()].join(), /ada@example\.com/)
  assert.doesNotMatch([...window.secrets.values(), ...window.bodies].join(), /other@/)
})

for (const what of ['read the email', 'write the email'] as const) {
  test(`[R41] a keyring that hangs when it is to ${what} does not hold up Cancel`, async () => {
    using window = new SignInWindow()
    await window.account.restore()
    window.hold(what)
    const ended = window.signIn.signIn()
    await eventually('it hangs', () => window.isHeld)
    window.signIn.cancel()
    assert.equal(window.at, 'ended: cancelled')
    await window.goOn()
    await ended
    assert.deepEqual([window.notes.size, window.secrets.size], [0, 0], 'nothing is left of it')
  })
}

test('[R41] a keyring that takes ten seconds to unlock is not asked about', async () => {
  using window = await keyringWindow()
  const ended = window.signIn.signIn()
  await eventually('the key is being stored', () => window.isHeld && window.at === 'keeping the key')
  await window.clock.advance(10_000)
  assert.equal(window.at, 'keeping the key')
  await window.goOn()
  await ended
  assert.deepEqual([window.at, window.reports], ['ended: signed in', []])
})

/** A window with a real record in the keyring, whose write waits. */
async function keyringWindow(): Promise<SignInWindow> {
  const window = new SignInWindow({ isKeyringReal: true })
  await window.account.restore()
  window.usual = { ...window.usual, token: granted }
  window.hold('write the key')
  void window.signIn.onDidChange(({ is }) => is === 'code' && void window.clock.advance(5_000))
  return window
}

test('[T23] after its time has run out the same email is sent again without a question, and after nothing else', async () => {
  using window = await reach('code')
  await window.give({ status: 400, body: { error: 'claim_expired' } })
  assert.equal(window.at, 'ended: failed')
  const asked = window.questions.length
  void window.signIn.resume()
  await eventually('there is another code', () => window.at === 'code')
  assert.equal(window.questions.length, asked, 'the user has agreed to it')
  window.signIn.cancel()
  window.hold('askEmail')
  void window.signIn.resume()
  await eventually('the user is asked', () => window.at === 'waiting for email')
})

test('[T23] an email that was agreed to for one service is not sent to another', async () => {
  using window = await reach('code')
  await window.give({ status: 400, body: { error: 'claim_expired' } })
  const other = 'https://other.example.com'
  window.settings = { service: new URL(other), baseUrl: other }
  window.usual = { ...window.usual, 'api document': { body: { resource: other, authorization_servers: [other] } } }
  window.usual = { ...window.usual, 'server document': { status: 404 } }
  window.hold('askEmail')
  void window.signIn.resume()
  await eventually('the user is asked', () => window.at === 'waiting for email')
})

test('[R36] a window that comes after one in the middle of a sign-in goes on by one click, for the same email', async () => {
  using first = await reach('code')
  using next = await reopened(first)
  await next.signIn.offerToResume()
  assert.equal(next.at, 'ended: cut off')
  assert.equal(next.notes.size, 0)
  void next.signIn.resume()
  await eventually('there is a code', () => next.at === 'code')
  assert.deepEqual(next.questions, ['mayContact'], 'nothing about the email')
})

test('[R36] a sign-in that was to replace a refused key leaves that key refused in the next window', async () => {
  const refused = made({
    version: 1,
    key: 'sk-bf-refused',
    resource: api,
    service: 'Example',
    origin: 'registration',
    id: 'the sign-in of before',
  })
  using first = new SignInWindow()
  await first.store.putOfAnother(refused)
  await first.account.restore()
  first.account.handleFault(new ProblemError('h', 401, {}), refused)
  void first.signIn.signIn()
  await eventually('there is a code', () => first.at === 'code')
  await Promise.race([first.signIn.end(), first.rest()])
  using next = new SignInWindow({ after: first })
  await next.store.putOfAnother(refused)
  await next.account.restore()
  assert.equal(next.account.state.is, 'in')
  await next.signIn.offerToResume()
  assert.deepEqual([next.account.state.is, next.at], ['refused', 'ended: cut off'])
})

/** The window after the one in which the sign-in was cut off. */
async function reopened(first: SignInWindow): Promise<SignInWindow> {
  await Promise.race([first.signIn.end(), first.rest()])
  const next = new SignInWindow({ after: first })
  await next.account.restore()
  return next
}

function cutOffsFoundBy({ signIn }: SignInWindow): unknown[] {
  const found: unknown[] = []
  signIn.onDidFindCutOff(({ way }) => found.push(way))
  return found
}

test('[R36] where the user is signing in already, the sign-in that was cut off is only reported', async () => {
  using first = await reach('code')
  using next = await reopened(first)
  const found = cutOffsFoundBy(next)
  next.hold('askEmail')
  void next.signIn.signIn()
  await eventually('the user is asked', () => next.at === 'waiting for email')
  await next.signIn.offerToResume()
  assert.deepEqual([found, next.at], [['code'], 'waiting for email'])
})

test('[R36] how an attempt of this window has ended stays, where one of before is found only then', async () => {
  using first = await reach('code')
  using next = await reopened(first)
  const found = cutOffsFoundBy(next)
  next.hold('askKey')
  void next.signIn.useApiKey()
  await eventually('the user is asked', () => next.isHeld)
  const cutOff = next.signIn.offerToResume()
  next.signIn.cancel()
  await cutOff
  assert.deepEqual([found, next.at], [['code'], 'ended: cancelled'])
})

test('[T20] a sign-in server on a host that the user has not seen is contacted only after a yes, which is kept', async () => {
  for (const begin of [byCode, byBrowser, byKey]) {
    using window = new SignInWindow()
    await window.account.restore()
    window.hold('mayContact')
    void begin(window)
    await eventually('the user is asked', () => window.isHeld)
    assert.deepEqual(window.asked, ['api.example.com auth.example.com'])
    assert.deepEqual(window.sent, ['api document'])
    await window.give(false)
    assert.deepEqual([window.at, window.sent], ['ended: closed', ['api document']])
    window.hold('mayContact')
    void begin(window)
    await eventually('the user is asked again', () => window.isHeld)
    await window.give(true)
    assert.ok(window.sent.includes('server document'))
    window.signIn.cancel()
    void begin(window)
    await eventually('it is contacted', () => window.sent.filter(one => one === 'server document').length === 2)
    assert.equal(window.asked.length, 2, 'not again for the same two hosts')
  }
})

test('a sign-in server on the host that the user has named, or on this very machine, needs no question', async () => {
  for (const [api, server] of [
    ['https://api.example.com', 'https://api.example.com'],
    ['http://127.0.0.1:4711', 'http://auth.localhost:4712'],
  ] as const) {
    using window = new SignInWindow()
    window.settings = { service: new URL(api), baseUrl: api }
    window.usual = { ...window.usual, 'api document': { body: { resource: api, authorization_servers: [server] } } }
    window.usual = { ...window.usual, 'server document': { status: 404 } }
    window.hold('askEmail')
    void window.signIn.signIn()
    await eventually('the email is asked for', () => window.at === 'waiting for email')
    assert.deepEqual(window.asked, [])
  }
})

test('after Sign In Here and Cancel the window still knows that the storage holds the key of another window', async () => {
  using window = await reach('asking about another window')
  const { unread } = window.account
  window.hold('askEmail')
  await window.give(true)
  await eventually('the email is asked for', () => window.at === 'waiting for email')
  assert.deepEqual(window.account.unread, [], 'for this attempt it counts as read')
  window.signIn.cancel()
  await window.rest()
  assert.deepEqual(window.account.unread, unread)
})

test('[R38] a key that was lost ends with the service’s own words', async () => {
  using window = await reach('code')
  await window.give({ status: 400, body: { error: 'invalid_grant', error_description: 'Handed out already.' } })
  const { state } = window.signIn
  assert.ok(state.is === 'ended' && state.ending.why === 'failed')
  assert.ok(state.ending.fault instanceof SignInError && state.ending.fault.reason === 'lost')
  assert.equal(state.ending.fault.problem.text, 'Handed out already.')
})

test('[T21] a page for the code that is not safe to open is named as what it is', async () => {
  using window = await reach('registering')
  const claim = { user_code: '12345678', verification_uri: '//evil.test/claim', expires_in: 600, interval: 5 }
  await window.give({ body: { claim_token: 'clm_first', claim } })
  const { state } = window.signIn
  assert.ok(state.is === 'ended' && state.ending.why === 'failed')
  assert.match(String(state.ending.fault), /the address of the page for the code/)
})
