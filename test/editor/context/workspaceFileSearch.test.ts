// The index of the workspace's files: made at the first search, and kept up to date.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { IgnoredFiles } from '../../../src/core/workspace/ignoredFiles.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { fakeEditor, Uri, withFakeVscode } from '../../support/fakeVscode.ts'

const { WorkspaceFileSearch } = await withFakeVscode(() => import('../../../src/editor/context/workspaceFileSearch.ts'))

const { signal } = new AbortController()
const uriOf = (path: string) => `file:///work/${path}`

beforeEach(() => fakeEditor.reset())

function harness(paths: string[], ignored: readonly string[] = []) {
  const clock = new FakeClock()
  const state = { listings: 0 }
  const listing = {
    list: async (folder?: string) => {
      state.listings++
      const listed = paths.filter(path => folder === undefined || uriOf(path).startsWith(`${folder}/`))
      return { files: listed.map(path => ({ uri: uriOf(path), path })), ignored: [], untracked: [], isOfGit: true }
    },
  }
  const check = {
    ignoredOf: async (uris: readonly string[]) => new Set(uris.filter(uri => ignored.some(one => uri.endsWith(one)))),
  }
  const search = new WorkspaceFileSearch(listing, new IgnoredFiles(check, clock), clock)
  const found = async (text: string) => {
    let last: readonly string[] = []
    for await (const some of search.search(text, { of: 'file', limit: 10 }, signal)) last = some.map(({ path }) => path)
    return last
  }
  const settle = async () => clock.advance(1_000)
  return { found, search, settle, state }
}

const watcher = (glob: string) => {
  const one = fakeEditor.watchers.find(each => each.glob === glob)
  assert.ok(one)
  return one
}

function create(path: string): void {
  fakeEditor.files.set(uriOf(path), new Uint8Array())
  watcher('**/*').created.fire(Uri.parse(uriOf(path)) as never) // as: a uri of the fake
}

describe('the search for files', () => {
  test('lists and watches nothing before it is asked', async () => {
    const { found, search, state } = harness(['a.ts'])
    assert.deepEqual([state.listings, fakeEditor.watchers.length], [0, 0])
    assert.deepEqual(await found('a'), ['a.ts'])
    await found('a')
    assert.equal(state.listings, 1)
    search.dispose()
  })

  test('follows what is created and deleted, but for ignored files and those of git', async () => {
    const { found, search, settle } = harness(['a.ts', 'old/b.ts'], ['out.js'])
    await found('')
    create('new.ts')
    create('out.js')
    create('.git/index')
    watcher('**/*').deleted.fire(Uri.parse(uriOf('old')) as never) // as: a uri of the fake
    await settle()
    assert.deepEqual((await found('')).toSorted(), ['a.ts', 'new.ts'])
    search.dispose()
  })

  test('finds what is in a folder that is made or renamed, of which the editor reports no file', async () => {
    const paths = ['a.ts']
    const { found, search, settle } = harness(paths)
    await found('')
    paths.push('made/deep/b.ts')
    fakeEditor.files.set(uriOf('made/deep/b.ts'), new Uint8Array())
    for (const made of ['made', 'made/deep']) watcher('**/*').created.fire(Uri.parse(uriOf(made)) as never) // as: a uri of the fake
    await settle()
    assert.deepEqual((await found('')).toSorted(), ['a.ts', 'made/deep/b.ts'])
    paths.push('made/deep/later.ts')
    for (let seconds = 0; seconds < 5; seconds++) await settle()
    await found('')
    await settle()
    assert.deepEqual(await found('later'), ['made/deep/later.ts'])
    search.dispose()
  })

  test('lists all anew after a change of the rules, of the folders or of very many files', async () => {
    const paths = ['a.ts']
    const { found, search, settle, state } = harness(paths)
    await found('')
    paths.push('b.ts')
    watcher('**/.gitignore').created.fire(Uri.parse(uriOf('.gitignore')) as never) // as: a uri of the fake
    assert.deepEqual(await found(''), ['a.ts', 'b.ts'])
    fakeEditor.foldersChanged.fire({ added: [], removed: [] })
    await found('')
    for (let at = 0; at < 2_001; at++) create(`made/${at}.ts`)
    await settle()
    await found('')
    assert.equal(state.listings, 4)
    search.dispose()
  })
})
