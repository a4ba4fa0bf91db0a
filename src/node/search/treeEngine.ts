// `TreeEngine`: carries out the requests of `TreeRequest`, in a thread or, in slices, without one.
import { Buffer } from 'node:buffer'
import { realpathSync, type Stats, statSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { globMatcher } from '../../core/workspace/exclude.ts'
import type { FoundFile, ListedEntry } from '../../core/workspace/treeSearch.ts'
import { FolderWalk } from './folderWalk.ts'
import type { Progress } from './progress.ts'
import { StatIndex } from './statIndex.ts'
import { TextSearcher } from './textSearcher.ts'
import type {
  FoundPlace,
  IndexRequest,
  ListedPart,
  ListJob,
  SearchedPart,
  SearchTask,
  TextJob,
  TreeJob,
  TreeReply,
  TreeRequest,
  WalkedPlace,
} from './treeMessages.ts'

type Running = TextWork | ListWork

/** Of one reply. */
const TAKEN_BYTES = 4_000_000
const nothing = { files: 0, of: 0 }

export class TreeEngine {
  readonly #progress: Progress
  readonly #jobs = new Map<number, Running>()
  #index: StatIndex | undefined

  constructor(progress: Progress) {
    this.#progress = progress
  }

  handle(request: TreeRequest): TreeReply {
    if (isOfIndex(request)) return this.#indexed(request)
    if (request.kind === 'begin') {
      const { of } = request
      this.#jobs.set(request.job, of.kind === 'text' ? new TextWork(of, this.#progress) : new ListWork(of))
      return { kind: 'done' }
    }
    if (request.kind === 'end') {
      this.#jobs.delete(request.job)
      return { kind: 'done' }
    }
    if (request.kind === 'content') {
      const { pattern, limits, path, content } = request
      const searcher = new TextSearcher({ pattern, limits, mostBytes: 0, progress: this.#progress })
      const bytes =
        typeof content === 'string' ? undefined : Buffer.from(content.buffer, content.byteOffset, content.length)
      const found = bytes ? searcher.searchBytes(bytes, path) : searcher.searchText(String(content), path)
      return { kind: 'content found', found }
    }
    const work = this.#jobs.get(request.job)
    if (request.kind === 'find' && work) return { kind: 'found', places: work.walks.find() }
    if (request.kind === 'search' && work instanceof TextWork)
      return { kind: 'searched', ...work.search(request.tasks, request.skipped, request.budgetMs) }
    if (request.kind === 'list' && work instanceof ListWork)
      return { kind: 'listed', ...work.list(request.folders ?? [], request.isLast, request.budgetMs) }
    throw new Error(`There is no such job for the request ${request.kind}.`)
  }

  #indexed(request: IndexRequest): TreeReply {
    if (request.kind === 'look') {
      this.#index ??= request.isLeft ? StatIndex.left(request.folder) : new StatIndex(request.folder)
      if (request.roots) this.#index.begin(request.roots)
      const isDone = this.#index.look(request.budgetMs)
      return { kind: 'looked', isDone, counts: isDone ? this.#index.counts : nothing }
    }
    if (request.kind === 'take')
      return { kind: 'taken', ...(this.#index?.take(TAKEN_BYTES) ?? { changes: [], isAll: true }) }
    if (request.kind === 'keep') {
      const isDone = this.#index?.keep(request.budgetMs) ?? true
      return { kind: 'kept', isDone, counts: (isDone && this.#index?.counts) || nothing }
    }
    if (request.kind === 'leave') {
      this.#index?.leave(request.note)
      return { kind: 'done' }
    }
    if (request.kind === 'forget') {
      this.#index?.forget(request.root, request.path)
      return { kind: 'done' }
    }
    this.#index?.dispose()
    this.#index = undefined
    return { kind: 'done' }
  }
}

const isOfIndex = (request: TreeRequest): request is IndexRequest =>
  ['look', 'take', 'keep', 'leave', 'forget', 'close'].includes(request.kind)

/** The walk of each root. */
class Walks {
  readonly #job: TreeJob
  readonly #walks: readonly FolderWalk[]
  readonly #fits: (path: string) => boolean

  constructor(job: TreeJob) {
    this.#job = job
    this.#walks = job.roots.map(root => new FolderWalk(root.path, root))
    this.#fits = fitting(job.glob)
  }

  of(root: number): FolderWalk {
    const walk = this.#walks[root]
    if (!walk) throw new Error('There is no such folder of the workspace.')
    return walk
  }

  /** As the model names it. */
  shortPath({ root, path }: WalkedPlace): string {
    const name = this.#job.roots[root]?.name ?? ''
    return [name, path].filter(part => part !== '').join('/')
  }

  /** Whether the glob fits the path, relative to its root or to what is asked for, or with the name of the root. */
  fits(place: WalkedPlace): boolean {
    const { glob, places } = this.#job
    if (glob === undefined) return true
    const bases = places.filter(({ root, path }) => root === place.root && place.path.startsWith(`${path}/`))
    const paths = [place.path, this.shortPath(place), ...bases.map(({ path }) => place.path.slice(path.length + 1))]
    return paths.some(this.#fits) !== glob.startsWith('!')
  }

  find(): FoundPlace[] {
    return this.#job.places.map(place => this.#find(place))
  }

  /** Links are followed here alone, and only within the root. */
  #find({ root, path }: WalkedPlace): FoundPlace {
    const walk = this.of(root)
    const facts = factsOf(walk.pathOf(path))
    if (!facts || !(facts.isDirectory() || facts.isFile())) return { is: 'missing' }
    const real = relative(realpathSync(walk.root), realpathSync(walk.pathOf(path)))
    if (real === '..' || real.startsWith(`..${sep}`) || isAbsolute(real)) return { is: 'outside' }
    const place = { root, path: real.replaceAll(sep, '/') }
    if (walk.leavesOut(place.path, facts.isDirectory())) return { is: 'ignored' }
    return { is: facts.isDirectory() ? 'folder' : 'file', ...place }
  }
}

function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Without the `!` at its beginning. */
function fitting(glob = ''): (path: string) => boolean {
  const plain = glob
    .replace(/^!/, '')
    .replace(/^\.?\//, '')
    .replace(/\/$/, '/**')
  return globMatcher([plain])
}

class TextWork {
  readonly walks: Walks
  readonly #unsaved: ReadonlyMap<string, string>
  readonly #searcher: TextSearcher

  constructor(job: TextJob, progress: Progress) {
    const { pattern, context, mostInFile: mostLines, mostCounted, mostBytes } = job
    this.walks = new Walks(job)
    this.#unsaved = job.unsaved
    this.#searcher = new TextSearcher({ pattern, limits: { context, mostLines, mostCounted }, mostBytes, progress })
  }

  search(tasks: readonly SearchTask[], skipped: readonly string[], budgetMs: number): SearchedPart {
    const until = performance.now() + budgetMs
    const left = [...tasks]
    const found: Found = { files: [], searched: 0, secret: 0, tooLarge: 0, minified: 0 }
    while (left.length > 0 && performance.now() < until) {
      const task = left.shift()
      if (task)
        this.#searchFolder(task, until, left, (place, isSecret) => {
          if (isSecret) found.secret++
          else if (!skipped.includes(this.walks.shortPath(place))) this.#searchFile(place, found)
        })
    }
    return { ...found, tasks: left }
  }

  /** Adds to `left` its folders, and its rest if the time was over. */
  #searchFolder(
    { root, path, isFile, from = 0 }: SearchTask,
    until: number,
    left: SearchTask[],
    search: (place: WalkedPlace, isSecret: boolean) => void,
  ): void {
    const walk = this.walks.of(root)
    const cut = path.lastIndexOf('/')
    const folder = isFile ? path.slice(0, Math.max(cut, 0)) : path
    const { folders, files } = isFile ? { folders: [], files: [path.slice(cut + 1)] } : walk.read(folder)
    const lead = folder === '' ? '' : `${folder}/`
    if (from === 0) left.push(...folders.map(name => ({ root, path: lead + name })))
    const isSecret = walk.secretIn(folder)
    for (const [at, name] of files.entries()) {
      if (at < from) continue
      if (at > from && performance.now() >= until) {
        left.unshift({ root, path: folder, from: at })
        return
      }
      const place = { root, path: lead + name }
      if (isFile || this.walks.fits(place)) search(place, isSecret(name))
    }
  }

  #searchFile(place: WalkedPlace, tally: Found): void {
    const path = this.walks.shortPath(place)
    const file = this.walks.of(place.root).pathOf(place.path)
    const unsaved = this.#unsaved.get(file)
    const found = unsaved === undefined ? this.#searcher.search(file, path) : this.#searcher.searchText(unsaved, path)
    if (found === 'secret') tally.secret++
    else if (found === 'too large') tally.tooLarge++
    else if (found !== 'unreadable' && found !== 'binary') tally.searched++
    if (typeof found === 'string') return
    tally.minified += found.minified
    if (found.count > 0) tally.files.push({ path, lines: found.lines, count: found.count })
  }
}

type Found = { -readonly [K in Exclude<keyof SearchedPart, 'files' | 'tasks'>]: number } & {
  readonly files: FoundFile[]
}

/** One folder after the other, those nearer to the top first. */
class ListWork {
  readonly walks: Walks
  readonly #hasGlob: boolean
  readonly #most: number
  readonly #entries: ListedEntry[] = []
  readonly #folders: WalkedPlace[] = []
  #at = 0
  #more = 0

  constructor(job: ListJob) {
    this.walks = new Walks(job)
    this.#hasGlob = job.glob !== undefined
    this.#most = job.most
  }

  list(folders: readonly WalkedPlace[], isLast: boolean, budgetMs: number): ListedPart {
    this.#folders.push(...folders)
    const until = performance.now() + budgetMs
    while (this.#at < this.#folders.length && performance.now() < until) {
      const place = this.#folders[this.#at++]
      if (place) this.#add(place)
    }
    const isOver = isLast || this.#at === this.#folders.length
    return { entries: isOver ? this.#entries : undefined, more: this.#more }
  }

  #add({ root, path: folder }: WalkedPlace): void {
    const walk = this.walks.of(root)
    const { folders, files, links } = walk.read(folder)
    const lead = folder === '' ? '' : `${folder}/`
    for (const name of folders) {
      const place = { root, path: lead + name }
      this.#folders.push(place)
      if (!this.#hasGlob) this.#list(place, () => ({ isFolder: true, size: 0, isSecret: false }))
    }
    const isSecret = walk.secretIn(folder)
    for (const name of [...files, ...links]) {
      const place = { root, path: lead + name }
      if (!this.walks.fits(place)) continue
      const size = () => factsOf(walk.pathOf(place.path))?.size ?? 0
      this.#list(place, () => ({ isFolder: false, size: size(), isSecret: isSecret(name) }))
    }
  }

  #list(place: WalkedPlace, facts: () => Omit<ListedEntry, 'path'>): void {
    if (this.#entries.length < this.#most) this.#entries.push({ path: this.walks.shortPath(place), ...facts() })
    else this.#more++
  }
}
