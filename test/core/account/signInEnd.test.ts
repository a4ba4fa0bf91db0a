// Every refusal of a registration ends in a reason of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInEnd } from '../../../src/core/account/signInEnd.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { readFault } from '../../../src/core/account/token.ts'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'

const refused = (status: number, code?: string, waitMs?: number) =>
  signInEnd(
    'registering',
    readFault(new ProblemError('h', status, code === undefined ? {} : { code }, { retryAfterMs: waitMs })),
  )

const table: readonly [number, string | undefined, string][] = [
  [400, 'invalid_request', 'refused'],
  [400, 'invalid_login_hint', 'email'],
  [400, 'service_auth_not_enabled', 'not offered'],
  [403, 'service_auth_not_enabled', 'not offered'],
  [400, 'unsupported_identity_type', 'not offered'],
  [401, 'interaction_required', 'not offered'],
  [401, 'login_required', 'not offered'],
  [404, undefined, 'not offered'],
  [405, undefined, 'not offered'],
  [501, undefined, 'not offered'],
  [401, undefined, 'refused'],
  [400, undefined, 'refused'],
  [429, 'rate_limited', 'too often'],
  [429, undefined, 'too often'],
  [400, 'slow_down', 'too often'],
  [400, 'access_denied', 'denied'],
  [400, 'expired_token', 'run out'],
  [400, 'authorization_pending', 'refused'],
]
for (const [status, code, expected] of table) {
  test(`registering, ${status} ${code ?? 'without a word'}: ${expected}`, () => {
    const fault = refused(status, code)
    assert.ok(fault instanceof SignInError)
    assert.equal(fault.reason, expected)
  })
}

test('how long to wait is kept', () => {
  const fault = refused(429, 'rate_limited', 90_000)
  assert.ok(fault instanceof SignInError && fault.retryAfterMs === 90_000)
})

test('what may pass stays what it is, so that it can be tried again', () => {
  for (const [status, code] of [
    [503, 'email_send_failed'],
    [500, undefined],
    [408, undefined],
  ] as const) {
    assert.ok(refused(status, code) instanceof ProblemError, `${status}`)
  }
  const fault = new TransportError('h', 'before', 'reset')
  assert.equal(signInEnd('registering', readFault(fault)), fault)
})

test('a claim that is not known any more means another thing at each step', () => {
  const reasonOf = (during: 'polling' | 'renewing') => signInEnd(during, { is: 'lost', problem: {} })
  const [polling, renewing] = [reasonOf('polling'), reasonOf('renewing')]
  assert.ok(polling instanceof SignInError && polling.reason === 'lost')
  assert.ok(renewing instanceof SignInError && renewing.reason === 'run out')
})
