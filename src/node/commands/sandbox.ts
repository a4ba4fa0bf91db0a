// `Sandbox`: the system's own sandbox for commands, which is used only where a probe has shown that it holds.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { lazy } from '../../base/lazy.ts'
import type { GuardReport } from '../../core/tools/commandPorts.ts'
import {
  bubblewrapArguments,
  type GuardGlobs,
  guardedRootFolders,
  noGlobs,
  reopenedFolders,
  type SandboxPolicy,
  seatbeltProfile,
  secretHomePaths,
  systemFolders,
} from '../../core/tools/sandboxPolicy.ts'
import { socketFilter } from '../../core/tools/socketFilter.ts'
import { hasSecretHead } from '../../core/workspace/exclude.ts'
import { GitHistory } from './gitHistory.ts'
import { type GuardCache, type GuardedPath, guardedPaths, MOST_ENTRIES_AT_END } from './guardedPaths.ts'
import { GuardedRun } from './guardedRun.ts'
import { GuardNote } from './guardNote.ts'
import { KeyFiles } from './keyFiles.ts'
import { MadeFolders } from './madeFolders.ts'
import { readableFolders, repositoriesAbove } from './readableFolders.ts'
import { RepeatedLook } from './repeatedLook.ts'
import { TakenFiles } from './takenFiles.ts'

export interface SandboxPlaces {
  /** The folders of the workspace. */
  roots(): readonly string[]
  /** What no command may read, such as our own storage; it may not exist. */
  hidden(): readonly string[]
  /** What the user has set for the files of a folder of the workspace. */
  globs?(root: string): GuardGlobs
  /** Reports that something has come into being in the workspace, until it is disposed. */
  watch?(onMade: () => void): Disposable
}

/** How a program is started inside. */
export interface Entered {
  readonly path: string
  readonly args: readonly string[]
  /** Calls `stop` when the command has made what something would run; that is taken away before. */
  watch(stop: () => void): void
  /** Whether the path, as it is written inside, leads to something that is not shown there. */
  hides(path: string): boolean
  /** What git keeps of the history of a repository. */
  readonly hidesHistory: boolean
  /** Nobody waits for the command any more. */
  moveToBackground(): void
  /** Called once, when the command has ended or was not started: takes away what it has made in protected places. */
  leave(): Promise<GuardReport>
}

export interface SandboxOptions {
  /** Of this window. */
  readonly folder: string
  readonly places: SandboxPlaces
  readonly taken?: TakenFiles
  /** Of the looks while a command runs. */
  readonly clock?: Clock
  /** For a test. */
  readonly program?: string | undefined
  /** Where programs are found. */
  readonly searchPath?: string | undefined
}

/** How long the probe may take. */
const PROBE_MS = 10_000
/** More guarded paths than these do not fit on the command line of `bwrap`. */
const MAX_GUARDED = 1_000
const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']
const OWN = 'own'
const FILTER = 'filter'
const SEATBELT = '/usr/bin/sandbox-exec'
/** Programs of the system on NixOS, in a folder that is hidden otherwise. */
const RUN_PROGRAMS = ['/run/current-system', '/run/wrappers', '/run/opengl-driver']

export class Sandbox {
  readonly #folder: string
  readonly #clock: Clock
  readonly #places: SandboxPlaces
  readonly #program: string | undefined
  readonly #searchPath: string
  readonly #takenFiles: TakenFiles
  readonly #keys = new KeyFiles()
  readonly #history = new GitHistory()
  readonly #made: MadeFolders
  readonly #runs = new Set<GuardedRun>()
  /** With the folder for commands, and what no command comes to. */
  #temporary: Promise<string> | undefined

  /** Resolves with whether the mode may be offered. */
  readonly holds: () => Promise<boolean>

