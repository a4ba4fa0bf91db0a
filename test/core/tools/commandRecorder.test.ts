// What real commands change in real files, and that it can be undone byte for byte.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../../../src/base/clock.ts'
import { contentHash } from '../../../src/base/contentHash.ts'
import { Checkpoints } from '../../../src/core/tools/checkpoints.ts'
import { withCommandChanges } from '../../../src/core/tools/commandChangesText.ts'
import { CommandRecorder } from '../../../src/core/tools/commandRecorder.ts'
import type { WatchedCommand } from '../../../src/core/tools/commandWatch.ts'
import { takeLeftIndexes } from '../../../src/node/search/leftIndexes.ts'
import { ThreadWatch } from '../../../src/node/search/threadWatch.ts'
import { TreeThreads } from '../../../src/node/search/treeThreads.ts'
import { treeRoot } from '../../support/searchedFolder.ts'
import { runGit } from '../../support/temporaryRepository.ts'
import { ToolFolder } from '../../support/toolFolder.ts'
import { never } from '../../support/wire.ts'

const script = join(import.meta.dirname, '../../../src/node/search/searchWorker.ts')

const uriOf = (path: string) => pathToFileURL(path).href

type Files = Readonly<Record<string, string | Uint8Array>>

function workspace(files: Files, how: 'threads' | 'slices' = 'slices') {
  const folder = new ToolFolder({ files })
  const threads = new TreeThreads({ script: how === 'threads' ? script : undefined, clock: systemClock, size: 1 })
  const watch = new ThreadWatch({ threads, folder: join(folder.top, 'kept'), uriOf, window: async () => 'this one' })
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
        assert.partialDeepStrictEqual(await undo(), { left: 0, hasFailed: false })
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
        const { left } = await checkpoints.undo('c', restored.group, new Set(), never)
        assert.deepEqual([all(), left, changes.openFiles('c')], [after, [], open])
        assert.partialDeepStrictEqual(await undo(), { left: 0, hasFailed: false })
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
  assert.partialDeepStrictEqual(await undo(), { left: 0, hasFailed: false })
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

test('[A39] a file has one URI, whoever changes it and whatever its name', async () => {
  const path = 'app/[id]/(shop)/ü #1.ts'
  const { folder, run, checkpoints, changes, all } = workspace({ [path]: 'one\n' })
  using _ = folder
  const before = all()
  const { read, edit } = folder.newTools()
  await folder.call(read, { path })
  assert.match(await folder.call(edit, { path, edits: [{ old_text: 'one', new_text: 'two' }] }), /^Edited/)
  await run("sed -i 's/two/three/' app/*/*/*")
  assert.deepEqual(changes.openFiles('c'), [folder.uri(path)])
  assert.deepEqual((await checkpoints.restore('c', ['t'], new Set(), never)).left, [])
  assert.deepEqual(all(), before)
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

test('[A41] what changes while a command goes on in the background is not the user’s for sure, and no review of it is asked for', async () => {
  const { folder, watch, recorder, changes, checkpoints, all, undo } = workspace(sample)
  using _ = folder
  const before = all()
  const watched = await recorder.begin('c', 't', never)
  folder.put('a.ts', 'by the command\n')
  const own = await watched.changes()
  await watch.keep(never)
  watched.late()
  rmSync(join(folder.root, 'src'), { recursive: true })
  folder.put('a.ts', 'by somebody\n')
  const { changed } = await watched.changes()
  assert.deepEqual(
    [...own.changed, ...changed].map(({ path, isLate = false }) => `${path} ${isLate}`),
    ['a.ts false', 'a.ts true', 'src/b.ts true', 'src/deep/c.md true', 'src/umlaut.txt true'],
  )
  folder.put('run.sh', 'later\n')
  await watched.end()
  const after = all()
  assert.deepEqual(changes.openFiles('c'), [folder.uri('a.ts')])
  assert.equal(changes.unreviewedFiles.length, 5, 'a script among them is not the user’s for sure')
  const reviews = (await changes.changeSet('c', 't'))?.files.map(({ uri, review }) => [uri, review])
  const unsure = ['src/b.ts', 'src/deep/c.md', 'src/umlaut.txt', 'run.sh'].map(path => folder.uri(path))
  assert.deepEqual(
    reviews?.slice(1),
    unsure.map(uri => [uri, 'may-be-others']),
  )

  const preview = await checkpoints.preview('c', ['t'])
  assert.ok(preview.every(({ how }) => how === 'conflict'))
  const kept = await checkpoints.restore('c', ['t'], new Set(), never)
  assert.deepEqual([kept.restored, all()], [[], after])
  const wanted = new Set(preview.map(({ uri }) => uri))
  assert.deepEqual((await checkpoints.restore('c', ['t'], wanted, never)).left, [])
  assert.deepEqual(all(), before)
  await changes.keep({ conversation: 'c' })
  assert.deepEqual(changes.unreviewedFiles, [])
  await undo()
})

test('what may be somebody else’s stays where what the agent did after it is taken back', async () => {
  const { folder, recorder, run, checkpoints } = workspace(sample)
  using _ = folder
  const watched = await recorder.begin('c', 't', never)
  watched.late()
  folder.put('a.ts', 'by somebody\n')
  await run("sed -i 's/by/BY/' a.ts", 't2')
  await watched.end()
  await checkpoints.restore('c', ['t', 't2'], new Set(), never)
  assert.equal(folder.text('a.ts'), 'by somebody\n')
  const [left] = await checkpoints.preview('c', ['t', 't2'])
  assert.deepEqual([left?.how, left?.target], ['conflict', sample['a.ts']])
})

test('[A41] what changes while a command goes on in the background is kept, named, and restored only if the user wants it', async () => {
  const { folder, recorder, changes, checkpoints, all } = workspace(sample)
  using _ = folder
  changes.onDidWrite(uri => recorder.exclude(uri))
  const before = all()
  const watched = await recorder.begin('c', 't', never)
  folder.put('run.sh', 'by the command\n')
  assert.deepEqual(
    (await watched.changes()).changed.map(({ path, isLate }) => [path, isLate]),
    [['run.sh', undefined]],
  )
  watched.late()
  const second = await recorder.begin('c', 't2', never)
  execFileSync('sh', ['-c', 'rm -r src; echo new > new.ts; echo x >> a.ts'], { cwd: folder.root })
  await second.end()
  assert.equal((await second.changes()).changed.length, 5, 'another command that ends is more likely to have made it')
  await changes.undo({ conversation: 'c' })
  assert.deepEqual(all(), before)
  execFileSync('sh', ['-c', 'rm -r src; echo new > new.ts; chmod +x run.sh'], { cwd: folder.root })
  const changed = all()
  await watched.end()
  const late = await watched.changes()
  assert.deepEqual(
    late.changed.map(({ path, isLate }) => [path, isLate]),
    ['new.ts', 'run.sh', 'src/b.ts', 'src/deep/c.md', 'src/umlaut.txt'].map(path => [path, true]),
  )
  assert.deepEqual(changes.openFiles('c'), [], 'nobody is asked to review it')
  assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
  assert.deepEqual(all(), changed)
  const preview = await checkpoints.preview('c', ['t', 't2'])
  assert.deepEqual(new Set(preview.map(({ how }) => how)), new Set(['conflict']))
  await checkpoints.restore('c', ['t', 't2'], new Set(), never)
  assert.deepEqual(all(), changed)
  const { left } = await checkpoints.restore('c', ['t', 't2'], new Set(preview.map(({ uri }) => uri)), never)
  assert.deepEqual([left, all()], [[], before])
})

for (const how of ['threads', 'slices'] as const) {
  test(`[A41] what a command has changed whose window crashed is known to the next one, in ${how}`, async () => {
    const { folder, recorder, watch, all } = workspace({ ...sample, 'of user.txt': 'one' }, how)
    using _ = folder
    const before = all()
    await recorder.begin('c', 't', never)
    await watch.keep(never)
    folder.put('of user.txt', 'two')
    await watch.forget(uriOf(join(folder.root, 'of user.txt')))
    const own = all()
    execFileSync('sh', ['-c', 'rm -r src; echo new > new.ts; chmod +x run.sh; echo x >> a.ts'], { cwd: folder.root })
    const changed = all()

    const kept = join(folder.top, 'kept')
    assert.deepEqual(await takeLeftIndexes(kept, async () => false, Date.now()), [], 'the window is there')
    const [left, ...more] = await takeLeftIndexes(kept, async note => note.includes('this one'), Date.now())
    assert.ok(left)
    assert.deepEqual([more, await takeLeftIndexes(kept, async () => true, Date.now())], [[], []], 'one window takes it')
    const { changes } = folder.newTools()
    const threads = new TreeThreads({ script: how === 'threads' ? script : undefined, clock: systemClock, size: 1 })
    const next = new ThreadWatch({ threads, folder: left.folder, uriOf, isLeft: true })
    const roots = () => [treeRoot(folder.root)]
    await new CommandRecorder({ watch: next, changes, clock: systemClock, roots }).recordLeft({
      ...{ conversation: 'c', turn: 't', since: 0 },
    })
    next.dispose()
    assert.equal(existsSync(left.folder), false)
    assert.deepEqual(changes.openFiles('c'), [], 'somebody else may have changed it since, so no review is asked for')
    const set = await changes.changeSet('c', 't')
    assert.deepEqual(
      set?.files.map(({ uri, change, review }) => [uri.slice(uriOf(folder.root).length + 1), change, review]).sort(),
      [
        ['a.ts', 'modified', 'may-be-others'],
        ['new.ts', 'created', 'may-be-others'],
        ['run.sh', 'modified', 'may-be-others'],
        ['src/b.ts', 'deleted', 'may-be-others'],
        ['src/deep/c.md', 'deleted', 'may-be-others'],
        ['src/umlaut.txt', 'deleted', 'may-be-others'],
      ],
    )
    const checkpoints = new Checkpoints({ changes, files: folder.files, newId: () => crypto.randomUUID() })
    await checkpoints.restore('c', ['t'], new Set(), never)
    assert.deepEqual(all(), changed)
    const preview = await checkpoints.preview('c', ['t'])
    await checkpoints.restore('c', ['t'], new Set(preview.map(({ uri }) => uri)), never)
    assert.deepEqual(all(), own)
    assert.notDeepEqual(own, before)
  })
}

test('what a window has left that crashed more than a day ago is removed', async () => {
  const { folder, recorder } = workspace(sample)
  using _ = folder
  await recorder.begin('c', 't', never)
  const kept = join(folder.top, 'kept')
  assert.deepEqual(await takeLeftIndexes(kept, async () => true, Date.now() + 25 * 3_600_000), [])
  assert.deepEqual(readdirSync(kept), [])
})

test('nothing is left for the next window when no command runs', async () => {
  const { folder, run } = workspace(sample)
  using _ = folder
  await run('echo x >> a.ts')
  assert.deepEqual(await takeLeftIndexes(join(folder.top, 'kept'), async () => true, Date.now()), [])
})

describe('[A35] [A41] a file that is moved away, or removed and made again, between changes of the agent', () => {
  const steps: Readonly<Record<string, readonly (string | readonly [path: string, from: string, to: string])[]>> = {
    'moved away': [['a.ts', 'two', '2'], 'mv a.ts b.ts', ['b.ts', 'three', '3']],
    'moved onto another one': [['a.ts', 'two', '2'], 'mv a.ts src/b.ts'],
    'moved away and back': [['a.ts', 'two', '2'], 'mv a.ts b.ts', 'mv b.ts a.ts'],
    'exchanged with another one': [['a.ts', 'two', '2'], 'mv a.ts t; mv src/b.ts a.ts; mv t src/b.ts'],
    'removed and made again': [['a.ts', 'two', '2'], 'rm a.ts', 'echo other > a.ts'],
    'removed and made again twice': [
      ...[['a.ts', 'two', '2'] as const, 'rm a.ts', 'echo x > a.ts', ['a.ts', 'x', 'y'] as const],
      ...['rm a.ts', 'echo z > a.ts', ['a.ts', 'z', 'zz'] as const],
    ],
    'moved with its folder': [['src/umlaut.txt', 'Gr', 'gr'], 'mv src lib', ['lib/umlaut.txt', 'gr', 'GR']],
  }
  for (const [name, all] of Object.entries(steps))
    test(name, async () => {
      const { folder, run, watch, changes, checkpoints, all: files } = workspace(sample)
      using _ = folder
      const before = files()
      for (const step of all) {
        if (typeof step === 'string') {
          await run(step)
          continue
        }
        const [path, from, to] = step
        const [uri, text] = [uriOf(join(folder.root, path)), folder.text(path) ?? '']
        const request = {
          conversation: 'c',
          turn: 't',
          uri,
          seen: await contentHash(text),
          text: text.replace(from, to),
        }
        assert.equal((await changes.apply(request, never)).is, 'changed')
        await watch.forget(uri)
      }
      const after = files()
      const { group, ...outcome } = await changes.undo({ conversation: 'c' })
      assert.partialDeepStrictEqual(outcome, { left: 0, hasFailed: false })
      assert.deepEqual([files(), changes.openFiles('c')], [before, []])
      await checkpoints.undo('c', group, new Set(), never)
      assert.deepEqual(files(), after)
      await checkpoints.restore('c', ['t'], new Set(), never)
      assert.deepEqual(files(), before)
    })
})

test('[A35] a turn that is undone before a later one leaves nothing that cannot be undone', async () => {
  const rounds: Readonly<Record<string, (work: ReturnType<typeof workspace>) => Promise<void>>> = {
    'a later turn has removed the file': async ({ run }) => {
      await run('chmod +x a.ts')
      await run("sed -i 's/two/2/' a.ts")
      await run('rm a.ts', 't2')
    },
    'another file had the name': async ({ run, changes, folder }) => {
      await run('mv run.sh a.ts')
      const [uri, to] = ['a.ts', 'run.sh'].map(name => uriOf(join(folder.root, name)))
      assert.ok(uri && to)
      assert.equal((await changes.apply({ conversation: 'c', turn: 't', uri, to }, never)).is, 'changed')
    },
    'a file was made again in the turn': async ({ run }) => {
      await run("sed -i 's/two/2/' a.ts")
      await run('rm a.ts')
      await run('echo new > a.ts')
      await run('echo x >> src/b.ts', 't2')
    },
    'a later turn has written more into the file that it has made': async ({ run }) => {
      await run('echo one > new.sh; chmod +x new.sh')
      await run('echo two >> new.sh', 't2')
    },
    'a later turn has moved the file that it has made': async ({ run }) => {
      await run('echo one > new.ts')
      await run('mv new.ts a.ts', 't2')
    },
    'both have changed the mode': async ({ run }) => {
      await run('chmod 600 a.ts')
      await run('chmod +x a.ts', 't2')
    },
    'it has emptied the file that it has made': async ({ run }) => {
      await run('echo one > new.ts')
      await run('sed -i 1d new.ts')
    },
    'a later turn has changed the mode of the file that it has made': async ({ run }) => {
      await run('echo one > new.sh')
      await run('chmod +x new.sh', 't2')
    },
    'a later turn has changed the mode': async ({ run }) => {
      await run('echo four >> a.ts')
      await run('chmod +x a.ts', 't2')
    },
    'a later turn has emptied the file that it has made in the place of another': async ({ run }) => {
      await run('rm a.ts')
      await run('echo new > a.ts')
      await run('sed -i 1d a.ts', 't2')
    },
    'a later turn has changed the line ends': async ({ run }) => {
      await run('echo four >> a.ts')
      await run("sed -i 's/$/\\r/' a.ts", 't2')
    },
    'a later turn has removed and made the file again': async ({ run }) => {
      await run('echo four >> a.ts')
      await run('rm a.ts', 't2')
      await run('echo new > a.ts', 't2')
      await run('sed -i 1d a.ts', 't2')
    },
  }
  for (const [name, change] of Object.entries(rounds)) {
    const work = workspace(sample)
    using _ = work.folder
    const before = work.all()
    await change(work)
    await work.undo()
    await work.changes.undo({ conversation: 'c' })
    assert.deepEqual([work.all(), work.changes.openFiles('c')], [before, []], name)
  }
})

for (const [name, file, moved] of [
  ['a text', 'of the user\n', 'mv a x'],
  ['a text that goes to another file', 'of the user\n', 'mv a other'],
  ['a text that goes on', 'of the user\n', 'mv a x; sleep 0.02; mv x y'],
] as const)
  test(`[A40] ${name} that a command has moved stays where it is while the user has another file with the old name`, async () => {
    const { folder, run, all, changes, checkpoints } = workspace({ a: file, other: 'other\n' })
    using _ = folder
    const before = all()
    for (const one of moved.split('sleep 0.02;')) await run(one)
    const after = all()
    folder.put('a', 'a new file\n')
    const mine = all()
    const { restored, left } = await checkpoints.restore('c', ['t'], new Set(), never)
    assert.deepEqual([all(), restored, left.length], [mine, [], 2])
    const undone = await changes.undo({ conversation: 'c' })
    assert.deepEqual([all(), undone.taken.length, undone.hasFailed], [mine, undone.left, false])
    assert.notEqual(undone.left, 0)
    rmSync(join(folder.root, 'a'))
    assert.deepEqual(all(), after)
    assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
    assert.deepEqual(all(), before)
  })

for (const [name, command] of [
  ['without text', 'mv image x'],
  ['without text, onto another one', 'mv image other'],
  ['without text, with its folder', 'mkdir new; mv image new/'],
  ['from outside', 'mv ../outer x'],
  ['that was ignored', 'mv a.log x'],
] as const)
  test(`[A40] a file ${name} is nowhere else once a command has moved it, so it stays and is named`, async () => {
    const files = { image: Uint8Array.of(0, 1, 2), other: 'other\n', 'a.log': 'log\n', '.gitignore': '*.log\n' }
    const { folder, run, undo, checkpoints } = workspace(files)
    using _ = folder
    folder.put('../outer', 'of the user\n')
    await run('sleep 0.05', 'earlier')
    const { notRestorable } = await run(command)
    assert.notDeepEqual(notRestorable, [])
    const contents = () => Object.fromEntries(notRestorable.map(path => [path, folder.text(path)]))
    const after = contents()
    await undo()
    assert.deepEqual(contents(), after)
    await checkpoints.restore('c', ['t'], new Set(), never)
    assert.deepEqual(contents(), after)
  })

test('[A41] links and ignored folders that a command has removed or changed are named', async () => {
  const { folder, run } = workspace({ 'a.ts': 'a\n', '.gitignore': 'out/\n', 'out/a.js': 'a\n' })
  using _ = folder
  for (const name of ['one', 'two', 'three']) symlinkSync('a.ts', join(folder.root, name))
  await run('true', 'earlier')
  const { changed, notRestorable } = await run('rm one; ln -sfn .gitignore two; rm -r out')
  assert.deepEqual([changed, notRestorable.toSorted()], [[], ['one', 'out', 'two']])
  assert.deepEqual((await run('mkdir out; rm three; ln -s a.ts three')).notRestorable, [])
})

test('[A40] an empty file that the user has made stays, although the agent had made one of that name', async () => {
  const { folder, run, undo, changes } = workspace(sample)
  using _ = folder
  await run('echo one > new.ts')
  await undo()
  assert.equal(folder.text('new.ts'), undefined)
  folder.put('new.ts', '')
  await run('echo two > new.ts', 't2')
  await changes.undo({ conversation: 'c', turn: 't2' })
  assert.equal(folder.text('new.ts'), '')
})

test('[A35] the user’s own mode stays where a change of the line ends is undone', async () => {
  const { folder, run, undo } = workspace(sample)
  using _ = folder
  await run("sed -i 's/\\r$//' src/b.ts")
  chmodSync(join(folder.root, 'src/b.ts'), 0o755)
  assert.partialDeepStrictEqual(await undo(), { left: 0, hasFailed: false })
  const { mode } = statSync(join(folder.root, 'src/b.ts'))
  assert.deepEqual([folder.text('src/b.ts'), mode & 0o777], [sample['src/b.ts'], 0o755])
})

test('[A41] where the files cannot be looked at, that is said before the command and after it', async () => {
  const { folder, changes } = workspace(sample)
  using _ = folder
  const fails = async () => {
    throw new Error('The thread has ended.')
  }
  const watch = { look: fails, keep: fails, kept: undefined, leave: fails, forget: fails, dispose: () => {} }
  const recorder = new CommandRecorder({ watch, changes, clock: systemClock, roots: () => [treeRoot(folder.root)] })
  assert.equal(await recorder.restorable(never), 'nothing')
  const watched = await recorder.begin('c', 't', never)
  await watched.end()
  const { content } = withCommandChanges({ content: [] }, await watched.changes())
  assert.match(JSON.stringify(content), /What it changed is not known and cannot be undone/)
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

test('what git ignores is not looked at, and neither is what links lead to', async () => {
  const { folder, run } = workspace({ ...sample, '.gitignore': 'out/\n', 'out/a.js': '' })
  using _ = folder
  runGit(folder.root, 'init', '--quiet')
  symlinkSync(join(folder.top, 'nowhere'), join(folder.root, 'link'))
  const { changed, notRestorable } = await run(
    'echo x > out/a.js; ln -sf other link; mkdir -p node_modules/x; echo 1 > node_modules/x/i.js',
  )
  assert.deepEqual([changed, notRestorable], [[], ['link']], 'where a link leads is not put back')
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

test('[A41] a file that git ignores is put back as well, but for what programs write again by themselves', async () => {
  const { folder, run, all, undo } = workspace({
    ...sample,
    '.gitignore': '.env\n*.local.json\n*.log\n.eslintcache\n*.db\n',
    '.env': 'TOKEN=mine\n',
    '.env.example': 'TOKEN=\n',
    'src/dev.local.json': '{"own": true}\n',
    'dev.db': Uint8Array.from([0, 1, 2]),
    '.eslintcache': '1',
    'npm.log': 'one\n',
  })
  using _ = folder
  runGit(folder.root, 'init', '--quiet')
  const before = all()
  const { changed, notRestorable } = await run(
    'cp .env.example .env; rm src/dev.local.json; echo 2 > .eslintcache; echo two > npm.log; echo {} > new.local.json; echo x >> dev.db',
  )
  assert.deepEqual(
    changed.map(({ path, change }) => `${change} ${path}`),
    ['modified .env', 'deleted src/dev.local.json'],
  )
  assert.deepEqual(notRestorable, ['dev.db'])
  assert.partialDeepStrictEqual(await undo(), { left: 0, hasFailed: false })
  for (const path of ['.env', 'src/dev.local.json']) {
    const full = join(folder.root, path)
    assert.equal(all()[full], before[full], path)
  }
  const seen = await run("sed -i '/log/d' .gitignore")
  assert.deepEqual(
    seen.changed.map(({ path }) => path),
    ['.gitignore'],
    'a log that is not ignored any more is not new',
  )
})

test('[A41] a file that becomes a link or a folder, or that is ignored from then on, is not lost', async () => {
  const { folder, run, all, undo } = workspace({ ...sample, 'lib/e.ts': 'const e = 5\n' })
  using _ = folder
  runGit(folder.root, 'init', '--quiet')
  const before = all()
  const { changed, notRestorable } = await run(
    'rm a.ts; ln -s run.sh a.ts; rm src/b.ts; mkdir src/b.ts; echo lib/ > .gitignore; echo changed > lib/e.ts; echo "*.txt" >> .gitignore; echo x > src/umlaut.txt',
  )
  assert.deepEqual(
    changed.map(({ path, change }) => `${change} ${path}`),
    ['created .gitignore', 'deleted a.ts', 'modified lib/e.ts', 'deleted src/b.ts', 'modified src/umlaut.txt'],
  )
  assert.deepEqual(notRestorable, [])
  execFileSync('sh', ['-c', 'rm a.ts; rmdir src/b.ts'], { cwd: folder.root })
  assert.partialDeepStrictEqual(await undo(), { left: 0, hasFailed: false })
  assert.deepEqual(all(), before)
})

test('[A41] a folder that is moved in from outside is new, although its files are old; one that could not be read is not', async () => {
  const { folder, run, all, undo } = workspace(sample)
  using _ = folder
  execFileSync('sh', ['-c', 'mkdir ../other; echo old > ../other/old.txt; touch -d 2020-01-01 ../other/old.txt'], {
    cwd: folder.root,
  })
  await run('sleep 0.05', 'earlier')
  const before = all()
  const { changed } = await run('mv ../other inner')
  assert.deepEqual(
    changed.map(({ path, change }) => `${change} ${path}`),
    ['created inner/old.txt'],
  )
  assert.partialDeepStrictEqual(await undo(), { left: 0, hasFailed: false })
  assert.deepEqual(all(), before)
})

for (const how of ['undo', 'restore'] as const) {
  const back = async ({ changes, checkpoints }: ReturnType<typeof workspace>) => {
    if (how === 'undo') return changes.undo({ conversation: 'c' })
    const planned = await checkpoints.preview('c', ['t'])
    return checkpoints.restore('c', ['t'], new Set(planned.map(({ uri }) => uri)), never)
  }

  test(`[A35] [A39] ${how} does not follow a link that a command has put in the place of a file or a folder`, async () => {
    const work = workspace({ ...sample, 'c.ts': 'const c = 1\n' })
    const { folder, run, all, changes } = work
    using _ = folder
    const before = all()
    const outer = join(folder.top, 'outer')
    const shown = () => readdirSync(outer).map(name => [name, readFileSync(join(outer, name), 'utf8')])
    execFileSync('sh', ['-c', 'mkdir outer; echo theirs > outer/a; printf "const b = 2\\r\\n" > outer/edited.ts'], {
      cwd: folder.top,
    })
    const { read, edit } = folder.newTools()
    await folder.call(read, { path: 'c.ts' })
    await folder.call(edit, { path: 'c.ts', edits: [{ old_text: 'c = 1', new_text: 'c = 2' }] })
    await changes.load('c')
    const untouched = shown()
    await run(
      'sed -i "s/\\r$//" src/b.ts; rm -r src; ln -s ../outer src; rm a.ts; ln -s ../outer/a a.ts; chmod +x run.sh; mv run.sh ../outer/run.sh; ln -s ../outer/run.sh run.sh; mv c.ts ../outer/c.ts; ln -s ../outer/c.ts c.ts',
    )
    const after = shown()
    await back(work)
    assert.deepEqual(shown(), after)
    execFileSync('sh', ['-c', 'rm src a.ts run.sh c.ts; mv ../outer/c.ts ../outer/run.sh .; chmod -x run.sh'], {
      cwd: folder.root,
    })
    await back(work)
    assert.deepEqual(shown(), untouched)
    assert.deepEqual(Object.keys(all()), Object.keys(before))
  })
}

test('[A35] a change that the user has approved through a link is undone through it', async () => {
  const { folder, changes } = workspace({ 'a.ts': 'const a = 1\n' })
  using _ = folder
  execFileSync('sh', ['-c', 'mkdir ../outer; echo theirs > ../outer/a.ts; ln -s ../outer out'], { cwd: folder.root })
  const { read, edit } = folder.newTools()
  await folder.call(read, { path: 'out/a.ts' }, { isApproved: true })
  const change = { path: 'out/a.ts', edits: [{ old_text: 'theirs', new_text: 'ours' }] }
  assert.match(await folder.call(edit, change, { isApproved: true }), /^Edited/)
  assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
  assert.equal(readFileSync(join(folder.top, 'outer/a.ts'), 'utf8'), 'theirs\n')
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
  assert.partialDeepStrictEqual(await undo(), { left: 0, hasFailed: false })
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
