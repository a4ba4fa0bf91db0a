// The files and symbols that an answer names: by path, by the end of a path, and never outside or against the policy.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AnswerLinks, type LinkFolder } from '../../../src/core/context/answerLinks.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import { MemoryFiles } from '../../support/memoryFiles.ts'

const { signal } = new AbortController()

function workspaceOf(files: MemoryFiles) {
  /** The paths that were looked for on the disk. */
  const touched: string[] = []
  const folder: LinkFolder = {
    name: 'work',
    fullPath: '/work',
    uriOf: path => `file:///work/${path}`,
    pathOf: uri => (uri.startsWith('file:///work/') ? uri.slice(13) : undefined),
    hasInside: async path => {
      touched.push(path)
      return files.all.has(`file:///work/${path}`)
    },
  }
  const range = { startLine: 4, startCharacter: 2, endLine: 4, endCharacter: 8 }
  const links = new AnswerLinks({
    files,
    access: new AccessPolicy({
      isTrusted: () => files.isTrusted,
      excludedGlobs: () => files.excluded,
      ignoredOf: async uris => new Set(uris.filter(uri => files.ignored.includes(files.pathOf(uri)))),
    }),
    search: files.search,
    symbols: {
      ofWorkspace: async () => [
        { name: 'fooBar', uri: 'file:///work/src/a.ts', range },
        { name: 'fooBar()', uri: 'file:///work/src/b.ts', range },
        { name: 'fooBarBaz', uri: 'file:///work/src/a.ts', range },
        { name: 'fooBar', uri: 'file:///elsewhere/x.ts', range },
      ],
    },
    isTrusted: () => files.isTrusted,
    folders: () => [folder],
  })
  return { links, touched, uris: async (text: string) => (await links.files(text, signal)).map(({ uri }) => uri) }
}

const files = () =>
  new MemoryFiles({
    'src/a.ts': 'a',
    'src/b.ts': 'b',
    'lib/b.ts': 'b',
    '.env': 'A=1',
    'out/c.ts': 'c',
    '/other/d.ts': 'd',
  })

describe('files', () => {
  test('by path, with line and column', async () => {
    const { links } = workspaceOf(files())
    const expected = { uri: 'file:///work/src/a.ts', path: 'src/a.ts', line: 11, column: 4 }
    assert.deepEqual(await links.files('src/a.ts:12:5', signal), [expected])
    assert.deepEqual(await links.files('/work/src/a.ts:12:5', signal), [expected])
  })

  test('by the end of the path; several where it is that of several', async () => {
    const { uris } = workspaceOf(files())
    assert.deepEqual(await uris('a.ts'), ['file:///work/src/a.ts'])
    assert.deepEqual((await uris('b.ts')).toSorted(), ['file:///work/lib/b.ts', 'file:///work/src/b.ts'])
    assert.deepEqual(await uris('rc/a.ts'), [])
  })

  test('[T40] what is outside is not even looked for', async () => {
    const { uris, touched } = workspaceOf(files())
    for (const text of [
      '/other/d.ts',
      '../other/d.ts',
      '/workspace/a.ts',
      '//work/src/a.ts',
      'C:/work/src/a.ts',
      '~/a.ts',
    ])
      assert.deepEqual(await uris(text), [], text)
    assert.deepEqual(touched, [])
  })

  test('none that is secret or ignored, and none without trust', async () => {
    const all = files()
    const { uris } = workspaceOf(all)
    all.ignored = ['out/c.ts']
    assert.deepEqual(await uris('.env'), [])
    assert.deepEqual(await uris('out/c.ts'), [])
    all.isTrusted = false
    assert.deepEqual(await uris('src/a.ts'), [])
  })
})

describe('symbols', () => {
  test('of exactly this name, in files of the workspace', async () => {
    const { links } = workspaceOf(files())
    for (const text of ['fooBar', 'fooBar()']) {
      assert.deepEqual(await links.symbols(text, signal), [
        { uri: 'file:///work/src/a.ts', path: 'src/a.ts', line: 4, column: 2 },
        { uri: 'file:///work/src/b.ts', path: 'src/b.ts', line: 4, column: 2 },
      ])
    }
    assert.deepEqual(await links.symbols('fooBa', signal), [])
  })

  test('none without trust', async () => {
    const all = files()
    all.isTrusted = false
    assert.deepEqual(await workspaceOf(all).links.symbols('fooBar', signal), [])
  })
})