  constructor({
    folder,
    places,
    taken,
    clock = systemClock,
    program = sandboxProgram(),
    searchPath = '',
  }: SandboxOptions) {
    this.#folder = folder
    this.#clock = clock
    this.#made = new MadeFolders(folder)
    this.#places = places
    this.#program = program
    this.#searchPath = searchPath
    this.#takenFiles = taken ?? new TakenFiles(join(folder, 'taken'))
    this.holds = lazy(() => this.#probe())
  }

  /** A file was written by somebody who is known: no command in the sandbox has made it. */
  async noteWritten(path: string): Promise<void> {
    if (this.#runs.size === 0) return
    const parent = await realpath(dirname(path)).catch(() => dirname(path))
    for (const run of this.#runs) run.noteWritten(join(parent, basename(path)))
  }

  /** A command runs outside. */
  noteCompany(): void {
    for (const run of this.#runs) run.noteCompany()
  }

  /** Undefined where the workspace cannot be guarded. */
  async enter(program: string, args: readonly string[], folder: string): Promise<Entered | undefined> {
    if (!this.#program) return undefined
    const roots = await realPaths(this.#places.roots())
    const made: string[] = []
    try {
      // Only what exists can be guarded.
      await this.#made.make(
        roots.flatMap(root => guardedRootFolders.map(name => join(root, name))),
        made,
      )
      const before = await this.#guardedIn(roots)
      if (before && before.length <= MAX_GUARDED)
        return await this.#entered({ roots, before, made }, { program, args, folder })
    } catch (fault) {
      await this.#made.remove(made)
      throw fault
    }
    await this.#made.remove(made)
    return undefined
  }

  async dispose(): Promise<void> {
    const temporary = await this.#temporary?.catch(() => undefined)
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true }).catch(() => {})
  }

  async #entered({ roots, before, made }: Guarded, { program, args, folder }: Started): Promise<Entered> {
    const reopened = await this.#reopen(made, before)
    const policy = await this.#policy(roots, before, program, reopened)
    const objects = await this.#secretObjects(policy, before)
    const hiddenFolders = [...policy.hiddenFolders, ...objects]
    const cache: GuardCache = new Map()
    const run = await GuardedRun.begin({
      ...{ roots, before, taken: this.#takenFiles },
      look: () => this.#guardedIn(roots, MOST_ENTRIES_AT_END),
      lookAgain: () => this.#guardedIn(roots, MOST_ENTRIES_AT_END, cache),
    })
    const noted = roots.map(path => ({ path, globs: this.#places.globs?.(path) ?? noGlobs }))
    const note = await GuardNote.write(this.#clock, this.#folder, { roots: noted, before })
    this.#runs.add(run)
    let watching: Disposable | undefined
    let looking: RepeatedLook | undefined
    return {
      ...this.#started({ ...policy, hiddenFolders }, program, args, folder),
      hidesHistory: objects.length > 0,
      moveToBackground: () => run.moveToBackground(),
      hides: path => isHidden(policy, resolve(folder, path.replace(/^~(?=\/)/, policy.home))),
      watch: stop => {
        const look = new RepeatedLook(this.#clock, async () => {
          await note.touch()
          await run.check(stop)
        })
        watching = this.#places.watch?.(() => look.now())
        looking = look
      },
      leave: async () => {
        watching?.dispose()
        await looking?.end()
        const report = await run.end()
        this.#runs.delete(run)
        await this.#made.remove(made)
        await note.remove()
        return report
      },
    }
  }

  #started(policy: SandboxPolicy, program: string, args: readonly string[], folder: string) {
    const path = this.#program ?? ''
    if (path === SEATBELT) {
      const own = ['-p', seatbeltProfile(policy), '/usr/bin/env', `TMPDIR=${policy.temporary}`]
      return { path, args: [...own, program, ...args] }
    }
    const own = bubblewrapArguments(policy, folder, RUN_PROGRAMS.filter(existsSync))
    const filter = join(dirname(policy.temporary), FILTER)
    if (!existsSync(filter)) return { path, args: [...own, program, ...args] }
    const inherit = 'exec 3<"$0" && exec "$@"'
    return { path: '/bin/sh', args: ['-c', inherit, filter, path, '--seccomp', '3', ...own, program, ...args] }
  }

  async #policy(
    roots: readonly string[],
    guarded: readonly GuardedPath[],
    program: string,
    reopened: readonly string[] = [],
  ): Promise<SandboxPolicy> {
    const home = await realpath(homedir()).catch(() => homedir())
    const around = await this.#repositories(roots, home)
    const repositories = around.map(({ path }) => path)
    const readable = await readableFolders(roots, { home, searchPath: this.#searchPath, program, repositories })
    const secret = [...secretHomePaths.map(path => join(home, path)), ...this.#places.hidden(), ...interop()]
    const hidden = [
      ...(await kindsOf(await realPaths(secret))),
      ...[...guarded, ...around.flatMap(({ secrets }) => secrets)].filter(({ guard }) => guard === 'hidden'),
      ...(await tokensIn(readable)),
    ]
    return {
      ...{ temporary: join(await this.#ownTemporary(), OWN), home, readable, writable: roots, reopened },
      guarded: await guardedPlaces(guarded, roots),
      hiddenFolders: hidden.filter(({ isFolder }) => isFolder).map(({ path }) => path),
      hiddenFiles: hidden.filter(({ isFolder }) => !isFolder).map(({ path }) => path),
    }
  }

  /** In every repository that is shown. */
  async #secretObjects({ readable, writable }: SandboxPolicy, guarded: readonly GuardedPath[]) {
    const named = guarded.filter(({ isFolder, target }) => isFolder || target !== undefined).map(({ path }) => path)
    const folders = await realPaths([...named, ...readable.flatMap(path => [path, join(path, '.git')])])
    const globs = writable.flatMap(root => this.#places.globs?.(root).excluded ?? [])
    return this.#history.secretObjects(folders, globs)
  }

  /** The repositories that the folders of the workspace are a part of, with what is secret there. */
  async #repositories(roots: readonly string[], home: string) {
    const found = await repositoriesAbove(roots, home)
    const all = await Promise.all(
      found.map(async path => {
        const secrets = await guardedPaths(path, { except: roots, keys: this.#keys })
        return secrets && secrets.length <= MAX_GUARDED ? { path, secrets } : undefined
      }),
    )
    return all.filter(one => one !== undefined)
  }

  #ownTemporary(): Promise<string> {
    this.#temporary ??= mkdtemp(join(tmpdir(), 'kourier-sandbox-')).then(async made => {
      const folder = await realpath(made)
      await mkdir(join(folder, OWN))
      const filter = socketFilter(process.arch)
      if (filter) await writeFile(join(folder, FILTER), filter)
      return folder
    })
    return this.#temporary
  }

  async #guardedIn(
    roots: readonly string[],
    mostEntries?: number,
    cache?: GuardCache,
  ): Promise<readonly GuardedPath[] | undefined> {
    const found = await Promise.all(
      roots.map(root => {
        const globs = this.#places.globs?.(root)
        return guardedPaths(root, {
          ...{ keys: this.#keys, ...(globs && { globs }) },
          ...{ ...(mostEntries && { mostEntries }), ...(cache && { cache }) },
        })
      }),
    )
    return found.includes(undefined) ? undefined : found.flatMap(one => one ?? [])
  }

  /** In the folders of packages, what programs write there while they run. Those that are links are left closed. */
  async #reopen(made: string[], guarded: readonly GuardedPath[]): Promise<readonly string[]> {
    const packages = guarded.filter(({ path, isFolder }) => isFolder && basename(path) === 'node_modules')
    const paths = packages.flatMap(({ path }) => reopenedFolders.map(name => join(path, name)))
    await this.#made.make(paths, made)
    const found = await Promise.all(paths.map(path => lstat(path).catch(() => undefined)))
    return paths.filter((_, at) => found[at]?.isDirectory())
  }

  /** A harmless command inside, which tries what must fail. What has failed is seen from outside. */
  async #probe(): Promise<boolean> {
    if (!this.#program) return false
    const folder = await mkdtemp(join(homedir(), '.kourier-probe-')).then(
      path => realpath(path),
      () => undefined,
    )
    if (folder === undefined) return false
    let connections = 0
    const count = (socket: Socket) => {
      connections++
      socket.destroy()
    }
    const [server, service] = [createServer(count), createServer(count)]
    try {
      await mkdir(join(folder, 'work', '.vscode'), { recursive: true })
      await listening(server, 0, '127.0.0.1')
      await listening(service, join(folder, 'work', SERVICE))
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      const report = await this.#tried(folder, port)
      const isWritten = await readFile(join(folder, 'work', 'inside'), 'utf8').catch(() => '')
      const hasEscaped = existsSync(join(folder, 'outside')) || existsSync(join(folder, 'work', '.vscode', 'x'))
      return isWritten.trim() === 'inside' && !hasEscaped && connections === 0 && report === 'kept\ndone'
    } catch {
      return false
    } finally {
      server.close()
      service.close()
      await rm(folder, { recursive: true, force: true }).catch(() => {})
    }
  }

  async #tried(folder: string, port: number): Promise<string> {
    const [work, near] = [join(folder, 'work'), join(folder, 'near')]
    await writeFile(join(work, '.env'), 'key')
    await writeFile(near, 'key')
    const policy = await this.#policy([work], (await guardedPaths(work)) ?? [], process.execPath)
    const script = [
      'echo inside > inside',
      '{ echo x > ../outside; } 2>/dev/null && echo wrote',
      '{ echo x > .vscode/x; } 2>/dev/null && echo wrote',
      'cat ../near 2>/dev/null',
      'cat .env 2>/dev/null',
      '[ -s /proc/net/route ] && sed 1d /proc/net/route',
      `[ -x /bin/bash ] && /bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null && echo connected`,
      // It has to be seen that a program is kept from the socket of a service, and not that there is no program.
      `"${process.execPath}" -e "process.getBuiltinModule('net').connect('${SERVICE}').on('connect',()=>console.log('connected')).on('error',()=>console.log('kept'))"`,
      'echo done',
    ].join('\n')
    const { path, args } = this.#started(policy, '/bin/sh', ['-c', script], work)
    return new Promise((resolve, reject) => {
      const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
      execFile(path, args, { cwd: work, env, timeout: PROBE_MS }, (fault, output) =>
        fault ? reject(fault) : resolve(output.trim()),
      )
    })
  }
}

const SERVICE = 'service'

function listening(server: Server, ...where: [number, string] | [string]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    if (where.length === 1) server.listen(where[0], resolve)
    else server.listen(where[0], where[1], resolve)
  })
}

function sandboxProgram(): string | undefined {
  if (process.platform === 'darwin') return existsSync(SEATBELT) ? SEATBELT : undefined
  return process.platform === 'linux' ? BUBBLEWRAP.find(existsSync) : undefined
}

/** What starts the programs of Windows in WSL, which nothing of Linux can keep from anything. */
function interop(): readonly string[] {
  return existsSync('/proc/sys/fs/binfmt_misc/WSLInterop') ? ['/init'] : []
}

interface Guarded {
  readonly roots: readonly string[]
  readonly before: readonly GuardedPath[]
  /** What was made for it. */
  readonly made: string[]
}

interface Started {
  readonly program: string
  readonly args: readonly string[]
  readonly folder: string
}

/** It is there, or could be, and not in what is shown. */
function isHidden({ readable, writable }: SandboxPolicy, path: string): boolean {
  const shown = [...systemFolders, ...readable, ...writable, '/dev', '/proc']
  if (path === '/' || shown.some(folder => `${path}/`.startsWith(`${folder}/`))) return false
  return existsSync(path) || (dirname(path) !== '/' && existsSync(dirname(path)))
}

/** Of a link, what it leads to, where a command could write that. */
async function guardedPlaces(all: readonly GuardedPath[], roots: readonly string[]): Promise<readonly string[]> {
  const guarded = all.filter(({ guard }) => guard === 'guarded')
  const plain = guarded.filter(({ target }) => target === undefined).map(({ path }) => path)
  const linked = await realPaths(guarded.filter(({ target }) => target !== undefined).map(({ path }) => path))
  const inside = linked.filter(path => roots.some(root => path.startsWith(`${root}/`)))
  return [...plain, ...inside.filter(path => !plain.includes(path))]
}

/** The configurations of git with a password in folders that are read although they are not of the workspace. */
async function tokensIn(folders: readonly string[]) {
  const files = folders.filter(path => path.includes('/.git')).map(path => join(path, 'config'))
  const texts = await Promise.all(files.map(path => readFile(path, 'utf8').catch(() => '')))
  // As the file would be named in a workspace.
  const found = files.filter((_, at) => hasSecretHead('.git/config', texts[at] ?? ''))
  return found.map(path => ({ path, isFolder: false }))
}

/** Those that exist. */
async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(path => realpath(path).catch(() => undefined)))
  return [...new Set(real.filter(path => path !== undefined))]
}

function kindsOf(paths: readonly string[]) {
  return Promise.all(paths.map(async path => ({ path, isFolder: (await stat(path)).isDirectory() })))
}
