// Registering, and asking for a new code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCodeResponse } from '../localService/schema/claim.ts'
import { registrationResponse } from '../localService/schema/identity.ts'
import { startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import { email, get, poll, postForm, postJson, register } from './caller.ts'

test('[registration.id] [registration.registration-type] [registration.claim-url] [registration.claim-token] [registration.claim-token-expires] [registration.scopes] a registration has every field of the description', async () => {
  await using service = await startService()
  const before = Date.now()
  const json = await register(service)
  assert.deepEqual(Object.keys(json).sort(), [
    'claim',
    'claim_token',
    'claim_token_expires',
    'claim_url',
    'post_claim_scopes',
    'registration_id',
    'registration_type',
  ])
  assert.match(json.registration_id, /^reg_.{16,}/)
  assert.match(json.claim_token, /^clm_.{16,}/)
  assert.equal(json.registration_type, 'service_auth')
  assert.equal(json.claim_url, `${service.authUrl}/agent/identity/claim`)
  assert.deepEqual(json.post_claim_scopes, ['inference'])
  assert.deepEqual(registrationResponse.parse(json), json)
  assert.match(json.claim_token_expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  const hour = Date.parse(json.claim_token_expires) - before
  assert.ok(hour >= 3_600_000 && hour < 3_610_000, `${hour} ms is about an hour`)
})

test('[registration.claim-object] [registration.user-code] [registration.expires-in] [registration.verification-uri] [registration.interval] its claim has the code, its life, the link and the pace', async () => {
  await using service = await startService()
  const { claim } = await register(service)
  assert.deepEqual(Object.keys(claim).sort(), ['expires_in', 'interval', 'user_code', 'verification_uri'])
  assert.match(claim.user_code, /^\d{8}$/)
  assert.equal(claim.expires_in, 600)
  assert.equal(claim.interval, 5)
  const link = new URL(claim.verification_uri)
  assert.equal(link.origin + link.pathname, `${service.authUrl}/claim`)
  assert.match(link.searchParams.get('claim_attempt_token') ?? '', /^cla_.{16,}/)
})

test('[registration.claim-token] the claim token is told once, and kept by nobody', async () => {
  await using service = await startService()
  const { claim_token, claim } = await register(service)
  const attemptToken = new URL(claim.verification_uri).searchParams.get('claim_attempt_token') ?? ''
  const renewed = await postJson(`${service.baseUrl}/agent/identity/claim`, { claim_token, email })
  const control = await get(`${service.controlUrl}/state`)
  const kept = JSON.stringify([service.state.registrations.all, service.log.calls, control.json, renewed.json])
  for (const secret of [claim_token, attemptToken]) assert.equal(kept.includes(secret), false)
})

test('[registration.unknown-fields] fields that nobody knows are ignored', async () => {
  await using service = await startService()
  const { claim } = await register(service, { scopes: ['everything'], client_uri: 7, anonymous: true })
  assert.match(claim.user_code, /^\d{8}$/)
})

test('[registration.method] it is asked for by POST, in JSON', async () => {
  await using service = await startService()
  const url = `${service.baseUrl}/agent/identity`
  const body = JSON.stringify({ type: 'service_auth', login_hint: email })
  const statusFor = async (type: string, sent: string) => {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body: sent })
    const { error } = (await answer.json()) as { error?: string }
    return `${answer.status} ${error ?? ''}`.trim()
  }
  assert.equal(await statusFor('application/json; charset=utf-8', body), '200')
  assert.equal(await statusFor('text/plain', body), '400 invalid_request')
  assert.equal(await statusFor('application/json', body.slice(1)), '400 invalid_request')
  assert.equal(await statusFor('application/json', ' '.repeat(9 * 1024 * 1024)), '413 invalid_request')
  const form = await postForm(url, { type: 'service_auth', login_hint: email })
  assert.equal(`${form.status} ${form.json.error}`, '400 invalid_request')
  assert.equal((await fetch(url, { method: 'PUT', body })).status, 405)
})

