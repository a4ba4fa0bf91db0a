// A listener is called until it is disposed of; one that throws does not keep the others from being called.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../../src/base/event.ts'

test('each listening hears each event until it ends', () => {
  const emitter = new Emitter<number>()
  const received: string[] = []
  const listener = (value: number) => void received.push(`a${value}`)
  const first = emitter.event(listener)
  const second = emitter.event(listener)
  emitter.fire(1)
  first.dispose()
  first.dispose()
  emitter.fire(2)
  second.dispose()
  emitter.fire(3)
  assert.deepEqual(received, ['a1', 'a1', 'a2'], 'the same function may listen twice')
})

test('a listener that throws does not keep the next from hearing', () => {
  const emitter = new Emitter<void>()
  let isCalled = false
  emitter.event(() => {
    throw new Error('deaf')
  })
  emitter.event(() => {
    isCalled = true
  })
  assert.throws(() => emitter.fire(), /deaf/)
  assert.ok(isCalled)
})

test('a listener may come and go while an event is told', () => {
  const emitter = new Emitter<void>()
  const received: string[] = []
  const once = emitter.event(() => {
    received.push('once')
    once.dispose()
    emitter.event(() => void received.push('new'))
  })
  emitter.fire()
  emitter.fire()
  assert.deepEqual(received, ['once', 'new'])
})

test('after the end nobody hears', () => {
  const emitter = new Emitter<void>()
  emitter.event(() => assert.fail('heard'))
  emitter.dispose()
  emitter.fire()
})
