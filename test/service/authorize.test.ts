// Signing in with the browser: the authorize page, the way back, and the code for a key (RFC 6749 4.1, RFC 7636).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Service, startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import { bearer, email, get } from './caller.ts'
import { attemptAt, type Changed, codeFor, exchange, parametersOf, redirectUri, signedIn, wayBack } from './codeFlow.ts'

const models = async (service: Service, key: string) => (await get(`${service.baseUrl}/v1/models`, bearer(key))).status

describe('the authorize page', () => {
  it('[authorize.page] [authorize.exchange] [authorize.redirect] [authorize.iss] asks who, then what, and sends back a code', async () => {
    await using service = await startService({ plan: 'pro' })
    const { url, verifier } = attemptAt(service)
    const browser = new Browser()
    const first = await browser.open(url())
    assert.equal(first.status, 200)
    assert.match(first.words, /let Kourier for VS Code use your plan/)
    await browser.press('Sign in', { Email: email })
    const { words, headers } = browser.page
    assert.match(words, /Who asks Kourier for VS Code \(kourier-vscode\)/)
    assert.match(words, /For whom ada@example.com/)
    assert.match(words, /inference.*until you revoke/)
    assert.match(words, /127\.0\.0\.1:50123 on this machine/)
    assert.match(String(headers['content-security-policy']), /form-action 'self' http:\/\/127\.0\.0\.1:50123;/)

    const back = wayBack(await browser.press('Allow'))
    assert.equal(back.origin + back.pathname, redirectUri)
    const { code = '', ...others } = parametersOf(back)
    assert.deepEqual(others, { state: 'st&te=1', iss: service.authUrl })

    const { status, json } = await exchange(service, { code, code_verifier: verifier })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(json), ['access_token', 'token_type', 'scope'])
    assert.equal(await models(service, json.access_token), 200)
    assert.equal(service.state.keys.all[0]?.name, 'Kourier for VS Code')
  })

  it('[authorize.denied] sends a denial back with its reason, its state and no code', async () => {
    await using service = await startService({ plan: 'pro' })
    const browser = await signedIn(service)
    const back = wayBack(await browser.press('Deny'))
    assert.deepEqual(parametersOf(back), {
      error: 'access_denied',
      error_description: 'The user denied the request.',
      state: 'st&te=1',
      iss: service.authUrl,
    })
  })

  it('[authorize.plan] asks for a plan first where there is none', async () => {
    await using service = await startService()
    const browser = await signedIn(service)
    assert.equal(browser.hasButton('Allow'), false)
    assert.equal(browser.hasButton('Deny'), true)
    // A form made by hand gets no further than the button that is not there.
    await browser.press('Choose Pro', {}, { action: 'allow' })
    assert.equal(browser.hasButton('Allow'), false)
    await browser.press('Choose Max')
    assert.equal(service.state.accounts.of(email).plan, 'max')
    assert.equal(wayBack(await browser.press('Allow')).searchParams.has('code'), true)
  })

  it('asks for the email again where it is none, and lets another one be used', async () => {
    await using service = await startService({ plan: 'pro' })
    const { url } = attemptAt(service)
    const browser = new Browser()
    await browser.open(url())
    await browser.press('Sign in', { Email: 'nobody' })
    assert.equal(browser.page.status, 400)
    assert.match(browser.page.words, /no email address/)
    await browser.press('Sign in', { Email: 'bob@example.com' })
    await browser.press('Use another email')
    await browser.press('Sign in', { Email: email })
    assert.match(browser.page.words, /For whom ada@example.com/)
    assert.equal(wayBack(await browser.press('Allow')).searchParams.get('state'), 'st&te=1')
  })

  it('[authorize.forms] takes no form that did not come from it, and gives no code to who is not signed in', async () => {
    await using service = await startService({ plan: 'pro' })
    const browser = await signedIn(service)
    await browser.press('Allow', {}, { csrf: 'forged' })
    assert.equal(browser.page.status, 403)
    const otherBrowser = new Browser()
    await otherBrowser.open(attemptAt(service).url())
    await otherBrowser.press('Sign in', {}, { action: 'allow' })
    assert.equal(otherBrowser.hasButton('Sign in'), true)
  })
})