test('[registration.client-name] a client name may be left out, and the page then says so', async () => {
  await using service = await startService({ interval: 1 })
  const { json, status } = await postJson(`${service.baseUrl}/agent/identity`, {
    type: 'service_auth',
    login_hint: email,
  })
  assert.equal(status, 200)
  assert.equal(json.claim.interval, 1)
  const browser = new Browser()
  await browser.open(json.claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  assert.match(browser.page.words, /A program that gave no name/)
})

test('[registration.type] [registration.login-hint] [registration.client-name] what is wrong with a registration is said', async t => {
  await using service = await startService()
  const good = { type: 'service_auth', login_hint: email }
  const cases: [string, unknown, string][] = [
    ['no type', { login_hint: email }, 'invalid_request'],
    ['the anonymous type', { ...good, type: 'anonymous' }, 'unsupported_identity_type'],
    ['the type of ID-JAG', { ...good, type: 'identity_assertion' }, 'unsupported_identity_type'],
    ['a type that is a number', { ...good, type: 7 }, 'invalid_request'],
    ['an email that is a number', { ...good, login_hint: 7 }, 'invalid_request'],
    ['an empty email', { ...good, login_hint: '' }, 'invalid_login_hint'],
    ['an email without end', { ...good, login_hint: `${'x'.repeat(250)}@example.com` }, 'invalid_login_hint'],
    ['an empty name', { ...good, client_name: ' ' }, 'invalid_request'],
    ['no email', { type: 'service_auth' }, 'invalid_request'],
    ['an email that is none', { ...good, login_hint: 'ada' }, 'invalid_login_hint'],
    ['an email with mark-up', { ...good, login_hint: '<b>@example.com' }, 'invalid_login_hint'],
    ['a name that is a number', { ...good, client_name: 7 }, 'invalid_request'],
    ['a name on two lines', { ...good, client_name: 'a\nb' }, 'invalid_request'],
    ['a name on two long lines', { ...good, client_name: `${'x'.repeat(1_000_000)}\n` }, 'invalid_request'],
    ['a name without end', { ...good, client_name: 'x'.repeat(101) }, 'invalid_request'],
    ['a list', [good], 'invalid_request'],
    ['nothing', null, 'invalid_request'],
  ]
  for (const [name, body, error] of cases)
    await t.test(name, async () => {
      const { status, json } = await postJson(`${service.baseUrl}/agent/identity`, body)
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(json), ['error', 'error_description'])
      assert.equal(json.error, error)
    })
})

test('[registration.rate-limit] ten registrations an hour for one email, then a wait', async () => {
  await using service = await startService()
  for (let count = 0; count < 10; count += 1) await register(service)
  const eleventh = await postJson(`${service.baseUrl}/agent/identity`, {
    type: 'service_auth',
    login_hint: 'ADA@example.com',
  })
  assert.equal(eleventh.status, 429)
  assert.equal(eleventh.json.error, 'rate_limited')
  const seconds = Number(eleventh.headers.get('retry-after'))
  assert.ok(seconds > 3590 && seconds <= 3600, `${seconds} seconds`)
  await register(service, { login_hint: 'bob@example.com' })
  service.clock.advance(seconds * 1000)
  await register(service)
})

test('[new-code.request] [new-code.answer] [new-code.expired-code] a new code ends the old one and keeps the registration', async () => {
  await using service = await startService({ plan: 'pro' })
  const first = await register(service)
  service.clock.advance(601_000)
  assert.equal((await poll(service, first.claim_token)).json.error, 'expired_token')
  const renewed = await postJson(first.claim_url.replace(service.authUrl, service.baseUrl), {
    claim_token: first.claim_token,
    email,
  })
  assert.equal(renewed.status, 200)
  assert.deepEqual(Object.keys(renewed.json), [
    'registration_id',
    'claim_attempt_id',
    'status',
    'expires_at',
    'claim_attempt',
  ])
  assert.deepEqual(newCodeResponse.parse(renewed.json), renewed.json)
  assert.equal(renewed.json.registration_id, first.registration_id)
  assert.equal(renewed.json.status, 'initiated')
  const { claim_attempt: attempt } = renewed.json
  assert.deepEqual(Object.keys(attempt), ['user_code', 'expires_in', 'verification_uri', 'interval'])
  assert.match(attempt.user_code, /^\d{8}$/)
  assert.notEqual(attempt.verification_uri, first.claim.verification_uri)
  assert.equal((await poll(service, first.claim_token)).json.error, 'authorization_pending')

  const approve = (code: string) =>
    postJson(`${service.controlUrl}/approve`, { registration_id: first.registration_id, user_code: code })
  if (first.claim.user_code !== attempt.user_code) assert.equal((await approve(first.claim.user_code)).status, 409)
  assert.equal((await approve(attempt.user_code)).status, 200)
  assert.equal((await poll(service, first.claim_token)).status, 200)
})

test('[new-code.refused] a new code is refused where it makes no sense', async () => {
  await using service = await startService({ plan: 'pro' })
  const url = `${service.baseUrl}/agent/identity/claim`
  const ask = (claim_token: unknown, by: unknown = email) => postJson(url, { claim_token, email: by })
  const { claim_token, claim, registration_id } = await register(service)
  const outcome = async (answer: ReturnType<typeof ask>) => {
    const { status, json } = await answer
    return `${status} ${json.error}`
  }
  assert.equal(await outcome(ask(undefined)), '400 invalid_request')
  assert.equal(await outcome(ask(claim_token, 7)), '400 invalid_request')
  assert.equal(await outcome(ask(claim_token, 'bob@example.com')), '400 invalid_request')
  assert.equal(await outcome(ask('clm_unknown')), '401 invalid_claim_token')
  await postJson(`${service.controlUrl}/approve`, { registration_id, user_code: claim.user_code })
  assert.equal(await outcome(ask(claim_token)), '409 claimed_or_in_flight')
  await poll(service, claim_token)
  assert.equal(await outcome(ask(claim_token)), '409 claimed_or_in_flight')
  const denied = await register(service)
  await postJson(`${service.controlUrl}/deny`, { registration_id: denied.registration_id })
  assert.equal(await outcome(ask(denied.claim_token)), '410 claim_expired')
  const other = await register(service)
  service.clock.advance(3_600_000)
  assert.equal(await outcome(ask(other.claim_token)), '410 claim_expired')
})
