// What the first line of a fence names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFenceLabel } from '../../src/protocol/fenceLabel.ts'

const examples: Readonly<Record<string, readonly [language: string, path?: string]>> = {
  '': [''],
  ts: ['ts'],
  'c++': ['c++'],
  'c#': ['c#'],
  'objective-c': ['objective-c'],
  'src/a.ts': ['', 'src/a.ts'],
  'app.module.ts': ['', 'app.module.ts'],
  '.eslintrc.json': ['', '.eslintrc.json'],
  'C:\\work\\a.ts': ['', 'C:\\work\\a.ts'],
  'ts:src/a.ts': ['ts', 'src/a.ts'],
  'ts src/a.ts': ['ts', 'src/a.ts'],
  'ts a.ts': ['ts', 'a.ts'],
  'ts title="src/my file.ts"': ['ts', 'src/my file.ts'],
  "js {1,3} filename='a/b.js'": ['js', 'a/b.js'],
  'python file=x.py': ['python', 'x.py'],
  '{.python}': ['python'],
  '12:20:src/a.ts': ['', 'src/a.ts'],
  'ts {highlight=3}': ['ts'],
  'sh $ npm install': ['sh'],
  '<script>': [''],
}

test('language and path are read from every usual form of a label', () => {
  const read = Object.keys(examples).map(label => {
    const { language, path } = readFenceLabel(label)
    return [label, path === undefined ? [language] : [language, path]]
  })
  assert.deepEqual(Object.fromEntries(read), examples)
})

test('a label of any length takes little time and stays short', () => {
  const { language, path = '' } = readFenceLabel(`${'a'.repeat(100_000)}/b.ts`)
  assert.ok(language.length <= 32 && path.length <= 300)
})
