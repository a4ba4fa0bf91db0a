// Every planted fault can still be planted: its patch applies to the sources as they are.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { checkPatch } from './applyPatch.ts'
import { plantedFaults } from './plantedFault.ts'

const root = resolve(import.meta.dirname, '../..')

for (const { name, patch, about, sources } of plantedFaults(import.meta.dirname))
  test(`the fault ${name} says what breaks, changes sources and applies`, () => {
    assert.notEqual(about, '')
    assert.ok(sources.length > 0 && sources.every(source => source.startsWith('src/')), sources.join(', '))
    assert.equal(checkPatch(root, patch), undefined)
  })
