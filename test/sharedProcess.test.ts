// Test files that share a process: a hook outside of every `describe` runs for the tests of all of them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** To the end of the hook, which has an indentation of its own. */
const rootHooks = /^(?:before|after)(?:Each)?\((?:.*\n(?:[ }].*\n)*)/gm

test('no file holds the clock of all files', () => {
  const files = globSync('test/**/*.test.ts', { exclude: ['test/editor/node_modules/**'] })
  assert.ok(files.length > 300)
  const holding = files.filter(file =>
    readFileSync(file, 'utf8')
      .match(rootHooks)
      ?.some(hook => hook.includes('mock.')),
  )
  assert.deepEqual(holding, [])
})
