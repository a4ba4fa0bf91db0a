// The entry that was not used for longest is forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Lru } from '../../src/base/lru.ts'

test('behaves as a list ordered by use', () => {
  const step = fc.tuple(fc.constantFrom('get', 'set', 'delete'), fc.integer({ min: 0, max: 6 }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step), (limit, steps) => {
      const lru = new Lru<number, string>(limit)
      let model: number[] = []
      for (const [what, key] of steps) {
        const isKnown = model.includes(key)
        if (what === 'get') assert.equal(lru.get(key), isKnown ? `v${key}` : undefined)
        if (what === 'set') lru.set(key, `v${key}`)
        if (what === 'delete') lru.delete(key)
        if (what !== 'get' || isKnown) model = model.filter(other => other !== key)
        if (what === 'set' || (what === 'get' && isKnown)) model = [key, ...model].slice(0, limit)
      }
      assert.deepEqual(
        lru.values(),
        model.map(key => `v${key}`),
      )
      assert.equal(lru.size, model.length)
      lru.clear()
      assert.equal(lru.size, 0)
    }),
  )
})
