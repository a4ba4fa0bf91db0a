// What real commands change in real files, and that it can be undone byte for byte.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { Checkpoints } from '../../../src/core/tools/checkpoints.ts'
import { CommandRecorder } from '../../../src/core/tools/commandRecorder.ts'
import type { WatchedCommand } from '../../../src/core/tools/commandWatch.ts'
import { ThreadWatch } from '../../../src/node/search/threadWatch.ts'
import { TreeThreads } from '../../../src/node/search/treeThreads.ts'
import { treeRoot } from '../../support/searchedFolder.ts'
import { runGit } from '../../support/temporaryRepository.ts'
import { ToolFolder } from '../../support/toolFolder.ts'
import { never } from '../../support/wire.ts'

const script = join(import.meta.dirname, '../../../src/node/search/searchWorker.ts')

type Files = Readonly<Record<string, string | Uint8Array>>

function workspace(files: Files, how: 'threads' | 'slices' = 'slices') {
  const folder = new ToolFolder({ files })
  const threads = new TreeThreads({ script: how === 'threads' ? script : undefined, clock: systemClock, size: 1 })
  const watch = new ThreadWatch({ threads, folder: join(folder.top, 'kept') })
  after(() => watch.dispose())
  const { changes } = folder.newTools()
  const root = treeRoot(folder.root)
  const recorder = new CommandRecorder({ watch, changes, clock: systemClock, roots: () => [root] })
  const run = async (command: string, turn = 't') => {
    const watched = await recorder.begin('c', turn, never)
    execFileSync('sh', ['-c', command], { cwd: folder.root, stdio: 'pipe' })
    await watched.end()
    return watched.changes()
  }
  /** Each file with its bytes and its mode. */
  const all = () =>
    Object.fromEntries(
      readdirSync(folder.root, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && !/[\\/]\.git(?:[\\/]|$)/.test(entry.parentPath))
        .map(({ parentPath, name }) => join(parentPath, name))
        .map(path => [path, `${statSync(path).mode & 0o777} ${readFileSync(path).toString('latin1')}`]),
    )
  const checkpoints = new Checkpoints({ changes, files: folder.files, newId: () => crypto.randomUUID() })
  return {
    folder,
    watch,
    recorder,
    changes,
    checkpoints,
    run,
    all,
    undo: () => changes.undo({ conversation: 'c', turn: 't' }),
  }
}

const sample: Files = {
  'a.ts': 'one\ntwo\nthree\n',
  'src/b.ts': 'const b = 1\r\nconst c = 2\r\n',
  'src/deep/c.md': '\ufeff# Title\n\ntext without an end',
  'src/umlaut.txt': 'Grüße\n',
  'run.sh': '#!/bin/sh\n',
  'empty.txt': '',
}

/** Each with the paths that it changes. */
const commands: Readonly<Record<string, readonly string[]>> = {
  "sed -i 's/two/2/' a.ts": ['a.ts'],
  'rm a.ts src/b.ts': ['a.ts', 'src/b.ts'],
  'mv src/b.ts src/moved.ts': ['src/b.ts', 'src/moved.ts'],
  "sed -i 's/\\r$//' src/b.ts": ['src/b.ts'],
  "sed -i 's/$/\\r/' a.ts": ['a.ts'],
  'chmod +x run.sh': ['run.sh'],
  'chmod +x run.sh; echo more >> run.sh': ['run.sh'],
  "sed -i '1s/^\\xef\\xbb\\xbf//' src/deep/c.md": ['src/deep/c.md'],
  'rm -r src': ['src/b.ts', 'src/deep/c.md', 'src/umlaut.txt'],
  'mkdir gen; for i in 1 2 3; do echo "line $i" > gen/$i.txt; done; : > gen/empty': [
    'gen/1.txt',
    'gen/2.txt',
    'gen/3.txt',
    'gen/empty',
  ],
  'head -c 500 /dev/zero > image.bin': ['image.bin'],
  'printf "\\374" > a.ts': ['a.ts'],
  'rm empty.txt; echo x > empty.txt': ['empty.txt'],
  'cat a.ts > b; cat b > a.ts; rm b; touch a.ts': [],
  'cp -p a.ts kept; echo other > a.ts; mv kept a.ts': [],
  ': > a.ts': ['a.ts'],
  true: [],
}

