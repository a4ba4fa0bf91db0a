// What the model gets when it searches and lists, from real folders.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { listFilesTool } from '../../../src/core/tools/listFilesTool.ts'
import { searchTextTool } from '../../../src/core/tools/searchTextTool.ts'
import type { ToolInput } from '../../../src/core/tools/tool.ts'
import { TreePlaces } from '../../../src/core/tools/treePlaces.ts'
import type { TreeSearch } from '../../../src/core/workspace/treeSearch.ts'
import { searchIn, treeRoot } from '../../support/searchedFolder.ts'
import { ToolFolder, type ToolFolderSetup } from '../../support/toolFolder.ts'

const { search: slices } = searchIn('slices')

function workspace(setup: ToolFolderSetup, search: TreeSearch = slices) {
  const made = new ToolFolder(setup)
  const roots = setup.roots ? setup.roots.map(name => treeRoot(join(made.root, name), { name })) : [treeRoot(made.root)]
  const places = new TreePlaces({ paths: made.paths, treeRoots: () => roots })
  const unsaved = () => [...made.unsaved].map(([uri, text]) => ({ uri, text }))
  const find = searchTextTool({ places, search, unsaved })
  const list = listFilesTool({ places, search })
  return Object.assign(made, {
    search: (pattern: string, more: ToolInput = {}) => made.call(find, { pattern, ...more }),
    listing: (input: ToolInput = {}) => made.call(list, input),
  })
}

const numbered = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

