// Stopping: obeyed at once, with its own reason, and nothing left behind.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { AbortedError, isAbort, linkedAbort, raceAbort, sleep, throwIfAborted, until } from '../../src/base/abort.ts'
import { FakeClock } from '../support/fakeClock.ts'
import { faultOf } from '../support/wire.ts'

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

test('a stop is known by its name; a time limit is none', () => {
  assert.ok(isAbort(new AbortedError()))
  assert.ok(isAbort(new DOMException('x', 'AbortError')))
  assert.ok(!isAbort(new DOMException('x', 'TimeoutError')))
  assert.ok(!isAbort(new Error('AbortError')))
  assert.ok(!isAbort(undefined))
})

test('throwIfStopped throws the reason as it is', () => {
  const stop = new AbortController()
  throwIfAborted(stop.signal)
  stop.abort('my reason')
  assert.throws(
    () => throwIfAborted(stop.signal),
    thrown => thrown === 'my reason',
  )
})

test('a sleep ends with its time, not a moment earlier, and leaves nothing', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  let isAwake = false
  const sleeping = sleep(clock, 1000, stop.signal).then(() => (isAwake = true))
  await clock.advance(999)
  assert.ok(!isAwake)
  await clock.advance(1)
  await sleeping
  assert.equal(listenersOf(stop.signal), 0)
})

test('a stopped sleep rejects with the reason and calls its timer off', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const reason = new AbortedError('enough')
  const sleeping = faultOf(sleep(clock, 1000, stop.signal))
  stop.abort(reason)
  assert.equal(await sleeping, reason)
  assert.equal(clock.waiting, 0)
  assert.equal(await faultOf(sleep(clock, 1, stop.signal)), reason, 'also when it was stopped before')
})

test('until lets go on every way out', async t => {
  const stop = new AbortController()
  let abandoned = 0
  const abandon = () => void abandoned++
  await t.test('done later', async () => {
    let end: (value: string) => void = () => {}
    const waiting = until<string>(stop.signal, done => {
      end = done
      return abandon
    })
    end('x')
    assert.equal(await waiting, 'x')
    assert.equal(abandoned, 1)
  })
  await t.test('done at once', async () => {
    const waiting = until<number>(stop.signal, done => {
      done(7)
      return abandon
    })
    assert.equal(await waiting, 7)
    assert.equal(abandoned, 2)
  })
  await t.test('failed', async () => {
    const fault = new Error('no')
    const waiting = until(stop.signal, (_, fail) => {
      queueMicrotask(() => fail(fault))
      return abandon
    })
    assert.equal(await faultOf(waiting), fault)
    assert.equal(abandoned, 3)
  })
  await t.test('could not begin', async () => {
    const fault = new Error('no')
    const waiting = until(stop.signal, () => {
      throw fault
    })
    assert.equal(await faultOf(waiting), fault)
  })
  assert.equal(listenersOf(stop.signal), 0)
})

test('orStop does not wait for what was stopped, and its late failure bothers nobody', async () => {
  const stop = new AbortController()
  const late = Promise.withResolvers<string>()
  const waiting = faultOf(raceAbort(late.promise, stop.signal))
  stop.abort(new AbortedError())
  assert.ok(isAbort(await waiting))
  late.reject(new Error('late'))
  assert.equal(await raceAbort(Promise.resolve('x'), new AbortController().signal), 'x')
})

test('a linked stop follows each outer one with its reason, and can be let go', () => {
  const first = new AbortController()
  const second = new AbortController()
  const linked = linkedAbort(first.signal, undefined, second.signal)
  second.abort('second')
  assert.equal(linked.signal.reason, 'second')
  assert.equal(listenersOf(first.signal), 0)

  const own = linkedAbort(first.signal)
  own.stop()
  assert.ok(isAbort(own.signal.reason))
  assert.ok(!first.signal.aborted)

  const free = linkedAbort(first.signal)
  free.unlink()
  first.abort('first')
  assert.ok(!free.signal.aborted)
  assert.equal(linkedAbort(first.signal).signal.reason, 'first', 'also when it was stopped before')
})

test('what fails after a stop that came before it fails unheard, and ends no process', async () => {
  const late = Promise.withResolvers<void>()
  const reason = new AbortedError()
  assert.equal(await faultOf(raceAbort(late.promise, AbortSignal.abort(reason))), reason)
  late.reject(new Error('late'))
  await new Promise(setImmediate)
})