for (const how of ['threads', 'slices'] as const) {
  describe(`[A41] in ${how}`, () => {
    for (const [command, paths] of Object.entries(commands)) {
      test(`${command}: what it changes is recorded, and undone byte for byte`, async () => {
        const { folder, run, all, undo } = workspace(sample, how)
        using _ = folder
        const before = all()
        const { changed, notRestorable } = await run(command)
        assert.deepEqual(
          changed.map(({ path }) => path),
          paths,
        )
        assert.deepEqual(notRestorable, [])
        assert.deepEqual(await undo(), { left: 0, hasFailed: false })
        assert.deepEqual(all(), before)
      })

      test(`[A38] ${command}: a restore takes it back byte for byte, and is itself undone, with what was to be reviewed`, async () => {
        const { folder, run, all, undo, changes, checkpoints } = workspace(sample, how)
        using _ = folder
        const before = all()
        await run(command)
        const [after, open] = [all(), changes.openFiles('c')]
        const restored = await checkpoints.restore('c', ['t'], new Set(), never)
        assert.deepEqual([all(), restored.left, changes.openFiles('c')], [before, [], []])
        const { left } = await checkpoints.undo('c', restored, never)
        assert.deepEqual([all(), left, changes.openFiles('c')], [after, [], open])
        assert.deepEqual(await undo(), { left: 0, hasFailed: false })
        assert.deepEqual(all(), before)
      })
    }
  })
}

test('[A41] a folder that a command moves or renames is put back, although its files keep their times', async () => {
  const { folder, run, all, undo } = workspace({ ...sample, 'lib/d.ts': 'const d = 4\n' })
  using _ = folder
  const before = all()
  // The files are older than the look before the command.
  await run('sleep 0.05', 'earlier')
  const { changed, notRestorable } = await run('mv src lib/inner; mv lib other')
  assert.deepEqual(
    changed.map(({ path, change }) => `${change} ${path}`),
    [
      'deleted lib/d.ts',
      'created other/d.ts',
      'created other/inner/b.ts',
      'created other/inner/deep/c.md',
      'created other/inner/umlaut.txt',
      'deleted src/b.ts',
      'deleted src/deep/c.md',
      'deleted src/umlaut.txt',
    ],
  )
  assert.deepEqual(notRestorable, [])
  assert.deepEqual(await undo(), { left: 0, hasFailed: false })
  assert.deepEqual(all(), before)
})

test('the lines that a command adds and removes are counted', async () => {
  const { folder, run } = workspace(sample)
  using _ = folder
  assert.deepEqual((await run("sed -i 's/two/2/' a.ts; rm src/b.ts; echo new > n.txt")).changed, [
    { path: 'a.ts', change: 'modified', addedLines: 1, removedLines: 1 },
    { path: 'n.txt', change: 'created', addedLines: 1, removedLines: 0 },
    { path: 'src/b.ts', change: 'deleted', addedLines: 0, removedLines: 2 },
  ])
})

test('what of a command is undone by hunk leaves the rest', async () => {
  const { folder, run, changes } = workspace({ 'a.ts': 'one\nsame\nsame\nsame\nsame\ntwo\n' })
  using _ = folder
  await run("sed -i 's/one/1/; s/two/2/' a.ts")
  const { hunks } = await changes.review('c', folder.uri('a.ts'))
  assert.equal(hunks.length, 2)
  await changes.undo({ conversation: 'c', uri: folder.uri('a.ts'), hunk: hunks[0]?.id })
  assert.equal(folder.text('a.ts'), 'one\nsame\nsame\nsame\nsame\n2\n')
})

