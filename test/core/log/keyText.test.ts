// Keys in a text are found by their shape, and the one in use by its value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { madeOf } from '../../support/credential.ts'

const key = 'sk-bf-0123456789abcdef'
const keys = new KeyText(() => madeOf('a-key-of-another-shape'))

test('[T12] a key is found wherever it stands, and nothing else is taken for one', () => {
  for (const text of [key, `KEY="${key}"`, `x${key}`, `${key}, ${key}`, 'Bearer a-key-of-another-shape.']) {
    assert.equal(keys.isIn(text), true, text)
    assert.doesNotMatch(keys.without(text), /0123|a-key-of/)
  }
  for (const text of ['', 'sk-bf-', 'sk-bf-short', 'sk-bf-…', 'sk-proj-0123456789abcdef', 'a key of another shape']) {
    assert.equal(keys.isIn(text), false, text)
    assert.equal(keys.without(text), text)
  }
  assert.equal(keys.without(`before ${key} after`), 'before sk-bf-… after')
  for (const current of [undefined, '', 'short'])
    assert.equal(
      new KeyText(() => (current === undefined ? undefined : madeOf(current))).without('a short one'),
      'a short one',
    )
})

test('in a value each text is cleaned, at any depth, and what has none stays the very same', () => {
  const none = { a: ['b', { c: 1, d: null, e: undefined, f: true }] }
  assert.equal(keys.withoutIn(none), none)
  assert.deepEqual(keys.withoutIn({ a: [{ [key]: `x ${key}`, n: 1 }], b: none }), {
    a: [{ 'sk-bf-…': 'x sk-bf-…', n: 1 }],
    b: none,
  })
  const run = () => {}
  assert.equal(keys.withoutIn({ run, text: key }).run, run)
})
