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

const table: Readonly<Record<string, readonly (readonly [gone: string, listed: string, offered?: string])[]>> = {
  'another revision of the same model is offered, the latest of several': [
    ['kourier-1-0815', 'kourier-1-0901', 'kourier-1-0901'],
    ['kourier-1-0815', 'kourier-2-0101 kourier-1-0901 small', 'kourier-1-0901'],
    ['kourier-1-0901', 'kourier-1-0801 kourier-1-1015 kourier-1-0915', 'kourier-1-1015'],
    ['kourier-1-0815', 'kourier/kourier-1-0901', 'kourier/kourier-1-0901'],
    ['kourier-001', 'kourier-002', 'kourier-002'],
    ['kourier:r12', 'kourier:r13b', 'kourier:r13b'],
    ['kourier@v2', 'kourier@v3', 'kourier@v3'],
  ],
  'dates are compared with dates of the same form': [
    ['kourier-1-20260815', 'kourier-1-20270101', 'kourier-1-20270101'],
    ['kourier-2026-12-31', 'kourier-2027-01-01', 'kourier-2027-01-01'],
    ['kourier@2026-12', 'kourier@2027-01', 'kourier@2027-01'],
    ['kourier-2412', 'kourier-2501', 'kourier-2501'],
    ['kourier-1-0815', 'kourier-1-20260901'],
    ['kourier-1-0815', 'kourier-1-2'],
    ['kourier-1-0815', 'kourier-1-2026-09'],
    ['kourier-1-0815', 'kourier-1-2609'],
  ],
  'the end of a year is no end': [
    ['kourier-1-1215', 'kourier-1-0110', 'kourier-1-0110'],
    ['kourier-1-1215', 'kourier-1-1201 kourier-1-0110', 'kourier-1-0110'],
    ['kourier-1-1015', 'kourier-1-1215 kourier-1-0110', 'kourier-1-0110'],
    ['kourier-1-1231', 'kourier-1-0101', 'kourier-1-0101'],
    ['kourier-1-0901', 'kourier-1-0215', 'kourier-1-0215'],
    ['kourier-1-0101', 'kourier-1-0815', 'kourier-1-0815'],
  ],
  'a successor is never older': [
    ['kourier-1-0901', 'kourier-1-0801'],
    ['kourier-1-0901', 'kourier-1-0615'],
    ['kourier-1-0110', 'kourier-1-1215'],
    ['kourier-1-2501', 'kourier-1-2412'],
    ['kourier:r13b', 'kourier:r12 kourier:r13a'],
    ['kourier-1-20260815', 'kourier-1-20260701'],
    ['kourier-2027-01-01', 'kourier-2026-12-31'],
  ],
  'another model is not offered for it': [
    ['kourier-1-0815', 'kourier-2-0815'],
    ['kourier-1-0815', 'kourier-2-0901'],
    ['mistral-small', 'mistral-large'],
    ['large', 'small kourier-small'],
    ['x'.repeat(50_000), 'small'],
    ['1-'.repeat(25_000), 'small'],
    ['1'.repeat(50_000), 'small'],
  ],
  'the version or the size of a model is no revision of it': [
    ['gpt-4', 'gpt-5'],
    ['gpt-4.1', 'gpt-4.5'],
    ['claude-3-5', 'claude-3-7'],
    ['kourier-1-9', 'kourier-1-10'],
    ['deepseek-r1', 'deepseek-r2'],
    ['llama-3-8b', 'llama-3-70b'],
    ['llama-3-70b', 'llama-3-8b'],
  ],
}

for (const [name, rows] of Object.entries(table)) {
  test(name, () => {
    for (const [gone, listed, offered] of rows)
      assert.equal(successor(gone, ...listed.split(' ')), offered, `${gone.slice(0, 40)} -> ${listed}`)
  })
}

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