describe('a request at the authorize page', () => {
  const loopback = '[authorize.loopback] refuses on the page, and sends nothing to,'
  const invalidRequests: readonly (readonly [name: string, changed: Changed])[] = [
    ['[authorize.client] refuses on the page a client that is not known', { client_id: 'somebody' }],
    ['[authorize.client] refuses on the page a request without a client', { client_id: undefined }],
    [`${loopback} no address`, { redirect_uri: undefined }],
    [`${loopback} an address elsewhere`, { redirect_uri: 'https://evil.example/callback' }],
    [`${loopback} another path`, { redirect_uri: 'http://127.0.0.1:50123/elsewhere' }],
    [`${loopback} a longer path`, { redirect_uri: 'http://127.0.0.1:50123/callback/' }],
    [`${loopback} an added query`, { redirect_uri: 'http://127.0.0.1:50123/callback?to=evil' }],
    [`${loopback} a fragment`, { redirect_uri: 'http://127.0.0.1:50123/callback#x' }],
    [`${loopback} loopback by name`, { redirect_uri: 'http://localhost:50123/callback' }],
    [`${loopback} another scheme`, { redirect_uri: 'https://127.0.0.1:50123/callback' }],
    [`${loopback} a user name that looks like loopback`, { redirect_uri: 'http://127.0.0.1:1@evil.example/callback' }],
    [`${loopback} a number written otherwise`, { redirect_uri: 'http://127.1:50123/callback' }],
    [`${loopback} a port that is none`, { redirect_uri: 'http://127.0.0.1:99999/callback' }],
    [`${loopback} a script`, { redirect_uri: 'javascript:alert(1)' }],
  ]
  for (const [name, changed] of invalidRequests)
    it(name, async () => {
      await using service = await startService({ plan: 'pro' })
      const shown = await (await signedIn(service)).open(attemptAt(service).url(changed))
      assert.equal(shown.status, 400)
      assert.equal(shown.headers.location, undefined)
      assert.match(shown.words, /This request cannot be answered .* Go back to the program and try again/)
    })

  it('[authorize.loopback] may name any port, and either address of this machine', async () => {
    await using service = await startService({ plan: 'pro' })
    const browser = await signedIn(service)
    for (const redirect_uri of [
      'http://127.0.0.1:1/callback',
      'http://127.0.0.1/callback',
      'http://[::1]:8/callback',
    ]) {
      await browser.open(attemptAt(service).url({ redirect_uri }))
      assert.match(String(browser.page.headers['content-security-policy']), /form-action 'self' http:/)
      const back = wayBack(await browser.press('Allow'))
      assert.equal(back.origin + back.pathname, redirect_uri)
    }
  })

  const s256 = '[authorize.s256] sends back the error of'
  const type = '[authorize.response-type] sends back the error of'
  const wrong: readonly (readonly [string, Changed, error: string])[] = [
    [`${type} no response type`, { response_type: undefined }, 'invalid_request'],
    [`${type} another response type`, { response_type: 'token' }, 'unsupported_response_type'],
    [`${s256} no challenge`, { code_challenge: undefined }, 'invalid_request'],
    [`${s256} a challenge that is no hash`, { code_challenge: 'short' }, 'invalid_request'],
    [`${s256} no method, which would be plain`, { code_challenge_method: undefined }, 'invalid_request'],
    [`${s256} the method plain`, { code_challenge_method: 'plain' }, 'invalid_request'],
    ['sends back the error of a scope that there is not', { scope: 'inference admin' }, 'invalid_scope'],
    ['sends back the error of a resource elsewhere', { resource: 'https://evil.example' }, 'invalid_target'],
  ]
  for (const [name, changed, error] of wrong)
    it(name, async () => {
      await using service = await startService({ plan: 'pro' })
      const back = wayBack(await new Browser().open(attemptAt(service).url(changed)))
      assert.equal(back.origin + back.pathname, redirectUri)
      const { error_description = '', ...others } = parametersOf(back)
      assert.deepEqual(others, { error, state: 'st&te=1', iss: service.authUrl })
      assert.match(error_description, /^.+\.$/)
    })

  it('may come without a state, with the scope, with a resource of the service, and with what nobody knows', async () => {
    await using service = await startService({ plan: 'pro' })
    const browser = await signedIn(service)
    const changed = { state: undefined, scope: 'inference', resource: `${service.baseUrl}/v1`, prompt: 'consent' }
    await browser.open(attemptAt(service).url(changed))
    const back = wayBack(await browser.press('Allow'))
    assert.deepEqual([...back.searchParams.keys()], ['code', 'iss'])
  })

  it('may name no parameter twice', async () => {
    await using service = await startService({ plan: 'pro' })
    const { url } = attemptAt(service)
    const browser = new Browser()
    const twice = await browser.open(`${url()}&code_challenge_method=S256`)
    assert.equal(wayBack(twice).searchParams.get('error'), 'invalid_request')
    const twoStates = wayBack(await browser.open(`${url()}&state=other`))
    assert.deepEqual([...twoStates.searchParams.keys()], ['error', 'error_description', 'iss'])
    assert.equal((await browser.open(`${url()}&redirect_uri=${encodeURIComponent(redirectUri)}`)).status, 400)
  })
})

