// Everything that was begun ends, once, in reverse order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DisposableStore, onEnd } from '../../src/base/disposable.ts'

test('members end in reverse order, once', () => {
  const ended: string[] = []
  const store = new DisposableStore()
  for (const name of ['a', 'b', 'c']) store.add({ dispose: () => ended.push(name) })
  store.dispose()
  store.dispose()
  assert.deepEqual(ended, ['c', 'b', 'a'])
})

test('what comes after the end is ended at once', () => {
  const store = new DisposableStore()
  store.dispose()
  let isEnded = false
  const late = {
    dispose() {
      isEnded = true
    },
  }
  assert.equal(store.add(late), late)
  assert.ok(isEnded)
})

test('one that fails does not keep the others from ending, and its fault is heard', () => {
  const ended: string[] = []
  const store = new DisposableStore()
  store.add({ dispose: () => ended.push('first') })
  store.add({
    dispose() {
      throw new Error('stuck')
    },
  })
  store.add({ dispose: () => ended.push('last') })
  assert.throws(() => store.dispose(), /stuck/)
  assert.deepEqual(ended, ['last', 'first'])
})

test('onEnd runs once', () => {
  let runs = 0
  const ending = onEnd(() => void runs++)
  ending.dispose()
  ending.dispose()
  assert.equal(runs, 1)
})
