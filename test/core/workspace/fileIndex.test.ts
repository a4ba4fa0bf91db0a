// The search for files: what matches, in which order, and that it never blocks.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../../../src/base/clock.ts'
import { FileIndex, type PathMatch } from '../../../src/core/workspace/fileIndex.ts'
import { FuzzyQuery, searchedPath } from '../../../src/core/workspace/fuzzyPath.ts'

const { signal } = new AbortController()
const uriOf = (path: string) => `file:///work/${path}`

function indexOf(paths: readonly string[], recent: readonly string[] = []): FileIndex {
  const index = new FileIndex(systemClock, () => recent.map(uriOf))
  for (const path of paths) index.add({ uri: uriOf(path), path })
  return index
}

async function found(index: FileIndex, text: string, of: 'file' | 'folder' = 'file', limit = 50) {
  let last: readonly PathMatch[] = []
  for await (const matches of index.search(text, { of, limit }, signal)) last = matches
  return last
}

const pathsFound = async (...asked: Parameters<typeof found>) => (await found(...asked)).map(({ path }) => path)

describe('the order of what is found', () => {
  const orders: readonly [query: string, paths: readonly string[], what: string][] = [
    [
      'readme',
      ['README.md', 'docs/readme-old.md', 'r/e/a/d/m/e/x.ts'],
      'a whole name, a beginning, letters in folders',
    ],
    ['index', ['src/index.ts', 'src/indexer.ts', 'src/reindex.ts', 'index/a.ts'], 'the name before its folders'],
    ['fvc', ['FooViewController.ts', 'fovec.ts'], 'capitals of words before letters in a row of others'],
    ['fb', ['foo-bar.ts', 'fab.ts'], 'beginnings of words'],
    ['core/tool', ['src/core/tool.ts', 'src/core/tools/a.ts'], 'with a slash, the path'],
    ['a.ts', ['a.ts', 'src/a.ts', 'src/deep/a.ts'], 'the shorter path'],
    ['test chat', ['test/chat.ts', 'chat/test/view.ts'], 'several words in any order'],
    ['src\\a', ['src/a.ts'], 'backslashes'],
  ]
  for (const [query, paths, what] of orders) {
    test(`${what}: ${query}`, async () => assert.deepEqual(await pathsFound(indexOf(paths.toReversed()), query), paths))
  }

  test('files that were used last come first among their equals, and alone without a query', async () => {
    const paths = ['src/aa.ts', 'src/ab.ts', 'src/ac.ts']
    assert.deepEqual(await pathsFound(indexOf(paths, ['src/ac.ts']), 'a'), ['src/ac.ts', 'src/aa.ts', 'src/ab.ts'])
    assert.deepEqual(await pathsFound(indexOf(paths, ['src/ab.ts']), '', 'file', 2), ['src/ab.ts', 'src/aa.ts'])
  })

  test('an exact name is before one that was used last and only contains the letters', async () => {
    assert.equal((await pathsFound(indexOf(['main.ts', 'my-animation.ts'], ['my-animation.ts']), 'main'))[0], 'main.ts')
  })
})

