// Protected files while a command runs in the real sandbox: what the command makes goes, what others write stays.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import type { CommandEnd } from '../../../src/core/tools/commandPorts.ts'
import { stateText } from '../../../src/core/tools/commandReport.ts'
import { CommandRun } from '../../../src/core/tools/commandRuns.ts'
import { guardedPaths } from '../../../src/node/commands/guardedPaths.ts'
import { endLeftCommands } from '../../../src/node/commands/leftCommands.ts'
import { Sandbox } from '../../../src/node/commands/sandbox.ts'
import { CommandTools } from '../../support/commandTools.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const places = { roots: () => [], hidden: () => [] }
const holds = await new Sandbox({ folder: tmpdir(), places }).holds()
const skip = holds ? false : 'this machine has no sandbox that holds'

const start = (tools: CommandTools, command: string, signal?: AbortSignal) =>
  tools.runs.start('c', { command, folder: tools.folder, isSandboxed: true }, signal)

async function ended(tools: CommandTools, command: string): Promise<CommandEnd> {
  return (await start(tools, command)).whenEnded
}

/** Once the command has written something, does this, lets the command end, and returns what is reported. */
async function meanwhile(tools: CommandTools, command: string, work: () => unknown) {
  const run = await start(tools, `${command}; echo begun; while [ ! -e done ]; do sleep 0.02; done`)
  await begun(run)
  await work()
  put(tools, 'done', '')
  const { guard } = await run.whenEnded
  return guard && { ...guard, left: guard.left.toSorted() }
}

const begun = (run: CommandRun) =>
  new Promise<void>(resolve => {
    if (run.liveText.includes('begun')) resolve()
    run.onOutput(({ settled }) => settled.includes('begun') && resolve())
  })

function put(tools: CommandTools, path: string, text: string): void {
  mkdirSync(join(tools.folder, path, '..'), { recursive: true })
  writeFileSync(join(tools.folder, path), text)
}

/** As programs and editors save: another file takes the name. */
function replace(tools: CommandTools, path: string, text: string): void {
  put(tools, `${path}.new`, text)
  renameSync(join(tools.folder, `${path}.new`), join(tools.folder, path))
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 500; tries++) await new Promise(resolve => setTimeout(resolve, 10))
}

const textOf = (tools: CommandTools, path: string) => readFileSync(join(tools.folder, path), 'utf8')
const namesOf = (end: CommandEnd['guard']) => end?.taken.map(({ name }) => name).toSorted()

describe('[A65] what others write while a command runs in the sandbox', { skip }, () => {
  test('stays as they have written it, and is named where the command could have written it after them', async context => {
    const tools = new CommandTools(context)
    for (const path of ['package.json', 'package-lock.json', '.env', '.git/HEAD', 'app/pyproject.toml'])
      put(tools, path, 'before')
    const guard = await meanwhile(tools, 'true', () => {
      for (const path of ['package.json', 'package-lock.json', '.env', 'app/pyproject.toml'])
        replace(tools, path, 'of the user')
      put(tools, '.git/index', 'of git')
      put(tools, 'notes.pem', 'of the user')
    })
    assert.deepEqual(guard, {
      taken: [],
      left: ['.env', 'app/pyproject.toml', 'package-lock.json', 'package.json'],
      isKnown: true,
    })
    for (const path of ['package.json', 'package-lock.json', '.env', 'app/pyproject.toml', 'notes.pem'])
      assert.equal(textOf(tools, path), 'of the user', path)
  })

  test('stays where they have made it, if they are known: the agent, the user in the editor, a command outside', async context => {
    const tools = new CommandTools(context)
    const known = await meanwhile(tools, 'true', async () => {
      put(tools, '.github/workflows/ci.yml', 'by the agent, which was asked')
      await tools.commands.noteWritten(join(tools.folder, '.github/workflows/ci.yml'))
      put(tools, '.envrc', 'by the user')
      await tools.commands.noteWritten(join(tools.folder, '.envrc'))
    })
    assert.deepEqual(known, { taken: [], left: [], isKnown: true })
    const outside = await meanwhile(tools, 'rm -f done', async () => {
      const other = await tools.runs.start('c', {
        command: 'echo {} > package.json; echo x > Makefile; touch package-lock.json',
        folder: tools.folder,
      })
      await other.whenEnded
    })
    assert.deepEqual(outside, { taken: [], left: ['Makefile'], isKnown: true })
    assert.equal(textOf(tools, 'Makefile'), 'x\n')
  })
})

