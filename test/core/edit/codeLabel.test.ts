// Which file a code block names, in the forms in which models write it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeLabel, pathsBefore, withoutLabel } from '../../../src/core/edit/codeLabel.ts'

test('the label is what stands behind the fence, or the first comment', () => {
  const labels: readonly (readonly [info: string, code: string, path: string | undefined, isInText?: boolean])[] = [
    ['ts src/a.ts', '', 'src/a.ts'],
    ['ts:src/a.ts', '', 'src/a.ts'],
    ['title="src/a.ts"', '', 'src/a.ts'],
    ["ts title='src/a b.ts'", '', undefined],
    ['ts filename=a.ts {1,3}', '', 'a.ts'],
    ['src/a.ts', '', 'src/a.ts'],
    ['12:20:src/a.ts', '', 'src/a.ts'],
    ['ts file: ./src/a.ts', '', './src/a.ts'],
    ['Dockerfile', '', 'Dockerfile'],
    ['ts', '// src/a.ts\nx', 'src/a.ts', true],
    ['py', '# File: tools/x.py\nx', 'tools/x.py', true],
    ['html', '<!-- index.html -->\n<p>', 'index.html', true],
    ['css', '/* a/b.css */\n', 'a/b.css', true],
    ['diff', '--- a/src/a.ts\n+++ b/src/a.ts\n@@', 'src/a.ts'],
    ['ts', '// see a.ts for more\nx', undefined],
    ['ts', 'const a = "src/a.ts"', undefined],
    ['', '', undefined],
    ['c++', 'x', undefined],
    ['ts', '// ...\nx', undefined],
  ]
  for (const [info, code, path, isInText = false] of labels) {
    assert.deepEqual(codeLabel(info, code), path === undefined ? undefined : { path, isInText }, `${info} ${code}`)
  }
  assert.equal(withoutLabel('// a.ts\n\nx\n'), 'x\n')
})

test('the paths of the text before are those of its last lines, the nearest first', () => {
  assert.deepEqual(pathsBefore('Not `src/far.ts`.\n\n\n\nIn `src/a.ts` (not **b.md**):\n'), ['b.md', 'src/a.ts'])
  assert.deepEqual(pathsBefore('Change lib/x.rs like this:'), ['lib/x.rs'])
  assert.deepEqual(pathsBefore('For example, this works well.'), [])
})
