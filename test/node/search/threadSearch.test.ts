// What is found in real folders, in threads and in slices.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { FoundText, Listed, ListQuery, TextQuery, TreeRoot } from '../../../src/core/workspace/treeSearch.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { patternOf, searchIn, treeRoot } from '../../support/searchedFolder.ts'
import { folderWith, repositoryWith } from '../../support/temporaryRepository.ts'
import { never } from '../../support/wire.ts'

for (const how of ['threads', 'slices'] as const) {
  const { search, threads } = searchIn(how)

  const list = async (root: string | TreeRoot, more: Partial<ListQuery> & { path?: string } = {}) => {
    const at = typeof root === 'string' ? treeRoot(root) : root
    const { path = '', ...query } = more
    const found = await search.list({ places: [{ root: at, path }], glob: undefined, most: 100, ...query }, never)
    return 'is' in found ? found.is : found
  }
  const names = async (...given: Parameters<typeof list>) => {
    const found = await list(...given)
    assert.ok(typeof found !== 'string', String(found))
    return found.entries.map(({ path, isFolder }) => (isFolder ? `${path}/` : path))
  }
  const find = async (root: string | TreeRoot, pattern: string, more: Partial<TextQuery> & { path?: string } = {}) => {
    const at = typeof root === 'string' ? treeRoot(root) : root
    const { path = '', ...query } = more
    const limits = { context: 0, mostInFile: 20, mostCounted: 2_000 }
    const places = [{ root: at, path }]
    const all: TextQuery = { places, glob: undefined, pattern: patternOf(pattern), ...limits, unsaved: [], ...query }
    const found = await search.search(all, never)
    assert.ok(!('is' in found), 'is' in found ? found.is : '')
    return found
  }
  const lines = ({ files }: FoundText) =>
    files.flatMap(({ path, lines: found }) => found.map(({ line, text }) => `${path}:${line}:${text}`))

  describe(`in ${how}`, () => {
    test('all files below a folder, those nearest to it first', async () => {
      const folder = folderWith({ 'z.txt': '', 'a/b/c.ts': '', 'a/x.ts': '', 'b/y.ts': '' })
      assert.deepEqual(await names(folder), ['a/', 'b/', 'z.txt', 'a/b/', 'a/x.ts', 'b/y.ts', 'a/b/c.ts'])
      const short = (await list(folder, { most: 3 })) as Listed
      assert.equal(short.entries.length, 3)
      assert.equal(short.more, 4)
      assert.deepEqual(await names(folder, { path: 'a' }), ['a/b/', 'a/x.ts', 'a/b/c.ts'])
    })

    test('a glob for names or for paths, relative to the workspace or to the folder that is listed', async () => {
      const folder = folderWith({ 'a.ts': '', 'a.js': '', 'src/b.ts': '', 'src/deep/c.tsx': '', 'test/b.ts': '' })
      assert.deepEqual(await names(folder, { glob: '*.ts' }), ['a.ts', 'src/b.ts', 'test/b.ts'])
      assert.deepEqual(await names(folder, { glob: '**/*.{ts,tsx}', path: 'src' }), ['src/b.ts', 'src/deep/c.tsx'])
      assert.deepEqual(await names(folder, { glob: 'src/**' }), ['src/b.ts', 'src/deep/c.tsx'])
      assert.deepEqual(await names(folder, { glob: 'src/' }), ['src/b.ts', 'src/deep/c.tsx'])
      assert.deepEqual(await names(folder, { glob: 'deep/*', path: 'src' }), ['src/deep/c.tsx'])
      assert.deepEqual(await names(folder, { glob: '!*.ts' }), ['a.js', 'src/deep/c.tsx'])
    })

    test('what git ignores is left out, by the rules of each folder', async () => {
      const folder = repositoryWith({
        '.gitignore': '*.log\n/build\nnode_modules/\n!keep.log\n',
        'a.log': 'needle',
        'keep.log': 'needle',
        'build/out.js': 'needle',
        'src/build/in.js': 'needle',
        'src/.gitignore': 'generated.ts\n!a.log\n',
        'src/generated.ts': 'needle',
        'src/a.log': 'needle',
        'src/node_modules/x.js': 'needle',
        'other/generated.ts': 'needle',
        '.git/info/exclude': 'mine.txt\n',
        'mine.txt': 'needle',
      })
      const kept = ['keep.log', 'other/generated.ts', 'src/a.log', 'src/build/in.js']
      assert.deepEqual(
        (await find(folder, 'needle')).files.map(({ path }) => path),
        kept,
      )
      assert.equal(await list(folder, { path: 'build' }), 'ignored')
      assert.equal(await list(folder, { path: 'src/node_modules' }), 'ignored')
    })

    test('a folder within a repository keeps the rules from above, and an inner repository has its own', async () => {
      const outer = repositoryWith({
        '.gitignore': 'packages/app/gen/\n*.tmp\n',
        'packages/app/gen/a.ts': '',
        'packages/app/b.tmp': '',
        'packages/app/c.ts': '',
        'packages/app/inner/.git/HEAD': '',
        'packages/app/inner/d.tmp': '',
      })
      assert.deepEqual(await names(join(outer, 'packages/app')), ['inner/', 'c.ts', 'inner/d.tmp'])
    })

    test('a folder that is itself ignored, but is opened, is listed', async () => {
      const outer = repositoryWith({ '.gitignore': 'build/\n', 'build/x/a.ts': '' })
      assert.deepEqual(await names(join(outer, 'build')), ['x/', 'x/a.ts'])
    })

    test('what the settings of the editor exclude is left out', async () => {
      const folder = folderWith({ 'a.ts': '', 'dist/a.js': '', 'src/dist/b.js': '', 'src/b.map': '' })
      const root = treeRoot(folder, { excluded: ['**/dist', '**/*.map'] })
      assert.deepEqual(await names(root), ['src/', 'a.ts'])
    })

    test('a notebook is searched in its cells, by the lines that it is read with', async () => {
      const source = ['first = 1\n', 'print("needle\\tone", first)']
      const cells = [
        { cell_type: 'markdown', metadata: {}, source: ['# Größe\n'] },
        { cell_type: 'code', metadata: { note: 'print' }, outputs: [], execution_count: null, source },
      ]
      const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 })
      const escaped = notebook.replace('ß', '\\u00df')
      const folder = folderWith({ 'a.ipynb': escaped, 'broken.ipynb': escaped.slice(0, -1) })
      assert.deepEqual(lines(await find(folder, 'print."needle')), ['a.ipynb:5:print("needle\\tone", first)'])
      assert.deepEqual(lines(await find(folder, 'Größe')), ['a.ipynb:2:# Größe'])
      assert.equal(lines(await find(folder, '"nbformat"')).length, 1, 'what cannot be read as a notebook is text')
    })

    test('secret files are listed as such, and neither searched nor read', async () => {
      const folder = folderWith({
        '.env': 'needle=1',
        '.env.example': 'needle=',
        'keys/server.pem': 'needle',
        '.aws/config': 'needle',
        'notes.txt': `needle\n-----BEGIN RSA PRIVATE ${'KEY'}-----\n`,
        'private/plan.md': 'needle',
        'a.ts': 'needle',
      })
      const root = treeRoot(folder, { unsent: ['private/**'] })
      const found = await find(root, 'needle')
      assert.deepEqual(lines(found), ['.env.example:1:needle=', 'a.ts:1:needle'])
      assert.equal(found.secret, 5)
      assert.equal(found.searched, 2)
      const entries = ((await list(root)) as Listed).entries
      assert.deepEqual(
        entries.filter(({ isSecret }) => isSecret).map(({ path }) => path),
        ['.env', '.aws/config', 'keys/server.pem', 'private/plan.md'],
      )
      const own = treeRoot(folder, { unsent: ['!.env'] })
      assert.ok(lines(await find(own, 'needle')).includes('.env:1:needle=1'), 'unless the user wants it')
    })

    test('[T41] links are not followed, and a path that leads outside is not walked', async () => {
      const outside = folderWith({ 'secret.txt': 'needle' })
      const folder = folderWith({ 'a.ts': 'needle', 'src/b.ts': 'needle' })
      symlinkSync(outside, join(folder, 'out'))
      symlinkSync(join(outside, 'secret.txt'), join(folder, 'file.txt'))
      symlinkSync(folder, join(folder, 'src/circle'))
      symlinkSync(join(folder, 'src'), join(folder, 'inner'))
      assert.deepEqual(lines(await find(folder, 'needle')), ['a.ts:1:needle', 'src/b.ts:1:needle'])
      assert.equal(await list(folder, { path: 'out' }), 'outside')
      assert.equal(await list(folder, { path: 'inner/../../..' }), 'outside')
      assert.deepEqual(await names(folder, { path: 'inner' }), ['src/b.ts', 'src/circle'])
      assert.equal(await list(folder, { path: 'nowhere' }), 'missing')
      assert.equal(await list(folder, { path: 'a.ts' }), 'file')
    })

    test('a single file can be searched', async () => {
      const folder = folderWith({ 'a.ts': 'x\nneedle\n', 'b.ts': 'needle' })
      assert.deepEqual(lines(await find(folder, 'needle', { path: 'a.ts' })), ['a.ts:2:needle'])
    })

    test('binary files are skipped; other encodings, line ends and a byte order mark are read', async () => {
      const folder = folderWith({ 'crlf.txt': 'one\r\nneedle\r\n', 'bom.txt': '\ufeffneedle' })
      writeFileSync(join(folder, 'binary'), Buffer.from('needle\0needle'))
      writeFileSync(join(folder, 'wide.txt'), Buffer.from('\ufeffä needle\nno\n', 'utf16le'))
      writeFileSync(join(folder, 'wide-be.txt'), Buffer.from('\ufeffneedle', 'utf16le').swap16())
      writeFileSync(join(folder, 'umlaut.txt'), 'Grüße, needle')
      const found = await find(folder, '(?:^|[ü].*)needle$')
      assert.deepEqual(lines(found), [
        'bom.txt:1:needle',
        'crlf.txt:2:needle',
        'umlaut.txt:1:Grüße, needle',
        'wide-be.txt:1:needle',
      ])
      assert.deepEqual(lines(await find(folder, 'ä needle')), ['wide.txt:1:ä needle'])
    })

    test('a file that is too large is counted', async () => {
      const folder = folderWith({ 'a.txt': 'needle' })
      writeFileSync(join(folder, 'large.txt'), 'needle\n'.repeat(800_000))
      const found = await find(folder, 'needle')
      assert.deepEqual(lines(found), ['a.txt:1:needle'])
      assert.equal(found.tooLarge, 1)
    })

    test('an unsaved text is searched in place of the file', async () => {
      const folder = folderWith({ 'a.ts': 'saved', 'b.ts': 'saved' })
      const unsaved = [{ uri: pathToFileURL(join(folder, 'a.ts')).href, text: 'one\nnot saved' }]
      assert.deepEqual(lines(await find(folder, 'saved', { unsaved })), ['a.ts:2:not saved', 'b.ts:1:saved'])
    })

    test('many folders and files, in whichever slices they are searched', async () => {
      const files: Record<string, string> = {}
      for (let at = 0; at < 1_500; at++) files[`f${at % 30}/g${at % 7}/file${at}.ts`] = `line\nneedle ${at}\n`.repeat(3)
      for (let at = 0; at < 700; at++) files[`flat/file${at}.ts`] = `needle ${at}`
      const folder = folderWith(files)
      const found = await find(folder, 'needle \\d+', { mostCounted: 1e9 })
      assert.equal(found.searched, 2_200)
      assert.equal(found.files.length, 2_200)
      assert.equal(
        found.files.reduce((sum, { count }) => sum + count, 0),
        1_500 * 3 + 700,
      )
      assert.equal(((await list(folder, { glob: '*.ts', most: 10 })) as Listed).more, 2_190)
      const cut = await find(folder, 'needle')
      assert.equal(cut.isCut, 'counted')
      assert.ok(cut.searched < 2_200)
    })

    test('[T41] a file with another name counts as secret, and one that cannot be read does not end a search', async () => {
      const folder = folderWith({ 'a.ts': 'needle', '.env': 'needle' })
      linkSync(join(folder, '.env'), join(folder, 'b.ts'))
      mkdirSync(join(folder, 'closed'), { mode: 0o000 })
      const { files, secret } = await find(folder, 'needle')
      assert.deepEqual([files.map(({ path }) => path), secret], [['a.ts'], 2])
    })

    test('[T45] the configuration of git is searched, unless it has a password', async () => {
      const folder = folderWith({ '.git/config': 'url = https://git.example/needle.git\n' })
      const { files } = await find(folder, 'needle', { path: '.git' })
      assert.equal(files.length, 1)
      writeFileSync(join(folder, '.git/config'), 'url = https://me:canary@git.example/needle.git\n')
      assert.deepEqual(
        await find(folder, 'needle', { path: '.git' }).then(({ files: found, secret }) => [found, secret]),
        [[], 1],
      )
    })

    test('a search that was stopped rejects with the reason', async () => {
      const stop = new AbortController()
      const reason = new Error('stopped')
      const folder = folderWith({ 'a.ts': 'needle' })
      const places = [{ root: treeRoot(folder), path: '' }]
      const limits = { context: 0, mostInFile: 20, mostCounted: 2_000 }
      const query: TextQuery = { places, glob: undefined, pattern: patternOf('needle'), ...limits, unsaved: [] }
      const running = search.search(query, stop.signal)
      stop.abort(reason)
      await assert.rejects(running, reason)
    })

    test('several searches at once', async () => {
      const folder = folderWith({ 'a.ts': 'one two', 'b.ts': 'two three' })
      const found = await Promise.all(['one', 'two', 'three', 'four'].map(text => find(folder, text)))
      assert.deepEqual(
        found.map(({ files }) => files.length),
        [1, 2, 1, 0],
      )
    })

    if (how === 'threads') {
      test('[A31] a file for which a pattern takes too long is skipped and named', async () => {
        const folder = folderWith({ 'a.txt': 'xxy', 'slow.txt': `${'x'.repeat(60)}!y`, 'z.txt': 'xxxxxxxxxy' })
        const found = await find(folder, '^(?:x+x+)+y$')
        assert.deepEqual(lines(found), ['a.txt:1:xxy', 'z.txt:1:xxxxxxxxxy'])
        assert.deepEqual(found.tooSlow, ['slow.txt'])
        assert.deepEqual(lines(await find(folder, 'xxy')).length, 2, 'and the next search is as ever')
      })

      test('[A31] a pattern that takes too long for many files ends the search', async () => {
        const slow = `${'x'.repeat(60)}!y`
        const folder = folderWith(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, slow])))
        const found = await find(folder, '^(?:x+x+)+y$')
        assert.equal(found.isCut, 'slow')
        assert.ok(found.tooSlow.length >= 8 && found.tooSlow.length < 12)
      })

      test('a search beside one whose pattern takes too long is not lost', async () => {
        const folder = folderWith({ 'slow.txt': `${'x'.repeat(60)}!y`, 'a.txt': 'needle' })
        const [slow, quick] = await Promise.all([find(folder, '^(?:x+x+)+y$'), find(folder, 'needle')])
        assert.deepEqual(slow.tooSlow, ['slow.txt'])
        assert.deepEqual(lines(quick), ['a.txt:1:needle'])
      })

      test('[A30] threads end after a minute of rest, and others start with the next search', async () => {
        const clock = new FakeClock()
        const { search: timed, threads: own } = searchIn('threads', clock)
        const folder = folderWith({ 'a.ts': '' })
        const ask = () =>
          timed.list({ places: [{ root: treeRoot(folder), path: '' }], glob: undefined, most: 9 }, never)
        await ask()
        const first = own.member(0)
        await clock.advance(59_000)
        await ask()
        assert.equal(own.member(0), first)
        await clock.advance(60_000)
        assert.equal(first.isEnded, true)
        await ask()
        assert.notEqual(own.member(0), first)
      })
    }

    test('nothing is searched after the end', async () => {
      const { search: closed, threads: own } = searchIn(how)
      own.dispose()
      const places = [{ root: treeRoot(folderWith({})), path: '' }]
      await assert.rejects(closed.list({ places, glob: undefined, most: 1 }, never), /closed/)
      assert.ok(threads)
    })
  })
}

test('[A32] files are listed and searched in a process that may start no program', async () => {
  const folder = folderWith({ '.gitignore': 'out\n', 'a.ts': 'needle\n', 'out/b.ts': 'needle\n' })
  const script = join(import.meta.dirname, '../../support/searchingProcess.ts')
  const allowed = ['--permission', '--allow-fs-read=*', '--allow-worker']
  const { stdout } = await promisify(execFile)(process.execPath, [...allowed, script, folder, 'needle'], {
    env: { PATH: '' },
  })
  const found = { files: ['.gitignore', 'a.ts'], lines: ['a.ts:needle'] }
  assert.deepEqual(JSON.parse(stdout), { found: [found, found], canStartPrograms: false })
})
