// The waiting for an approval: never too fast, always with an end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AbortedError } from '../../../src/base/abort.ts'
import { type PollEnd, pollClaim } from '../../../src/core/account/claimPoll.ts'
import type { Answer } from '../../../src/core/account/deviceFlowTable.ts'
import type { Code } from '../../../src/core/account/registration.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { faultOf, never } from '../../support/wire.ts'

const code = (validMs: number, intervalMs: number): Code => ({ text: '1234', uri: 'x', host: 'h', validMs, intervalMs })

interface Reply {
  readonly answer: Answer
  readonly tookMs: number
  /** How far somebody sets the wall clock meanwhile. */
  readonly jumpMs?: number
}

/** Polls with these answers, the last one again and again; returns when each was asked. */
async function run(asked: Code, replies: readonly Reply[]) {
  const clock = new FakeClock()
  const polls: { at: number; answeredAt: number; answer: Answer }[] = []
  let underWay = 0
  const ask = async () => {
    assert.equal(++underWay, 1, 'one poll at a time')
    const reply = replies[Math.min(polls.length, replies.length - 1)] ?? { answer: { is: 'pending' }, tookMs: 0 }
    const poll = { at: clock.elapsed(), answeredAt: Number.POSITIVE_INFINITY, answer: reply.answer }
    polls.push(poll)
    if (reply.tookMs > 0) await new Promise<void>(resolve => clock.later(reply.tookMs, resolve))
    clock.jump(reply.jumpMs ?? 0)
    poll.answeredAt = clock.elapsed()
    underWay--
    return reply.answer
  }
  let end: PollEnd | undefined
  void pollClaim(asked, { clock, ask, onLate: () => assert.fail(), onTrouble: () => {} }, never).then(value => {
    end = value
  })
  await clock.advance(3 * 3_600_000)
  return { end, polls, clock }
}

const pending: Answer = { is: 'pending' }
const at = (polls: readonly { at: number }[]) => polls.map(poll => poll.at / 1000)
const quick = (...answers: Answer[]): Reply[] => answers.map(answer => ({ answer, tookMs: 0 }))

test('waits the interval before each poll, and looks once more at the end', async () => {
  const { end, polls } = await run(code(22_000, 5_000), quick(pending))
  assert.deepEqual(at(polls), [5, 10, 15, 20, 25])
  assert.deepEqual(end, { is: 'code expired' })
})

test('an approval in the last moment is collected', async () => {
  const granted: Answer = { is: 'granted', key: 'k' }
  const { end, polls } = await run(code(10_000, 5_000), quick(pending, granted))
  assert.deepEqual(at(polls), [5, 10])
  assert.deepEqual(end, granted)
})

test('slow down counts for all later polls, each time anew', async () => {
  const slow: Answer = { is: 'slow down', waitMs: undefined }
  const { polls } = await run(code(70_000, 5_000), quick(slow, pending, slow, pending))
  assert.deepEqual(at(polls), [5, 15, 25, 40, 55, 70])
})

test('a wait that was asked for is kept, as far as the code lives', async () => {
  const slow: Answer = { is: 'slow down', waitMs: 30_000 }
  assert.deepEqual(at((await run(code(60_000, 5_000), quick(slow, pending))).polls), [5, 35, 45, 55, 65])
  const long: Answer = { is: 'unclear', waitMs: 3_600_000, fault: undefined }
  assert.deepEqual(at((await run(code(60_000, 5_000), quick(long))).polls), [5, 60])
})

test('trouble makes the pauses longer, its end makes them short again', async () => {
  const unclear: Answer = { is: 'unclear', waitMs: undefined, fault: new Error('x') }
  const { polls } = await run(code(200_000, 5_000), quick(unclear, unclear, unclear, unclear, pending, pending))
  assert.deepEqual(at(polls).slice(0, 7), [5, 15, 35, 65, 95, 100, 105])
})

test('trouble is told, and that it is over', async () => {
  const clock = new FakeClock()
  const fault = new Error('x')
  const reported: unknown[] = []
  const answers: Answer[] = [{ is: 'unclear', waitMs: undefined, fault }, pending, { is: 'lost', problem: {} }]
  const ask = async () => answers.shift() ?? pending
  void pollClaim(code(60_000, 1_000), { clock, ask, onLate: () => {}, onTrouble: one => reported.push(one) }, never)
  await clock.advance(60_000)
  assert.deepEqual(reported, [fault, undefined, undefined])
})

test('a stop is obeyed at once, while the poll on its way is heard', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const onItsWay = Promise.withResolvers<Answer>()
  const late: Answer[] = []
  const options = {
    clock,
    ask: () => onItsWay.promise,
    onLate: (answer: Answer) => late.push(answer),
    onTrouble: () => {},
  }
  const fault = faultOf(pollClaim(code(60_000, 1_000), options, stop.signal))
  await clock.advance(1_000)
  const reason = new AbortedError()
  stop.abort(reason)
  assert.equal(await fault, reason)
  onItsWay.resolve({ is: 'granted', key: 'stray' })
  await settled()
  assert.deepEqual(late, [{ is: 'granted', key: 'stray' }])
  assert.equal(clock.waiting, 0)
})

const waitMs = fc.option(fc.integer({ min: 0, max: 120_000 }), { nil: undefined })
const goesOn: fc.Arbitrary<Answer> = fc.oneof(
  fc.constant(pending),
  fc.constant<Answer>({ is: 'claimed' }),
  fc.record({ is: fc.constant('slow down' as const), waitMs }),
  fc.record({ is: fc.constant('unclear' as const), waitMs, fault: fc.constant(undefined) }),
)
const ends = fc.constantFrom<Answer>(
  { is: 'granted', key: 'k' },
  { is: 'expired' },
  { is: 'denied', problem: {} },
  { is: 'lost', problem: {} },
  { is: 'refused', problem: {} },
  { is: 'over' },
)
const reply = fc.record({
  answer: fc.oneof({ weight: 12, arbitrary: goesOn }, { weight: 1, arbitrary: ends }),
  tookMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 15_000 })),
  jumpMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: -7_200_000, max: 7_200_000 })),
})

test('never faster than allowed, one at a time, and always to an end, whatever the wall clock says', async () => {
  const interval = fc.integer({ min: 1_000, max: 60_000 })
  const valid = fc.integer({ min: 1_000, max: 3_600_000 })
  await fc.assert(
    fc.asyncProperty(
      valid,
      interval,
      fc.array(reply, { minLength: 1, maxLength: 20 }),
      async (validMs, intervalMs, replies) => {
        const { end, polls, clock } = await run(code(validMs, intervalMs), replies)
        assert.ok(end, 'it ended')
        assert.equal(clock.waiting, 0)
        let allowedAt = intervalMs
        let pace = intervalMs
        for (const [index, { at, answeredAt, answer }] of polls.entries()) {
          assert.ok(at >= allowedAt, `poll ${index} at ${at}, allowed from ${allowedAt}`)
          if (answer.is === 'slow down') pace += 5_000
          const asked = 'waitMs' in answer ? (answer.waitMs ?? 0) : 0
          // What was asked for holds to the end of the code; the pace holds beyond it.
          allowedAt = Math.max(at + pace, Math.min(answeredAt + asked, validMs))
          const isEnd = !['pending', 'claimed', 'slow down', 'unclear'].includes(answer.is)
          assert.equal(isEnd || at >= validMs, index === polls.length - 1, 'no poll after the end, none missing before')
        }
      },
    ),
    { numRuns: 60 },
  )
})
