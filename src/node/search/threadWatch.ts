// `ThreadWatch`: looks at the files of the workspace in a thread of its own, which knows them until it rests for long.
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { throwIfAborted } from '../../base/abort.ts'
import type { TreeRoot } from '../../core/workspace/treeSearch.ts'
import type { Kept, TreeChange, TreeWatch, WatchedTurn } from '../../core/workspace/treeWatch.ts'
import type { IndexedChange } from './statIndex.ts'
import type { WalkedRoot } from './treeMessages.ts'
import type { TreeThreads } from './treeThreads.ts'

export interface ThreadWatchOptions {
  /** With one thread, for nothing else. */
  readonly threads: TreeThreads
  /** In the extension's storage of the workspace; contents are kept in a folder of this window below it. */
  readonly folder: string
  /** The URI of a path on the disk, as it is written everywhere else, so that no file has two. */
  readonly uriOf: (path: string) => string
  /** Who this window is, for the next one; without it nothing is left to that. */
  readonly window?: () => Promise<unknown>
  /** `folder` is that of a window that has crashed: what has changed since then is found. */
  readonly isLeft?: boolean
}

const budgetMs = 50
/** What a window has left that ended without closing. */
const STALE_MS = 24 * 3_600_000
/** Written by others, also where no rule ignores them. */
const neverLookedAt = ['**/node_modules', '**/bower_components']

export class ThreadWatch implements TreeWatch {
  readonly #threads: TreeThreads
  readonly #parent: string
  readonly #folder: string
  #roots: readonly TreeRoot[] = []
  #kept: Kept | undefined
  #isOpen: boolean

  readonly #uriOf: ThreadWatchOptions['uriOf']
  readonly #window: ThreadWatchOptions['window']
  readonly #isLeft: boolean

  constructor({ threads, folder, uriOf, window, isLeft = false }: ThreadWatchOptions) {
    this.#uriOf = uriOf
    this.#window = window
    this.#isLeft = isLeft
    this.#threads = threads
    this.#parent = isLeft ? dirname(folder) : folder
    this.#folder = isLeft ? folder : join(folder, randomUUID())
    this.#isOpen = isLeft
  }

  get kept(): Kept | undefined {
    return this.#kept
  }

  look(roots: readonly TreeRoot[], signal: AbortSignal): Promise<readonly TreeChange[]> {
    return this.#threads.use(async () => {
      this.#open()
      this.#roots = roots
      const member = this.#threads.member(0)
      let walked: readonly WalkedRoot[] | undefined = roots.map(walkedRoot)
      for (;;) {
        const request = { kind: 'look', folder: this.#folder, isLeft: this.#isLeft, budgetMs } as const
        const { isDone, counts } = await member.ask(walked ? { ...request, roots: walked } : request)
        walked = undefined
        if (isDone) this.#kept = counts
        if (isDone) break
        throwIfAborted(signal)
      }
      const found: IndexedChange[] = []
      for (let isAll = false; !isAll; ) {
        const part = await member.ask({ kind: 'take' })
        found.push(...part.changes)
        isAll = part.isAll
      }
      return found.flatMap(change => this.#changeOf(change) ?? []).sort((a, b) => (a.path < b.path ? -1 : 1))
    })
  }

  keep(signal: AbortSignal): Promise<void> {
    return this.#threads.use(async () => {
      for (;;) {
        throwIfAborted(signal)
        const { isDone, counts } = await this.#threads.member(0).ask({ kind: 'keep', budgetMs })
        if (!isDone) continue
        if (counts.of > 0) this.#kept = counts
        return
      }
    })
  }

  async leave(command: WatchedTurn | undefined): Promise<void> {
    if (!this.#window) return
    const note = command && JSON.stringify({ ...command, window: await this.#window() })
    await this.#threads.use(() => this.#threads.member(0).ask({ kind: 'leave', note }))
  }

  async forget(uri: string): Promise<void> {
    const root = this.#roots.findIndex(one => uri.startsWith(`${withoutSlash(one.uri)}/`))
    if (root < 0) return
    const path = decodeURIComponent(uri.slice(withoutSlash(this.#roots[root]?.uri ?? '').length + 1))
    await this.#threads.member(0).ask({ kind: 'forget', root, path })
  }

  dispose(): void {
    this.#threads.dispose()
    if (this.#isOpen) rmSync(this.#folder, { recursive: true, force: true })
  }

  #open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    try {
      for (const name of readdirSync(this.#parent)) {
        const path = join(this.#parent, name)
        if (Date.now() - statSync(path).mtimeMs > STALE_MS) rmSync(path, { recursive: true, force: true })
      }
    } catch {
      // There is no such folder yet.
    }
  }

  #changeOf({ root: at, path, before, ...more }: IndexedChange): TreeChange | undefined {
    const root = this.#roots[at]
    if (root?.path === undefined) return undefined
    const uri = this.#uriOf(`${withoutSlash(root.path)}/${path}`)
    const short = root.name === '' ? path : `${root.name}/${path}`
    return { ...more, uri, path: short, ...(before && { before }) }
  }
}

const withoutSlash = (uri: string) => uri.replace(/\/$/, '')

const walkedRoot = ({ path = '', name }: TreeRoot): WalkedRoot => ({ path, name, excluded: neverLookedAt, unsent: [] })