test("[A44] what the agent of another window changes meanwhile is not the command's", async () => {
  const { folder, recorder, changes } = workspace(sample)
  using _ = folder
  folder.now = systemClock.now() + 1_000
  const { read, write, move } = folder.newTools()
  for (const path of ['a.ts', 'run.sh']) await folder.call(read, { path })
  const watched = await recorder.begin('other', 't', never)
  await folder.call(write, { path: 'a.ts', text: 'by the other\n' })
  await folder.call(write, { path: 'new.ts', text: 'by the other\n' })
  await folder.call(move, { from: 'run.sh', to: 'moved.sh' }, { isApproved: true })
  folder.put('src/umlaut.txt', 'by the command\n')
  await watched.end()
  const { changed, notRestorable } = await watched.changes()
  assert.deepEqual([changed.map(({ path }) => path), notRestorable], [['src/umlaut.txt'], []])
  assert.deepEqual(changes.openFiles('other'), [folder.uri('src/umlaut.txt')])
})

test('it is known when the changes of all commands are recorded', async () => {
  const { folder, recorder, changes } = workspace(sample)
  using _ = folder
  const watched = await recorder.begin('c', 't', never)
  folder.put('a.ts', 'other\n')
  const idle = recorder.whenIdle(never).then(() => changes.openFiles('c'))
  await watched.end()
  assert.deepEqual(await idle, [folder.uri('a.ts')])
  await recorder.whenIdle(never)
})

test('several commands, with changes of the agent and of the user between them', async () => {
  const { folder, run, changes, all } = workspace(sample)
  using _ = folder
  const before = all()
  await run("sed -i 's/one/1/' a.ts")
  writeFileSync(join(folder.root, 'src/umlaut.txt'), 'of the user\n')
  const second = await run("sed -i 's/three/3/' a.ts")
  assert.deepEqual(
    second.changed.map(({ path }) => path),
    ['a.ts'],
    'what the user changed between commands is not theirs',
  )
  const third = await run("sed -i 's/$/\\r/' a.ts; rm src/b.ts")
  assert.equal(third.changed.length, 2)
  await changes.undo({ conversation: 'c' })
  writeFileSync(join(folder.root, 'src/umlaut.txt'), 'Grüße\n')
  assert.deepEqual(all(), before)
})

test('a change while a command runs that is known to be somebody else’s is not the command’s', async () => {
  const { folder, recorder } = workspace(sample)
  using _ = folder
  const watched = await recorder.begin('c', 't', never)
  folder.put('a.ts', 'edited by the agent\n')
  recorder.exclude(folder.uri('a.ts'))
  folder.put('run.sh', 'by the command\n')
  assert.deepEqual(
    (await watched.changes()).changed.map(({ path }) => path),
    ['run.sh'],
  )
})

test('what a command in the background has changed belongs to it when the next one begins', async () => {
  const { folder, recorder } = workspace(sample)
  using _ = folder
  const first = await recorder.begin('c', 't', never)
  folder.put('a.ts', 'by the first\n')
  const second = await recorder.begin('c', 't2', never)
  folder.put('run.sh', 'by the second\n')
  const namesOf = async (watched: WatchedCommand) => (await watched.changes()).changed.map(({ path }) => path)
  await second.end()
  assert.deepEqual(await namesOf(second), ['run.sh'])
  folder.put('src/umlaut.txt', 'by the first\n')
  assert.deepEqual(await namesOf(first), ['a.ts', 'src/umlaut.txt'])
  assert.deepEqual(await namesOf(first), [], 'each is named once')
  folder.put('a.ts', 'by the first again\n')
  await first.end()
  folder.put('empty.txt', 'by nobody\n')
  assert.deepEqual(await namesOf(first), ['a.ts'])
})

