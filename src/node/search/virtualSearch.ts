// `VirtualSearch`: lists and searches folders that are on no disk, by what the editor finds and reads there.
import { throwIfAborted } from '../../base/abort.ts'
import { percentEncoded } from '../../base/text.ts'
import { excludedNames, globMatcher } from '../../core/workspace/exclude.ts'
import {
  type FoundFile,
  type FoundText,
  type Listed,
  type ListedEntry,
  type ListQuery,
  MOST_SEARCHED_BYTES,
  type NoTree,
  type TextQuery,
  type TreePlace,
  type TreeSearch,
} from '../../core/workspace/treeSearch.ts'
import type { VirtualFiles } from '../../core/workspace/virtualFiles.ts'
import { SlowPatternError } from './treeThread.ts'
import type { TreeThreads } from './treeThreads.ts'

const longestMs = 20_000
const mostTooSlow = 8
/** Each is read over the network. */
const MOST_PARALLEL = 8

export class VirtualSearch implements TreeSearch {
  readonly #files: VirtualFiles
  readonly #threads: TreeThreads

  constructor(files: VirtualFiles, threads: TreeThreads) {
    this.#files = files
    this.#threads = threads
  }

  async list({ places, glob, most }: ListQuery, signal: AbortSignal): Promise<Listed | NoTree> {
    const kinds = await this.#kinds(places, signal)
    if (kinds.includes('file')) return { is: 'file' }
    if (!kinds.includes('folder')) return { is: 'missing' }
    const found = await this.#found(places, glob, signal)
    const folders = glob === undefined ? foldersOf(found, places) : []
    const entries = [...folders.map(entryOfFolder), ...found.map(entryOfFile)]
    entries.sort((a, b) => depthOf(a) - depthOf(b) || Number(b.isFolder) - Number(a.isFolder) || order(a.path, b.path))
    return { entries: entries.slice(0, most), more: Math.max(0, entries.length - most), isCut: false }
  }

  async search(query: TextQuery, signal: AbortSignal): Promise<FoundText | NoTree> {
    const kinds = await this.#kinds(query.places, signal)
    if (kinds.every(kind => kind === undefined)) return { is: 'missing' }
    return this.#threads.use(async () => {
      const found = await this.#found(query.places, query.glob, signal)
      return new VirtualRun(this.#files, this.#threads, query, signal).run(found)
    })
  }

  #kinds(places: readonly TreePlace[], signal: AbortSignal) {
    return Promise.all(places.map(place => this.#files.kindOf(place, signal)))
  }

  async #found(places: readonly TreePlace[], glob: string | undefined, signal: AbortSignal): Promise<TreePlace[]> {
    const found: TreePlace[] = []
    for (const place of places) {
      const isFile = (await this.#files.kindOf(place, signal)) === 'file'
      const paths = isFile ? [place.path] : await this.#files.find(place, signal)
      const fits = isFile ? () => true : fitting(glob, place)
      found.push(...paths.filter(fits).map(path => ({ root: place.root, path })))
    }
    return found.sort((a, b) => order(shortPath(a), shortPath(b)))
  }
}

/** One search, whose files are read here and looked at in a thread. */
class VirtualRun {
  readonly #files: VirtualFiles
  readonly #threads: TreeThreads
  readonly #query: TextQuery
  readonly #signal: AbortSignal
  readonly #found: FoundFile[] = []
  readonly #tooSlow: string[] = []
  readonly #totals = { searched: 0, secret: 0, tooLarge: 0, minified: 0 }
  #cut: FoundText['isCut'] = 'no'

  constructor(files: VirtualFiles, threads: TreeThreads, query: TextQuery, signal: AbortSignal) {
    this.#files = files
    this.#threads = threads
    this.#query = query
    this.#signal = signal
  }

  async run(places: readonly TreePlace[]): Promise<FoundText> {
    const until = performance.now() + longestMs
    const rest = places.values()
    const work = async () => {
      for (const place of rest) {
        throwIfAborted(this.#signal)
        if (performance.now() > until && this.#cut === 'no') this.#cut = 'time'
        if (this.#cut !== 'no') return
        await this.#searchFile(place)
      }
    }
    await Promise.all(Array.from({ length: MOST_PARALLEL }, work))
    const files = this.#found.sort((a, b) => order(a.path, b.path))
    return { files, ...this.#totals, tooSlow: this.#tooSlow, isCut: this.#cut }
  }

  async #searchFile(place: TreePlace): Promise<void> {
    if (isSecret(place)) {
      this.#totals.secret++
      return
    }
    const uri = `${place.root.uri.replace(/\/$/, '')}/${place.path.split('/').map(percentEncoded).join('/')}`
    const unsaved = this.#query.unsaved.find(one => one.uri === uri)?.text
    const content = unsaved ?? (await this.#files.read(place, MOST_SEARCHED_BYTES, this.#signal))
    if (content === undefined) return
    const { pattern, context, mostInFile: mostLines, mostCounted } = this.#query
    const limits = { context, mostLines, mostCounted }
    try {
      const path = shortPath(place)
      const { found } = await this.#threads.member().ask({ kind: 'content', path, content, pattern, limits })
      if (found === 'secret') this.#totals.secret++
      else if (found !== 'binary' && found !== 'unreadable') this.#totals.searched++
      if (typeof found === 'string') return
      this.#totals.minified += found.minified
      if (found.count > 0) this.#found.push({ path, lines: found.lines, count: found.count })
    } catch (fault) {
      if (!(fault instanceof SlowPatternError)) {
        if (this.#threads.mayRetry(fault)) return this.#searchFile(place)
        throw fault
      }
      this.#tooSlow.push(fault.path)
    }
    if (this.#tooSlow.length >= mostTooSlow) this.#cut = 'slow'
    if (this.#found.reduce((sum, { count }) => sum + count, 0) >= mostCounted) this.#cut = 'counted'
  }
}

const order = (a: string, b: string) => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const shortPath = ({ root, path }: TreePlace) => [root.name, path].filter(part => part !== '').join('/')

function fitting(glob: string | undefined, { root, path: base }: TreePlace): (path: string) => boolean {
  if (glob === undefined) return () => true
  const fits = globMatcher([glob.replace(/^!/, '').replace(/\/$/, '/**')])
  return path => {
    const inner = path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
    return [path, inner, shortPath({ root, path })].some(fits) !== glob.startsWith('!')
  }
}

function isSecret({ root, path }: TreePlace): boolean {
  const cut = path.lastIndexOf('/')
  const folder = path.slice(0, Math.max(0, cut))
  return excludedNames(root.unsent, folder, folder)(path.slice(cut + 1))
}

function foldersOf(files: readonly TreePlace[], places: readonly TreePlace[]): string[] {
  const tops = new Set(places.map(shortPath))
  const folders = new Set<string>()
  for (const place of files) {
    const names = place.path.split('/')
    for (let at = 1; at < names.length; at++) {
      const folder = { root: place.root, path: names.slice(0, at).join('/') }
      const isBelow = places.some(({ root, path }) => root === place.root && folder.path.startsWith(path))
      if (isBelow && !tops.has(shortPath(folder))) folders.add(shortPath(folder))
    }
  }
  return [...folders]
}

const entryOfFolder = (path: string): ListedEntry => ({ path, isFolder: true, size: 0, isSecret: false })
const entryOfFile = (place: TreePlace): ListedEntry => ({
  path: shortPath(place),
  isFolder: false,
  size: 0,
  isSecret: isSecret(place),
})

const depthOf = ({ path }: ListedEntry) => path.split('/').length
