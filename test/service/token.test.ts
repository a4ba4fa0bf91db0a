// Every state of a claim, as the polling agent sees it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { oauthErrorResponse } from '../localService/schema/oauthError.ts'
import { tokenResponse } from '../localService/schema/token.ts'
import { type Service, startService } from '../localService/server.ts'
import { bearer, claimGrant, get, poll, postForm, postJson, register } from './caller.ts'

const approve = (service: Service, user_code: string) => postJson(`${service.controlUrl}/approve`, { user_code })

/** Every refusal has its reason and is kept by nobody. */
async function assertError(answer: ReturnType<typeof poll>, error: string, description?: RegExp): Promise<void> {
  const { status, json, headers } = await answer
  assert.equal(json.error, error)
  assert.equal(status, 400)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('pragma'), 'no-cache')
  assert.match(json.error_description, description ?? /^.+\.$/)
}

test('[token.pending] [token.issued] [token.issued-once] [token.no-expiry] [token.no-store] pending, approved, handed out once only', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim_token, claim } = await register(service)
  await assertError(poll(service, claim_token), 'authorization_pending')
  service.clock.advance(5000)
  await assertError(poll(service, claim_token), 'authorization_pending')
  assert.equal((await approve(service, claim.user_code)).status, 200)
  const { status, json, headers } = await poll(service, claim_token)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['access_token', 'token_type', 'scope'])
  assert.deepEqual(tokenResponse.parse(json), json)
  assert.match(json.access_token, /^sk-bf-[\w-]{20,}$/)
  assert.equal(json.token_type, 'Bearer')
  assert.equal(json.scope, 'inference')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(json.access_token))).status, 200)
  await assertError(poll(service, claim_token), 'invalid_grant')
})

test('[token.slow-down] polling too fast costs five seconds more, each time', async () => {
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

test('[token.code-expired] [token.registration-expired] a code lives ten minutes, a registration an hour', async () => {
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

test('[token.late-collection] what was approved in time is collectable after the code has run out, until the registration has', async () => {
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

test('[token.denied] [token.key-creation-failed] a user who denies, and a key that cannot be created, end the claim with a reason', async () => {
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

test('[token.form] [token.grant-type] requests that are not well formed', async () => {
  await using service = await startService()
  const url = `${service.baseUrl}/oauth2/token`
  const { claim_token } = await register(service)
  await assertError(postForm(url, {}), 'invalid_request')
  await assertError(postForm(url, { grant_type: claimGrant }), 'invalid_request')
  await assertError(postForm(url, { grant_type: 'password', code: 'x' }), 'unsupported_grant_type')
  await assertError(postForm(url, { grant_type: claimGrant, claim_token: 'clm_unknown' }), 'invalid_grant')
  await assertError(postJson(url, { grant_type: claimGrant, claim_token }), 'invalid_request', /form/)
  await assertError(postForm(url, { grant_type: claimGrant, claim_token: '' }), 'invalid_request', /missing/)
  await assertError(postForm(`${url}?claim_token=${claim_token}`, { grant_type: claimGrant }), 'invalid_request')
  await assertError(
    postForm(url, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }),
    'unsupported_grant_type',
  )
  const twice = new URLSearchParams([
    ['grant_type', claimGrant],
    ['claim_token', claim_token],
    ['claim_token', claim_token],
  ])
  await assertError(postForm(url, twice), 'invalid_request', /more than once/)
})

test('[key.revoke] [key.revoke-unknown] [key.bearer] a revoked key is refused from then on; an unknown one is no error', async () => {
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

test('[token.description] [token.no-store] every refusal has a reason in words that RFC 6749 5.2 allows', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim_token, registration_id } = await register(service)
  const url = `${service.baseUrl}/oauth2/token`
  const descriptions: string[] = []
  const note = async (answer: ReturnType<typeof poll>) => {
    const { json, headers } = await answer
    oauthErrorResponse.parse(json)
    assert.equal(headers.get('cache-control'), 'no-store')
    descriptions.push(json.error_description)
  }
  await note(poll(service, claim_token))
  await note(poll(service, claim_token))
  await note(poll(service, 'clm_unknown'))
  await note(postForm(url, {}))
  await note(postForm(url, { grant_type: 'other' }))
  await postJson(`${service.controlUrl}/deny`, { registration_id })
  await note(poll(service, claim_token))
  service.clock.advance(3_600_000)
  await note(poll(service, claim_token))
  assert.equal(new Set(descriptions).size, descriptions.length)
  for (const description of descriptions) assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
})

test('[key.never-expires] a key lives until it is revoked', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim_token, claim } = await register(service)
  await approve(service, claim.user_code)
  const { json } = await poll(service, claim_token)
  service.clock.advance(10 * 365 * 24 * 3_600_000)
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(json.access_token))).status, 200)
})

test('[key.hashed] a key is not kept in clear, in memory neither', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim_token, claim } = await register(service)
  await approve(service, claim.user_code)
  const { json } = await poll(service, claim_token)
  await get(`${service.baseUrl}/v1/models`, bearer(json.access_token))
  const { state, log } = service
  const kept = inspect([state, log.calls], { depth: Number.POSITIVE_INFINITY, showHidden: true })
  assert.ok(kept.includes(state.keys.all[0]?.fingerprint ?? 'none'))
  assert.equal(kept.includes(json.access_token), false)
})

test('[key.bearer] [key.not-in-url] the key counts in the header, by any case of its scheme, and nowhere in the address', async () => {
  await using service = await startService({ plan: 'pro' })
  const key = service.state.issueKey('ada@example.com', 'Mine')
  const statusFor = async (headers: Record<string, string>, query = '') =>
    (await get(`${service.baseUrl}/v1/models${query}`, headers)).status
  assert.equal(await statusFor(bearer(key)), 200)
  assert.equal(await statusFor({ authorization: `bearer ${key}` }), 200)
  assert.equal(await statusFor({ authorization: key }), 401)
  assert.equal(await statusFor({ authorization: `Basic ${btoa(`:${key}`)}` }), 401)
  for (const name of ['access_token', 'key', 'api_key', 'token'])
    assert.equal(await statusFor({}, `?${name}=${key}`), 401)
})
