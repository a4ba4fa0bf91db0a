// Which texts may name a file of the workspace: none that leads out of it, hides something, or is another kind of name.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FileReference, fileReference } from '../../src/base/fileReference.ts'

describe('a reference', () => {
  const cases: Readonly<Record<string, FileReference>> = {
    'a.ts': { path: 'a.ts' },
    'src/a.ts': { path: 'src/a.ts' },
    './src/a.ts': { path: 'src/a.ts' },
    'src/a.ts:12': { path: 'src/a.ts', line: 12 },
    'src/a.ts:12:5': { path: 'src/a.ts', line: 12, column: 5 },
    'src/a.ts:12-20': { path: 'src/a.ts', line: 12 },
    'src/a.ts#L12': { path: 'src/a.ts', line: 12 },
    'src/a.ts#L12-L20': { path: 'src/a.ts', line: 12 },
    'src/a.ts(12,5)': { path: 'src/a.ts', line: 12, column: 5 },
    'src/a.ts:0': { path: 'src/a.ts', line: 1 },
    'src\\a.ts:3': { path: 'src/a.ts', line: 3 },
    'C:\\work\\a.ts:3': { path: 'C:/work/a.ts', line: 3 },
    '/work/a.ts': { path: '/work/a.ts' },
    'src/My File.ts': { path: 'src/My File.ts' },
    'src/größe.ts': { path: 'src/größe.ts' },
    'app/[id]/page.tsx': { path: 'app/[id]/page.tsx' },
    '.gitignore': { path: '.gitignore' },
    Makefile: { path: 'Makefile' },
  }
  for (const [text, expected] of Object.entries(cases)) {
    test(text, () => assert.deepEqual(fileReference(text), expected))
  }
})

describe('[T40] [T43] no reference', () => {
  const texts = [
    ...['', 'a', 'src/', 'src', 'word word', '...', 'a..', 'x.1'],
    ...['../a.ts', 'src/../a.ts', 'src/..\\..\\a.ts', '..\\a.ts', '%2e%2e/a.ts', 'a%2fb.ts', '~/a.ts'],
    ...['//server/share/a.ts', '\\\\server\\share\\a.ts', '\\\\?\\C:\\a.ts', '\\\\.\\pipe\\a.ts', '/\\server\\a.ts'],
    ...['file:///a.ts', 'https://example.com/a.ts', 'vscode://a.ts', 'command:a.ts', 'C:a.ts'],
    ...[
      'a.ts:stream',
      'a.ts::$DATA',
      'PROGRA~1/a.ts',
      'a.ts.',
      'a.ts ',
      'dir./a.ts',
      'con.ts',
      'src/nul.ts',
      'lpt1.ts',
    ],
    ...['a\u202e.ts', 'a\u200b.ts', 'a\0.ts', 'a\n.ts', 'a\u00a0.ts', 'a\u{e0041}.ts', 'a\ufe0f.ts', 'a⟦U+202E⟧.ts'],
    ...['a*.ts', 'a?.ts', '<a>.ts', 'a//b.ts', `${'a/'.repeat(40)}a.ts`, `${'a'.repeat(400)}.ts`],
  ]
  for (const text of texts) test(JSON.stringify(text), () => assert.equal(fileReference(text), undefined))
})
