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
  const all = (text: string) => pathsBefore(text).all
  assert.deepEqual(all('Not `src/far.ts`.\n\n\n\nIn `src/a.ts` (not **b.md**):\n'), ['b.md', 'src/a.ts'])
  assert.deepEqual(all('Change lib/x.rs like this:'), ['lib/x.rs'])
  assert.deepEqual(all('For example, this works well.'), [])
})

test('a block belongs to the path of the line that leads to it', () => {
  const leading = (text: string) => pathsBefore(text).leading
  for (const line of [
    'In `src/a.ts`:',
    '**src/a.ts**',
    '### src/a.ts',
    '2. `src/a.ts`',
    'src/a.ts:',
    '**In src/a.ts:**',
  ])
    assert.equal(leading(`Not src/far.ts.\n\n${line}\n`), 'src/a.ts', line)
  for (const text of [
    'The test is in `src/a.test.ts`. It fails.',
    'In `src/a.ts`:\n\nIt is short.',
    'Move it from `src/a.ts` to `src/b.ts`:',
    'Run it with `node src/a.ts` like this:',
    'For example:',
  ])
    assert.equal(leading(text), undefined, text)
})
