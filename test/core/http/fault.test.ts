// What each fault means for a program: where it happened, whether it was sent, and whether it may be repeated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leavesOldCode } from '../../../src/core/account/claim.ts'
import { mayHideKey } from '../../../src/core/account/token.ts'
import {
  ContractError,
  NotOfferedError,
  ProblemError,
  TooLargeError,
  TooLongError,
  TransportError,
  type TransportFailure,
} from '../../../src/core/http/errors.ts'
import { type FaultMeaning, type FaultPlace, meaningOf } from '../../../src/core/http/fault.ts'

const connections: Readonly<Record<TransportFailure, readonly [FaultPlace, isPassing: boolean]>> = {
  'name not found': ['before sending', true],
  refused: ['before sending', true],
  unreachable: ['before sending', true],
  'connect timeout': ['before sending', true],
  certificate: ['before sending', false],
  proxy: ['before sending', false],
  'proxy address': ['before sending', false],
  'proxy sign-in': ['before sending', false],
  reset: ['while waiting', true],
  'first byte timeout': ['while waiting', true],
  silence: ['while waiting', true],
  asleep: ['while waiting', true],
}

for (const [why, [where, isPassing]] of Object.entries(connections) as [TransportFailure, [FaultPlace, boolean]][]) {
  test(`${why}: ${where}`, () => {
    const fault = new TransportError('h', 'before', why)
    assert.deepEqual([fault.where, fault.mayRepeat], [where, isPassing])
    const wasSent = where !== 'before sending'
    const answer = { is: 'unclear', waitMs: undefined, fault } as const
    assert.deepEqual([fault.wasSent, mayHideKey(answer), leavesOldCode(answer)], [wasSent, wasSent, !wasSent])
    const cut = new TransportError('h', 'during', why)
    assert.deepEqual([cut.where, cut.wasSent], ['during the answer', true])
  })
}

test('a fault of the proxy itself: nothing came through', () => {
  const about = { proxy: 'p:1', isProxyFault: true }
  assert.equal(new TransportError('h', 'before', 'reset', about).wasSent, false)
})

const others: readonly [string, unknown, Partial<FaultMeaning>][] = [
  ['an empty answer', new ContractError('h', 'empty', 'stream'), { mayRepeat: true, remedy: 'retry' }],
  ['a login page', new ContractError('h', 'html', 'body'), { mayRepeat: false, remedy: 'retry' }],
  ['a redirect', new ContractError('h', 'redirect', 'evil.test'), { mayRepeat: false, remedy: 'change-address' }],
  ['too much', new TooLargeError('h', 5), { mayRepeat: false, wasSent: true }],
  ['too long', new TooLongError(5, 4, undefined), { wasSent: false, remedy: 'new-chat' }],
  ['a missing surface', new NotOfferedError('h', '/x'), { mayRepeat: false, remedy: 'use-chat-completions' }],
  ['a refused key', new ProblemError('h', 401, {}), { mayRepeat: false, remedy: 'sign-in' }],
  ['the limit', new ProblemError('h', 429, {}, { retryAfterMs: 7_000 }), { mayRepeat: true, retryAfterMs: 7_000 }],
  ['a mistake of ours', new TypeError('x is not a function'), { kind: 'program: unexpected', remedy: 'show-log' }],
  ['no fault at all', undefined, { kind: 'program: unexpected', mayRepeat: false }],
]

for (const [name, fault, wanted] of others) {
  test(name, () => {
    const meaning = meaningOf(fault)
    for (const [member, value] of Object.entries(wanted)) assert.equal(Reflect.get(meaning, member), value, member)
  })
}