describe('[T45] a secret file that comes while a command runs in the sandbox', { skip }, () => {
  const reading = 'echo begun; while [ ! -e done ]; do cat .env.local .env 2>/dev/null; sleep 0.02; done'

  test('stops one in the background, where it is new and where it is saved in the place of another', async context => {
    for (const save of [put, replace])
      for (const path of save === put ? ['server.pem', 'notes.txt'] : ['.env']) {
        const tools = new CommandTools(context)
        put(tools, '.env', 'before')
        const run = await start(tools, reading)
        run.moveToBackground()
        await begun(run)
        save(tools, path, '-----BEGIN OPENSSH PRIVATE KEY-----\n')
        const { signal, guard } = await run.whenEnded
        assert.deepEqual([signal, guard?.secret, guard?.taken], ['SIGTERM', path, []])
        assert.match(stateText(run, 'ended'), /It was stopped, because "[^"]+" was made or replaced while it ran/)
        assert.ok(existsSync(join(tools.folder, path)))
      }
  })

  test('stops one that is waited for only where somebody else has made it', async context => {
    const tools = new CommandTools(context)
    const own = await ended(tools, 'echo x > server.pem; sleep 0.7')
    assert.deepEqual([own.exitCode, own.guard?.secret], [0, undefined])
    const run = await start(tools, reading)
    await begun(run)
    put(tools, '.env.local', 'of the user')
    await tools.commands.noteWritten(join(tools.folder, '.env.local'))
    assert.equal((await run.whenEnded).guard?.secret, '.env.local')
  })

  test('stops none where a hidden file is only moved', async context => {
    const tools = new CommandTools(context)
    put(tools, 'a/server.pem', 'canary')
    const run = await start(tools, 'mv a b; sleep 0.7; cat b/server.pem 2>/dev/null; echo end')
    run.moveToBackground()
    assert.deepEqual([(await run.whenEnded).guard?.secret, run.liveText], [undefined, 'end\n'])
  })
})

describe('[T50] what a command makes in the sandbox that something would run', { skip }, () => {
  test('is taken away wherever it is, kept, and can be put back', async context => {
    const tools = new CommandTools(context, { processClock: new FakeClock() })
    const { guard } = await ended(
      tools,
      [
        'mkdir -p dist/inner build src app',
        'git init -q dist; git -C dist config core.fsmonitor "touch /tmp/ran"; git init -q build/deep',
        'mkdir dist/inner/.vscode; echo x > dist/inner/.vscode/tasks.json',
        'git init -q --bare src/data; git -C src/data config core.worktree ..',
        'mkdir -p app/node_modules/eslint app/env; echo x > app/node_modules/eslint/index.js; touch app/env/pyvenv.cfg',
        'echo x > app/.eslintrc.json; echo x > conftest.py; echo key > server.pem; echo {} > app/package.json',
      ].join('\n'),
    )
    assert.deepEqual(namesOf(guard), [
      ...['app/.eslintrc.json', 'app/env', 'app/node_modules', 'build/deep/.git', 'conftest.py', 'dist/.git'],
      ...['dist/inner/.vscode', 'src/data'],
    ])
    for (const { path } of guard?.taken ?? []) assert.equal(existsSync(path), false, path)
    for (const path of ['server.pem', 'app/package.json']) assert.ok(existsSync(join(tools.folder, path)), path)
    const [first] = guard?.taken.filter(({ name }) => name === 'conftest.py') ?? []
    assert.ok(first)
    await tools.commands.dispose()
    assert.equal(await tools.commands.putBack(first), true)
    assert.equal(textOf(tools, 'conftest.py'), 'x\n')
    assert.equal(await tools.commands.putBack(first), false)
  })

  test('ends the command at once where the editor would act on it', async context => {
    const tools: CommandTools = new CommandTools(context, {
      places: {
        watch: onMade => {
          const watcher = watch(join(tools.folder, 'inner'), onMade)
          return { dispose: () => watcher.close() }
        },
      },
      processClock: new FakeClock(),
    })
    mkdirSync(join(tools.folder, 'inner'))
    const run = await start(tools, 'cd inner && mkdir .git && sleep 60')
    await until(() => !existsSync(join(tools.folder, 'inner/.git')) && run.end !== undefined)
    assert.deepEqual([namesOf(run.end?.guard), run.end?.signal], [['inner/.git'], 'SIGTERM'])
  })

  test('ends the command soon, also where a folder is moved in with it, or where it is a repository by its contents', async context => {
    for (const command of [
      'mkdir -p x/deep/.git && mv x/deep y && mv y z && echo hi > z/read.me',
      'mkdir -p x/objects x/refs && touch x/HEAD && mv x y',
      'mkdir -p dist/deep && touch dist/deep/HEAD && cd dist/deep && mkdir objects refs',
      'echo "root = true" > x && mv x conftest.py',
    ]) {
      const tools = new CommandTools(context)
      const { guard, signal, exitCode } = await ended(tools, `${command} && sleep 60`)
      assert.deepEqual([namesOf(guard)?.length, signal, exitCode], [1, 'SIGTERM', undefined], command)
    }
  })

  test('is gone when the window that ends has stopped the command', async context => {
    const tools = new CommandTools(context)
    const run = await start(tools, 'mkdir -p inner/.git; echo begun; sleep 60')
    await begun(run)
    await tools.runs.end()
    assert.deepEqual(readdirSync(join(tools.folder, 'inner')), [])
  })

  test('is reported as unknown where there are too many files to look for it', async context => {
    const tools = new CommandTools(context)
    for (const name of ['a', 'b', 'c']) put(tools, name, '')
    assert.equal(await guardedPaths(tools.folder, { mostEntries: 2 }), undefined)
    const started = await tools.commands.start({ command: 'true', folder: tools.folder })
    const guard = { taken: [], left: [], isKnown: false }
    const end = started.end.then(one => ({ ...one, guard }))
    const { output, onOutput, gone } = started
    const reporting = { output, onOutput, gone, end, hides: () => false, stop: () => started.stop() }
    const run = new CommandRun(1, { command: 'true', folder: tools.folder }, reporting, systemClock, () => {})
    await run.whenEnded
    assert.match(stateText(run, 'ended'), /so many files now that it is not known whether protected ones/)
  })
})

