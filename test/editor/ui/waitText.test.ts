// What a person reads while a request waits, and when no secure connection could be had.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransportError } from '../../../src/core/http/errors.ts'
import type { Wait } from '../../../src/core/model/queuedClient.ts'
import { certificateText } from '../../../src/editor/ui/certificateText.ts'
import {
  heldQuestion,
  heldWait,
  holderTexts,
  panelWait,
  usage,
  waitingText,
  waitText,
} from '../../../src/editor/ui/waitText.ts'

const holder = (window: string, lane: 'chat' | 'agent' | 'completion', isOwn = false) => ({
  window,
  lane,
  isOwn,
  heldMs: 0,
})
const line = {
  limit: 3,
  waiting: 2,
  holders: [holder('shop', 'chat'), holder('desk', 'completion', true), holder('shop', 'agent')],
}

test('in line: how full it is, how many are before, and who holds the slots', () => {
  const wait: Wait = { is: 'in line', place: 2, ...line, holders: line.holders.slice(0, 2) }
  assert.deepEqual(panelWait(wait, 0), {
    text: 'Waiting for a free slot (2 of 3 in use)',
    details: ['1 request before you.', 'In use by shop: chat.', 'In use by this window: completion.'],
  })
  assert.equal(waitText(wait, 0), 'Waiting for a free slot (2 of 3 in use). 1 request before you')
  assert.equal(panelWait({ ...wait, place: 1 }, 0).details?.[0], 'You are next.')
})

test('at the plan’s limit and after a stumble: how long it takes', () => {
  const limit: Wait = { is: 'trying again', why: 'limit', at: 10_000, isAutomatic: true }
  assert.deepEqual(panelWait(limit, 3_000), {
    text: "The plan's limit is reached; trying again in",
    time: { left: 7_000 },
  })
  assert.equal(waitText(limit, 3_000), "The plan's limit is reached; trying again in 7 s")
  assert.equal(waitText(limit, 99_000), "The plan's limit is reached; trying again in 1 s")
  assert.equal(waitText({ ...limit, why: 'trouble' }, 8_500), 'The service stumbled; trying again in 2 s')
  const long: Wait = { ...limit, at: 1_680_000, isAutomatic: false }
  assert.equal(waitText(long, 0), "The plan's limit is reached; the service asks to wait 28 minutes")
  assert.equal(panelWait(limit, 3_000).over, undefined, 'it goes on by itself')
  assert.equal(panelWait(long, 3_000).over, 'The wait that the service asked for is over')
})

test('in the middle of an answer: no countdown, since nothing happens by itself', () => {
  assert.deepEqual(heldWait, { text: "The plan's limit is reached; what arrived is kept" })
  assert.deepEqual(heldQuestion, { text: "The plan's limit is reached; the question is kept" })
})

test('in a notification: who holds the slots, how many wait, and the way to try again', () => {
  const limit: Wait = { is: 'trying again', why: 'limit', at: 90_000, isAutomatic: false }
  assert.equal(
    waitingText(limit, 1, 0),
    "The plan's limit is reached; the service asks to wait 90 s. [Retry now](command:kourier.retryNow)",
  )
  assert.equal(
    waitingText(limit, 2, 90_000),
    'The wait that the service asked for is over. 2 requests wait. [Retry now](command:kourier.retryNow)',
  )
  const holders = [holder('[shop](command:bad)', 'chat')]
  assert.equal(
    waitingText({ is: 'in line', place: 1, ...line, holders }, 1, 0),
    'Waiting for a free slot (1 of 3 in use). You are next. In use by shop (command:bad): chat.',
  )
})

test('a slow model: for how long it has been waited', () => {
  assert.equal(waitText({ is: 'slow', since: 1_000 }, 24_000), 'Waiting for the model (23 s)')
})

test('holders by window, those of one window together', () => {
  assert.equal(usage(line), '3 of 3 in use')
  assert.deepEqual(holderTexts(line), ['shop: chat, agent turn', 'this window: completion'])
  assert.deepEqual(holderTexts({ ...line, holders: [holder('', 'chat')] }), ['another window: chat'])
})

const certificates = [
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /does not trust.*company/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /does not trust.*company/],
  ['CERT_HAS_EXPIRED', /has expired.*clock/],
  ['CERT_NOT_YET_VALID', /not valid yet.*clock/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /of another host.*address/],
  ['EPROTO', /No secure connection/],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', /No secure connection/],
] as const

for (const [code, said] of certificates) {
  test(`says what is wrong, and what to do: ${code}`, () => {
    const cause = Object.assign(new Error('secret detail'), { code })
    const told = (isProxyFault: boolean) =>
      certificateText(
        new TransportError('api.example', 'before', 'certificate', {
          proxy: 'proxy.example:8080',
          isProxyFault,
          cause,
        }),
      )
    assert.match(told(false), said)
    assert.match(told(false), /^(?!.*proxy\.example).*api\.example.*nothing was sent/)
    assert.match(told(true), /^(?!.*(api\.example|address)).*[Tt]he proxy proxy\.example:8080.*nothing was sent/)
    for (const text of [told(false), told(true)]) assert.doesNotMatch(text, /secret|[A-Z]_[A-Z]/)
  })
}
