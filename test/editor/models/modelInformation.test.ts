// The limits that `informationOf` reports to the editor for a model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Model } from '../../../src/core/model/catalog.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'

const { informationOf } = await withFakeVscode(() => import('../../../src/editor/models/modelInformation.ts'))

const limitsOf = (model: Omit<Model, 'id'>) => {
  const { maxInputTokens, maxOutputTokens } = informationOf({ id: 'm', ...model }, 'Example')
  return [maxInputTokens, maxOutputTokens]
}

test('without other limits they are those of the service description', () => {
  assert.deepEqual(limitsOf({ inputLimit: 262_144 }), [262_144, 16_384])
  assert.deepEqual(limitsOf({ inputLimit: 262_144, totalLimit: 278_528 }), [262_144, 16_384])
})

test('a request is never offered more than it may hold with its answer', () => {
  assert.deepEqual(limitsOf({ inputLimit: 262_144, totalLimit: 32_768 }), [32_768, 16_384])
  assert.deepEqual(limitsOf({ inputLimit: 262_144, totalLimit: 8_000 }), [8_000, 8_000])
  assert.deepEqual(limitsOf({ inputLimit: 1_000, totalLimit: 32_768 }), [1_000, 16_384])
})

test('the longest answer is the one that the service names', () => {
  assert.deepEqual(limitsOf({ inputLimit: 1_000, outputLimit: 400 }), [1_000, 400])
  assert.deepEqual(limitsOf({ inputLimit: 262_144, outputLimit: 65_536 }), [262_144, 65_536])
})

test('a model is shown by its id and its service', () => {
  const { id, name, tooltip, detail } = informationOf({ id: 'm', inputLimit: 1 }, 'Example')
  assert.deepEqual([id, name, tooltip, detail], ['m', 'm', 'm of Example', 'Example'])
})
