// `GuardedRun`: one command in the sandbox: which protected files it has made, and what is done about them.
import { symlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { GuardReport, TakenFile } from '../../core/tools/commandPorts.ts'
import { guardedRootFolders, mayComeIntoBeing } from '../../core/tools/sandboxPolicy.ts'
import { type GuardedPath, identityOf } from './guardedPaths.ts'
import type { TakenFiles } from './takenFiles.ts'

export interface GuardedRunOptions {
  readonly roots: readonly string[]
  /** When the command begins, and later; undefined where there are too many files. */
  readonly before: readonly GuardedPath[]
  readonly look: () => Promise<readonly GuardedPath[] | undefined>
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
  }

  /** The agent, the user or another extension has written the file in the editor. */
  noteWritten(path: string): void {
    this.#written.add(path)
  }

  noteCompany(): void {
    this.#hasCompany = true
  }

  /** Takes away a folder on which the editor acts at once; false where it is none, or not the command's. */
  async check(path: string): Promise<boolean> {
    if (!guardedRootFolders.includes(basename(path)) || this.#before.has(path) || !(await identityOf(path)))
      return false
    const root = this.#options.roots.find(one => path.startsWith(`${one}/`))
    if (root === undefined || this.#isOfOthers(path)) return false
    return this.#take(path, path.slice(root.length + 1))
  }

  /** The command has ended. */
  async end(): Promise<GuardReport> {
    const after = await this.#options.look()
    for (const one of after ?? []) await this.#judge(one)
    await this.#restoreLinks()
    return { taken: this.#taken, left: [...this.#left], isKnown: after !== undefined }
  }

  async #judge(now: GuardedPath): Promise<void> {
    const { path, relative } = now
    const old = this.#before.get(path)
    if (!now.mayRun || isSame(old, now) || this.#taken.some(one => path.startsWith(`${one.path}/`))) return
    if (!old && mayComeIntoBeing(relative)) return
    const isOfOthers = this.#isOfOthers(path)
    // What is guarded where it is can only be replaced from outside, and after that the command could write it.
    const isReplaced = old !== undefined && old.target === undefined && (await this.#isInPlace(path))
    if (isOfOthers || isReplaced || !(await this.#take(path, relative))) this.#leave(path, relative)
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
