// What the model gets when it asks for symbols of real files, from languages that a test makes up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSymbolTool, type SymbolPlace, type SymbolPlaces } from '../../../src/core/tools/findSymbolTool.ts'
import { ToolFolder, type ToolFolderSetup } from '../../support/toolFolder.ts'

const files = {
  'src/a.ts': 'import { makeB } from "./b.ts"\n\nconst ab = makeBook()\nconst b = makeB()\n',
  'src/b.ts': '// makeB\nexport function makeB() {\n  return 1\n}\n',
  '.env': 'makeB=canary',
}

function workspace(setup: ToolFolderSetup = {}, known: Partial<SymbolPlaces> = {}) {
  const made = new ToolFolder({ files, ...setup })
  const asked: SymbolPlace[] = []
  const definition = { uri: made.uri('src/b.ts'), line: 1, character: 16 }
  const symbols: SymbolPlaces = {
    outline: async () => [
      { name: 'makeB', kind: 'function', line: 1, lastLine: 3, depth: 0 },
      { name: 'x', kind: 'variable', line: 2, lastLine: 2, depth: 1 },
    ],
    named: async name => [{ ...definition, character: 0, name, kind: 'function', container: 'b' }],
    definitions: async at => {
      asked.push(at)
      return [definition]
    },
    references: async () => [
      definition,
      { uri: made.uri('src/a.ts'), line: 3, character: 10 },
      { uri: made.uri('.env'), line: 0, character: 0 },
      { uri: 'file:///usr/lib/lib.d.ts', line: 4, character: 0 },
    ],
    ...known,
  }
  const tool = findSymbolTool({ paths: made.paths, files: made.textFiles, symbols })
  return Object.assign(made, { asked, find: (input: Readonly<Record<string, unknown>>) => made.call(tool, input) })
}

test('a definition, by the line with the name', async () => {
  using work = workspace()
  assert.equal(
    await work.find({ find: 'definition', name: 'makeB', path: 'src/a.ts', line: 4 }),
    'src/b.ts\n2: export function makeB() {',
  )
  await work.find({ find: 'definition', name: 'makeB', path: 'src/a.ts' })
  await work.find({ find: 'definition', name: 'makeB' })
  assert.deepEqual(
    work.asked.map(({ line, character }) => [line, character]),
    [
      [3, 10],
      [0, 9],
      [1, 16],
    ],
    'the word itself, where it is first in the file or where it is declared',
  )
})

test('[T45] references, with their lines, but not those of a secret file or one outside', async () => {
  using work = workspace()
  assert.equal(
    await work.find({ find: 'references', name: 'makeB' }),
    'src/b.ts\n2: export function makeB() {\nsrc/a.ts\n4: const b = makeB()\n.env\n1\n"lib.d.ts", outside of the workspace\n5',
  )
})

test('[T45] the symbols of the workspace without those of a secret file, whose names may be its values', async () => {
  using work = workspace()
  const named = async () => [
    { uri: work.uri('.env'), line: 0, character: 0, name: 'canary', kind: 'value' },
    { uri: work.uri('src/b.ts'), line: 1, character: 0, name: 'makeB', kind: 'function' },
  ]
  const symbols = { outline: async () => [], definitions: async () => [], references: async () => [], named }
  const tool = findSymbolTool({ paths: work.paths, files: work.textFiles, symbols })
  assert.equal(
    await work.call(tool, { find: 'workspace', name: 'a' }),
    'src/b.ts:2 function makeB\n1 in secret or ignored files are not shown.',
  )
})

test('an outline, and the symbols of the workspace', async () => {
  using work = workspace()
  assert.equal(
    await work.find({ find: 'outline', path: 'src/b.ts' }),
    'src/b.ts, symbols with their lines\nfunction makeB, 2 to 4\n  variable x, 3',
  )
  assert.equal(await work.find({ find: 'workspace', name: 'makeB' }), 'src/b.ts:2 function makeB in b')
})

test('[A20] why nothing is found: what happened, what is true, what to do', async () => {
  using work = workspace({}, { outline: async () => undefined, named: async () => [] })
  const texts = [
    await work.find({ find: 'outline', path: 'src/b.ts' }),
    await work.find({ find: 'outline' }),
    await work.find({ find: 'references' }),
    await work.find({ find: 'definition', name: 'makeB' }),
    await work.find({ find: 'definition', name: 'nothing', path: 'src/a.ts' }),
    await work.find({ find: 'definition', name: 'makeB', path: 'src/a.ts', line: 2 }),
    await work.find({ find: 'outline', path: '.env' }),
    await work.find({ find: 'outline', path: 'nowhere.ts' }),
    await work.find({ find: 'outline', path: '../../etc/passwd' }),
  ]
  for (const text of texts) {
    assert.match(text, /\. .*\. .*[.)]$/s)
    assert.doesNotMatch(text, /canary/)
  }
  assert.equal(await work.find({ find: 'workspace', name: 'x' }), 'No symbol of the workspace has a name like "x".')
})

test('several symbols of a name are named with their places', async () => {
  using work = workspace(
    {},
    {
      named: async name => [
        { uri: 'file:///usr/a.ts', line: 2, character: 0, name, kind: 'class' },
        { uri: 'file:///usr/b.ts', line: 5, character: 0, name, kind: 'class' },
      ],
    },
  )
  assert.match(
    await work.find({ find: 'definition', name: 'X' }),
    /^Several symbols are named "X"\. They are at .*:3, .*:6\. /,
  )
})

test('[T80] nothing in a workspace that is not trusted', async () => {
  using work = workspace({ isTrusted: false })
  assert.match(await work.find({ find: 'workspace', name: 'makeB' }), /trust/)
})