test('[A41] files that are too large or hold no text are named when they change', async () => {
  const { folder, run, undo } = workspace({
    ...sample,
    'large.txt': 'x'.repeat(1_100_000),
    'image.png': Uint8Array.from([0x89, 0x50, 0, 1, 2]),
  })
  using _ = folder
  const { changed, notRestorable } = await run('echo x >> large.txt; echo x >> image.png; echo x >> a.ts')
  assert.deepEqual(
    changed.map(({ path }) => path),
    ['a.ts'],
  )
  assert.deepEqual(notRestorable, ['image.png', 'large.txt'])
  await undo()
  assert.equal(folder.text('a.ts'), sample['a.ts'])
})

test('[A42] before a command it is known of how many files what it changes can be undone', async () => {
  const { folder, recorder, watch } = workspace({ ...sample, 'large.txt': 'x'.repeat(1_100_000) })
  using _ = folder
  assert.deepEqual(await recorder.restorable(never), { files: 6, of: 7 })
  assert.equal(readdirSync(folder.top).includes('kept'), false, 'a question keeps no contents')
  const watched = await recorder.begin('c', 't', never)
  assert.deepEqual(watched.restorable, { files: 6, of: 7 })
  await watched.end()
  const [own = ''] = readdirSync(join(folder.top, 'kept'))
  assert.equal(statSync(join(folder.top, 'kept', own)).mode & 0o077, 0, 'only for this user')
  watch.dispose()
  assert.deepEqual(readdirSync(join(folder.top, 'kept')), [])
})

test('what git ignores is not looked at, and neither are links', async () => {
  const { folder, run } = workspace({ ...sample, '.gitignore': 'out/\n', 'out/a.js': '' })
  using _ = folder
  runGit(folder.root, 'init', '--quiet')
  symlinkSync(join(folder.top, 'nowhere'), join(folder.root, 'link'))
  const { changed, notRestorable } = await run(
    'echo x > out/a.js; ln -sf other link; mkdir -p node_modules/x; echo 1 > node_modules/x/i.js',
  )
  assert.deepEqual([changed, notRestorable], [[], []])
  const ignoring = await run('echo "*.md" >> .gitignore')
  assert.deepEqual(
    ignoring.changed.map(({ path }) => path),
    ['.gitignore'],
    'a file that is ignored from now on is not deleted',
  )
  assert.deepEqual(
    (await run("sed -i '$d' .gitignore")).changed.map(({ path }) => path),
    ['.gitignore'],
    'and one that is not ignored any more is not new',
  )
})

test('a branch that is switched, and switched back by undo', async () => {
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`f${at % 9}/${at}.txt`, `line\n${at}\n`]))
  const { folder, run, all, undo } = workspace(files, 'threads')
  using _ = folder
  runGit(folder.root, 'init', '--quiet', '--initial-branch=main')
  runGit(folder.root, 'add', '--all')
  runGit(folder.root, 'commit', '--quiet', '--message=one')
  runGit(folder.root, 'checkout', '--quiet', '-b', 'other')
  for (let at = 0; at < 60; at++) folder.put(`f${at % 9}/${at}.txt`, `other\n${at}\n`)
  folder.put('only-here.txt', 'x\n')
  runGit(folder.root, 'add', '--all')
  runGit(folder.root, 'commit', '--quiet', '--message=two')
  const before = all()
  const { changed } = await run('git checkout --quiet main')
  assert.equal(changed.length, 61)
  assert.deepEqual(await undo(), { left: 0, hasFailed: false })
  assert.deepEqual(all(), before)
})

test('a file that the user has changed since is not overwritten by undo', async () => {
  const { folder, run, undo } = workspace(sample)
  using _ = folder
  await run("sed -i 's/$/\\r/' a.ts; head -c 50 /dev/zero > zero.bin")
  folder.put('a.ts', 'of the user\n')
  folder.put('zero.bin', 'of the user\n')
  chmodSync(join(folder.root, 'a.ts'), 0o600)
  assert.equal((await undo()).hasFailed, true)
  assert.equal(folder.text('a.ts'), 'of the user\n')
  assert.equal(folder.text('zero.bin'), 'of the user\n')
})
