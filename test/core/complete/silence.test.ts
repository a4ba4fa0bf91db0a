// Why no completion comes: one row for each reason, and which of two is named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../../src/core/complete/lastOutcome.ts'
import { LastOutcome } from '../../../src/core/complete/lastOutcome.ts'
import { type FrontDocument, type Silence, type SilenceFacts, silenceOf } from '../../../src/core/complete/silence.ts'
import type { Refusal } from '../../../src/core/workspace/accessPolicy.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const document: FrontDocument = { refusal: undefined, isLineTooLong: false, cursors: 1 }
const usual: SilenceFacts = {
  isSignedIn: true,
  isModelMissing: false,
  isModelThinking: false,
  isTrusted: true,
  mode: 'eager',
  offFor: undefined,
  document,
  snoozedUntil: undefined,
  outcome: { is: 'none' },
  otherExtension: undefined,
}
const refused = (refusal: Refusal) => ({ document: { ...document, refusal } })
const after = (outcome: Outcome) => ({ outcome })

/** In the order in which they are named where several apply. */
const rows: readonly (readonly [Partial<SilenceFacts>, Silence])[] = [
  [{ isSignedIn: false }, { why: 'signed out' }],
  [{ isModelMissing: true }, { why: 'no model' }],
  [{ isModelThinking: true }, { why: 'model thinks' }],
  [{ isTrusted: false }, { why: 'restricted' }],
  [{ offFor: '*' }, { why: 'off' }],
  [{ offFor: 'markdown' }, { why: 'language off', language: 'markdown' }],
  [{ isInlineOff: true }, { why: 'inline off' }],
  [refused({ reason: 'untrusted' }), { why: 'restricted' }],
  [refused({ reason: 'too large', size: 9, limit: 8 }), { why: 'file too large', limit: 8 }],
  [refused({ reason: 'excluded', glob: '*.sql' }), { why: 'excluded', glob: '*.sql' }],
  [refused({ reason: 'secret', glob: '.env*' }), { why: 'looks secret', glob: '.env*' }],
  [refused({ reason: 'secret', content: 'private key' }), { why: 'holds a secret', content: 'private key' }],
  [refused({ reason: 'binary' }), { why: 'binary' }],
  [{ document: { ...document, isLineTooLong: true } }, { why: 'line too long' }],
  [{ document: { ...document, cursors: 2 } }, { why: 'several cursors' }],
  [{ snoozedUntil: 7 }, { why: 'snoozed', until: 7 }],
  [{ mode: 'subtle' }, { why: 'subtle' }],
  [after({ is: 'limit reached', until: 7 }), { why: 'limit reached', until: 7 }],
  [after({ is: 'unreachable' }), { why: 'unreachable' }],
  [after({ is: 'failed' }), { why: 'failed' }],
  [{ otherExtension: 'Other' }, { why: 'another extension', name: 'Other' }],
  [after({ is: 'nothing fitted' }), { why: 'nothing fitted' }],
  [after({ is: 'held back' }), { why: 'held back' }],
]

test('each reason by itself', () => {
  for (const [facts, silence] of rows) assert.deepEqual(silenceOf({ ...usual, ...facts }), silence, silence.why)
})

test('of two reasons the one that has to be removed first', () => {
  for (const [at, [first, silence]] of rows.entries()) {
    for (const [second] of rows.slice(at + 1)) {
      assert.deepEqual(silenceOf({ ...usual, ...second, ...first }), silence, JSON.stringify({ first, second }))
    }
  }
})

test('none where completions come, or where no document is in front', () => {
  for (const facts of [
    {},
    { document: undefined },
    after({ is: 'shown' }),
    refused({ reason: 'outside' }),
    refused({ reason: 'ignored' }),
  ])
    assert.equal(silenceOf({ ...usual, ...facts }), undefined)
})

test('the service counts as unreachable until it answers a request of any kind', () => {
  const last = new LastOutcome(new FakeClock())
  last.record({ is: 'failed' })
  last.reached()
  assert.equal(last.current.is, 'failed')
  last.record({ is: 'unreachable' })
  last.reached()
  assert.equal(last.current.is, 'none')
})

test('an outcome that is the same again is not reported; a limit is over at its time', async () => {
  const clock = new FakeClock()
  const last = new LastOutcome(clock)
  const seen: string[] = []
  last.onDidChange(() => seen.push(last.current.is))
  for (const is of ['shown', 'shown', 'nothing fitted', 'nothing fitted', 'shown'] as const) last.record({ is })
  last.record({ is: 'limit reached', until: clock.now() + 1_000 })
  await clock.advance(999)
  assert.deepEqual(seen, ['shown', 'nothing fitted', 'shown', 'limit reached'])
  await clock.advance(1)
  assert.equal(last.current.is, 'none')
})
