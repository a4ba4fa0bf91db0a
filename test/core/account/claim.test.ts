// Asking for a new code, in the forms that services know, and every answer to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askNewCode } from '../../../src/core/account/claim.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Script, type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { someService } from '../../support/signIn.ts'
import { never } from '../../support/wire.ts'

const attempt = { user_code: '0042', verification_uri: '/claim', expires_in: 60, interval: 7 }
const sent = { claim_token: 'clm_1', email: 'ada@example.com' }

async function ask(...script: Script[]) {
  const http = new ScriptedHttp(...script)
  const answer = await askNewCode(http.send, someService, sent, new FakeClock(), never)
  return { answer, bodies: http.requests.map(({ body }) => JSON.parse(body ?? '')), http }
}
const read = async (body: unknown) => (await ask({ body })).answer

test('sends the claim and the email', async () => {
  const { bodies, http } = await ask({ body: attempt })
  assert.equal(http.requests[0]?.url, someService.claimEndpoint)
  assert.deepEqual(bodies, [sent])
})

test('a service that knows only the later form is asked in that, once', async () => {
  const unknown = { status: 400, body: { error: 'invalid_request' } }
  const later = { type: 'login_hint', claim_token: 'clm_1', login_hint: 'ada@example.com' }
  const good = await ask(unknown, { body: { claim_attempt: attempt } })
  assert.deepEqual([good.answer.is, good.bodies], ['code', [sent, later]])
  const bad = await ask(unknown)
  assert.deepEqual([bad.answer.is, bad.bodies.length], ['refused', 2])
})

test('reads a code wherever it stands, judged as the first one', async () => {
  const expected = {
    text: '0042',
    uri: 'https://auth.example.com/claim',
    host: 'auth.example.com',
    validMs: 60_000,
    intervalMs: 7_000,
  }
  for (const body of [{ claim_attempt: attempt }, { claim: attempt }, { attempt }, { claim: { attempt } }, attempt]) {
    const { is, ...rest } = await read(body)
    assert.deepEqual([is, rest], ['code', { code: expected, claimToken: undefined, validMs: 3_600_000 }])
  }
  const renewed = await read({ claim_token: 'clm_2', claim: attempt })
  assert.ok(renewed.is === 'code' && renewed.claimToken === 'clm_2')
})

const table: readonly [string, Scripted, string][] = [
  ['a page without a code', { body: { attempt: { verification_uri: '/claim' } } }, 'no code'],
  ['a code that goes by mail', { body: { status: 'pending', message: 'Look into your mail.' } }, 'no code'],
  ['nothing', { body: {} }, 'no code'],
  ['a claim that is done', { body: { status: 'claimed', identity_assertion: 'x' } }, 'claimed'],
  ['a page elsewhere', { body: { attempt: { ...attempt, verification_uri: 'https://evil.test' } } }, 'unclear'],
  ['approved meanwhile', { status: 409, body: { error: 'claimed_or_in_flight' } }, 'claimed'],
  ['approved meanwhile, in a status', { status: 409 }, 'claimed'],
  ['an unknown token', { status: 401, body: { error: 'invalid_claim_token' } }, 'over'],
  ['a registration that ran out', { status: 400, body: { error: 'expired_token' } }, 'over'],
  ['a registration that is gone', { status: 410 }, 'over'],
  ['no such endpoint', { status: 404 }, 'over'],
  ['too many codes', { status: 429, body: { error: 'rate_limited' } }, 'unclear'],
  ['a stumble', { status: 503 }, 'unclear'],
  ['denied', { status: 403, body: { error: 'access_denied' } }, 'denied'],
]
for (const [name, scripted, expected] of table) {
  test(name, async () => {
    assert.equal((await ask(scripted)).answer.is, expected)
  })
}
