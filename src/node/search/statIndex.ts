// `StatIndex`: size, times and, where there is room, the content of each file of the workspace, compared with those of the last look.
import { Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import { listOf, textOf } from '../../protocol/json.ts'
import { formOf } from './fileBytes.ts'
import { FolderWalk } from './folderWalk.ts'
import { IndexFile, type IndexLine } from './indexFile.ts'
import { type KeptAt, KeptContents } from './keptContents.ts'
import type { WalkedRoot } from './treeMessages.ts'

/** Larger files, and those without text, are not kept. */
const MOST_FILE_BYTES = 1_000_000
const MOST_KEPT_BYTES = 200_000_000
/** Files that programs write again by themselves; where git ignores them, nobody misses what was in them. */
const madeAgain =
  /^(?:\.eslintcache|\.stylelintcache|\.coverage|\.ds_store|.*\.(?:tsbuildinfo|log|pyc|pyo|o|obj|class|swp|tmp))$/i
/** A file that has changed so shortly before it was looked at may change again without another time. */
const CLOCK_STEP_MS = 20

export interface IndexedChange {
  readonly root: number
  readonly path: string
  readonly change: 'modified' | 'created' | 'deleted'
  readonly before?: { readonly bytes: Uint8Array; readonly mode: number }
  readonly taken?: string
  readonly put?: string
  readonly isOlder?: true
}

interface Entry {
  size: number
  mtimeMs: number
  ctimeMs: number
  ino: number
  mode: number
  /** It has changed so shortly before the look that its times may not show the next change. */
  isFresh: boolean
  /** It was changed after the first look, so its content is more likely to be needed. */
  readonly isChanged: boolean
  /** Nobody misses what was in it. */
  isMadeAgain: boolean
  /** `never`: of a kind that is not kept; `dropped`: for want of room. */
  content: KeptAt | 'unknown' | 'never' | 'dropped'
  round: number
}

interface Difference {
  readonly root: number
  readonly path: string
  readonly change: IndexedChange['change']
  readonly content: KeptAt | undefined
  readonly mode: number
  /** As `TreeChange` has them. */
  readonly moved: Pick<IndexedChange, 'taken' | 'put' | 'isOlder'>
}

export class StatIndex {
  readonly #contents: KeptContents
  readonly #file: IndexFile
  #roots: readonly WalkedRoot[] = []
  #walks: readonly FolderWalk[] = []
  #entries: Map<string, Entry>[] = []
  #differences: Difference[] = []
  #pending: { readonly root: number; readonly folder: string }[] = []
  #unknown: { readonly root: number; readonly path: string; readonly entry: Entry }[] = []
  /** Those whose contents are in a part. */
  readonly #inPart = new Map<number, Set<Entry>>()
  /** The roots that were looked at completely, each with the folders that were left out: what is in them is not known. */
  readonly #looked = new Map<string, ReadonlySet<string>>()
  /** The folders that this look leaves out. */
  #leftOut: Set<string>[] = []
  /** By the path of a root, where its links led at the last look; they cannot be restored. */
  readonly #links = new Map<string, ReadonlyMap<string, string>>()
  /** Where those lead that this look finds. */
  #linked: Map<string, string>[] = []
  #round = 0
  /** When the last look was complete, in milliseconds since 1970. */
  #lookedAt = 0
  #kept = 0
  #isFull = false

  /** `folder`: for the contents; it is made with the first one. */
  constructor(folder: string) {
    this.#contents = new KeptContents(folder, MOST_KEPT_BYTES)
    this.#file = new IndexFile(folder)
  }

  /** As the index of a window that has crashed has left it in its folder. */
  static left(folder: string): StatIndex {
    const index = new StatIndex(folder)
    for (const line of index.#file.read()) index.#read(line)
    for (const entries of index.#entries)
      for (const entry of entries.values())
        if (typeof entry.content !== 'string' && !index.#contents.reopen(entry.content)) entry.content = 'dropped'
    return index
  }

  /** Writes what is known to the disk, and from then on what comes to be known; without a note, no longer. */
  leave(note: string | undefined): void {
    if (note === undefined) this.#file.remove()
    else this.#file.write(note, this.#lines())
  }

  /** Begins a look. Other folders than at the last one are looked at for the first time. */
  begin(roots: readonly WalkedRoot[]): void {
    const known = new Map(this.#roots.map(({ path }, at) => [path, this.#entries[at]]))
    this.#entries = roots.map(({ path }) => known.get(path) ?? new Map())
    for (const [path, entries] of known) {
      if (roots.some(root => root.path === path)) continue
      for (const entry of entries?.values() ?? []) this.#dropContent(entry)
      this.#looked.delete(path)
      this.#links.delete(path)
    }
    this.#roots = roots
    this.#walks = roots.map(root => new FolderWalk(root.path, root))
    this.#pending = roots.map((_, root) => ({ root, folder: '' }))
    this.#leftOut = roots.map(() => new Set())
    this.#linked = roots.map(() => new Map())
    this.#unknown = []
    this.#round++
  }

  /** False while the look is not complete. */
  look(budgetMs: number): boolean {
    const until = performance.now() + budgetMs
    while (this.#pending.length > 0) {
      const next = this.#pending.pop()
      if (next) this.#lookAt(next.root, next.folder)
      if (performance.now() >= until) break
    }
    if (this.#pending.length > 0) return false
    for (const root of this.#roots.keys()) this.#findDeleted(root)
    this.#lookedAt = Date.now()
    // The last one is kept first.
    this.#unknown.sort((a, b) => a.entry.mtimeMs - b.entry.mtimeMs)
    return true
  }

  /** Before all is kept, an estimate by the sizes. */
  get counts(): { readonly files: number; readonly of: number } {
    let [of, wanted, bytes] = [0, 0, 0]
    for (const entries of this.#entries) {
      for (const { content, size, isMadeAgain } of entries.values()) {
        if (isMadeAgain) continue
        of++
        if (content === 'never') continue
        wanted++
        bytes += size
      }
    }
    const part = Math.min(1, MOST_KEPT_BYTES / Math.max(1, bytes))
    return { files: this.#isFull ? this.#kept : Math.floor(wanted * part), of }
  }

  /** Some of the changes that the last look has found, with what was in the files. */
  take(mostBytes: number): { readonly changes: readonly IndexedChange[]; readonly isAll: boolean } {
    const taken: IndexedChange[] = []
    for (let bytes = 0; bytes < mostBytes && this.#differences.length > 0; ) {
      const { root, path, change, content, mode, moved } = this.#differences.pop() ?? none
      const before = content && this.#contents.read(content)
      if (content) this.#contents.drop(content)
      bytes += 200 + (before?.length ?? 0)
      // Its times have changed and nothing else.
      if (before && change === 'modified' && this.#isSame(root, path, before, mode)) continue
      taken.push({ root, path, change, ...moved, ...(before && { before: { bytes: before, mode: mode & 0o7777 } }) })
    }
    return { changes: taken, isAll: this.#differences.length === 0 }
  }

  /** Keeps contents as they were at the last look; true when there is nothing more to keep. */
  keep(budgetMs: number): boolean {
    const until = performance.now() + budgetMs
    for (let next = this.#unknown.pop(); next; next = this.#unknown.pop()) {
      this.#keepContent(next.root, next.path, next.entry)
      if (performance.now() >= until) break
    }
    this.#file.flush()
    return this.#unknown.length === 0
  }

  /** A change that is no command's: the file is taken as it is now. */
  forget(root: number, path: string): void {
    const entries = this.#entries[root]
    const stats = statsOf(this.#walks[root]?.pathOf(path) ?? '')
    const old = entries?.get(path)
    if (old) this.#dropContent(old)
    if (entries && stats) {
      const entry = entryOf(stats, this.#round, true, old?.isMadeAgain === true)
      entries.set(path, entry)
      this.#keepContent(root, path, entry)
      this.#file.add(lineOf(root, path, entry))
    } else {
      entries?.delete(path)
      this.#file.add(['gone', root, path])
    }
    this.#file.flush()
  }

  dispose(): void {
    this.#contents.dispose()
  }

  *#lines(): Iterable<IndexLine> {
    for (const { path } of this.#roots) yield ['root', path, [...(this.#looked.get(path) ?? [])]]
    for (const [root, entries] of this.#entries.entries())
      for (const [path, entry] of entries) yield lineOf(root, path, entry)
  }

  #read([kind, ...values]: IndexLine): void {
    if (kind === 'root') {
      const [path, leftOut] = values
      if (typeof path !== 'string') return
      this.#roots = [...this.#roots, { path, name: '', excluded: [], unsent: [] }]
      this.#entries.push(new Map())
      this.#looked.set(path, new Set(listOf(leftOut).map(textOf)))
      return
    }
    const [root, path, ...facts] = values
    const entries = typeof root === 'number' ? this.#entries[root] : undefined
    if (!entries || typeof path !== 'string') return
    const entry = kind === 'file' ? entryIn(facts) : undefined
    if (entry) entries.set(path, entry)
    else if (kind === 'gone') entries.delete(path)
  }

  #lookAt(root: number, folder: string): void {
    const walk = this.#walks[root]
    const entries = this.#entries[root]
    if (!walk || !entries) return
    const { folders, files, links, ignored, leftOut, isUnreadable } = walk.read(folder)
    if (isUnreadable) this.#leftOut[root]?.add(folder)
    const lead = folder === '' ? '' : `${folder}/`
    for (const name of folders) this.#pending.push({ root, folder: lead + name })
    const base = walk.pathOf(folder) + sep
    for (const name of leftOut) this.#leftOut[root]?.add(lead + name)
    for (const name of links) this.#linked[root]?.set(lead + name, targetOf(base + name) ?? '')
    for (const [names, isIgnored] of [[files, false] as const, [ignored, true] as const]) {
      for (const name of names) {
        const stats = statsOf(base + name)
        if (stats?.isFile()) this.#compare(root, lead + name, stats, isIgnored)
      }
    }
  }

  #compare(root: number, path: string, stats: Stats, isIgnored: boolean): void {
    const entries = this.#entries[root]
    const old = entries?.get(path)
    const leftOut = this.#looked.get(this.#roots[root]?.path ?? '')
    const isMadeAgain = isIgnored && madeAgain.test(path.slice(path.lastIndexOf('/') + 1))
    if (old) {
      old.round = this.#round
      if (isUnchanged(old, stats) && this.#isStill(root, path, old)) {
        old.isMadeAgain = isMadeAgain
        if (old.content === 'unknown') this.#unknown.push({ root, path, entry: old })
        return
      }
      if (isMadeAgain) this.#dropContent(old)
      else this.#differ(root, path, 'modified', old, stats)
    } else if (leftOut && !isIgnored && !isIn(path, leftOut)) {
      this.#differences.push({ root, path, change: 'created', content: undefined, mode: 0, moved: this.#put(stats) })
    }
    const entry = entryOf(stats, this.#round, leftOut !== undefined, isMadeAgain)
    entries?.set(path, entry)
    if (entry.content === 'unknown') this.#unknown.push({ root, path, entry })
  }

  #findDeleted(root: number): void {
    const entries = this.#entries[root]
    for (const [path, entry] of entries ?? []) {
      if (entry.round === this.#round) continue
      entries?.delete(path)
      const stats = statsOf(this.#walks[root]?.pathOf(path) ?? '')
      // In a folder that is ignored from now on, or in which something else has its name.
      if (entry.isMadeAgain || (stats && isUnchanged(entry, stats))) this.#dropContent(entry)
      else if (stats?.isFile()) this.#differ(root, path, 'modified', entry, stats)
      else this.#differ(root, path, 'deleted', entry)
    }
    const { path: top = '' } = this.#roots[root] ?? {}
    this.#findUnrestorable(root, top)
    this.#looked.set(top, this.#leftOut[root] ?? new Set())
    this.#links.set(top, this.#linked[root] ?? new Map())
  }

  /** Links that are gone or lead elsewhere, and whole folders that were left out: they are only named. */
  #findUnrestorable(root: number, top: string): void {
    const found = (path: string, change: IndexedChange['change']) =>
      this.#differences.push({ root, path, change, content: undefined, mode: 0, moved: {} })
    for (const [path, target] of this.#links.get(top) ?? []) {
      const now = targetOf(this.#walks[root]?.pathOf(path) ?? '')
      if (now !== target) found(path, now === undefined ? 'deleted' : 'modified')
    }
    for (const folder of this.#looked.get(top) ?? [])
      if (folder !== '' && !statsOf(this.#walks[root]?.pathOf(folder) ?? '')) found(folder, 'deleted')
  }

  #differ(root: number, path: string, change: IndexedChange['change'], entry: Entry, now?: Stats): void {
    const { content, mode } = entry
    const kept = typeof content === 'string' ? undefined : content
    if (kept) this.#release(entry)
    const isOther = now?.ino !== entry.ino
    const moved = { ...(isOther && { taken: identityOf(entry) }), ...(isOther && now && this.#put(now)) }
    this.#differences.push({ root, path, change, content: kept, mode, moved })
  }

  /** A file that was moved keeps the time at which it was made, where the file system knows it. */
  #put(stats: Stats): Difference['moved'] {
    const { birthtimeMs, ctimeMs, nlink } = stats
    if (nlink > 1) return {}
    const isOlder = birthtimeMs > 0 && birthtimeMs < Math.min(this.#lookedAt, ctimeMs) - CLOCK_STEP_MS
    return { put: identityOf(stats), ...(isOlder && { isOlder }) }
  }

  #dropContent(entry: Entry): void {
    if (typeof entry.content === 'string') return
    this.#release(entry)
    this.#contents.drop(entry.content)
  }

  #release(entry: Entry): void {
    if (typeof entry.content === 'string') return
    this.#inPart.get(entry.content.part)?.delete(entry)
    this.#kept--
  }

  /** Also where its times cannot show it. */
  #isStill(root: number, path: string, entry: Entry): boolean {
    if (!entry.isFresh || typeof entry.content === 'string') return true
    const isSame = this.#isSame(root, path, this.#contents.read(entry.content), entry.mode)
    if (isSame && !isRecent(entry)) entry.isFresh = false
    return isSame
  }

  #isSame(root: number, path: string, before: Uint8Array, mode: number): boolean {
    const now = contentOf(this.#walks[root]?.pathOf(path) ?? '')
    return now !== undefined && (now.stats.mode & 0o7777) === (mode & 0o7777) && now.bytes.equals(before)
  }

  #keepContent(root: number, path: string, entry: Entry): void {
    if (entry.content !== 'unknown') return
    while (!this.#contents.hasRoomFor(entry.size)) {
      this.#isFull = true
      if (!entry.isChanged || !this.#dropOldest()) return
    }
    const found = contentOf(this.#walks[root]?.pathOf(path) ?? '')
    // Changed since the look, so these are not the bytes from then.
    if (!found || !isUnchanged(entry, found.stats)) return
    if (formOf(found.bytes) === 'binary') entry.content = 'never'
    else {
      entry.content = this.#contents.add(found.bytes)
      this.#file.add(lineOf(root, path, entry))
      this.#kept++
      const { part } = entry.content
      const entries = this.#inPart.get(part) ?? new Set()
      this.#inPart.set(part, entries.add(entry))
    }
  }

  /** False where there is nothing left that could be dropped. */
  #dropOldest(): boolean {
    const [oldest, second] = this.#inPart.keys()
    if (oldest === undefined || second === undefined) return false
    for (const entry of this.#inPart.get(oldest) ?? []) {
      this.#dropContent(entry)
      entry.content = 'dropped'
    }
    return this.#inPart.delete(oldest)
  }
}

const none: Difference = { root: 0, path: '', change: 'deleted', content: undefined, mode: 0, moved: {} }

/** The same for a file that was only moved. */
const identityOf = ({ ino, size, mtimeMs }: Pick<Stats, 'ino' | 'size' | 'mtimeMs'>) => `${ino}:${size}:${mtimeMs}`

function entryOf(stats: Stats, round: number, isChanged: boolean, isMadeAgain: boolean): Entry {
  const { size, mtimeMs, ctimeMs, ino, mode } = stats
  const content = size > MOST_FILE_BYTES || isMadeAgain ? 'never' : 'unknown'
  return { size, mtimeMs, ctimeMs, ino, mode, isFresh: isRecent(stats), isChanged, isMadeAgain, content, round }
}

function lineOf(root: number, path: string, entry: Entry): IndexLine {
  const { size, mtimeMs, ctimeMs, ino, mode, isFresh, isMadeAgain, content } = entry
  const at = typeof content === 'string' ? [] : [content.part, content.offset, content.length]
  return ['file', root, path, size, mtimeMs, ctimeMs, ino, mode, Number(isFresh), Number(isMadeAgain), ...at]
}

/** Undefined for a line that was cut. */
function entryIn(facts: readonly unknown[]): Entry | undefined {
  if (!facts.every(fact => typeof fact === 'number')) return undefined
  const [size, mtimeMs, ctimeMs, ino, mode, isFresh, isMadeAgain, part, offset, length] = facts
  if (size === undefined || mtimeMs === undefined || ctimeMs === undefined) return undefined
  if (ino === undefined || mode === undefined || isMadeAgain === undefined) return undefined
  const content =
    part === undefined || offset === undefined || length === undefined ? 'dropped' : { part, offset, length }
  const stats = { size, mtimeMs, ctimeMs, ino, mode }
  return { ...stats, isFresh: isFresh === 1, isChanged: false, isMadeAgain: isMadeAgain === 1, content, round: 0 }
}

/** In one of the folders, or in one that it is in. */
function isIn(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false
  if (folders.has('')) return true
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (folders.has(path.slice(0, at))) return true
  return false
}

const isRecent = ({ mtimeMs, ctimeMs }: Pick<Stats, 'mtimeMs' | 'ctimeMs'>) =>
  Date.now() - Math.max(mtimeMs, ctimeMs) < CLOCK_STEP_MS

const isUnchanged = (entry: Entry, { size, mtimeMs, ctimeMs, ino, mode }: Stats) =>
  entry.size === size &&
  entry.mtimeMs === mtimeMs &&
  entry.ctimeMs === ctimeMs &&
  entry.ino === ino &&
  entry.mode === mode

/** Undefined where there is no link. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** With what the file was when all of it had been read. */
function contentOf(path: string): { readonly bytes: Buffer; readonly stats: Stats } | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const { size } = fstatSync(file)
    if (size > MOST_FILE_BYTES) return undefined
    const bytes = Buffer.alloc(size)
    let length = 0
    for (let count = -1; count !== 0 && length < size; length += count)
      count = readSync(file, bytes, length, size - length, length)
    return { bytes: bytes.subarray(0, length), stats: fstatSync(file) }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
