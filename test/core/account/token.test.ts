// Every answer to a poll, by its word and not by its status.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../src/core/account/deviceFlowTable.ts'
import { signInEnd } from '../../../src/core/account/signInEnd.ts'
import { mayHideKey, poll } from '../../../src/core/account/token.ts'
import { ContractError, TransportError } from '../../../src/core/http/errors.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { someService } from '../../support/signIn.ts'

const granted = { access_token: 'sk-bf-0123456789', token_type: 'Bearer', scope: 'inference' }
const error = (code: string, status = 400, headers = {}): Scripted => ({ status, headers, body: { error: code } })
const key = granted.access_token
const longKey = `sk-bf-${'x'.repeat(2_100)}`

const table: readonly [string, Scripted, Partial<Answer>][] = [
  ['granted', { body: granted }, { is: 'granted', key }],
  [
    'granted, in lower case and with more',
    { body: { ...granted, token_type: 'bearer', expires_in: 1 } },
    { is: 'granted', key },
  ],
  ['granted without a scope', { body: { ...granted, scope: undefined } }, { is: 'granted', key }],
  ['granted with more scopes', { body: { ...granted, scope: 'models inference' } }, { is: 'granted', key }],
  [
    'granted with another prefix',
    { body: { ...granted, access_token: 'key-0123456789' } },
    { is: 'granted', key: 'key-0123456789' },
  ],
  ['granted for something else', { body: { ...granted, scope: 'billing' } }, { is: 'refused', key }],
  [
    'a key with a line end',
    { body: { ...granted, access_token: 'sk-bf-0123\r\nx: y' } },
    { is: 'refused', key: 'sk-bf-0123\r\nx: y' },
  ],
  ['a key of another kind', { body: { ...granted, token_type: 'DPoP' } }, { is: 'refused', key }],
  ['a key of no kind', { body: { ...granted, token_type: undefined } }, { is: 'refused', key }],
  ['a key that is too long', { body: { ...granted, access_token: longKey } }, { is: 'refused', key: longKey }],
  ['a key that is empty', { body: { ...granted, access_token: '' } }, { is: 'refused' }],
  ['a key that is no text', { body: { ...granted, access_token: 5 } }, { is: 'refused' }],
  ['no key', { body: {} }, { is: 'refused' }],
  ['pending', error('authorization_pending'), { is: 'pending' }],
  ['pending as 202', error('authorization_pending', 202), { is: 'pending' }],
  ['pending as 200', error('authorization_pending', 200), { is: 'pending' }],
  ['pending in the text', { status: 400, body: { message: 'authorization_pending' } }, { is: 'pending' }],
  [
    'pending as an object',
    { status: 400, body: { error: { code: 'authorization_pending', message: 'x' } } },
    { is: 'pending' },
  ],
  ['slow down', error('slow_down'), { is: 'slow down', waitMs: undefined }],
  ['slow down for a minute', error('slow_down', 429, { 'retry-after': '60' }), { is: 'slow down', waitMs: 60_000 }],
  ['expired', error('expired_token'), { is: 'expired' }],
  [
    'denied',
    { status: 400, body: { error: 'access_denied', error_description: 'No.' } },
    { is: 'denied', problem: { code: 'access_denied', text: 'No.' } },
  ],
  ['denied as 403', error('access_denied', 403), { is: 'denied' }],
  ['a key that could not be made', error('token_mint_failed'), { is: 'denied' }],
  ['handed out already', error('invalid_grant'), { is: 'lost', problem: { code: 'invalid_grant' } }],
  ['too many polls', error('rate_limited', 429, { 'retry-after': '30' }), { is: 'unclear', waitMs: 30_000 }],
  ['too many, without a word', { status: 429, body: '' }, { is: 'unclear' }],
  ['our mistake', error('invalid_request'), { is: 'refused' }],
  ['a grant it does not know', error('unsupported_grant_type'), { is: 'refused' }],
  ['a client it does not know', error('invalid_client', 401), { is: 'refused' }],
  ['a word nobody knows', error('brand_new_word'), { is: 'refused' }],
  ['a stumble', error('server_error', 500), { is: 'unclear' }],
  ['busy', error('temporarily_unavailable', 503), { is: 'unclear' }],
  ['a gateway’s page', { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }, { is: 'unclear' }],
  ['a login page', { body: '<html>', headers: { 'content-type': 'text/html' } }, { is: 'unclear' }],
  ['a very large page', { body: 'x'.repeat(70_000) }, { is: 'unclear' }],
  ['an empty answer', { body: '' }, { is: 'unclear' }],
  ['an empty refusal', { status: 400, body: '' }, { is: 'unclear' }],
  ['a redirect', { status: 302, headers: { location: 'https://evil.test' } }, { is: 'unclear' }],
  ['no answer', { fault: new TransportError('h', 'before', 'reset') }, { is: 'unclear' }],
  ['half an answer', { body: '{"access', brokenBy: new TransportError('h', 'during', 'reset') }, { is: 'unclear' }],
]

for (const [name, scripted, expected] of table) {
  test(name, async () => {
    const http = new ScriptedHttp(scripted)
    const answer = await poll(http.send, someService, { claim_token: 'clm_1' }, new FakeClock())
    for (const [member, value] of Object.entries(expected)) {
      assert.deepEqual(Reflect.get(answer, member), value, `${member} of ${JSON.stringify(answer)}`)
    }
  })
}

test('[R38] a gateway that gave up may hide a key; an error of the service, or one on the way to it, does not', async () => {
  const table: readonly [Scripted, boolean][] = [
    ...[502, 504, 520, 524].map((status): [Scripted, boolean] => [{ status, body: '' }, true]),
    ...[429, 500, 501, 503, 521].map((status): [Scripted, boolean] => [{ status, body: '' }, false]),
    [error('server_error', 502), false],
  ]
  for (const [scripted, expected] of table) {
    const http = new ScriptedHttp(scripted)
    const answer = await poll(http.send, someService, { claim_token: 'clm_1' }, new FakeClock())
    assert.equal(answer.is, 'unclear')
    assert.equal(mayHideKey(answer), expected, JSON.stringify(scripted))
  }
})

test('a success that says nothing is no refusal, but an answer that nobody understands', async () => {
  for (const body of [{}, { ok: true }, { ...granted, access_token: '' }]) {
    const http = new ScriptedHttp({ body })
    const answer = await poll(http.send, someService, { claim_token: 'clm_1' }, new FakeClock())
    assert.ok(answer.is === 'refused' && answer.fault instanceof ContractError, JSON.stringify(body))
    assert.equal(signInEnd('polling', answer), answer.fault)
  }
})

test('a poll is a form with the grant and the claim, sent once', async () => {
  const http = new ScriptedHttp({ body: granted })
  await poll(http.send, someService, { claim_token: 'clm_&=+ü' }, new FakeClock())
  const [request] = http.requests
  assert.equal(request?.headers?.['content-type'], 'application/x-www-form-urlencoded')
  assert.deepEqual(Object.fromEntries(new URLSearchParams(request?.body)), {
    grant_type: someService.claimGrantType,
    claim_token: 'clm_&=+ü',
  })
  assert.ok(!request?.url.includes('clm_') && !request?.mayRepeat)
})
