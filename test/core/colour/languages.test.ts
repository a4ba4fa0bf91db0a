// The languages that labels of code blocks name, as the editor under test knows them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { injectedScopes } from '../../../src/core/colour/injectedScopes.ts'
import { Languages } from '../../../src/core/colour/languages.ts'
import { builtInParts, extensionPart, hasEditor } from '../../support/extensionParts.ts'

const expected: Readonly<Record<string, string | undefined>> = {
  ts: 'TypeScript',
  TypeScript: 'TypeScript',
  tsx: 'TypeScript JSX',
  'c++': 'C++',
  cpp: 'C++',
  'c#': 'C#',
  cs: 'C#',
  sh: 'Shell Script',
  bash: 'Shell Script',
  shell: 'Shell Script',
  console: 'Shell Script',
  py: 'Python',
  golang: 'Go',
  rs: 'Rust',
  yml: 'YAML',
  html: 'HTML',
  jsonc: 'JSON with Comments',
  dockerfile: 'Docker',
  diff: 'Diff',
  postgresql: 'MS SQL',
  'src/a.ts': 'TypeScript',
  'ts:src/a.py': 'TypeScript',
  'deploy/Dockerfile': 'Docker',
  'a/Makefile': 'Makefile',
  'title="src/a.go"': 'Go',
  'package.json': 'JSON',
  'src/a.py:12': 'Python',
  nothing: undefined,
  '': undefined,
  constructor: undefined,
  __proto__: undefined,
}

test('a label is found by id, alias, extension, file name and path', { skip: !hasEditor }, () => {
  const languages = new Languages(builtInParts())
  const found = Object.keys(expected).map(label => [label, languages.find(label)?.name])
  assert.deepEqual(Object.fromEntries(found), expected)
})

test('plain text has a name and no grammar', () => {
  const parts = [extensionPart('a.b', { languages: [{ id: 'plaintext', aliases: ['Plain Text'] }] })]
  assert.deepEqual(new Languages(parts).find('text'), { id: 'plaintext', name: 'Plain Text' })
})

test('what is injected into a scope is injected into those below it', () => {
  const table = { source: ['a'], 'source.ts': ['b'], 'text.html': ['c'] }
  assert.deepEqual(injectedScopes(table, 'source.ts.x'), ['a', 'b'])
  assert.deepEqual(injectedScopes(table, 'constructor'), [])
})

test('manifests of any form do no harm', () => {
  const odd = [null, 3, { languages: 'x', grammars: [null, { scopeName: 3 }, { path: 'x' }] }, { languages: [{}] }]
  const parts = odd.map(contributes => extensionPart('a.b', contributes))
  assert.equal(new Languages(parts).find('ts'), undefined)
})
