// `Sandbox`: the system's own sandbox for commands, which is used only where a probe has shown that it holds.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { lazy } from '../../base/lazy.ts'
import {
  bubblewrapArguments,
  guardedRootFolders,
  mayComeIntoBeing,
  type SandboxPolicy,
  seatbeltProfile,
  secretHomePaths,
} from '../../core/tools/sandboxPolicy.ts'
import { type GuardedPath, guardedPaths } from './guardedPaths.ts'

export interface SandboxPlaces {
  /** The folders of the workspace. */
  roots(): readonly string[]
  /** What no command may read, such as our own storage; it may not exist. */
  hidden(): readonly string[]
}

/** How a program is started inside. */
export interface Entered {
  readonly path: string
  readonly args: readonly string[]
  /** Called when the command has ended: takes away what it has made in protected places, and resolves with the paths. */
  leave(): Promise<readonly string[]>
}

/** How long the probe may take. */
const PROBE_MS = 10_000
/** More guarded paths than these do not fit on the command line of `bwrap`. */
const MAX_GUARDED = 1_000
const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']
const SEATBELT = '/usr/bin/sandbox-exec'
/** Programs of the system on NixOS, in a folder that is hidden otherwise. */
const RUN_PROGRAMS = ['/run/current-system', '/run/wrappers', '/run/opengl-driver']

export class Sandbox {
  readonly #folder: string
  readonly #places: SandboxPlaces
  readonly #program: string | undefined
  readonly #made = new Map<string, number>()
  #temporary: Promise<string> | undefined
  #count = 0

  /** Resolves with whether the mode may be offered. */
  readonly holds: () => Promise<boolean>

  /** `folder`: of this window, for what is taken away. `program`: for a test. */
  constructor(folder: string, places: SandboxPlaces, program = sandboxProgram()) {
    this.#folder = folder
    this.#places = places
    this.#program = program
    this.holds = lazy(() => this.#probe())
  }

  /** Undefined where the workspace cannot be guarded. */
  async enter(program: string, args: readonly string[], folder: string): Promise<Entered | undefined> {
    if (!this.#program) return undefined
    const roots = await realPaths(this.#places.roots())
    const made = await this.#makeRootFolders(roots)
    const before = await guardedIn(roots)
    if (!before || before.length > MAX_GUARDED) {
      await this.#removeMade(made)
      return undefined
    }
    const policy = await this.#policy(roots, before)
    return {
      ...this.#started(policy, program, args, folder),
      leave: async () => {
        const taken = await this.#takeAway(roots, before)
        await this.#removeMade(made)
        return taken
      },
    }
  }

  async dispose(): Promise<void> {
    const temporary = await this.#temporary?.catch(() => undefined)
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true }).catch(() => {})
  }

  #started(policy: SandboxPolicy, program: string, args: readonly string[], folder: string) {
    const path = this.#program ?? ''
    if (path === SEATBELT) {
      const own = ['-p', seatbeltProfile(policy), '/usr/bin/env', `TMPDIR=${policy.temporary}`]
      return { path, args: [...own, program, ...args] }
    }
    const own = bubblewrapArguments(policy, folder, RUN_PROGRAMS.filter(existsSync))
    return { path, args: [...own, program, ...args] }
  }

  async #policy(roots: readonly string[], guarded: readonly GuardedPath[]): Promise<SandboxPolicy> {
    const home = homedir()
    const secret = [...secretHomePaths.map(path => join(home, path)), ...this.#places.hidden(), ...interop()]
    const hidden = [...(await kindsOf(await realPaths(secret))), ...guarded.filter(({ guard }) => guard === 'hidden')]
    return {
      temporary: await this.#ownTemporary(),
      writable: roots,
      guarded: guarded.filter(({ guard }) => guard === 'guarded').map(({ path }) => path),
      hiddenFolders: hidden.filter(({ isFolder }) => isFolder).map(({ path }) => path),
      hiddenFiles: hidden.filter(({ isFolder }) => !isFolder).map(({ path }) => path),
    }
  }

