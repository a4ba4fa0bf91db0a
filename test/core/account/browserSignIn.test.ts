// Signing in with the browser, against the local service, from the authorize page to the key.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { AbortedError } from '../../../src/base/abort.ts'
import { signInWithBrowser } from '../../../src/core/account/browserSignIn.ts'
import type { BrowserMethod, Service } from '../../../src/core/account/discovery.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { TransportError } from '../../../src/core/http/errors.ts'
import { layered, logged } from '../../../src/core/http/layers.ts'
import { Log } from '../../../src/core/log/log.ts'
import { LoopbackListener } from '../../../src/node/account/loopbackListener.ts'
import { startService } from '../../localService/server.ts'
import { Browser } from '../../service/browser.ts'
import { discover } from '../../support/discover.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Script, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { revoking, someService } from '../../support/signIn.ts'
import { eventually, faultOf, Wire } from '../../support/wire.ts'

const email = 'ada@example.com'
const clientId = 'kourier-vscode'

/** What a person does in the browser, as far as the page that sends back. Answers with the text of the editor's page. */
async function approve(url: string, button = 'Allow'): Promise<Response> {
  const browser = new Browser()
  await browser.open(url)
  await browser.press('Sign in', { Email: email })
  const { headers } = await browser.press(button)
  return fetch(headers.location ?? '')
}

async function local(open: (url: string) => Promise<unknown>, changed: Partial<Service> = {}) {
  const service = await startService({ plan: 'pro' })
  const wire = new Wire()
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const found = {
    ...(await discover(wire.send, new URL(service.baseUrl), wire.clock, new AbortController().signal)),
    ...changed,
  }
  const stop = new AbortController()
  const answered = { count: 0, lost: 0 }
  const result = signInWithBrowser(
    {
      http: layered(wire.send, logged(log, wire.clock)),
      service: found,
      clientId,
      clock: wire.clock,
      log,
      listen: () => LoopbackListener.open(),
      open: async url => void (await open(url)),
      onAnswered: () => void answered.count++,
      revoke: revoking(wire.send, found),
      onKeyLost: () => void answered.lost++,
    },
    stop.signal,
  )
  result.catch(() => {})
  const end = async () => {
    stop.abort(new AbortedError())
    await result.catch(() => {})
    wire[Symbol.dispose]()
    await service.close()
  }
  return { service, wire, result, stop, lines, answered, [Symbol.asyncDispose]: end }
}

test('allowed: a key that works, one exchange, no timer left, and nothing secret in the log', async () => {
  let page: Response | undefined
  let asked: URL | undefined
  await using attempt = await local(async url => {
    asked = new URL(url)
    page = await approve(url)
  })
  const key = await attempt.result
  assert.equal(attempt.service.state.keys.find(key)?.email, email)
  assert.match((await page?.text()) ?? '', /Back to the editor/)
  assert.equal(attempt.answered.count, 1)
  assert.equal(attempt.wire.clock.waiting, 0)
  const { code_challenge = '', state = '', ...query } = Object.fromEntries(asked?.searchParams ?? [])
  assert.match(code_challenge, /^[\w-]{43}$/)
  assert.match(state, /^[\w-]{32}$/)
  const { redirect_uri = '' } = query
  assert.deepEqual(query, { response_type: 'code', client_id: clientId, redirect_uri, code_challenge_method: 'S256' })
  assert.match(redirect_uri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  await assert.rejects(fetch(redirect_uri), 'the listener is closed')
  const exchanges = attempt.service.log.calls.filter(({ path }) => path === '/oauth2/token')
  assert.equal(exchanges.length, 1)
  const text = attempt.lines.join('\n')
  assert.ok(text.includes('/oauth2/token'))
  assert.doesNotMatch(text, /sk-bf|code=|verifier/)
  assert.ok(!text.includes(state))
})

test('denied: said so, with the service’s words', async () => {
  await using attempt = await local(url => approve(url, 'Deny'))
  const fault = await faultOf(attempt.result)
  assert.ok(fault instanceof SignInError && fault.reason === 'denied')
  assert.match(fault.problem.text ?? '', /denied/)
})

test('[T25] nobody answers: after five minutes it is over, and the door is closed', async () => {
  let door = ''
  await using attempt = await local(async url => {
    door = new URL(url).searchParams.get('redirect_uri') ?? ''
  })
  await eventually('it waits', () => attempt.wire.clock.waiting > 0)
  await attempt.wire.clock.advance(5 * 60_000 - 1)
  assert.equal((await fetch(door)).status, 400)
  await attempt.wire.clock.advance(1)
  const fault = await faultOf(attempt.result)
  await assert.rejects(fetch(door))
  assert.ok(fault instanceof SignInError && fault.reason === 'unanswered')
  assert.equal(attempt.wire.clock.waiting, 0)
})

test('cancelled while the browser is open: over at once', async () => {
  await using attempt = await local(async () => {})
  await eventually('it waits', () => attempt.wire.clock.waiting > 0)
  const reason = new AbortedError()
  attempt.stop.abort(reason)
  assert.equal(await faultOf(attempt.result), reason)
  assert.equal(attempt.wire.clock.waiting, 0)
})

test('a browser that cannot be opened ends it', async () => {
  const reason = new Error('no browser')
  await using attempt = await local(() => Promise.reject(reason))
  assert.equal(await faultOf(attempt.result), reason)
})

test('an answer that names another issuer, or none where one was announced, is not used', async () => {
  for (const iss of ['https://evil.test', '']) {
    await using attempt = await local(async url => {
      const { searchParams } = new URL(url)
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'stolen')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      if (iss) back.searchParams.set('iss', iss)
      await fetch(back)
    })
    const fault = await faultOf(attempt.result)
    assert.ok(fault instanceof SignInError && fault.reason === 'mixed up')
    assert.equal(attempt.service.log.calls.filter(({ path }) => path === '/oauth2/token').length, 0)
  }
})