describe('[T50] packages in the sandbox', { skip }, () => {
  test('are read and not changed, but for what programs keep there while they run', async context => {
    const tools = new CommandTools(context)
    put(tools, 'node_modules/eslint/index.js', 'before')
    put(tools, 'node_modules/.vite/deps/a.js', 'before')
    const run = await start(
      tools,
      'cat node_modules/eslint/index.js; echo x > node_modules/eslint/index.js; echo x > node_modules/new.js; echo x > node_modules/.vite/deps/a.js; echo x > node_modules/.cache/b',
    )
    await run.whenEnded
    assert.equal(textOf(tools, 'node_modules/eslint/index.js'), 'before')
    assert.equal(textOf(tools, 'node_modules/.vite/deps/a.js'), 'x\n')
    assert.deepEqual(readdirSync(join(tools.folder, 'node_modules')).toSorted(), ['.cache', '.vite', 'eslint'])
  })
})

describe('[A65] the folders that are made for a command', { skip }, () => {
  const ours = (folder: string) => ['.git', '.vscode'].filter(name => existsSync(join(folder, name)))

  test('[T50] what a command has made in a window that crashed is taken away by the next one, and nothing that came later', async context => {
    const tools = new CommandTools(context)
    put(tools, 'package.json', '{}')
    const windows = join(tools.storage, 'windows')
    const crash = async (name: string, clock = new FakeClock()) => {
      const places = { roots: () => [tools.folder], hidden: () => [] }
      const crashed = new Sandbox({ folder: join(windows, name), places, clock })
      context.after(() => crashed.dispose())
      await crashed.enter('/bin/sh', [], tools.folder)
      for (const path of ['x/.git/HEAD', 'y/.git/config', 'Makefile', 'plain.txt']) put(tools, path, 'x')
      const dead = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim()
      const record = { owner: { id: Number(dead), start: '1' }, groups: [] }
      writeFileSync(join(windows, name, 'groups.json'), JSON.stringify(record))
    }
    await crash('w1')
    const taken = await endLeftCommands(windows, systemClock)
    assert.deepEqual(taken.map(({ name }) => name).toSorted(), ['Makefile', 'x/.git', 'y/.git'])
    for (const path of ['x/.git', 'y/.git', 'Makefile', '.git'])
      assert.equal(existsSync(join(tools.folder, path)), false, path)
    for (const path of ['plain.txt', 'package.json']) assert.ok(existsSync(join(tools.folder, path)), path)

    await crash('w2')
    const long = new Date(Date.now() - 60_000)
    for (const name of readdirSync(join(windows, 'w2'))) utimesSync(join(windows, 'w2', name), long, long)
    assert.deepEqual(await endLeftCommands(windows, systemClock), [])
    assert.ok(existsSync(join(tools.folder, 'x/.git')))
  })

  test('go when it cannot be entered, when it is stopped before it starts, and after a crash', async context => {
    const tools = new CommandTools(context)
    const abort = new AbortController()
    await tools.commands.hasSandbox()
    const starting = start(tools, 'echo ran > ran', abort.signal)
    abort.abort()
    await assert.rejects(starting)
    assert.deepEqual([ours(tools.folder), existsSync(join(tools.folder, 'ran'))], [[], false])

    const broken = new Sandbox({
      folder: join(tools.storage, 'w1'),
      places: {
        roots: () => [tools.folder],
        hidden: () => {
          throw new Error('no storage')
        },
      },
    })
    await assert.rejects(broken.enter('/bin/sh', [], tools.folder), /no storage/)
    assert.deepEqual(ours(tools.folder), [])

    const windows = join(tools.storage, 'windows')
    const crashed = new Sandbox({
      folder: join(windows, 'w2'),
      places: { roots: () => [tools.folder], hidden: () => [] },
    })
    await crashed.enter('/bin/sh', [], tools.folder)
    context.after(() => crashed.dispose())
    assert.deepEqual(ours(tools.folder), ['.git', '.vscode'])
    put(tools, '.vscode/settings.json', '{}')
    const dead = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim()
    writeFileSync(
      join(windows, 'w2/groups.json'),
      JSON.stringify({ owner: { id: Number(dead), start: '1' }, groups: [] }),
    )
    await endLeftCommands(windows, systemClock)
    assert.deepEqual(ours(tools.folder), ['.vscode'], 'what has something in it is the user’s')
    rmSync(join(tools.folder, '.vscode'), { recursive: true })
  })
})
