// The whole repository as one text, what is left out of it, and what has changed since.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { RepositorySource } from '../../../src/core/context/repositorySource.ts'
import { readRepositoryText, repositoryChanges, repositoryText } from '../../../src/core/context/repositoryText.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { contextNames } from '../../support/contextNames.ts'
import { MemoryFiles } from '../../support/memoryFiles.ts'

const { signal } = new AbortController()
const keys = new KeyText(() => undefined)

const sourceOf = (files: MemoryFiles) => new RepositorySource(files.access, files, contextNames, keys)

async function textOf(files: MemoryFiles): Promise<string> {
  const resolved = await sourceOf(files).resolve(undefined, undefined, signal)
  return resolved.is === 'ready' ? (resolved.parts[0]?.text ?? '') : String('why' in resolved && resolved.why)
}

describe('the whole repository', () => {
  test('is each file by path, the same whatever order the files are listed in', async () => {
    const text = '==> a.ts (2 lines)\nlet a\n\n==> src/b.ts (1 lines)\nlet b\n'
    assert.equal(await textOf(new MemoryFiles({ 'src/b.ts': 'let b', 'a.ts': 'let a\n' })), text)
    assert.equal(await textOf(new MemoryFiles({ 'a.ts': 'let a\n', 'src/b.ts': 'let b' })), text)
  })

  test('[T12] lacks API keys, which are no change of it either', async () => {
    const files = new MemoryFiles({ 'a.ts': 'const key = "sk-bf-0123456789abcdef"' })
    const source = sourceOf(files)
    const resolved = await source.resolve(undefined, undefined, signal)
    assert.ok(resolved.is === 'ready' && resolved.lacksKey)
    const text = resolved.parts[0]?.text ?? ''
    assert.equal(text, '==> a.ts (1 lines)\nconst key = "sk-bf-…"\n')
    assert.equal(await source.changesSince(text, signal), '')
  })

  test('[T37] has marks for what nobody sees, which are no change of it either, and says in which files', async () => {
    const files = new MemoryFiles({ 'a.ts': 'a\u202eb\u200b', 'b.ts': 'b', 'c.ts': '\u{e0041}c' })
    const source = sourceOf(files)
    const resolved = await source.resolve(undefined, undefined, signal)
    assert.ok(resolved.is === 'ready')
    assert.deepEqual(resolved.unseen, [
      { name: 'a.ts', count: 2 },
      { name: 'c.ts', count: 1 },
    ])
    const text = resolved.parts[0]?.text ?? ''
    assert.equal(text, '==> a.ts (1 lines)\na\\u202eb\\u200b\n==> b.ts (1 lines)\nb\n==> c.ts (1 lines)\nc\n')
    assert.equal(await source.changesSince(text, signal), '')
  })

  test('[T45] leaves out what is secret, ignored, not tracked, binary or generated, and lists exactly what it sends', async () => {
    const files = new MemoryFiles({
      'a.ts': 'let a',
      '.env': 'A=1',
      'out.js': '1',
      'draft.ts': 'let draft',
      'icon.png': 'x',
      'package-lock.json': '{}',
      'data.txt': { text: '\0', isBinary: true },
    })
    files.ignored = ['out.js']
    files.untracked = ['draft.ts']
    const { chars } = await sourceOf(files).estimate(signal)
    assert.deepEqual([chars, files.reads], [6, []])
    assert.deepEqual(await sourceOf(files).contents(signal), {
      paths: ['a.ts'],
      chars: 5,
      omitted: [
        { why: 'untracked', count: 1, names: ['draft.ts'] },
        { why: 'binary', count: 2, names: ['icon.png', 'data.txt'] },
        { why: 'generated', count: 1, names: ['package-lock.json'] },
        { why: 'secret', count: 1, names: ['.env'] },
      ],
      lacksGit: false,
    })
    assert.equal(await textOf(files), '==> a.ts (1 lines)\nlet a\n')
  })

  test('is every file where there is no git, which is said', async () => {
    const files = new MemoryFiles({ 'a.ts': 'let a', 'draft.ts': 'let draft' })
    files.hasGit = false
    const resolved = await sourceOf(files).resolve(undefined, undefined, signal)
    assert.ok(resolved.is === 'ready' && resolved.lacksGit)
    assert.deepEqual((await sourceOf(files).contents(signal)).paths, ['a.ts', 'draft.ts'])
  })

  test('a file that git tracks from now on is a change of it', async () => {
    const files = new MemoryFiles({ 'a.ts': 'a\n', 'b.ts': 'b\n' })
    files.untracked = ['b.ts']
    const before = await textOf(files)
    files.untracked = []
    assert.match(await sourceOf(files).changesSince(before, signal), /^--- \/dev\/null\n\+\+\+ b\/b\.ts/)
  })

  test('is not read where the workspace is not trusted', async () => {
    const files = new MemoryFiles({ 'a.ts': 'let a' })
    files.isTrusted = false
    assert.equal(await textOf(files), 'untrusted')
    assert.deepEqual(files.reads, [])
  })

  test('later is only what has changed', async () => {
    const before = await textOf(new MemoryFiles({ 'a.ts': 'one\ntwo\nthree\n', 'b.ts': 'b\n', 'c.ts': 'c\n' }))
    const files = new MemoryFiles({ 'a.ts': 'one\nTWO\nthree\n', 'c.ts': 'c\n', 'd.ts': 'd\n' })
    const changes = await sourceOf(files).changesSince(before, signal)
    assert.equal(
      changes,
      [
        ...['--- a/a.ts', '+++ b/a.ts', '@@ -1,3 +1,3 @@', ' one', '-two', '+TWO', ' three'],
        ...['--- a/b.ts', '+++ /dev/null', '@@ -1,1 +0,0 @@', '-b'],
        ...['--- /dev/null', '+++ b/d.ts', '@@ -0,0 +1,1 @@', '+d', ''],
      ].join('\n'),
    )
    assert.equal(repositoryChanges(before, readRepositoryText(before)), '')
  })
})

const path = fc.stringMatching(/^[a-z]{1,3}(?:\/[a-z(]{1,3} [a-z)])?$/)
const text = fc
  .array(fc.constantFrom('==> a (1 lines)', '', 'x', '\\', '---'), { maxLength: 6 })
  .map(lines => lines.join('\n'))
const files = fc.uniqueArray(fc.record({ path, text }), { selector: one => one.path, maxLength: 5 })

test('the text is read as the files that it was made of, whatever they contain', () => {
  fc.assert(
    fc.property(files, all => {
      const sorted = all.map(one => ({ ...one })).sort((a, b) => (a.path < b.path ? -1 : 1))
      assert.deepEqual(readRepositoryText(repositoryText(all)), sorted)
    }),
  )
})
