// The unsent text comes back as it was written, without any API key that was in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { DraftMemory } from '../../../src/editor/chat/draftMemory.ts'
import { madeOf } from '../../support/credential.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'

const key = 'example-key-in-use-0123456789'

test('what was written last is kept with its time', () => {
  const drafts = new DraftMemory(new FakeMemento(), new KeyText(() => madeOf(key)))
  assert.equal(drafts.saved, undefined)
  drafts.save({ text: 'first', at: 1 })
  drafts.save({ text: 'second\nline', at: 2 })
  assert.deepEqual(drafts.saved, { text: 'second\nline', at: 2 })
})

test('an API key in the unsent text is not stored', () => {
  const state = new FakeMemento()
  new DraftMemory(state, new KeyText(() => madeOf(key))).save({ text: `use ${key} here, ${key}`, at: 1 })
  const stored = JSON.stringify(state.keys().map(name => state.get(name)))
  assert.match(stored, /use .* here/)
  assert.ok(!stored.includes(key), stored)
})
