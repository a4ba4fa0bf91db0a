// A model that is gone, and the revision that took its place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingModels } from '../../../src/core/model/revision.ts'

const missing = (id: string, ...listed: string[]) => missingModels([{ setting: 'model', id }], listed)
const successor = (id: string, ...listed: string[]) => missing(id, ...listed)[0]?.successor

test('a listed model is not missing, with or without its provider; nor is one that nobody chose', () => {
  assert.deepEqual(missing('kourier-1-0815', 'other', 'kourier-1-0815'), [])
  assert.deepEqual(missing('kourier-1-0815', 'kourier/kourier-1-0815'), [])
  assert.deepEqual(missing('kourier/kourier-1-0815', 'kourier-1-0815'), [])
  assert.deepEqual(missing('', 'kourier-1-0815'), [])
})

test('an empty list says nothing', () => assert.deepEqual(missing('kourier-1-0815'), []))

test('another revision of the same model is offered, the latest of several', () => {
  assert.equal(successor('kourier-1-0815', 'kourier-1-0901'), 'kourier-1-0901')
  assert.equal(successor('kourier-1-0815', 'kourier-2-0101', 'kourier-1-0901', 'small'), 'kourier-1-0901')
  assert.equal(successor('kourier-1-9', 'kourier-1-10', 'kourier-1-8'), 'kourier-1-10')
  assert.equal(successor('kourier-1-0815', 'kourier/kourier-1-0901'), 'kourier/kourier-1-0901')
  assert.equal(successor('kourier@2026-08', 'kourier@2026-09'), 'kourier@2026-09')
  assert.equal(successor('kourier:r12', 'kourier:r13b'), 'kourier:r13b')
})

test('another model is not offered for it', () => {
  assert.deepEqual(missing('kourier-1-0815', 'kourier-2-0815'), [
    { setting: 'model', id: 'kourier-1-0815', successor: undefined },
  ])
  for (const id of ['large', 'kourier-large', 'x'.repeat(50_000), '1-'.repeat(25_000), '1'.repeat(50_000)])
    assert.equal(successor(id, 'small', 'kourier-small'), undefined)
})

test('the size or the version of a model is no revision of it', () => {
  assert.equal(successor('llama-3-70b', 'llama-3-8b'), undefined)
  assert.equal(successor('llama-3-8b', 'llama-3-70b'), undefined)
  assert.equal(successor('gpt-4', 'gpt-5'), undefined)
  assert.equal(successor('gpt-4.1', 'gpt-4.5'), undefined)
  assert.equal(successor('deepseek-r1', 'deepseek-r2'), undefined)
  assert.equal(successor('mistral-small', 'mistral-large'), undefined)
})

test('a successor is never older', () => {
  assert.equal(successor('kourier-1-0901', 'kourier-1-0801'), undefined)
  assert.equal(successor('kourier-1-0901', 'kourier-1-0801', 'kourier-1-1015', 'kourier-1-0915'), 'kourier-1-1015')
  assert.equal(successor('kourier-1-10', 'kourier-1-9'), undefined)
  assert.equal(successor('kourier:r13b', 'kourier:r12', 'kourier:r13a'), undefined)
  assert.equal(successor('kourier-1-20260815', 'kourier-1-20260701'), undefined)
})

test('dates are compared with dates of the same form', () => {
  assert.equal(successor('kourier-1-20260815', 'kourier-1-20270101'), 'kourier-1-20270101')
  assert.equal(successor('kourier-2026-12-31', 'kourier-2027-01-01'), 'kourier-2027-01-01')
  assert.equal(successor('kourier@2026-12', 'kourier@2027-01'), 'kourier@2027-01')
  assert.equal(successor('kourier-001', 'kourier-002'), 'kourier-002')
  assert.equal(successor('kourier-1-0815', 'kourier-1-20260901'), undefined)
  assert.equal(successor('kourier-1-0815', 'kourier-1-2'), undefined)
  assert.equal(successor('kourier-1-0815', 'kourier-1-2026-09'), undefined)
})

test('each setting is judged by itself', () => {
  const chosen = [
    { setting: 'model', id: 'kourier-1-0901' },
    { setting: 'backgroundModel', id: 'kourier-0-0815' },
    { setting: 'completions.model', id: 'kourier-1-0815' },
  ] as const
  assert.deepEqual(missingModels(chosen, ['kourier-1-0901']), [
    { ...chosen[1], successor: undefined },
    { ...chosen[2], successor: 'kourier-1-0901' },
  ])
})
