// What is found in a workspace that is on no disk, and in one that is partly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextQuery, TreePlace, TreeRoot } from '../../../src/core/workspace/treeSearch.ts'
import type { VirtualFiles } from '../../../src/core/workspace/virtualFiles.ts'
import { VirtualSearch } from '../../../src/node/search/virtualSearch.ts'
import { WorkspaceSearch } from '../../../src/node/search/workspaceSearch.ts'
import { patternOf, searchIn, treeRoot } from '../../support/searchedFolder.ts'
import { folderWith } from '../../support/temporaryRepository.ts'
import { never } from '../../support/wire.ts'

const files: Readonly<Record<string, string>> = {
  'readme.md': 'needle',
  'src/a.ts': 'one\nneedle',
  'src/deep/b.ts': 'x',
  'src/.env': 'needle',
  'slow.txt': `${'x'.repeat(60)}!y`,
  'data.bin': 'needle\0',
}
const virtual: VirtualFiles = {
  async kindOf({ path }) {
    if (path in files) return 'file'
    return Object.keys(files).some(one => path === '' || one.startsWith(`${path}/`)) ? 'folder' : undefined
  },
  find: async ({ path }) => Object.keys(files).filter(one => path === '' || one.startsWith(`${path}/`)),
  read: async ({ path }) => new TextEncoder().encode(files[path]),
}
const remote: TreeRoot = { uri: 'vscode-vfs://github/x', path: undefined, name: 'web', excluded: [], unsent: [] }
const { threads, search: disk } = searchIn('threads')
const search = new WorkspaceSearch(disk, new VirtualSearch(virtual, threads))

const query = (pattern: string, places: readonly TreePlace[], more: Partial<TextQuery> = {}): TextQuery => {
  const limits = { context: 0, mostInFile: 20, mostCounted: 2_000 }
  return { places, glob: undefined, pattern: patternOf(pattern), ...limits, unsaved: [], ...more }
}
async function found(...given: Parameters<typeof query>) {
  const result = await search.search(query(...given), never)
  assert.ok(!('is' in result))
  return result
}
async function listed(places: readonly TreePlace[], glob?: string, most = 20) {
  const result = await search.list({ places, glob, most }, never)
  return 'is' in result ? result.is : [...result.entries.map(({ path }) => path), result.more]
}

test('files are listed from the top, with the folders that they are in', async () => {
  const all = [
    'web/src',
    'web/data.bin',
    'web/readme.md',
    'web/slow.txt',
    'web/src/deep',
    'web/src/.env',
    'web/src/a.ts',
  ]
  assert.deepEqual(await listed([{ root: remote, path: '' }]), [...all, 'web/src/deep/b.ts', 0])
  assert.deepEqual(await listed([{ root: remote, path: 'src' }], '*.ts'), ['web/src/a.ts', 'web/src/deep/b.ts', 0])
  assert.deepEqual(await listed([{ root: remote, path: '' }], undefined, 2), ['web/src', 'web/data.bin', 6])
  assert.equal(await listed([{ root: remote, path: 'readme.md' }]), 'file')
  assert.equal(await listed([{ root: remote, path: 'nowhere' }]), 'missing')
})

test('lines are found, but none of secret and binary files', async () => {
  const result = await found('needle', [{ root: remote, path: '' }])
  assert.deepEqual(
    result.files.map(({ path, lines }) => `${path}:${lines[0]?.line}`),
    ['web/readme.md:1', 'web/src/a.ts:2'],
  )
  assert.equal(result.secret, 1)
  assert.equal((await found('needle', [{ root: remote, path: 'src/a.ts' }])).files.length, 1)
  const unsaved = [{ uri: 'vscode-vfs://github/x/readme.md', text: 'other' }]
  assert.equal((await found('needle', [{ root: remote, path: '' }], { unsaved })).files.length, 1)
})

test('a file for which a pattern takes too long is skipped and named', async () => {
  const result = await found('^(?:x+x+)+y$', [{ root: remote, path: '' }])
  assert.deepEqual(result.tooSlow, ['web/slow.txt'])
  assert.equal(result.isCut, 'no')
})

test('folders on the disk beside others', async () => {
  const local = treeRoot(folderWith({ 'a.ts': 'needle' }), { name: 'local' })
  const places = [
    { root: local, path: '' },
    { root: remote, path: '' },
  ]
  const result = await found('needle', places)
  assert.deepEqual(
    result.files.map(({ path }) => path),
    ['local/a.ts', 'web/readme.md', 'web/src/a.ts'],
  )
  assert.deepEqual(await listed(places, '*.ts', 2), ['local/a.ts', 'web/src/a.ts', 1])
  const nowhere = places.map(place => ({ ...place, path: 'src/deep' }))
  assert.deepEqual(await listed(nowhere), ['web/src/deep/b.ts', 0], 'only one of them has the folder')
})

test('what is unsaved is searched in place of the file, whatever the file is called', async () => {
  const path = "app/(shop)/it's 50% ü.ts"
  const odd: VirtualFiles = {
    kindOf: async () => 'folder',
    find: async () => [path],
    read: async () => new TextEncoder().encode('saved'),
  }
  const root = { ...remote, uri: 'memfs:/web' }
  const places = [{ root, path: '' }]
  const uri = 'memfs:/web/app/%28shop%29/it%27s%2050%25%20%C3%BC.ts'
  const unsaved = [{ uri, text: 'written since' }]
  const result = await new VirtualSearch(odd, threads).search(query('since', places, { unsaved }), never)
  assert.deepEqual(!('is' in result) && result.files.map(one => one.path), [`web/${path}`])
})
