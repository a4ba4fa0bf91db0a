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

  test('[T45] leaves out what is secret, ignored, binary or generated, and states it before it is read', async () => {
    const files = new MemoryFiles({
      'a.ts': 'let a',
      '.env': 'A=1',
      'out.js': '1',
      'icon.png': 'x',
      'package-lock.json': '{}',
      'data.txt': { text: '\0', isBinary: true },
    })
    files.ignored = ['out.js']
    const estimate = await sourceOf(files).estimate(signal)
    assert.deepEqual(files.reads, [])
    assert.deepEqual(estimate, {
      files: 2,
      chars: 6,
      included: ['a.ts', 'data.txt'],
      folders: [],
      omitted: [
        { why: 'binary', count: 1, names: ['icon.png'] },
        { why: 'generated', count: 1, names: ['package-lock.json'] },
        { why: 'secret', count: 1, names: ['.env'] },
      ],
    })
    assert.equal(await textOf(files), '==> a.ts (1 lines)\nlet a\n')
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
