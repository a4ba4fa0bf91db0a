// A typing mistake in a settings file never stops the product.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readSetting, type SettingKey, settingsTable } from '../../src/core/settings.ts'

interface Declared {
  readonly default: unknown
  readonly scope: string
  readonly ignoreSync?: boolean
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const declared: Record<string, Declared> = manifest.contributes.configuration.properties
const keys = Object.keys(settingsTable) as SettingKey[]

test('the table and what the editor is told agree, key by key', () => {
  assert.deepEqual(keys.map(key => `kourier.${key}`).sort(), Object.keys(declared).sort())
  for (const key of keys) {
    const declaration = declared[`kourier.${key}`]
    assert.deepEqual(declaration?.default, settingsTable[key].fallback, key)
    assert.equal(declaration?.scope, settingsTable[key].scope, key)
  }
})

test('where a key may be sent is no setting of a folder and does not travel', () => {
  assert.equal(declared['kourier.baseUrl']?.scope, 'application')
  assert.equal(declared['kourier.baseUrl']?.ignoreSync, true)
})

test('a value that fits is taken, any other reads as the default', () => {
  assert.equal(readSetting('maxConcurrentRequests', 7), 7)
  for (const wrong of [-1, 33, 1.5, '3', null, undefined, Number.NaN]) {
    assert.equal(readSetting('maxConcurrentRequests', wrong), 0)
  }
  assert.equal(readSetting('completions.delayMs', 0), 0)
  assert.equal(readSetting('completions.delayMs', 5_001), null)
  assert.equal(readSetting('completions.mode', 'subtle'), 'subtle')
  assert.equal(readSetting('completions.mode', 'loud'), 'eager')
  assert.deepEqual(readSetting('completions.enabled', { '*': false, go: true }), { '*': false, go: true })
  assert.equal(readSetting('completions.enabled', { '*': 'yes' })['*'], true)
  assert.deepEqual(readSetting('completions.exclude', ['*.x']), ['*.x'])
  assert.ok(readSetting('completions.exclude', '*.x').includes('.env*'), 'secret files stay out')
  for (const key of keys) assert.deepEqual(readSetting(key, Symbol('junk')), settingsTable[key].fallback)
})
