// The models of the last list over a restart, with every limit that the service reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Memento } from 'vscode'
import { recallModels, rememberModels } from '../../../src/editor/models/rememberedModels.ts'

const owner = { origin: 'https://api.example.com', signIn: 'first' }

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
  await rememberModels(memory, owner, models)
  assert.deepEqual(recallModels(memory, owner), models)
})

test('a list that was kept with the first limit alone is read', () => {
  const models = [{ id: 'a', inputLimit: 1_000 }]
  assert.deepEqual(recallModels(memoryOf({ ...owner, models }), owner), models)
})

test('the list of another service or sign-in, and what is none, is worth nothing', () => {
  const models = [{ id: 'a', inputLimit: 1_000 }]
  const others: unknown[] = [
    undefined,
    'x',
    { ...owner, models: [{ id: 5 }] },
    { ...owner, origin: 'https://other.test', models },
    { ...owner, signIn: 'second', models },
    { origin: owner.origin, models },
  ]
  for (const kept of others) assert.deepEqual(recallModels(memoryOf(kept), owner), [])
})

test('nobody has a list', async () => {
  const models = [{ id: 'a', inputLimit: 1_000 }]
  for (const nobody of [
    { ...owner, origin: undefined },
    { ...owner, signIn: undefined },
  ]) {
    const memory = memoryOf()
    await rememberModels(memory, nobody, models)
    assert.equal(memory.get('kourier.models'), undefined)
    assert.deepEqual(recallModels(memoryOf({ ...owner, models }), nobody), [])
  }
})

test('an empty list does not take the place of the one that is kept', async () => {
  const models = [{ id: 'a', inputLimit: 1_000 }]
  const memory = memoryOf({ ...owner, models })
  await rememberModels(memory, owner, [])
  assert.deepEqual(recallModels(memory, owner), models)
})
