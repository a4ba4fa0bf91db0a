// Asking to register, and every shape of answer that can be used.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRegistration, registrationRequest } from '../../../src/core/account/registration.ts'
import { ContractError, ProblemError } from '../../../src/core/http/errors.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { answerOf, type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { someService } from '../../support/signIn.ts'
import { faultOf, never } from '../../support/wire.ts'

const clock = new FakeClock()
const page = 'https://auth.example.com/claim?claim_attempt_token=cla_1'
const claim = { user_code: '01234567', expires_in: 600, verification_uri: page, interval: 5 }

const readBody = (body: object, more: Scripted = {}) =>
  readRegistration(answerOf({ body, ...more }), someService, clock)

async function read(change: object, claimChange: object = {}, more: Scripted = {}) {
  const body = { claim_token: 'clm_secret', claim: { ...claim, ...claimChange }, ...change }
  const registered = await readBody(body, more)
  assert.ok(registered.is === 'code')
  return registered
}
const code = async (change: object) => (await read({}, change)).code

async function refusedAt(change: object): Promise<string> {
  const fault = await faultOf(read({}, change))
  assert.ok(fault instanceof ContractError && (fault.what === 'shape' || fault.what === 'unsafe page'), String(fault))
  return fault.message
}

test('sends the three members of the description, and no more', async () => {
  const http = new ScriptedHttp({})
  await registrationRequest(http.send, someService, { login_hint: 'ada@example.com', client_name: 'Kourier' }, never)
  const [request] = http.requests
  assert.equal(request?.url, someService.identityEndpoint)
  assert.equal(request?.headers?.['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(request?.body ?? ''), {
    type: 'service_auth',
    login_hint: 'ada@example.com',
    client_name: 'Kourier',
  })
  assert.ok(!request?.mayRepeat, 'a second registration would be another one')
})

test('reads the answer of the description', async () => {
  assert.deepEqual(await read({}), {
    is: 'code',
    claimToken: 'clm_secret',
    validMs: 3_600_000,
    code: { text: '01234567', uri: page, host: 'auth.example.com', validMs: 600_000, intervalMs: 5_000 },
  })
})

test('a code is digits, however they are grouped', async () => {
  assert.equal((await code({ user_code: '0123-4567' })).text, '01234567')
  assert.equal((await code({ user_code: ' 0123 4567 ' })).text, '01234567')
  assert.equal((await code({ user_code: 12345678 })).text, '12345678')
  for (const user_code of ['123', '1234567890123', 'ABCD', '12a4', '１２３４', 1.5, 1e21]) {
    assert.match(await refusedAt({ user_code }), /claim\.user_code/)
  }
})

test('a service that tells the code elsewhere gives none', async () => {
  for (const user_code of [undefined, null, '']) {
    assert.deepEqual(await readBody({ claim_token: 'clm_secret', claim: { ...claim, user_code } }), { is: 'no code' })
  }
})

test('token and end of the registration may stand in the claim, and the code one level deeper', async () => {
  const iso = (ms: number) => new Date(clock.now() + ms).toISOString()
  const attempt = { user_code: '01234567', verification_uri: page, expires_at: iso(300_000) }
  const nested = await readBody({ claim: { token: 'clm_nested', expires_at: iso(1_800_000), attempt } })
  assert.ok(nested.is === 'code')
  assert.deepEqual([nested.claimToken, nested.validMs, nested.code.validMs], ['clm_nested', 1_800_000, 300_000])
  assert.match(String(await faultOf(readBody({ claim }))), /claim_token/)
})

test('the pace stays between a second and a minute, five seconds where none is said', async () => {
  const table: readonly [unknown, number][] = [
    [5, 5_000],
    ['5', 5_000],
    [0, 1_000],
    [-7, 1_000],
    [3_600, 60_000],
    [undefined, 5_000],
    [null, 5_000],
    ['soon', 5_000],
    [{}, 5_000],
  ]
  for (const [interval, expected] of table) assert.equal((await code({ interval })).intervalMs, expected)
})

test('the life of a code, in whichever way it is said', async () => {
  const iso = (ms: number) => new Date(clock.now() + ms).toISOString()
  assert.equal((await code({ expires_in: '600' })).validMs, 600_000)
  assert.equal((await code({ expires_in: undefined })).validMs, 600_000)
  assert.equal((await code({ expires_in: -5 })).validMs, 1_000)
  assert.equal((await code({ expires_in: 1e9 })).validMs, 3_600_000)
  assert.equal((await code({ expires_in: null, expires_at: iso(90_000) })).validMs, 90_000)
  assert.equal((await code({ expires_in: null, expires_at: 'soon' })).validMs, 600_000)
})

test('a clock here that is hours wrong changes nothing', async () => {
  const there = clock.now() + 5 * 3_600_000
  const more = { headers: { date: new Date(there).toUTCString() } }
  const change = { claim_token_expires: new Date(there + 1_800_000).toISOString() }
  assert.equal((await read(change, {}, more)).validMs, 1_800_000)
  const ago = { claim_token_expires: new Date(there - 1).toISOString() }
  assert.equal((await read(ago, {}, more)).validMs, 1_000)
})

test('the complete link is preferred, an empty one is none', async () => {
  const complete = `${page}&user_code=01234567`
  assert.equal((await code({ verification_uri_complete: complete })).uri, complete)
  assert.equal((await code({ verification_uri_complete: '' })).uri, page)
  assert.equal(
    (await code({ verification_uri: '/claim?x=1#login_hint=a' })).uri,
    'https://auth.example.com/claim?x=1#login_hint=a',
  )
})

test('[T21] a link that may not be opened ends it', async () => {
  const wrong = [
    'javascript:alert(1)',
    'https://evil.test/claim',
    'http://auth.example.com/claim',
    'https://a@auth.example.com/',
  ]
  for (const verification_uri of [...wrong, 'vscode://x/y', 'https://auth.example.com\\@evil.test']) {
    assert.match(await refusedAt({ verification_uri }), /unsafe page/)
  }
  assert.match(await refusedAt({ verification_uri: undefined }), /unsafe page/)
  assert.match(await refusedAt({ verification_uri_complete: 'https://evil.test' }), /unsafe page/)
})

test('a refusal keeps its words', async () => {
  const body = { error: 'invalid_login_hint', message: 'No address.' }
  const fault = await faultOf(readRegistration(answerOf({ status: 400, body }), someService, clock))
  assert.ok(fault instanceof ProblemError)
  assert.deepEqual(fault.problem, { code: 'invalid_login_hint', text: 'No address.' })
})
