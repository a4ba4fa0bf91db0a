// What the model gets when it reads a file, and what the user is asked about before.
import assert from 'node:assert/strict'
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readFileTool } from '../../../src/core/tools/readFileTool.ts'
import { ToolFolder, type ToolFolderSetup } from '../../support/toolFolder.ts'
import { never } from '../../support/wire.ts'

function folder(setup: ToolFolderSetup = {}) {
  const made = new ToolFolder(setup)
  const read = (path: string, more: Readonly<Record<string, unknown>> = {}, isApproved = false) => {
    const tool = readFileTool({ paths: made.paths, files: made.textFiles, seen: made.seen })
    return made.call(tool, { path, ...more }, { isApproved })
  }
  return Object.assign(made, { read })
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')

describe('what is read', () => {
  test('lines with their numbers, after where they are from and which text it is', async () => {
    using work = folder({ files: { 'src/a.ts': 'one\n\ttwo\r\nthree' } })
    assert.match(
      await work.read('src/a.ts'),
      /^src\/a\.ts, lines 1 to 3 of 3, revision [0-9a-f]{4}\n1\tone\n2\t\ttwo\n3\tthree$/,
    )
    assert.match(await work.read('./src/../src/a.ts'), /^src\/a\.ts, /)
    assert.match(
      await work.read(join(work.root, 'src/a.ts')),
      /^src\/a\.ts, /,
      'an absolute path is answered in the short form',
    )
  })

  test('pages by lines and by characters, and how to read on', async () => {
    using work = folder({ files: { 'a.txt': numbered(2_500), 'wide.txt': `${'x'.repeat(1_500)}\n`.repeat(50) } })
    const first = await work.read('a.txt')
    assert.match(first, /^a\.txt, lines 1 to 2000 of 2500/)
    assert.match(first, /\n2000\tline 2000\n500 lines follow; read on with from: 2001\.$/)
    assert.match(await work.read('a.txt', { from: 2_001 }), /^a\.txt, lines 2001 to 2500 of 2500.*\n2001\tline 2001\n/)
    assert.match(
      await work.read('a.txt', { from: 10, lines: 2 }),
      /lines 10 to 11 of 2500.*\n10\tline 10\n11\tline 11\n2,489 lines follow/,
    )
    const wide = await work.read('wide.txt')
    assert.ok(wide.length < 48_200)
    assert.match(wide, /^wide\.txt, lines 1 to 31 of 50/)
  })

  test('a line past the end, with how many there are', async () => {
    using work = folder({ files: { 'a.txt': numbered(3) } })
    assert.equal(
      await work.read('a.txt', { from: 9 }),
      '"a.txt" has no line 9. It has 3 lines. Read it with from at most 3.',
    )
  })

  test('a long line is cut with a mark', async () => {
    using work = folder({ files: { 'a.js': `${'x'.repeat(2_500)}\nshort\n` } })
    assert.match(await work.read('a.js'), /\n1\tx{2000}… \(500 more characters in this line\)\n2\tshort$/)
  })

  test('[A10] an empty file, in words', async () => {
    using work = folder({ files: { 'a.ts': '' } })
    assert.match(await work.read('a.ts'), /^The file a\.ts is empty\./)
  })

  test('text that is not saved yet, as it is in the editor', async () => {
    using work = folder({ files: { 'a.ts': 'saved\n' } })
    work.unsaved.set(work.uri('a.ts'), 'not saved\n')
    assert.match(await work.read('a.ts'), /\n1\tnot saved$/)
  })

  test('[A75] [T36] [T37] control characters and invisible ones are marked, hidden text is left out', async () => {
    const hidden = [...'run rm'].map(letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    using work = folder({ files: { 'a.md': `\u001b[31mred\na\u200bb\u202ec\nx${hidden}y\n👩‍💻 می‌خواهم\n` } })
    assert.match(
      await work.read('a.md'),
      /\n1\t\\x1b\[31mred\n2\ta\\u200bb\\u202ec\n3\txy\n4\t👩‍💻 می‌خواهم\n3 control or invisible characters are shown as \\x1b or \\u200b\. 6 characters of hidden text were left out\.$/,
    )
  })

  test('what was read is remembered over a reload', async () => {
    using work = folder({ files: { 'a.ts': 'one\n' } })
    await work.read('a.ts')
    await work.reload()
    assert.equal((await work.seen.of('c', work.uri('a.ts')))?.text, 'one\n')
    assert.equal(await work.seen.of('other', work.uri('a.ts')), undefined)
  })
})

describe('[A20] what is refused, with what is true and what to do', () => {
  test('a file that is not there, with the most similar paths', async () => {
    using work = folder({
      files: { 'src/parcel.ts': '', 'src/parcels/list.ts': '', 'test/parcel.test.ts': '', 'b.css': '' },
    })
    assert.equal(
      await work.read('src/parcell.ts'),
      'There is no file "src/parcell.ts". The most similar paths are "src/parcel.ts", "test/parcel.test.ts", "src/parcels/list.ts". ' +
        'Use one of them, or look for the file with list_files.',
    )
    assert.match(await work.read('zzz'), /^There is no file "zzz"\. No path of the workspace is like it\. Look for/)
  })

  test('a folder, a binary file, and paths of other kinds', async () => {
    using work = folder({ files: { 'src/a.ts': '', 'logo.png': Uint8Array.from([137, 80, 0, 1]) } })
    assert.match(await work.read('src'), /^"src" is no file\. It is a folder.*list_files/)
    assert.match(
      await work.read('logo.png'),
      /^"logo\.png" is no text\. It is a binary file \(png\) of 4 bytes.* Use a command/,
    )
    for (const path of [
      '',
      '../x',
      '~/x',
      'file:///etc/passwd',
      '//server/x',
      'a%2fb',
      'con',
      'a\u0000b',
      '/dev/null',
    ]) {
      assert.match(await work.read(path), /^[^.]*\..*\. [A-Z][^.]*/, path)
    }
  })

  test('[T80] everything in a workspace that is not trusted', async () => {
    using work = folder({ files: { 'a.ts': 'x' }, isTrusted: false })
    assert.match(await work.read('a.ts'), /^No file is read or changed, because the user has not said/)
    assert.match(await work.read('none.ts'), /^No file is read or changed/)
  })

  test('a path that may mean files of two folders', async () => {
    using work = folder({ roots: ['app', 'lib'], files: { 'app/a.ts': '1', 'lib/a.ts': '2', 'lib/b.ts': '3' } })
    assert.match(await work.read('a.ts'), /^"a\.ts" may mean several files\..*"app\/a\.ts" and "lib\/a\.ts"/)
    assert.match(await work.read('lib/a.ts'), /^lib\/a\.ts, .*\n1\t2$/)
    assert.match(await work.read('b.ts'), /^lib\/b\.ts, /)
  })
})

describe('what the user is asked about', () => {
  test('[T45] a secret file by its name, by its content, and by what a link leads to', async () => {
    using work = folder({ files: { '.env': 'KEY=1', 'notes.txt': '-----BEGIN RSA PRIVATE KEY-----\nMII' } })
    symlinkSync(join(work.root, '.env'), join(work.root, 'plain.txt'))
    assert.equal(await work.read('.env'), 'asked: secret')
    assert.equal(await work.read('notes.txt'), 'asked: secret')
    assert.equal(await work.read('plain.txt'), 'asked: secret')
    assert.match(await work.read('.env', {}, true), /\n1\tKEY=1$/)
  })

  test('[T45] a file with a token far from its beginning, and a link to it', async () => {
    using work = folder({ files: { '.npmrc': `${'# a comment\n'.repeat(2_000)}//r.example/:_authToken=canary\n` } })
    symlinkSync('.npmrc', join(work.root, 'notes.txt'))
    for (const path of ['.npmrc', 'notes.txt']) assert.equal(await work.read(path), 'asked: secret')
  })

  test('[T40] [T41] what is outside the workspace, by where the path really leads', async () => {
    using work = folder()
    mkdirSync(join(work.top, 'elsewhere'))
    writeFileSync(join(work.top, 'elsewhere/x.txt'), 'far')
    writeFileSync(join(work.top, 'elsewhere/.env'), 'far')
    symlinkSync(join(work.top, 'elsewhere'), join(work.root, 'near'))
    assert.equal(await work.read('near/x.txt'), 'asked: outside')
    assert.equal(await work.read(join(work.top, 'elsewhere/x.txt')), 'asked: outside')
    assert.equal(await work.read('near/.env'), 'asked: outside, secret')
    linkSync(join(work.top, 'elsewhere/x.txt'), join(work.root, 'hard.txt'))
    assert.equal(await work.read('hard.txt'), 'asked: hard-link')
    assert.match(await work.read('hard.txt', {}, true), /\n1\tfar$/)
  })

  test('[T55] what is allowed for the chat is the file that a link leads to now', async () => {
    using work = folder()
    for (const name of ['one', 'two']) writeFileSync(join(work.top, name), name)
    const remembered = async () => {
      const context = { conversation: 'c', turn: 't', answer: 'a', part: 'p' }
      const prepared = await work.newTools().read.prepare?.({ path: 'near.txt' }, context, never)
      return prepared?.is === 'ready' ? prepared.remembered : undefined
    }
    symlinkSync(join(work.top, 'one'), join(work.root, 'near.txt'))
    const first = await remembered()
    assert.ok(first)
    assert.equal(await remembered(), first)
    rmSync(join(work.root, 'near.txt'))
    symlinkSync(join(work.top, 'two'), join(work.root, 'near.txt'))
    assert.notEqual(await remembered(), first)
  })

  test('what git ignores', async () => {
    using work = folder({ files: { 'dist/a.js': 'x' }, ignored: ['dist/a.js'] })
    assert.equal(await work.read('dist/a.js'), 'asked: ignored')
    assert.match(await work.read('dist/a.js', {}, true), /\n1\tx$/)
    symlinkSync('dist/a.js', join(work.root, 'link.js'))
    symlinkSync('dist', join(work.root, 'folder'))
    for (const path of ['link.js', 'folder/a.js']) assert.equal(await work.read(path), 'asked: ignored', path)
  })
})
