// Every planted fault can still be planted, and every part that the replay measures removed: the patches apply.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { checkPatch } from './applyPatch.ts'
import { plantedFaults } from './plantedFault.ts'

const root = resolve(import.meta.dirname, '../..')

const parts = resolve(root, 'test/bench/typing/parts')

for (const { name, patch, about, sources } of [import.meta.dirname, parts].flatMap(folder => plantedFaults(folder)))
  test(`the patch ${name} says what breaks, changes sources and applies`, () => {
    assert.notEqual(about, '')
    assert.ok(sources.length > 0 && sources.every(source => source.startsWith('src/')), sources.join(', '))
    assert.equal(checkPatch(root, patch), undefined)
  })
