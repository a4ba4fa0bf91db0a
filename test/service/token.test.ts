// Every state of a claim, as the polling agent sees it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Service, startService } from '../localService/server.ts'
import { bearer, claimGrant, get, poll, postForm, postJson, register } from './caller.ts'

const approve = (service: Service, user_code: string) => postJson(`${service.controlUrl}/approve`, { user_code })

async function assertError(answer: ReturnType<typeof poll>, error: string, description?: RegExp): Promise<void> {
  const { status, json, headers } = await answer
  assert.equal(json.error, error)
  assert.equal(status, 400)
  assert.equal(headers.get('cache-control'), 'no-store')
  if (description) assert.match(json.error_description, description)
}

test('pending, approved, handed out once only', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim_token, claim } = await register(service)
  await assertError(poll(service, claim_token), 'authorization_pending')
  service.clock.advance(5000)
  await assertError(poll(service, claim_token), 'authorization_pending')
  assert.equal((await approve(service, claim.user_code)).status, 200)
  const { status, json, headers } = await poll(service, claim_token)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['access_token', 'token_type', 'scope'])
  assert.match(json.access_token, /^sk-bf-[\w-]{20,}$/)
  assert.equal(json.token_type, 'Bearer')
  assert.equal(json.scope, 'inference')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(json.access_token))).status, 200)
  await assertError(poll(service, claim_token), 'invalid_grant')
})

test('polling too fast costs five seconds more, each time', async () => {
  await using service = await startService()
  const { claim_token } = await register(service)
  await assertError(poll(service, claim_token), 'authorization_pending')
  service.clock.advance(3000)
  await assertError(poll(service, claim_token), 'slow_down')
  service.clock.advance(7000)
  await assertError(poll(service, claim_token), 'slow_down')
  service.clock.advance(14_000)
  await assertError(poll(service, claim_token), 'slow_down')
  service.clock.advance(20_000)
  await assertError(poll(service, claim_token), 'authorization_pending')
})

test('a code lives ten minutes, a registration an hour', async () => {
  await using service = await startService()
  const { claim_token } = await register(service)
  service.clock.advance(599_000)
  await assertError(poll(service, claim_token), 'authorization_pending')
  service.clock.advance(1000)
  await assertError(poll(service, claim_token), 'expired_token', /code/)
  await assertError(poll(service, claim_token), 'expired_token', /code/)
  service.clock.advance(3_000_000)
  await assertError(poll(service, claim_token), 'expired_token', /registration/)
})

test('what was approved in time is collectable after the code has run out, until the registration has', async () => {
  await using service = await startService({ plan: 'pro' })
  const inTime = await register(service)
  const tooLate = await register(service)
  await approve(service, inTime.claim.user_code)
  await approve(service, tooLate.claim.user_code)
  service.clock.advance(1_800_000)
  assert.equal((await poll(service, inTime.claim_token)).status, 200)
  service.clock.advance(1_800_000)
  await assertError(poll(service, tooLate.claim_token), 'expired_token', /registration/)
})

test('a user who denies, and a key that cannot be created, end the claim with a reason', async () => {
  await using service = await startService({ plan: 'pro' })
  const denied = await register(service)
  const { user_code } = denied.claim
  assert.equal((await postJson(`${service.controlUrl}/deny`, { user_code })).status, 200)
  await assertError(poll(service, denied.claim_token), 'access_denied', /denied/)
  await assertError(poll(service, denied.claim_token), 'access_denied', /denied/)

  const unlucky = await register(service)
  await approve(service, unlucky.claim.user_code)
  service.state.keyCreationFails = true
  await assertError(poll(service, unlucky.claim_token), 'access_denied', /could not be created/)
  service.state.keyCreationFails = false
  await assertError(poll(service, unlucky.claim_token), 'access_denied', /could not be created/)
})

test('requests that are not well formed', async () => {
  await using service = await startService()
  const url = `${service.baseUrl}/oauth2/token`
  const { claim_token } = await register(service)
  await assertError(postForm(url, {}), 'invalid_request')
  await assertError(postForm(url, { grant_type: claimGrant }), 'invalid_request')
  await assertError(postForm(url, { grant_type: 'authorization_code', code: 'x' }), 'unsupported_grant_type')
  await assertError(postForm(url, { grant_type: claimGrant, claim_token: 'clm_unknown' }), 'invalid_grant')
  await assertError(postJson(url, { grant_type: claimGrant, claim_token }), 'invalid_request', /form/)
  const twice = new URLSearchParams([
    ['grant_type', claimGrant],
    ['claim_token', claim_token],
    ['claim_token', claim_token],
  ])
  await assertError(postForm(url, twice), 'invalid_request', /more than once/)
})

test('a revoked key is refused from then on; an unknown one is no error', async () => {
  await using service = await startService({ plan: 'pro' })
  const key = service.state.issueKey('ada@example.com', 'Mine')
  const kept = service.state.issueKey('ada@example.com', 'Other')
  const url = `${service.baseUrl}/oauth2/revoke`
  const models = (secret: string) => get(`${service.baseUrl}/v1/models`, bearer(secret))
  assert.equal((await models(key)).status, 200)
  assert.equal((await postForm(url, { token: key })).status, 200)
  const refused = await models(key)
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  assert.equal((await models(kept)).status, 200)
  assert.equal((await postForm(url, { token: key })).status, 200)
  assert.equal((await postForm(url, { token: 'sk-bf-unknown' })).status, 200)
  const empty = await postForm(url, {})
  assert.equal(empty.status, 400)
  assert.equal(empty.json.error, 'invalid_request')
})
