// Who listens hears, until he stops listening; one who fails does not deafen the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../../src/base/event.ts'

test('each listening hears each event until it ends', () => {
  const emitter = new Emitter<number>()
  const heard: string[] = []
  const hear = (value: number) => void heard.push(`a${value}`)
  const first = emitter.event(hear)
  const second = emitter.event(hear)
  emitter.fire(1)
  first.dispose()
  first.dispose()
  emitter.fire(2)
  second.dispose()
  emitter.fire(3)
  assert.deepEqual(heard, ['a1', 'a1', 'a2'], 'the same function may listen twice')
})

test('a listener that throws does not keep the next from hearing', () => {
  const emitter = new Emitter<void>()
  let isHeard = false
  emitter.event(() => {
    throw new Error('deaf')
  })
  emitter.event(() => {
    isHeard = true
  })
  assert.throws(() => emitter.fire(), /deaf/)
  assert.ok(isHeard)
})

test('a listener may come and go while an event is told', () => {
  const emitter = new Emitter<void>()
  const heard: string[] = []
  const once = emitter.event(() => {
    heard.push('once')
    once.dispose()
    emitter.event(() => void heard.push('new'))
  })
  emitter.fire()
  emitter.fire()
  assert.deepEqual(heard, ['once', 'new'])
})

test('after the end nobody hears', () => {
  const emitter = new Emitter<void>()
  emitter.event(() => assert.fail('heard'))
  emitter.dispose()
  emitter.fire()
})
