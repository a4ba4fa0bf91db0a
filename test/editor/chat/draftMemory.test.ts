// The unsent text comes back as it was written, without any API key that was in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Memento } from 'vscode'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { DraftMemory } from '../../../src/editor/chat/draftMemory.ts'
import { madeOf } from '../../support/credential.ts'

/** The state of a workspace, in memory. */
function workspaceState(): Memento {
  const values = new Map<string, unknown>()
  return {
    keys: () => [...values.keys()],
    get: (name: string, fallback?: unknown) => values.get(name) ?? fallback,
    update: async (name, value) => void values.set(name, value),
  } as Memento // `get` has two forms, which one function cannot declare.
}

const key = 'example-key-in-use-0123456789'

test('what was written last is kept with its time', () => {
  const drafts = new DraftMemory(workspaceState(), new KeyText(() => madeOf(key)))
  assert.equal(drafts.saved, undefined)
  drafts.save({ text: 'first', at: 1 })
  drafts.save({ text: 'second\nline', at: 2 })
  assert.deepEqual(drafts.saved, { text: 'second\nline', at: 2 })
})

test('an API key in the unsent text is not stored', () => {
  const state = workspaceState()
  new DraftMemory(state, new KeyText(() => madeOf(key))).save({ text: `use ${key} here, ${key}`, at: 1 })
  const stored = JSON.stringify(state.keys().map(name => state.get(name)))
  assert.match(stored, /use .* here/)
  assert.ok(!stored.includes(key), stored)
})