describe('search_text', () => {
  test('the path, then each line with its number, then how many there are', async () => {
    using work = workspace({ files: { 'src/a.ts': 'one\n\ttwo one\n', 'b.md': 'one', 'c.md': 'none' } })
    assert.equal(
      await work.search('\\bone\\b'),
      'b.md\n1: one\n\nsrc/a.ts\n1: one\n2: \ttwo one\n\n3 matching lines in 2 files.',
    )
    assert.equal(
      await work.search('ONE', { glob: '*.md' }),
      'No match in 2 files. Ignored and secret files were not searched.',
    )
    assert.match(await work.search('(?i)ONE', { path: 'src' }), /^src\/a\.ts\n1: one\n2: \ttwo one\n/)
    assert.match(await work.search('(one', { literal: true }), /^No match in 3 files\./)
  })

  test('lines around a match, with a mark between those that are apart', async () => {
    using work = workspace({ files: { 'a.txt': numbered(12, at => (at === 2 || at === 9 ? `x${at}` : `line ${at}`)) } })
    assert.equal(
      await work.search('x', { context: 1 }),
      'a.txt\n2- line 1\n3: x2\n4- line 3\n--\n9- line 8\n10: x9\n11- line 10\n\n2 matching lines in 1 file.',
    )
  })

  test('twenty of a file and a hundred in all, with the totals by folder', async () => {
    const many = numbered(50, () => 'needle')
    const files = Object.fromEntries(
      [...'abcdefgh'].map(name => [`src/${name < 'e' ? 'core' : 'node'}/${name}.ts`, many]),
    )
    using work = workspace({ files: { ...files, 'src/top.ts': 'needle' } })
    const text = await work.search('needle')
    assert.equal(text.match(/^\d+: needle$/gm)?.length, 100)
    assert.equal(text.match(/^30 more in this file$/gm)?.length, 5)
    assert.match(
      text,
      /\n100 of 401 matching lines in 9 files are shown\. By folder: src\/core 200, src\/node 200, src 1\. Narrow the pattern, glob or path\.$/,
    )
    assert.equal((await work.search('needle', { limit: 3 })).match(/^\d+: needle$/gm)?.length, 3)
  })

  test('[A10] nothing found, in words that name what was not searched', async () => {
    using work = workspace({ files: { 'a.ts': 'x', '.env': 'needle' } })
    assert.equal(
      await work.search('needle'),
      'No match in 1 file. Ignored and secret files were not searched.\n1 secret file not searched.',
    )
    assert.equal(
      await work.search('x', { glob: '*.py' }),
      'No file fits "*.py", so nothing was searched. What git ignores is left out.',
    )
  })

  test('a long line is cut around its match, and a minified one is counted', async () => {
    const long = `${'a'.repeat(500)}needle${'b'.repeat(500)}`
    using work = workspace({ files: { 'long.txt': `${long}\n`, 'small.min.js': 'x'.repeat(3_000).concat('needle') } })
    const text = await work.search('needle')
    assert.match(
      text,
      /^long\.txt\n1: …a{100}needleb{194}…\n\n1 matching line in 1 file\.\n1 matching line over 2,000 characters left out\.$/,
    )
  })

  test('[A20] a pattern that is no expression, with the place and what would work', async () => {
    using work = workspace({ files: { 'a.ts': 'foo(bar' } })
    assert.equal(
      await work.search('foo(bar'),
      'The pattern is no regular expression: unterminated group. The mistake is at character 8, after "foo(bar". ' +
        'Correct it, or call with literal: true, which searches for it as plain text.',
    )
    assert.match(await work.search('foo(bar', { literal: true }), /^a\.ts\n1: foo\(bar\n/)
  })

  test('a match with several lines, only where the pattern names a line end', async () => {
    using work = workspace({ files: { 'a.ts': 'call(\r\n  one,\n)\nrest\n' } })
    assert.match(await work.search('call\\([^)]*\\)'), /^No match/)
    assert.match(await work.search('call\\(\\r?\\n\\s*one'), /^a\.ts\n1: call\(\n2: {3}one,\n/)
    assert.match(await work.search('call(\n  one', { literal: true }), /^a\.ts\n1: call\(\n2: {3}one,\n/)
  })

  test('[T36] control and invisible characters are shown by marks', async () => {
    using work = workspace({ files: { 'a.txt': 'x \u001b[31m y\u200b' } })
    assert.match(await work.search('x'), /^a\.txt\n1: x \\x1b\[31m y\\u200b\n/)
  })

  test('[T45] a secret file is neither shown nor searched, whatever is asked for', async () => {
    using work = workspace({ files: { '.env': 'TOKEN=canary', id_rsa: 'canary', 'a.ts': 'x' } })
    for (const more of [{}, { path: '.env' }, { glob: '.env' }, { glob: '*' }]) {
      assert.doesNotMatch(await work.search('can.ry', more), /canary|TOKEN/)
    }
  })

  test('a file for which a pattern takes too long is skipped and named', async () => {
    const { search } = searchIn('threads')
    using work = workspace({ files: { 'slow.txt': `${'x'.repeat(60)}!y`, 'a.txt': 'xxy' } }, search)
    assert.match(
      await work.search('^(?:x+x+)+y$'),
      /^a\.txt\n1: xxy\n\n1 matching line in 1 file\.\nThe pattern takes too long for "slow\.txt", which was skipped\.$/,
    )
  })

  test('the text of an editor that is not saved', async () => {
    using work = workspace({ files: { 'a.ts': 'saved' } })
    work.unsaved.set(work.uri('a.ts'), 'one\ntwo')
    assert.match(await work.search('two'), /^a\.ts\n2: two\n/)
  })
})

describe('list_files', () => {
  test('folders with a slash, large files with their size, secret ones as such', async () => {
    using work = workspace({ files: { 'src/a.ts': '', 'big.bin': 'x'.repeat(200_000), '.env': '', 'a\nb.txt': '' } })
    assert.equal(await work.listing(), 'src/\n.env (secret, not shown)\n"a b.txt"\nbig.bin (195 KB)\nsrc/a.ts')
    assert.equal(await work.listing({ path: './src/' }), 'src/a.ts')
    assert.equal(await work.listing({ path: '.', glob: '*.ts' }), 'src/a.ts')
  })

  test('a limit shows the top', async () => {
    using work = workspace({ files: { 'a/b/c/deep.ts': '', 'top.ts': '' } })
    assert.equal(await work.listing({ limit: 2 }), 'a/\ntop.ts\n3 more; name a folder or use a glob.')
  })

  test('[A10] nothing to list, in words', async () => {
    using work = workspace({})
    assert.equal(await work.listing(), 'The workspace has no files. What git ignores is not listed.')
    assert.equal(await work.listing({ glob: '*.py' }), 'No file fits "*.py". What git ignores is not listed.')
  })

  test('with several folders each path begins with the name of its folder', async () => {
    using work = workspace({ roots: ['app', 'lib'], files: { 'app/a.ts': 'x', 'lib/src/b.ts': 'x' } })
    assert.equal(await work.listing(), 'app/a.ts\nlib/src/\nlib/src/b.ts')
    assert.equal(await work.listing({ path: 'lib' }), 'lib/src/\nlib/src/b.ts')
    assert.equal(await work.listing({ path: 'lib/src' }), 'lib/src/b.ts')
    assert.equal(await work.listing({ glob: 'lib/**/*.ts' }), 'lib/src/b.ts')
    assert.match(await work.search('x', { path: 'app' }), /^app\/a\.ts\n1: x\n/)
  })

  test('[A20] why nothing is listed: what happened, what is true, what to do', async () => {
    using work = workspace({ files: { 'src/a.ts': '', '.gitignore': 'out/\n', 'out/x.js': '' } })
    assert.equal(
      await work.listing({ path: 'src/a.ts' }),
      '"src/a.ts" is no folder. It is a file. Read it with read_file.',
    )
    assert.match(await work.listing({ path: 'out' }), /^"out" is left out\. Git ignores it, .*\. Go on without it, /)
    assert.match(await work.listing({ path: 'srcs' }), /^There is no file "srcs"\. /)
    assert.match(await work.listing({ path: '/etc' }), /^"\/etc" is outside of the workspace\. /)
    for (const path of ['../..', '~/x', 'file:///etc', '//host/share', 'src/%2e%2e/%2e%2e', '/proc/1', 'a\0b'])
      for (const text of [await work.listing({ path }), await work.search('x', { path })])
        assert.match(text, /\. .*\. .*\.$/, `[T40] ${path}`)
  })

  test('[T80] nothing in a workspace that is not trusted', async () => {
    using work = workspace({ files: { 'a.ts': 'x' }, isTrusted: false })
    assert.match(await work.listing(), /trust/)
    assert.match(await work.search('x'), /trust/)
  })
})