  #ownTemporary(): Promise<string> {
    this.#temporary ??= mkdtemp(join(tmpdir(), 'kourier-sandbox-')).then(folder => realpath(folder))
    return this.#temporary
  }

  /** The folders that must not come into being exist, empty, while a command runs, because only what exists can be guarded. */
  async #makeRootFolders(roots: readonly string[]): Promise<readonly string[]> {
    const made: string[] = []
    for (const path of roots.flatMap(root => guardedRootFolders.map(name => join(root, name)))) {
      const isOurs =
        this.#made.has(path) ||
        (await mkdir(path).then(
          () => true,
          () => false,
        ))
      if (!isOurs) continue
      this.#made.set(path, (this.#made.get(path) ?? 0) + 1)
      made.push(path)
    }
    return made
  }

  async #removeMade(made: readonly string[]): Promise<void> {
    for (const path of made) {
      const left = (this.#made.get(path) ?? 1) - 1
      if (left > 0) this.#made.set(path, left)
      else {
        this.#made.delete(path)
        // One with something in it is the user's.
        await rmdir(path).catch(() => {})
      }
    }
  }

  async #takeAway(roots: readonly string[], before: readonly GuardedPath[]): Promise<readonly string[]> {
    const known = new Map(before.map(one => [one.path, one.identity]))
    const after = (await guardedIn(roots)) ?? []
    const taken: string[] = []
    for (const { path, relative, identity } of after) {
      // One that was there before has been moved away, and another one is in its place.
      if (known.get(path) === identity || (!known.has(path) && mayComeIntoBeing(relative))) continue
      const kept = join(this.#folder, 'taken', String(++this.#count))
      await mkdir(join(this.#folder, 'taken'), { recursive: true, mode: 0o700 })
      // Removed where it cannot be moved, because it is on another disk.
      await rename(path, kept).catch(() => rm(path, { recursive: true, force: true }))
      taken.push(relative)
    }
    return taken
  }

  /** A harmless command inside, which tries what must fail. What has failed is seen from outside. */
  async #probe(): Promise<boolean> {
    if (!this.#program) return false
    const folder = await mkdtemp(join(homedir(), '.kourier-probe-')).then(
      path => realpath(path),
      () => undefined,
    )
    if (folder === undefined) return false
    const server = createServer(socket => socket.destroy())
    let connections = 0
    server.on('connection', () => connections++)
    try {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      const report = await this.#tried(folder, port)
      const isWritten = await readFile(join(folder, 'work', 'inside'), 'utf8').catch(() => '')
      const hasEscaped = existsSync(join(folder, 'outside')) || existsSync(join(folder, 'work', '.vscode', 'x'))
      return isWritten.trim() === 'inside' && !hasEscaped && connections === 0 && report === 'done'
    } catch {
      return false
    } finally {
      server.close()
      await rm(folder, { recursive: true, force: true }).catch(() => {})
    }
  }

  async #tried(folder: string, port: number): Promise<string> {
    const [work, secret] = [join(folder, 'work'), join(folder, 'secret')]
    await mkdir(join(work, '.vscode'), { recursive: true })
    await mkdir(secret)
    await writeFile(join(secret, 'key'), 'key')
    const policy = await this.#policy([work], (await guardedPaths(work)) ?? [])
    const script = [
      'echo inside > inside',
      '{ echo x > ../outside; } 2>/dev/null && echo wrote',
      '{ echo x > .vscode/x; } 2>/dev/null && echo wrote',
      'cat ../secret/key 2>/dev/null',
      '[ -s /proc/net/route ] && sed 1d /proc/net/route',
      `[ -x /bin/bash ] && /bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null && echo connected`,
      'echo done',
    ].join('\n')
    const { path, args } = this.#started(
      { ...policy, hiddenFolders: [...policy.hiddenFolders, secret] },
      '/bin/sh',
      ['-c', script],
      work,
    )
    return new Promise((resolve, reject) => {
      execFile(path, args, { cwd: work, timeout: PROBE_MS }, (fault, output) =>
        fault ? reject(fault) : resolve(output.trim()),
      )
    })
  }
}

function sandboxProgram(): string | undefined {
  if (process.platform === 'darwin') return existsSync(SEATBELT) ? SEATBELT : undefined
  return process.platform === 'linux' ? BUBBLEWRAP.find(existsSync) : undefined
}

/** What starts the programs of Windows in WSL, which nothing of Linux can keep from anything. */
function interop(): readonly string[] {
  return existsSync('/proc/sys/fs/binfmt_misc/WSLInterop') ? ['/init'] : []
}

async function guardedIn(roots: readonly string[]): Promise<readonly GuardedPath[] | undefined> {
  const found = await Promise.all(roots.map(guardedPaths))
  return found.includes(undefined) ? undefined : found.flatMap(one => one ?? [])
}

/** Those that exist. */
async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(path => realpath(path).catch(() => undefined)))
  return [...new Set(real.filter(path => path !== undefined))]
}

function kindsOf(paths: readonly string[]) {
  return Promise.all(paths.map(async path => ({ path, isFolder: (await stat(path)).isDirectory() })))
}
