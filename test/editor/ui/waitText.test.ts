// What a person reads while a request waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wait } from '../../../src/core/model/queuedClient.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'

const { heldQuestion, heldWait, holderTexts, inUseTexts, panelWait, usage, waitText } = await withFakeVscode(
  () => import('../../../src/editor/ui/waitText.ts'),
)
const { waitingText } = await withFakeVscode(() => import('../../../src/editor/models/waitingText.ts'))

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

test('at the plan’s limit and after a failure: how long it takes', () => {
  const limit: Wait = { is: 'trying again', why: 'limit', at: 10_000, isAutomatic: true }
  assert.deepEqual(panelWait(limit, 3_000), {
    text: "The plan's limit is reached; trying again in {time}",
    time: { left: 7_000 },
  })
  assert.equal(waitText(limit, 3_000), "The plan's limit is reached; trying again in 7 s")
  assert.equal(waitText(limit, 99_000), "The plan's limit is reached; trying again in 1 s")
  assert.equal(waitText({ ...limit, why: 'trouble' }, 8_500), 'The service failed; trying again in 2 s')
  assert.equal(waitText({ ...limit, why: 'overload' }, 8_500), 'The service is overloaded; trying again in 2 s')
  const long: Wait = { ...limit, at: 1_680_000, isAutomatic: false }
  assert.equal(waitText(long, 0), "The plan's limit is reached; the service asks to wait 28 minutes")
  assert.equal(panelWait(limit, 3_000).over, undefined, 'it goes on by itself')
  assert.equal(panelWait(long, 3_000).over, 'The wait that the service asked for is over')
})

test('in the middle of an answer: no countdown, since nothing happens by itself', () => {
  assert.deepEqual(heldWait(), { text: "The plan's limit is reached; what arrived is kept" })
  assert.deepEqual(heldQuestion(), { text: "The plan's limit is reached; the question is kept" })
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

test('a notification gives the reason in a sentence, whatever it is', () => {
  const again = { is: 'trying again', at: 9_000, isAutomatic: true } as const
  const reason = (wait: Wait) => waitingText(wait, 1, 0).replace(/ (In use|\[Retry).*/, '')
  assert.equal(reason({ ...again, why: 'trouble' }), 'The service failed; trying again in 9 s.')
  assert.equal(reason({ ...again, why: 'overload' }), 'The service is overloaded; trying again in 9 s.')
  assert.equal(reason({ ...again, why: 'limit' }), "The plan's limit is reached; trying again in 9 s.")
  assert.equal(waitingText({ is: 'slow', since: 0 }, 1, 5_000), 'Waiting for the model (5 s).')
  const place = (place: number) => reason({ is: 'in line', place, ...line })
  assert.equal(place(2), 'Waiting for a free slot (3 of 3 in use). 1 request before you.')
  assert.equal(place(4), 'Waiting for a free slot (3 of 3 in use). 3 requests before you.')
  for (const wait of [
    { ...again, why: 'trouble' },
    { ...again, why: 'limit' },
  ] as const)
    assert.equal(reason(wait), `${waitText(wait, 0)}.`, 'the same words as elsewhere')
})

test('a slow model: for how long it has been waited', () => {
  assert.equal(waitText({ is: 'slow', since: 1_000 }, 24_000), 'Waiting for the model (23 s)')
})

test('holders by window, those of one window together', () => {
  assert.deepEqual(usage(line), { used: 3, limit: 3 })
  assert.deepEqual(holderTexts(line), ['shop: chat, agent turn', 'this window: completion'])
  const unnamed = { ...line, holders: [holder('', 'chat'), holder('', 'agent')] }
  assert.deepEqual(holderTexts(unnamed), ['another window: chat, agent turn'])
  assert.deepEqual(inUseTexts(unnamed), ['In use by another window: chat, agent turn.'])
})
