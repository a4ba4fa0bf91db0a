// What was learnt about models, over a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Memento } from 'vscode'
import { rememberedTraits } from '../../../src/editor/models/rememberedTraits.ts'

/** A memory that keeps what JSON keeps, as the editor's does. */
function memoryOf() {
  const values = new Map<string, string>()
  const memory = {
    get: (key: string) => JSON.parse(values.get(key) ?? 'null') ?? undefined,
    update: async (key: string, value: unknown) => void values.set(key, JSON.stringify(value)),
  }
  return memory as unknown as Memento
}

test('comes back by its key, can be removed, and does not grow without end', () => {
  const memory = memoryOf()
  const traits = rememberedTraits(memory)
  traits.set('a', { thinks: true, failed: ['effort'] })
  traits.set('b', { thinks: true, failed: [] })
  assert.deepEqual(rememberedTraits(memory).get('a'), { thinks: true, failed: ['effort'] })
  traits.set('a', undefined)
  assert.equal(rememberedTraits(memory).get('a'), undefined)
  for (let at = 0; at < 60; at++) traits.set(`model ${at}`, { at })
  assert.equal(traits.get('b'), undefined)
  assert.deepEqual(traits.get('model 59'), { at: 59 })
})
