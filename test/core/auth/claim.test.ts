// Asking for a new code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCodeRequest, readNewCode } from '../../../src/core/auth/claim.ts'
import { ContractError } from '../../../src/core/http/errors.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { answerOf, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { someService } from '../../support/signIn.ts'
import { faultOf, never } from '../../support/wire.ts'

const attempt = { user_code: '0042', verification_uri: '/claim', expires_in: 60, interval: 7 }
const read = (body: unknown) => readNewCode(answerOf({ body }), someService, new FakeClock())

test('sends the claim and the email', async () => {
  const http = new ScriptedHttp({})
  await newCodeRequest(http.send, someService, { claim_token: 'clm_1', email: 'ada@example.com' }, never)
  assert.equal(http.requests[0]?.url, someService.claimEndpoint)
  assert.deepEqual(JSON.parse(http.requests[0]?.body ?? ''), { claim_token: 'clm_1', email: 'ada@example.com' })
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
    assert.deepEqual(await read(body), { code: expected, claimToken: undefined })
  }
  assert.equal((await read({ claim_token: 'clm_2', claim: attempt })).claimToken, 'clm_2')
})

test('an answer without a code, or with a page elsewhere, is none', async () => {
  const wrong = [{}, { status: 'pending' }, { attempt: { verification_uri: '/claim' } }]
  for (const body of [...wrong, { attempt: { ...attempt, verification_uri: 'https://evil.test' } }]) {
    assert.ok((await faultOf(read(body))) instanceof ContractError)
  }
})
