// The claim page, through its own forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import { bearer, email, get, poll, postJson, register } from './caller.ts'

test('[claim-page.shows] [claim-page.code] [claim-page.plan] from the link to the key: sign in, choose a plan, type the code, approve', async () => {
  await using service = await startService()
  const { claim, claim_token } = await register(service, { client_name: 'Kourier <b>&"x"' })
  const browser = new Browser()
  const first = await browser.open(claim.verification_uri)
  assert.equal(first.status, 200)
  assert.equal(first.headers['cache-control'], 'no-store')
  assert.equal(first.headers['referrer-policy'], 'no-referrer')
  const policy = String(first.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|script-src/)
  assert.doesNotMatch(first.html, /<script/)
  assert.match(first.words, /No password/)

  await browser.press('Sign in', { Email: 'Ada@Example.com' })
  assert.match(browser.page.words, /Kourier <b>&"x"/, 'the name is shown as text')
  assert.match(browser.page.words, /inference.*until you revoke/)
  assert.match(browser.page.words, new RegExp(new URL(service.baseUrl).host))
  assert.equal(browser.hasButton('Approve'), false, 'no code before a plan')
  await browser.press('Choose Pro')
  assert.equal(service.state.accounts.of(email).plan, 'pro')

  const { user_code: code } = claim
  const done = await browser.press('Approve', { Code: `${code.slice(0, 4)} - ${code.slice(4)}` })
  assert.equal(done.status, 200)
  assert.match(done.words, /Close this page and return to the editor/)
  const key = await poll(service, claim_token)
  assert.equal(key.status, 200)
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(key.json.access_token))).status, 200)

  await browser.open(claim.verification_uri)
  assert.equal(browser.page.status, 410)
  assert.match(browser.page.words, /decided already/)
})

test('the session is a cookie that no script reads, new at each sign-in', async () => {
  await using service = await startService()
  const { claim } = await register(service)
  const browser = new Browser()
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  const [before = '', after = ''] = browser.setCookies
  assert.match(before, /; HttpOnly; SameSite=Lax/)
  assert.match(after, /; HttpOnly; SameSite=Lax/)
  assert.notEqual(before, after)
})

test('[claim-page.deny] deny needs no code, and the agent learns of it', async () => {
  await using service = await startService({ plan: 'max' })
  const { claim, claim_token } = await register(service)
  const browser = new Browser()
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  await browser.press('Deny')
  assert.match(browser.page.words, /Denied/)
  assert.equal((await poll(service, claim_token)).json.error, 'access_denied')
})

test('[claim-page.sign-in] another email gets a plain sentence, the way back, and no decision', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim, claim_token } = await register(service)
  const browser = new Browser()
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: 'bob@example.com' })
  assert.match(browser.page.words, /signed in as bob@example.com, but the request was made for another/)
  assert.doesNotMatch(browser.page.words, /ada@/, 'whom it was for is not said to others')
  assert.equal(browser.hasButton('Approve'), false)
  await browser.press('Use another email', {}, { action: 'approve', code: claim.user_code })
  assert.equal((await poll(service, claim_token)).json.error, 'authorization_pending')
  await browser.press('Use another email')
  await browser.press('Sign in', { Email: email })
  assert.equal(browser.hasButton('Approve'), true)
})

test('an email that is none is asked for again', async () => {
  await using service = await startService()
  const { claim } = await register(service)
  const browser = new Browser()
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: 'nobody' })
  assert.equal(browser.page.status, 400)
  assert.match(browser.page.words, /no email address/)
})

test('[claim-page.wrong-code] five wrong codes end the code, not the registration', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim, claim_token } = await register(service)
  const wrong = claim.user_code === '00000000' ? '11111111' : '00000000'
  const browser = new Browser()
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  for (let count = 1; count < 5; count += 1) {
    await browser.press('Approve', { Code: wrong })
    assert.match(browser.page.words, /not the code that the editor shows/)
  }
  await browser.press('Approve', { Code: wrong })
  assert.match(browser.page.words, /wrong code was typed five times/)
  assert.equal((await poll(service, claim_token)).json.error, 'expired_token')
  const renewed = await postJson(`${service.baseUrl}/agent/identity/claim`, { claim_token, email })
  await browser.open(renewed.json.claim_attempt.verification_uri)
  await browser.press('Approve', { Code: renewed.json.claim_attempt.user_code })
  assert.equal((await poll(service, claim_token)).status, 200)
})

test('[claim-page.dead-link] links that are no longer good say why', async () => {
  await using service = await startService({ plan: 'pro' })
  const browser = new Browser()
  await browser.open(`${service.authUrl}/claim?claim_attempt_token=cla_unknown`)
  assert.equal(browser.page.status, 404)
  await browser.open(`${service.authUrl}/claim`)
  assert.equal(browser.page.status, 404)

  const { claim, claim_token } = await register(service)
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  const renewed = await postJson(`${service.baseUrl}/agent/identity/claim`, { claim_token, email })
  await browser.press('Approve', { Code: claim.user_code })
  assert.match(browser.page.words, /asked for a new code since/)

  const link = renewed.json.claim_attempt.verification_uri
  service.clock.advance(600_000)
  await browser.open(link)
  assert.equal(browser.page.status, 410)
  assert.match(browser.page.words, /older than ten minutes/)
  service.clock.advance(3_000_000)
  await browser.open(link)
  assert.match(browser.page.words, /older than an hour/)
})

test('[dashboard.forms] a form that did not come from the page changes nothing', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim, claim_token } = await register(service)
  const browser = new Browser()
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  await browser.press('Approve', { Code: claim.user_code }, { csrf: 'forged' })
  assert.equal(browser.page.status, 403)
  assert.match(browser.page.words, /no longer good/)
  assert.equal((await poll(service, claim_token)).json.error, 'authorization_pending')
  const bare = await postJson(`${service.baseUrl}/claim`, { action: 'approve', code: claim.user_code })
  assert.equal(bare.status, 403)
})

test('[claim-page.code] a link that brings the code fills it in, and the user still approves', async () => {
  await using service = await startService({ plan: 'pro', dialect: { verificationLink: 'verification_uri_complete' } })
  const { claim, claim_token } = await register(service)
  const browser = new Browser()
  await browser.open(claim.verification_uri_complete)
  await browser.press('Sign in', { Email: email })
  assert.match(browser.page.html, new RegExp(`name="code" value="${claim.user_code}"`))
  assert.equal((await poll(service, claim_token)).json.error, 'authorization_pending')
  await browser.press('Approve', { Code: claim.user_code })
  assert.equal((await poll(service, claim_token)).status, 200)
  assert.equal(JSON.stringify(service.log.calls).includes(claim.user_code), false)
})
