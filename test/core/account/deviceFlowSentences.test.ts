// Every answer that a service may send, in every step in which it may send it: how the sign-in goes on, or why it ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError } from '../../../src/base/abort.ts'
import { isExpired } from '../../../src/core/account/codeStep.ts'
import type { StepName } from '../../../src/core/account/deviceFlowTable.ts'
import { type SignInEnd, SignInError } from '../../../src/core/account/signInError.ts'
import { ContractError, ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { another, DeviceFlowHarness, key } from '../../support/deviceFlowHarness.ts'
import { settled } from '../../support/fakeClock.ts'
import type { Scripted } from '../../support/scriptedHttp.ts'

/**
 * `goes on`: it asks again by itself, after the pause that was wanted. `slower`: that, and for good. `new code`: another
 * code is offered. `shown`: there is another code. `old code`: the old one stays and is asked for. `again`: the new
 * code can be asked for once more, and nobody knows what became of the old one. `retry`: it ended
 * with the fault itself, which may pass. A reason: it ended with that.
 */
type End = 'goes on' | 'slower' | 'new code' | 'shown' | 'old code' | 'again' | 'retry' | 'signed in' | SignInEnd

/** Registering, polling, asking for a new code. */
type Ends = readonly [End, End, End]
const steps = ['registering', 'polling', 'renewing'] as const satisfies readonly StepName[]

const word = (error: string, status = 400, headers = {}): Scripted => ({ status, headers, body: { error } })
const page = { 'content-type': 'text/html' }

const words: readonly [string, Scripted, Ends][] = [
  ['authorization_pending', word('authorization_pending'), ['refused', 'goes on', 'old code']],
  ['authorization_pending as 202', word('authorization_pending', 202), ['retry', 'goes on', 'run out']],
  ['slow_down', word('slow_down'), ['too often', 'slower', 'old code']],
  ['slow_down as 429', word('slow_down', 429, { 'retry-after': '60' }), ['too often', 'slower', 'old code']],
  ['expired_token', word('expired_token'), ['run out', 'new code', 'run out']],
  [
    'expired_token that speaks of the registration',
    { status: 400, body: { error: 'expired_token', error_description: 'The claim ceremony window has closed.' } },
    ['run out', 'new code', 'run out'],
  ],
  ['access_denied', word('access_denied'), ['denied', 'denied', 'denied']],
  ['access_denied as 403', word('access_denied', 403), ['denied', 'denied', 'denied']],
  ['token_mint_failed', word('token_mint_failed'), ['denied', 'denied', 'denied']],
  ['invalid_grant', word('invalid_grant'), ['run out', 'lost', 'run out']],
  ['invalid_request', word('invalid_request'), ['refused', 'refused', 'refused']],
  ['invalid_login_hint', word('invalid_login_hint'), ['email', 'refused', 'refused']],
  ['service_auth_not_enabled', word('service_auth_not_enabled'), ['not offered', 'refused', 'refused']],
  ['service_auth_not_enabled as 403', word('service_auth_not_enabled', 403), ['not offered', 'refused', 'refused']],
  ['unsupported_identity_type', word('unsupported_identity_type'), ['not offered', 'refused', 'refused']],
  ['unsupported_grant_type', word('unsupported_grant_type'), ['not offered', 'refused', 'refused']],
  ['interaction_required', word('interaction_required', 401), ['not offered', 'refused', 'run out']],
  ['login_required', word('login_required', 401), ['not offered', 'refused', 'run out']],
  ['invalid_client', word('invalid_client', 401), ['refused', 'refused', 'run out']],
  ['invalid_claim_token', word('invalid_claim_token', 401), ['run out', 'run out', 'run out']],
  ['claimed_or_in_flight', word('claimed_or_in_flight', 409), ['refused', 'goes on', 'signed in']],
  ['claim_expired', word('claim_expired', 410), ['run out', 'run out', 'run out']],
  ['claim_superseded', word('claim_superseded', 410), ['run out', 'run out', 'run out']],
  ['rate_limited', word('rate_limited', 429, { 'retry-after': '30' }), ['too often', 'goes on', 'old code']],
  ['429 without a word', { status: 429 }, ['too often', 'goes on', 'old code']],
  ['email_send_failed', word('email_send_failed', 503), ['retry', 'goes on', 'again']],
  ['server_error', word('server_error', 500), ['retry', 'goes on', 'again']],
  ['temporarily_unavailable', word('temporarily_unavailable', 503), ['retry', 'goes on', 'old code']],
  ['a word nobody knows', word('brand_new_word', 422), ['refused', 'refused', 'refused']],
  ['the word in a message', { status: 400, body: { message: 'access_denied' } }, ['denied', 'denied', 'denied']],
  [
    'the word in an object',
    { status: 400, body: { error: { code: 'access_denied', message: 'No.' } } },
    ['denied', 'denied', 'denied'],
  ],
  ['no such place', { status: 404 }, ['not offered', 'goes on', 'run out']],
  ['a gateway’s page', { status: 502, body: '<html>', headers: page }, ['retry', 'goes on', 'again']],
  ['a login page', { body: '<html>', headers: page }, ['retry', 'goes on', 'again']],
  ['an empty answer', { body: '' }, ['retry', 'goes on', 'again']],
  ['a redirect', { status: 302, headers: { location: 'https://evil.test' } }, ['retry', 'goes on', 'again']],
  [
    'nothing, since it is down',
    { fault: new TransportError('h', 'before', 'refused') },
    ['retry', 'goes on', 'old code'],
  ],
  ['no answer', { fault: new TransportError('h', 'before', 'reset') }, ['retry', 'goes on', 'again']],
  [
    'half an answer',
    { body: '{"cl', brokenBy: new TransportError('h', 'during', 'reset') },
    ['retry', 'goes on', 'again'],
  ],
]

/** What can be seen of it from outside, and that nothing is asked meanwhile that must not be. */
async function endOf(harness: DeviceFlowHarness): Promise<End> {
  if (harness.fault instanceof SignInError) return harness.fault.reason
  if (harness.fault !== undefined) {
    const kinds = [ProblemError, ContractError, TransportError]
    assert.ok(
      kinds.some(kind => harness.fault instanceof kind),
      String(harness.fault),
    )
    return 'retry'
  }
  const { step } = harness
  if (step.is === 'done') return 'signed in'
  assert.ok('code' in step, step.is)
  if (isExpired(step)) return step.status === 'expired' ? 'new code' : 'again'
  if (step.code.text === another.user_code) return 'shown'
  const polls = () => harness.asked.filter(one => one === 'token').length
  const before = polls()
  await harness.clock.advance(61_000)
  assert.ok(polls() > before, 'it asks again')
  if (step.status === 'not replaced') return 'old code'
  // Two more polls show the pace from then on.
  const next = polls()
  await harness.clock.advance(20_000)
  return polls() - next >= 4 ? 'goes on' : 'slower'
}

for (const [name, answer, ends] of words) {
  for (const [at, step] of steps.entries()) {
    test(`${step}, and the service says ${name}: ${ends[at]}`, async () => {
      const harness = await new DeviceFlowHarness().goTo(step)
      // Where the request for a new code is not understood, a later form of it is tried, and meets the same.
      if (name === 'invalid_request') harness.usual = { ...harness.usual, claim: answer }
      await harness.give(answer)
      if (ends[at] === 'signed in') {
        harness.usual = { ...harness.usual, token: { body: { access_token: key, token_type: 'Bearer' } } }
        harness.kept.resolve()
        await harness.clock.advance(10_000)
      }
      assert.equal(await endOf(harness), ends[at])
      assert.ok(harness.asked.filter(one => one === 'identity').length === 1, 'nobody is registered twice unasked')
      harness.stop.abort(new AbortedError())
      await settled()
      await settled()
      assert.equal(harness.clock.waiting, 0, 'no timer is left')
    })
  }
}
