// The models of the last list over a restart, with every limit that the service told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Memento } from 'vscode'
import { recallModels, rememberModels } from '../../../src/editor/models/rememberedModels.ts'

const origin = 'https://api.example.com'

/** A memory that keeps what JSON keeps, as the editor's does. */
function memoryOf(kept?: unknown) {
  const values = new Map<string, string>()
  const memory = {
    get: (key: string) => JSON.parse(values.get(key) ?? 'null') ?? kept,
    update: async (key: string, value: unknown) => void values.set(key, JSON.stringify(value)),
  }
  return memory as unknown as Memento
}

test('models come back with all their limits', async () => {
  const models = [
    { id: 'a', inputLimit: 1_000, totalLimit: 1_500, outputLimit: 400 },
    { id: 'b', inputLimit: 262_144, totalLimit: 32_768 },
    { id: 'c', inputLimit: 262_144 },
  ]
  const memory = memoryOf()
  await rememberModels(memory, origin, models)
  assert.deepEqual(recallModels(memory, origin), models)
})

test('a list that was kept with the first limit alone is read', () => {
  const models = [{ id: 'a', inputLimit: 1_000 }]
  assert.deepEqual(recallModels(memoryOf({ origin, models }), origin), models)
})

test('the list of another service, and what is none, is worth nothing', () => {
  const models = [{ id: 'a', inputLimit: 1_000 }]
  for (const kept of [undefined, 'x', { origin, models: [{ id: 5 }] }, { origin: 'https://other.test', models }])
    assert.deepEqual(recallModels(memoryOf(kept), origin), [])
  assert.deepEqual(recallModels(memoryOf({ origin, models }), undefined), [])
})
