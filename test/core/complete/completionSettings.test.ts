// Which languages are on, and that a workspace can only make settings stricter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CompletionSettings,
  isEnabledFor,
  switchedForAll,
  tighten,
} from '../../../src/core/complete/completionSettings.ts'
import { exclusionOf } from '../../../src/core/workspace/exclude.ts'

const user: CompletionSettings = { enabled: {}, delayMs: null, mode: 'eager', exclude: [] }
const on = (language: string, enabled: Record<string, boolean>) => isEnabledFor(language, { ...user, enabled })

test('a language that is named, one that is off as a rule, any other', () => {
  assert.ok(on('python', {}))
  assert.ok(!on('python', { python: false }))
  assert.ok(!on('python', { '*': false }))
  assert.ok(on('python', { '*': false, python: true }))
  assert.ok(!on('markdown', {}))
  assert.ok(!on('markdown', { '*': true }))
  assert.ok(on('markdown', { markdown: true }))
  assert.ok(!on('scminput', {}))
  assert.ok(!on('git-commit', {}))
  assert.ok(on('toString', {}))
})

test('switched for all languages: off for those too that were on by name, and on but for those that were off by name', () => {
  const named = { '*': true, python: true, markdown: true, sql: false }
  const off = switchedForAll(named, false)
  for (const language of ['python', 'markdown', 'sql', 'go']) assert.ok(!on(language, off), language)
  const back = switchedForAll(off, true)
  assert.ok(on('python', back) && on('go', back))
  assert.ok(!on('sql', back))
  assert.deepEqual(switchedForAll({ '*': false, markdown: true }, true), { '*': true, markdown: true })
})

test('a workspace switches off and never on', () => {
  const enabled = (own: Record<string, boolean>, workspace: Record<string, boolean>, language: string) =>
    isEnabledFor(language, tighten({ ...user, enabled: own }, { enabled: workspace }))
  assert.ok(!enabled({}, { python: false }, 'python'))
  assert.ok(!enabled({ python: true }, { python: false }, 'python'))
  assert.ok(!enabled({ python: false }, { python: true, '*': true }, 'python'))
  assert.ok(!enabled({ '*': false }, { python: true }, 'python'))
  assert.ok(!enabled({}, { markdown: true }, 'markdown'))
  assert.ok(!enabled({ python: true }, { '*': false }, 'python'))
  assert.ok(!enabled({}, { '*': false, python: true }, 'python'))
  assert.ok(enabled({}, {}, 'python'))
})

test('a workspace may slow down and quiet, not hurry', () => {
  assert.equal(tighten(user, { delayMs: 300 }).delayMs, 300)
  assert.equal(tighten({ ...user, delayMs: 500 }, { delayMs: 0 }).delayMs, 500)
  assert.equal(tighten({ ...user, delayMs: 500 }, {}).delayMs, 500)
  assert.equal(tighten(user, { mode: 'subtle' }).mode, 'subtle')
  assert.equal(tighten({ ...user, mode: 'subtle' }, { mode: 'eager' }).mode, 'subtle')
})

test('[A67] a workspace keeps more files out and lets none in', () => {
  const out = (path: string, own: string[], workspace: string[]) =>
    exclusionOf({ path, text: '' }, tighten({ ...user, exclude: own }, { exclude: workspace }).exclude) !== undefined
  assert.ok(out('gen/a.ts', [], ['gen/**']))
  assert.ok(out('.env', [], ['!.env', '!**']))
  assert.ok(out('own.ts', ['own.ts'], ['!own.ts']))
  assert.ok(!out('a.pem', ['!a.pem'], []))
})
