// An answer is asked for once and kept for a while; a failed one is not, and an abort ends only the wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Remembered } from '../../src/base/remembered.ts'
import { FakeClock } from '../support/fakeClock.ts'

const { signal } = new AbortController()

test('an answer is kept until its time is over, each key by itself', async () => {
  const clock = new FakeClock()
  const remembered = new Remembered<number>(clock, 1_000)
  let asked = 0
  const get = (key: string) => remembered.get(key, async () => ++asked, signal)
  assert.deepEqual([await get('a'), await get('a'), await get('b'), await get('a')], [1, 1, 2, 1])
  await clock.advance(1_001)
  assert.equal(await get('a'), 3)
})

test('a failed answer is asked for again', async () => {
  const remembered = new Remembered<number>(new FakeClock(), 1_000)
  await assert.rejects(
    remembered.get('a', async () => Promise.reject(new Error('failed')), signal),
    /failed/,
  )
  assert.equal(await remembered.get('a', async () => 2, signal), 2)
})

test('a caller that stops waiting leaves the answer to the next one', async () => {
  const remembered = new Remembered<number>(new FakeClock(), 1_000)
  const abort = new AbortController()
  let answer: (value: number) => void = () => {}
  const asked = new Promise<number>(resolve => {
    answer = resolve
  })
  const first = remembered.get('a', () => asked, abort.signal)
  abort.abort(new Error('cancelled'))
  await assert.rejects(first, /cancelled/)
  const second = remembered.get('a', () => assert.fail('it is under way'), signal)
  answer(7)
  assert.equal(await second, 7)
})
