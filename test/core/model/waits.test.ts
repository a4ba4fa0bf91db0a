// The waits of the editor's own chat and of other extensions: kept, reported, skipped and cancelled together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAbort } from '../../../src/base/abort.ts'
import { ProblemError } from '../../../src/core/http/errors.ts'
import { type Collected, collect } from '../../../src/core/model/collect.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { QueuedClient } from '../../../src/core/model/queuedClient.ts'
import { Waits } from '../../../src/core/model/waits.ts'
import { Scheduler } from '../../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../../src/core/schedule/slots.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { userMessage } from '../../support/messages.ts'
import { faultOf, never } from '../../support/wire.ts'

/** A service that refuses so often, for so long, before it answers. */
function refusing(times: number, waitMs: number) {
  const clock = new FakeClock()
  const line = new Scheduler(new MemorySlots(clock), { clock, account: () => 'ada', fixed: () => 3 })
  let sent = 0
  const surface: ModelClient = {
    async *stream() {
      if (sent++ < times) throw new ProblemError('h', 429, {}, { retryAfterMs: waitMs })
      yield { kind: 'text-delta', text: 'word' }
      yield { kind: 'finish', why: 'done' }
    },
  }
  const client = new QueuedClient(surface, line, clock, () => 0)
  const waits = new Waits()
  let changes = 0
  waits.onDidChange(() => changes++)
  const ask = async (): Promise<Collected> => {
    const waiting = waits.begin(never)
    const request = { model: 'm', messages: [userMessage('q')], lane: 'agent', ...waiting.callbacks } as const
    try {
      return await collect(client.stream(request, waiting.signal))
    } finally {
      waiting.dispose()
    }
  }
  return { clock, waits, ask, sent: () => sent, changes: () => changes }
}

test('[R15] however long the service asks to wait, the wait is kept until the user says now', async () => {
  const { clock, waits, ask, sent } = refusing(2, 120_000)
  const answers = [ask(), ask()]
  await clock.advance(500)
  assert.deepEqual(
    [waits.count, waits.current],
    [2, { is: 'trying again', why: 'limit', at: 120_000, isAutomatic: false }],
  )
  await clock.advance(600_000)
  assert.deepEqual([waits.count, sent()], [2, 2], 'it is neither given up nor tried by itself')
  waits.retryNow()
  const texts = (await Promise.all(answers)).map(({ text }) => text)
  assert.deepEqual([texts, waits.count, waits.current], [['word', 'word'], 0, undefined])
})

test('[R13] a shorter wait ends by itself, and what is over is said once', async () => {
  const { clock, waits, ask, changes } = refusing(1, 7_000)
  const answer = ask()
  await clock.advance(6_999)
  assert.equal(waits.count, 1)
  await clock.advance(1)
  assert.equal((await answer).text, 'word')
  assert.deepEqual([waits.count, changes()], [0, 2])
})

test('who gives up waiting stops what waits, and only that', async () => {
  const { clock, waits, ask } = refusing(1, 120_000)
  const stopped = faultOf(ask())
  await clock.advance(0)
  const other = waits.begin(never)
  waits.stop()
  assert.ok(isAbort(await stopped))
  assert.deepEqual([waits.count, other.signal.aborted], [0, false])
})

test('the wait that is told of is a refusal, else that of the next in line, else that for the first word', () => {
  const waits = new Waits()
  const report = [waits.begin(never), waits.begin(never), waits.begin(never)].map(({ callbacks }) => callbacks.onWait)
  const place = (at: number) => ({ is: 'in line', place: at, limit: 3, holders: [], waiting: 2 }) as const
  report[0]?.({ is: 'slow', since: 0 })
  assert.deepEqual([waits.current?.is, waits.count], ['slow', 0])
  report[1]?.(place(2))
  report[2]?.(place(1))
  assert.deepEqual([waits.current, waits.count], [place(1), 2])
  report[1]?.({ is: 'trying again', why: 'trouble', at: 5, isAutomatic: true })
  assert.equal(waits.current?.is, 'trying again')
})