test('a service that does not offer it is not asked', async () => {
  await using attempt = await local(assert.fail, { browser: undefined })
  const fault = await faultOf(attempt.result)
  assert.ok(fault instanceof SignInError && fault.reason === 'not offered')
})

const auth = 'https://auth.example.com'
const way: BrowserMethod = {
  authorizationEndpoint: `${auth}/authorize`,
  registrationEndpoint: `${auth}/clients`,
  issuer: 'https://AUTH.example.com:443',
  namesIssuer: false,
}

/** A service of which only the endpoints are scripted; the browser approves at once. */
async function scripted(
  script: Script[],
  setting = '',
  query: Readonly<Record<string, string>> = { code: 'the-code' },
) {
  const http = new ScriptedHttp(...script)
  let asked: URL | undefined
  const log = new Log()
  const open = async (url: string) => {
    asked = new URL(url)
    const back = new URL(asked.searchParams.get('redirect_uri') ?? '')
    const state = asked.searchParams.get('state') ?? ''
    for (const [name, value] of Object.entries({ ...query, state })) back.searchParams.set(name, value)
    await fetch(back)
  }
  const clock = new FakeClock()
  const service = { ...someService, browser: way }
  const stop = new AbortController()
  const revoke = revoking(http.send, service)
  const listen = () => LoopbackListener.open()
  const options = {
    http: http.send,
    service,
    clientId: setting,
    clock,
    log,
    listen,
    open,
    onAnswered: () => {},
    revoke,
  }
  const result = signInWithBrowser(options, stop.signal)
  const done = await result.then(
    key => ({ key }),
    fault => ({ fault }),
  )
  assert.equal(clock.waiting, 0)
  return {
    http,
    done,
    asked,
    log,
    reason: 'fault' in done && done.fault instanceof SignInError ? done.fault.reason : undefined,
  }
}

const granted: Script = { body: { access_token: 'sk-bf-0123456789', token_type: 'Bearer' } }

test('without a client id one is registered, for the port that listens', async () => {
  const { http, done, asked } = await scripted([{ status: 201, body: { client_id: 'given out' } }, granted])
  assert.deepEqual(done, { key: 'sk-bf-0123456789' })
  const [registration, exchange] = http.requests
  const redirect_uri = asked?.searchParams.get('redirect_uri')
  assert.equal(registration?.url, `${auth}/clients`)
  assert.deepEqual(JSON.parse(registration?.body ?? ''), {
    client_name: 'Kourier',
    redirect_uris: [redirect_uri],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  })
  assert.equal(asked?.searchParams.get('client_id'), 'given out')
  const { code_verifier = '', ...form } = Object.fromEntries(new URLSearchParams(exchange?.body))
  assert.deepEqual(form, { grant_type: 'authorization_code', code: 'the-code', client_id: 'given out', redirect_uri })
  assert.match(code_verifier, /^[A-Za-z0-9._~-]{43,128}$/)
  const challenge = createHash('sha256').update(code_verifier).digest('base64url')
  assert.equal(asked?.searchParams.get('code_challenge'), challenge)
})

test('a secret that was given out goes to the token endpoint and into no log', async () => {
  const registered = { status: 201, body: { client_id: 'x', client_secret: 'very-secret' } }
  const { http, log } = await scripted([registered, granted])
  assert.equal(new URLSearchParams(http.requests[1]?.body).get('client_secret'), 'very-secret')
  assert.doesNotMatch(log.redactor.redact('very-secret'), /very/)
})

