// What commands change in a copy of real code, and how much of it can be undone: C4 and C5.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../../../src/base/clock.ts'
import { CommandRecorder } from '../../../src/core/tools/commandRecorder.ts'
import { ThreadWatch } from '../../../src/node/search/threadWatch.ts'
import { TreeThreads } from '../../../src/node/search/treeThreads.ts'
import { treeRoot } from '../../support/searchedFolder.ts'
import { runGit } from '../../support/temporaryRepository.ts'
import { ToolFolder } from '../../support/toolFolder.ts'
import { median, timed } from '../numbers.ts'
import type { Row } from './rows.ts'

const repository = join(import.meta.dirname, '../../..')
const script = join(repository, 'src/node/search/searchWorker.ts')
const { signal } = new AbortController()

export async function run(): Promise<readonly Row[]> {
  return [await statPass(10_000, 500), await statPass(100_000, 1_500), ...(await restored())]
}

const watchIn = (folder: string) =>
  new ThreadWatch({
    threads: new TreeThreads({ script, clock: systemClock, size: 1 }),
    folder,
    uriOf: path => pathToFileURL(path).href,
  })

async function statPass(files: number, targetMs: number): Promise<Row> {
  const top = mkdtempSync(join(tmpdir(), 'agent-bench-'))
  const perFolder = 50
  for (let at = 0; at < files; at++) {
    const folder = join(top, 'work', `${Math.floor(at / perFolder) % 40}`, `${Math.floor(at / perFolder)}`)
    if (at % perFolder === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${at}.ts`), `line ${at}\n`)
  }
  const watch = watchIn(join(top, 'kept'))
  const roots = [treeRoot(join(top, 'work'))]
  await watch.look(roots, signal)
  const times: number[] = []
  const plain: number[] = []
  for (let round = 0; round < 5; round++) {
    times.push(await timed(async () => void (await watch.look(roots, signal))))
    plain.push(await timed(async () => void execFileSync('find', [top, '-printf', '%s %T@'], { maxBuffer: 1e9 })))
  }
  watch.dispose()
  rmSync(top, { recursive: true })
  const ms = median(times)
  return {
    id: 'C4',
    metric: `look at ${files.toLocaleString('en-US')} files before a command, in a thread`,
    target: `< ${targetMs / 1_000} s`,
    measured: `${(ms / 1_000).toFixed(2)} s (find takes ${(median(plain) / 1_000).toFixed(2)} s)`,
    isMet: ms < targetMs,
  }
}

/** As an agent would run them, in a copy of the sources of this repository. */
const commands: readonly string[] = [
  "find src -name '*.ts' -exec sed -i 's/readonly //' {} +",
  "find src -name '*.ts' -exec sed -i 's/$/\\r/' {} +",
  'mv src/core src/heart',
  'rm -rf src/webview',
  'git checkout --quiet other',
  'for i in $(seq 200); do echo "export const a$i = $i" > src/generated$i.ts; done',
  'cat package.json | tr -d " " > package.tmp && mv package.tmp package.json',
  "find src -name '*.css' -o -name '*.tsx' | xargs chmod 600",
  'tar cf all.tar src && rm -r src && tar xf all.tar && rm all.tar',
  'head -c 3000 /dev/urandom > media.bin; echo x >> README.md',
  'head -c 3000000 /dev/zero | tr "\\0" x > large.txt',
  'echo more >> picture.png; echo more >> README.md',
]

async function restored(): Promise<Row[]> {
  let [all, same, unnamed] = [0, 0, 0]
  for (const command of commands) {
    using folder = new ToolFolder()
    prepare(folder.root)
    const before = contents(folder.root)
    const watch = watchIn(join(folder.top, 'kept'))
    const { changes } = folder.newTools()
    const roots = () => [treeRoot(folder.root)]
    const recorder = new CommandRecorder({ watch, changes, clock: systemClock, roots })
    const watched = await recorder.begin('c', 't', signal)
    execFileSync('sh', ['-c', command], { cwd: folder.root })
    const changed = differences(before, contents(folder.root))
    await watched.end()
    const { notRestorable } = await watched.changes()
    await changes.undo({ conversation: 'c' })
    const left = differences(before, contents(folder.root))
    all += changed.length
    same += changed.length - left.length
    unnamed += left.filter(path => !notRestorable.includes(path)).length
    watch.dispose()
  }
  const part = (100 * same) / all
  const measured = `${part.toFixed(1)} % of ${all.toLocaleString('en-US')} files`
  const what = `files changed by ${commands.length} commands`
  return [
    { id: 'C5', metric: `${what}: restored byte for byte`, target: '≥ 95 %', measured, isMet: part >= 95 },
    {
      id: 'C5',
      metric: `${what}: not restored and not named`,
      target: '0',
      measured: `${unnamed}`,
      isMet: unnamed === 0,
    },
  ]
}

function prepare(folder: string): void {
  for (const name of ['src', 'package.json', 'README.md']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  }
  writeFileSync(
    join(folder, 'picture.png'),
    Uint8Array.from({ length: 500 }, (_, at) => at % 256),
  )
  runGit(folder, 'init', '--quiet', '--initial-branch=main')
  runGit(folder, 'add', '--all')
  runGit(folder, 'commit', '--quiet', '--message=one')
  runGit(folder, 'checkout', '--quiet', '-b', 'other')
  execFileSync('sh', ['-c', "find src/core -name '*.ts' -exec sed -i '1d' {} +"], { cwd: folder })
  runGit(folder, 'commit', '--quiet', '--all', '--message=two')
  runGit(folder, 'checkout', '--quiet', 'main')
}

function contents(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const own = paths.map(path => path.slice(folder.length + 1)).filter(path => !path.startsWith('.git/'))
  return new Map(own.map(path => [path, readFileSync(join(folder, path)).toString('latin1')]))
}

function differences(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter(path => before.get(path) !== now.get(path))
}
