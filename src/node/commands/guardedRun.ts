// `GuardedRun`: one command in the sandbox: which protected files it has made, and what is done about them.
import { realpath, symlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { GuardReport, TakenFile } from '../../core/tools/commandPorts.ts'
import { mayComeIntoBeing, mayRun } from '../../core/tools/sandboxPolicy.ts'
import { type GuardedPath, identityOf } from './guardedPaths.ts'
import type { TakenFiles } from './takenFiles.ts'

export interface GuardedRunOptions {
  readonly roots: readonly string[]
  /** When the command begins, and later; undefined where there are too many files. */
  readonly before: readonly GuardedPath[]
  readonly look: () => Promise<readonly GuardedPath[] | undefined>
  /** The same while the command runs, when what has not changed since the last time need not be read. */
  readonly lookAgain: () => Promise<readonly GuardedPath[] | undefined>
  readonly taken: TakenFiles
}

export class GuardedRun {
  readonly #options: GuardedRunOptions
  readonly #before: ReadonlyMap<string, GuardedPath>
  readonly #folders: ReadonlyMap<string, string>
  /** Written by somebody who is known, with everything in it. */
  readonly #written = new Set<string>()
  readonly #taken: TakenFile[] = []
  readonly #left = new Set<string>()
  /** Of what is hidden. */
  readonly #hidden: ReadonlySet<string>
  #secret: string | undefined
  #isInBackground = false
  /** What was seen by the last look and by no look before. */
  #seen: ReadonlySet<string> = new Set()
  /** Another command has run meanwhile, which may change everything. */
  #hasCompany = false

  static async begin(options: GuardedRunOptions): Promise<GuardedRun> {
    const { roots, before } = options
    const folders = new Set(before.flatMap(({ path }) => foldersAbove(path, roots)))
    const identities = await Promise.all([...folders].map(async path => [path, await identityOf(path)] as const))
    return new GuardedRun(options, new Map(identities))
  }

  private constructor(options: GuardedRunOptions, folders: ReadonlyMap<string, string>) {
    this.#options = options
    this.#folders = folders
    this.#before = new Map(options.before.map(one => [one.path, one]))
    const hidden = options.before.filter(({ guard }) => guard === 'hidden')
    this.#hidden = new Set(hidden.map(({ identity }) => identity))
  }

  /** The agent, the user or another extension has written the file in the editor. */
  noteWritten(path: string): void {
    this.#written.add(path)
  }

  noteCompany(): void {
    this.#hasCompany = true
  }

  /** From now on it is not known what the user does while it runs. */
  moveToBackground(): void {
    this.#isInBackground = true
  }

  /** While the command runs. Calls `stop` where it has made something, and takes that away; or where it could read a secret. */
  async check(stop: () => void): Promise<void> {
    const found = (await this.#options.lookAgain()) ?? []
    const secret = found.find(one => this.#isBare(one))
    if (secret) {
      this.#secret ??= secret.relative
      stop()
    }
    const made: GuardedPath[] = []
    for (const one of found) if ((await this.#verdictOn(one)) === 'made') made.push(one)
    // The editor reports what the user or the agent has written in it a moment later than the disk has it.
    const sure = made.filter(one => isRepository(one) || this.#seen.has(`${one.path} ${one.identity}`))
    this.#seen = new Set(made.map(({ path, identity }) => `${path} ${identity}`))
    // Before anything is taken away, because a command that runs could lead the way to it elsewhere.
    if (sure.length > 0) stop()
    for (const { path, relative } of sure) if (await isReal(dirname(path))) await this.#take(path, relative)
  }

  /** The command has ended. */
  async end(): Promise<GuardReport> {
    const after = await this.#options.look()
    for (const one of after ?? []) await this.#judge(one)
    await this.#restoreLinks()
    const secret = this.#secret
    return {
      ...{ taken: this.#taken, left: [...this.#left], isKnown: after !== undefined },
      ...(secret !== undefined && { secret }),
    }
  }

  /** It is to be hidden, and has come too late for that. What the command makes itself it knows anyway. */
  #isBare({ guard, path, identity }: GuardedPath): boolean {
    // What is hidden stays so with another name.
    if (guard !== 'hidden' || identity === '' || this.#hidden.has(identity)) return false
    return this.#isInBackground || this.#isOfOthers(path)
  }

  async #judge(now: GuardedPath): Promise<void> {
    const { path, relative } = now
    const verdict = await this.#verdictOn(now)
    if (verdict === 'unknown' || (verdict === 'made' && !(await this.#take(path, relative))))
      this.#leave(path, relative)
  }

  /** `made`: by the command. `unknown`: by the command or by somebody else. */
  async #verdictOn(now: GuardedPath): Promise<'made' | 'unknown' | undefined> {
    const { path, relative } = now
    const old = this.#before.get(path)
    // A path that a later command has made may be one that was taken away before.
    if (!now.mayRun || isSame(old, now) || (await identityOf(path)) === '') return undefined
    if (!old && mayComeIntoBeing(relative)) return undefined
    // What is guarded where it is can only be replaced from outside, and after that the command could write it.
    const isReplaced = old !== undefined && old.target === undefined && (await this.#isInPlace(path))
    return this.#isOfOthers(path) || isReplaced ? 'unknown' : 'made'
  }

  /** A link itself cannot be guarded, only what it leads to. */
  async #restoreLinks(): Promise<void> {
    for (const { path, target } of this.#before.values())
      if (target !== undefined && !this.#isOfOthers(path)) await symlink(target, path).catch(() => {})
  }

  #leave(path: string, relative: string): void {
    const isExpected = this.#isWritten(path) || (this.#hasCompany && mayComeIntoBeing(relative))
    if (!isExpected) this.#left.add(relative)
  }

  #isOfOthers(path: string): boolean {
    return this.#hasCompany || this.#isWritten(path)
  }

  #isWritten(path: string): boolean {
    return [...this.#written].some(one => `${one}/`.startsWith(`${path}/`) || path.startsWith(`${one}/`))
  }

  /** No folder that it is in has been moved away. */
  async #isInPlace(path: string): Promise<boolean> {
    const folders = foldersAbove(path, this.#options.roots)
    const now = await Promise.all(folders.map(identityOf))
    return folders.every((folder, at) => this.#folders.get(folder) === now[at])
  }

  async #take(path: string, name: string): Promise<boolean> {
    const file = { id: crypto.randomUUID(), path, name }
    if (!(await this.#options.taken.take(file))) return false
    this.#taken.push(file)
    return true
  }
}

/** The editor acts on it at once. */
const isRepository = ({ path, relative, isFolder }: GuardedPath) =>
  isFolder && (basename(path) === '.git' || !mayRun(relative))

/** No link leads there. */
const isReal = async (path: string) => (await realpath(path).catch(() => undefined)) === path

/** The number of a link is soon that of another one. */
const isSame = (old: GuardedPath | undefined, now: GuardedPath) =>
  old !== undefined && old.identity === now.identity && old.target === now.target

/** Below the folder of the workspace. */
function foldersAbove(path: string, roots: readonly string[]): readonly string[] {
  const found: string[] = []
  const isBelow = (folder: string) => roots.some(root => folder.startsWith(`${root}/`))
  for (let at = dirname(path); isBelow(at); at = dirname(at)) found.push(at)
  return found
}