test('a client id of the settings needs no registration', async () => {
  const { http, asked } = await scripted([granted], 'from the settings')
  assert.equal(asked?.searchParams.get('client_id'), 'from the settings')
  assert.equal(http.requests.length, 1)
})

test('a registration that is refused: no client, and no browser', async () => {
  for (const status of [400, 401, 403, 404]) {
    const { reason, asked } = await scripted([{ status, body: { error: 'invalid_redirect_uri' } }])
    assert.deepEqual([reason, asked], ['no client', undefined])
  }
})

const ends: readonly [string, Script, string | undefined][] = [
  ['a code that is not good any more', { status: 400, body: { error: 'invalid_grant' } }, 'run out'],
  ['a key that could not be made', { status: 400, body: { error: 'access_denied' } }, 'denied'],
  ['a client that is not known', { status: 401, body: { error: 'invalid_client' } }, 'refused'],
  ['half an answer', { body: '{"acc', brokenBy: new TransportError('h', 'during', 'reset') }, 'lost'],
  ['no answer to what was sent', { fault: new TransportError('h', 'before', 'reset') }, 'lost'],
  ['the login page of a network', { headers: { 'content-type': 'text/html' }, body: '<p>Log in first.' }, undefined],
  ['the way to one', { status: 302, headers: { location: 'https://login.example/' } }, undefined],
  ['what is neither', { body: 'not yet' }, 'lost'],
  ['a network that is down', { fault: new TransportError('h', 'before', 'unreachable') }, undefined],
  ['a stumble', { status: 503 }, undefined],
  ['a fault of the service itself', { status: 500, body: { error: 'server_error' } }, undefined],
  ['a gateway that gave up', { status: 504, headers: { 'content-type': 'text/html' }, body: '<p>Timeout.' }, 'lost'],
  ['a limit that is not the plan’s', { status: 429, headers: { 'retry-after': '60' } }, 'too often'],
  ['a success that says nothing', { body: {} }, undefined],
]
for (const [name, answer, expected] of ends) {
  test(`the exchange, ${name}: once, and ${expected ?? 'the fault itself'}`, async () => {
    const { http, reason, done } = await scripted([answer], 'client')
    assert.equal(reason, expected)
    assert.ok('fault' in done)
    assert.equal(http.requests.length, 1, 'a code is sent once')
  })
}

test('a key for something else is given back', async () => {
  const other: Script = { body: { access_token: 'sk-bf-0123456789', token_type: 'Bearer', scope: 'billing' } }
  const { http, reason } = await scripted([other, {}], 'client')
  assert.equal(reason, 'refused')
  await eventually('the key is given back', () => http.requests.some(({ url }) => url.endsWith('/revoke')))
})

test('[R38] cancelled while the exchange is on its way, whose answer is cut then: told', async () => {
  await using attempt = await local(async url => {
    const cut = { kind: 'cut', afterBytes: 10 } as const
    attempt.service.faults.add({ kind: 'delay', ms: 5_000, on: '/oauth2/token', also: [cut] })
    await approve(url)
  })
  await attempt.service.log.until(({ fault }) => fault === 'delay')
  assert.equal(attempt.answered.lost, 0)
  const reason = new AbortedError()
  attempt.stop.abort(reason)
  assert.equal(await faultOf(attempt.result), reason)
  attempt.service.clock.advance(5_000)
  await eventually('it is told', () => attempt.answered.lost === 1)
  assert.equal(attempt.service.state.keys.all.length, 1)
})

test('an error, or nothing that could be a code', async () => {
  const queries: readonly [Readonly<Record<string, string>>, string][] = [
    [{ error: 'access_denied' }, 'denied'],
    [{ error: 'unauthorized_client', error_description: 'No.' }, 'refused'],
    [{ error: 'server_error', error_description: 'A disk is full.' }, 'trouble'],
    [{ error: 'temporarily_unavailable' }, 'trouble'],
    [{ error: 'constructor' }, 'refused'],
    [{}, 'refused'],
    [{ code: '' }, 'refused'],
    [{ code: 'a\nb' }, 'refused'],
    [{ code: 'x', iss: 'https://evil.test' }, 'mixed up'],
    [{ code: 'x', iss: 'https://Auth.example.com' }, 'mixed up'],
  ]
  for (const [query, expected] of queries) assert.equal((await scripted([granted], 'client', query)).reason, expected)
})

test('an answer names its issuer as the service’s document spells it, or as it is asked; a slash at the end is nothing', async () => {
  for (const iss of [way.issuer, auth]) {
    for (const spelled of [iss, `${iss}/`]) {
      const { done } = await scripted([granted], 'client', { code: 'x', iss: spelled })
      assert.deepEqual(done, { key: 'sk-bf-0123456789' }, spelled)
    }
  }
})