describe('an authorization code', () => {
  it('[authorize.single-use] is good once, and a second use ends the key of the first', async () => {
    await using service = await startService({ plan: 'pro' })
    const fields = await codeFor(service)
    const { json } = await exchange(service, fields)
    assert.equal(await models(service, json.access_token), 200)
    service.clock.advance(120_000)
    const second = await exchange(service, fields)
    assert.equal(`${second.status} ${second.json.error}`, '400 invalid_grant')
    assert.match(second.json.error_description, /used already/)
    assert.equal(await models(service, json.access_token), 401)
  })

  it('[authorize.single-use] lives for a minute', async () => {
    await using service = await startService({ plan: 'pro' })
    const inTime = await codeFor(service)
    const late = await codeFor(service)
    service.clock.advance(55_000)
    assert.equal((await exchange(service, inTime)).status, 200)
    service.clock.advance(5_000)
    const { json } = await exchange(service, late)
    assert.equal(json.error, 'invalid_grant')
    assert.match(json.error_description, /expired/)
  })

  const refused: readonly (readonly [string, Readonly<Record<string, string>>, outcome: string])[] = [
    ['a verifier that does not fit', { code_verifier: 'x'.repeat(43) }, '400 invalid_grant'],
    ['a verifier that is too short', { code_verifier: 'x'.repeat(42) }, '400 invalid_request'],
    ['a verifier with other characters', { code_verifier: `${'x'.repeat(43)}!` }, '400 invalid_request'],
    ['no verifier', { code_verifier: '' }, '400 invalid_request'],
    ['no client', { client_id: '' }, '400 invalid_request'],
    ['an unknown client', { client_id: 'somebody' }, '401 invalid_client'],
    ['no address', { redirect_uri: '' }, '400 invalid_request'],
    ['another port', { redirect_uri: 'http://127.0.0.1:50124/callback' }, '400 invalid_grant'],
    ['no code', { code: '' }, '400 invalid_request'],
    ['an unknown code', { code: 'unknown' }, '400 invalid_grant'],
  ]
  for (const [name, changed, outcome] of refused)
    it(`[authorize.verifier] gives no key for ${name}`, async () => {
      await using service = await startService({ plan: 'pro' })
      const { status, json, headers } = await exchange(service, { ...(await codeFor(service)), ...changed })
      assert.equal(`${status} ${json.error}`, outcome)
      assert.match(json.error_description, /^.+\.$/)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.deepEqual(service.state.keys.all, [])
    })

  it('[authorize.verifier] is used up by a try that does not fit', async () => {
    await using service = await startService({ plan: 'pro' })
    const fields = await codeFor(service)
    await exchange(service, { ...fields, code_verifier: 'x'.repeat(43) })
    assert.equal((await exchange(service, fields)).json.error, 'invalid_grant')
  })

  it('gives no key, and the reason, where the key could not be created', async () => {
    await using service = await startService({ plan: 'pro' })
    const fields = await codeFor(service)
    service.state.keyCreationFails = true
    const { status, json } = await exchange(service, fields)
    assert.equal(`${status} ${json.error}`, '400 access_denied')
    assert.match(json.error_description, /could not be created/)
  })

  it('stands nowhere in the call log, nor does its verifier', async () => {
    await using service = await startService({ plan: 'pro' })
    const fields = await codeFor(service)
    await exchange(service, fields)
    const written = JSON.stringify(service.log.calls)
    for (const secret of [fields.code, fields.code_verifier]) assert.equal(written.includes(secret), false)
  })
})
