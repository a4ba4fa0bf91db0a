// One run for all who ask at once; or one after another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Queue, SingleFlight } from '../../src/base/singleFlight.ts'
import { settled } from '../support/fakeClock.ts'
import { faultOf } from '../support/wire.ts'

test('who asks during a run shares it, who asks after it gets another', async () => {
  const flight = new SingleFlight<string, number>()
  const gate = Promise.withResolvers<number>()
  let runs = 0
  const run = () => {
    runs++
    return gate.promise
  }
  const both = [flight.join('a', run), flight.join('a', run)]
  const other = flight.join('b', async () => 5)
  gate.resolve(1)
  assert.deepEqual(await Promise.all([...both, other]), [1, 1, 5])
  assert.equal(runs, 1)
  await flight.join('a', run)
  assert.equal(runs, 2)
})

test('a failed run fails all who shared it, and is not kept', async () => {
  const flight = new SingleFlight<string, number>()
  const run = () => Promise.reject(new Error('no'))
  const faults = await Promise.all([faultOf(flight.join('a', run)), faultOf(flight.join('a', run))])
  assert.equal(faults[0], faults[1])
  assert.equal(await flight.join('a', async () => 2), 2)
})

test('a queue runs one at a time, in order, whatever fails', async () => {
  const queue = new Queue()
  const steps: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = faultOf(
    queue.add(async () => {
      steps.push('first begins')
      await gate.promise
      steps.push('first ends')
      throw new Error('no')
    }),
  )
  const second = queue.add(async () => steps.push('second'))
  await settled()
  assert.deepEqual(steps, ['first begins'])
  gate.resolve()
  await Promise.all([first, second])
  assert.deepEqual(steps, ['first begins', 'first ends', 'second'])
})
