// The unsent text comes back as it was written, without any API key that was in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { DraftMemory } from '../../../src/editor/chat/draftMemory.ts'
import { madeOf } from '../../support/credential.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { noDraftFiles } from '../../support/noDraftFiles.ts'

const key = 'example-key-in-use-0123456789'

test('of each conversation the text that was written last is kept with its time', () => {
  const drafts = new DraftMemory(new FakeMemento(), new KeyText(() => madeOf(key)), noDraftFiles)
  assert.equal(drafts.saved('c'), undefined)
  drafts.save('c', { text: 'second\nline', at: 2 })
  drafts.save('c', { text: 'first', at: 1 })
  drafts.save('d', { text: 'other', at: 1 })
  assert.deepEqual(drafts.saved('c'), { text: 'second\nline', at: 2 })
  assert.equal(drafts.saved('d')?.text, 'other')
})

test('the only draft of version 0.1.0 goes to the conversation that is shown, once', () => {
  const state = new FakeMemento()
  void state.update('kourier.draft', { text: 'of long ago', at: 5 })
  const drafts = new DraftMemory(state, new KeyText(() => undefined), noDraftFiles)
  drafts.takeOver('c')
  drafts.takeOver('d')
  assert.deepEqual([drafts.saved('c')?.text, drafts.saved('d')], ['of long ago', undefined])
})

test('what is being changed is kept without keys, until the page reports that it is not', () => {
  const drafts = new DraftMemory(new FakeMemento(), new KeyText(() => madeOf(key)), noDraftFiles)
  drafts.save('c', { text: '', at: 1, edits: { t: `with ${key}` } })
  assert.deepEqual(Object.keys(drafts.saved('c')?.edits ?? {}), ['t'])
  assert.ok(!drafts.saved('c')?.edits?.['t']?.includes(key))
  drafts.save('c', { text: 'put there by the extension', at: 2 })
  assert.ok(drafts.saved('c')?.edits?.['t'])
  drafts.save('c', { text: '', at: 3, edits: {} })
  assert.deepEqual(drafts.saved('c')?.edits, {})
})

test('an API key of any service in the unsent text is not stored', () => {
  const other = 'ghp_a8Kd03mZq71xWcR5tYpLb9NvE2hUsJ6gF4oG'
  const written: unknown[] = []
  const files = { ...noDraftFiles, write: async (...draft: unknown[]) => void written.push(draft) }
  new DraftMemory(new FakeMemento(), new KeyText(() => madeOf(key)), files).save('c', {
    text: `use ${key} here, ${key}, ${other}`,
    at: 1,
  })
  const stored = JSON.stringify(written)
  assert.match(stored, /use .* here/)
  assert.ok(!stored.includes(key) && !stored.includes(other), stored)
})