describe('the index', () => {
  test('knows the folders of its files', async () => {
    const index = indexOf(['src/core/a.ts', 'src/b.ts', 'c.ts'])
    assert.deepEqual((await pathsFound(index, '', 'folder')).toSorted(), ['src', 'src/core'])
    assert.deepEqual(
      (await found(index, 'core', 'folder')).map(({ uri }) => uri),
      [uriOf('src/core')],
    )
  })

  test('forgets files and folders that are deleted, and the folders that are empty then', async () => {
    const index = indexOf(['src/core/a.ts', 'src/b.ts', 'c.ts'])
    index.delete([uriOf('src/core')])
    assert.deepEqual(await pathsFound(index, ''), ['src/b.ts', 'c.ts'])
    assert.deepEqual(await pathsFound(index, '', 'folder'), ['src'])
    index.delete([uriOf('src/b.ts')])
    assert.deepEqual(await pathsFound(index, '', 'folder'), [])
  })

  test('finds a file that was added after a search for the beginning of its name', async () => {
    const index = indexOf(['alpha.ts'])
    await found(index, 'al')
    index.add({ uri: uriOf('almond.ts'), path: 'almond.ts' })
    assert.deepEqual(await pathsFound(index, 'alm'), ['almond.ts'])
  })

  test('[R50] with 100,000 files pauses all the time, and has its first results long before its last', async () => {
    // Each look at the clock takes a millisecond, so the number of pauses does not depend on the machine.
    let now = 0
    let pauses = 0
    const later = (_: number, run: () => void) => {
      pauses++
      queueMicrotask(run)
      return () => {}
    }
    const index = new FileIndex({ now: () => now, elapsed: () => now++, later }, () => [])
    const paths = Array.from({ length: 100_000 }, (_, at) => `src/folder${at % 100}/file${at}.ts`)
    await index.fill(
      paths.map(path => ({ uri: uriOf(path), path })),
      signal,
    )
    pauses = 0
    const pausesAt: number[] = []
    for await (const matches of index.search('file9', { of: 'file', limit: 20 }, signal)) {
      assert.equal(matches.length, 20)
      pausesAt.push(pauses)
    }
    assert.ok(pauses > 100, `${pauses} pauses`)
    assert.ok((pausesAt[0] ?? pauses) < pauses / 10, `the first results after ${pausesAt[0]} pauses of ${pauses}`)
  })

  test('stops a search that nobody waits for', async () => {
    const abort = new AbortController()
    abort.abort(new Error('cancelled'))
    const search = indexOf(['a.ts']).search('a', { of: 'file', limit: 5 }, abort.signal)
    await assert.rejects(async () => {
      for await (const _ of search);
    }, /cancelled/)
  })
})

const name = fc.stringMatching(/^[a-cA-C._-]{1,6}$/)
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => names.join('/'))
const typed = fc.stringMatching(/^[a-cA-C./ ]{1,5}$/)

const isSubsequence = (part: string, whole: string) => {
  let at = 0
  for (const character of whole) if (character === part[at]) at++
  return at === part.length
}

describe('for any paths and queries', () => {
  test('a path matches if and only if it has the characters of each term in their order', () => {
    fc.assert(
      fc.property(path, typed, (one, text) => {
        const query = new FuzzyQuery(text)
        const terms = text.toLowerCase().split(' ').filter(Boolean)
        const expected = terms.length > 0 && terms.every(term => isSubsequence(term, one.toLowerCase()))
        assert.equal(query.scoreOf(searchedPath(one)) > 0, expected)
      }),
    )
  })

  test('the positions are those of the characters that were typed', () => {
    fc.assert(
      fc.property(path, fc.stringMatching(/^[a-c./]{1,5}$/), (one, term) => {
        const query = new FuzzyQuery(term)
        const searched = searchedPath(one)
        if (query.scoreOf(searched) === 0) return
        assert.equal(
          query
            .positionsIn(searched)
            .map(at => one[at])
            .join('')
            .toLowerCase(),
          term,
        )
      }),
    )
  })

  test('a longer query finds the same after its beginnings as alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { maxLength: 30 }), typed, async (paths, text) => {
        const grown = indexOf(paths)
        for (let end = 1; end < text.length; end++) await found(grown, text.slice(0, end))
        assert.deepEqual(await found(grown, text), await found(indexOf(paths), text))
      }),
      { numRuns: 60 },
    )
  })

  test('the best are the same with any limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { maxLength: 30 }),
        typed,
        fc.nat({ max: 9 }),
        async (paths, text, limit) => {
          const all = await found(indexOf(paths), text, 'file', 100)
          assert.deepEqual(await found(indexOf(paths), text, 'file', limit + 1), all.slice(0, limit + 1))
        },
      ),
      { numRuns: 60 },
    )
  })
})
