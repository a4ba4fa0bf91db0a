// `FileIndex`: the files and folders of the workspace by their paths, for a search that never blocks for long.
import { sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { FuzzyQuery, type SearchedPath, searchedPath } from './fuzzyPath.ts'
import type { ListedFile } from './textFiles.ts'

export interface PathMatch extends ListedFile {
  /** Offsets in `path` of the characters that the query matched. */
  readonly positions: readonly number[]
}

export interface SearchOptions {
  readonly of: 'file' | 'folder'
  readonly limit: number
}

/** Best first; yields again with more or better ones until all paths have been compared. */
export interface FileSearch {
  search(text: string, options: SearchOptions, signal: AbortSignal): AsyncIterable<readonly PathMatch[]>
}

interface Entry extends SearchedPath {
  readonly uri: string
}

interface Ranked {
  readonly entry: Entry
  readonly score: number
}

/** What a search found when it was complete, from which a longer query goes on. */
interface Narrowed {
  readonly query: FuzzyQuery
  readonly generation: number
  readonly entries: readonly Entry[]
}

/** Work without a pause takes no longer, so that a key press is never late. */
const SLICE_MS = 5
/** Paths that are compared between two looks at the clock. */
const PATHS_PER_LOOK = 128
/** The first results after this time, and more each time it has passed twice. */
const FIRST_RESULTS_MS = 24
/** How much better the file ranks that was used last; it never changes the kind of a match. */
const RECENT_SCORE = 24

export class FileIndex implements FileSearch {
  readonly #clock: Clock
  readonly #files = new PathList()
  readonly #folders = new PathList()
  /** How many files are below a folder; a folder without one is dropped. */
  readonly #filesBelow = new Map<string, number>()
  readonly #recent: () => readonly string[]

  /** `recent`: the files that were used last, the last one first. */
  constructor(clock: Clock, recent: () => readonly string[]) {
    this.#clock = clock
    this.#recent = recent
  }

  get size(): number {
    return this.#files.entries.length
  }

  /** Adds in slices, so that a large workspace does not block. */
  async fill(files: readonly ListedFile[], signal: AbortSignal): Promise<void> {
    const slice = new Slice(this.#clock)
    for (const [at, file] of files.entries()) {
      if (at % PATHS_PER_LOOK === 0) await slice.pauseIfOver(signal)
      this.add(file)
    }
  }

  add({ uri, path }: ListedFile): void {
    if (!this.#files.add(uri, path)) return
    for (const folder of foldersOf(uri, path)) {
      const count = this.#filesBelow.get(folder.uri) ?? 0
      this.#filesBelow.set(folder.uri, count + 1)
      if (count === 0) this.#folders.add(folder.uri, folder.path)
    }
  }

  /** Files, and all files below folders. */
  delete(uris: readonly string[]): void {
    const folders = uris.filter(uri => this.#filesBelow.has(uri)).map(uri => `${uri}/`)
    const below = folders.length > 0 ? this.#files.entries.filter(one => isBelow(one.uri, folders)) : []
    const gone = new Set([...below, ...uris.flatMap(uri => this.#files.get(uri) ?? [])])
    if (gone.size === 0) return
    this.#files.delete(new Set([...gone].map(({ uri }) => uri)))
    this.#folders.delete(new Set([...gone].flatMap(entry => this.#emptied(entry))))
  }

  clear(): void {
    this.#files.clear()
    this.#folders.clear()
    this.#filesBelow.clear()
  }

  async *search(text: string, { of, limit }: SearchOptions, signal: AbortSignal): AsyncIterable<readonly PathMatch[]> {
    const query = new FuzzyQuery(text)
    const list = of === 'file' ? this.#files : this.#folders
    const recent = this.#recentEntries(list)
    if (query.isEmpty) return yield firstOf(list, recent, limit)
    const best = new Best(limit)
    const found: Entry[] = []
    const slice = new Slice(this.#clock)
    const { generation } = list
    let nextResultsMs = FIRST_RESULTS_MS
    const candidates = list.narrowedFor(query)
    for (const [at, entry] of candidates.entries()) {
      if (at % PATHS_PER_LOOK === 0 && (await slice.pauseIfOver(signal)) && slice.totalMs > nextResultsMs) {
        nextResultsMs = slice.totalMs + 2 * FIRST_RESULTS_MS
        yield best.matches(query)
      }
      const score = query.scoreOf(entry)
      if (score === 0) continue
      found.push(entry)
      best.add({ entry, score: score + (recent.has(entry) ? RECENT_SCORE : 0) })
    }
    list.narrowed = { query, generation, entries: found }
    yield best.matches(query)
  }

  #recentEntries(list: PathList): ReadonlySet<Entry> {
    return new Set(this.#recent().flatMap(uri => list.get(uri) ?? []))
  }

  /** The folders that have no file without this one. */
  #emptied({ uri, path }: Entry): string[] {
    return [...foldersOf(uri, path)].flatMap(folder => {
      const count = (this.#filesBelow.get(folder.uri) ?? 1) - 1
      if (count > 0) this.#filesBelow.set(folder.uri, count)
      else this.#filesBelow.delete(folder.uri)
      return count > 0 ? [] : [folder.uri]
    })
  }
}

const isBelow = (uri: string, folders: readonly string[]) => folders.some(folder => uri.startsWith(folder))

/** The folders that a file is in, up to its workspace folder. */
function* foldersOf(uri: string, path: string): Iterable<ListedFile> {
  let uriEnd = uri.lastIndexOf('/')
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    yield { uri: uri.slice(0, uriEnd), path: path.slice(0, end) }
    uriEnd = uri.lastIndexOf('/', uriEnd - 1)
  }
}

function firstOf(list: PathList, recent: ReadonlySet<Entry>, limit: number): PathMatch[] {
  const first = [...recent, ...list.entries.slice(0, limit + recent.size).filter(entry => !recent.has(entry))]
  return first.slice(0, limit).map(({ uri, path }) => ({ uri, path, positions: [] }))
}

class PathList {
  entries: Entry[] = []
  /** Counts the changes. */
  generation = 0
  narrowed: Narrowed | undefined
  readonly #places = new Map<string, number>()

  get(uri: string): Entry | undefined {
    const place = this.#places.get(uri)
    return place === undefined ? undefined : this.entries[place]
  }

  /** False if it is known. */
  add(uri: string, path: string): boolean {
    if (this.#places.has(uri)) return false
    this.generation++
    this.#places.set(uri, this.entries.push({ uri, ...searchedPath(path) }) - 1)
    return true
  }

  /** Makes a new array, because a search may be reading the old one. */
  delete(uris: ReadonlySet<string>): void {
    if (uris.size === 0) return
    this.generation++
    this.entries = this.entries.filter(({ uri }) => !uris.has(uri))
    this.#places.clear()
    for (const [place, { uri }] of this.entries.entries()) this.#places.set(uri, place)
  }

  clear(): void {
    this.generation++
    this.entries = []
    this.#places.clear()
  }

  narrowedFor(query: FuzzyQuery): readonly Entry[] {
    const { narrowed } = this
    const isUsable = narrowed && narrowed.generation === this.generation && query.narrows(narrowed.query)
    return isUsable ? narrowed.entries : this.entries
  }
}

/** The best so far, sorted. */
class Best {
  readonly #limit: number
  readonly #ranked: Ranked[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  add(one: Ranked): void {
    const ranked = this.#ranked
    const last = ranked.at(-1)
    if (ranked.length >= this.#limit && last && compare(one, last) >= 0) return
    let [low, high] = [0, ranked.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = ranked[middle]
      if (other && compare(other, one) <= 0) low = middle + 1
      else high = middle
    }
    ranked.splice(low, 0, one)
    if (ranked.length > this.#limit) ranked.pop()
  }

  matches(query: FuzzyQuery): PathMatch[] {
    return this.#ranked.map(({ entry }) => ({
      uri: entry.uri,
      path: entry.path,
      positions: query.positionsIn(entry),
    }))
  }
}

/** The better score, then the shorter name, then the shorter path, then the order of the alphabet. */
function compare(a: Ranked, b: Ranked): number {
  const [left, right] = [a.entry, b.entry]
  if (a.score !== b.score) return b.score - a.score
  const byName = left.path.length - left.nameStart - (right.path.length - right.nameStart)
  if (byName !== 0) return byName
  if (left.path.length !== right.path.length) return left.path.length - right.path.length
  return left.path < right.path ? -1 : 1
}

/** Time of work since the last pause. */
class Slice {
  readonly #clock: Clock
  readonly #start: number
  #begun: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#start = clock.elapsed()
    this.#begun = this.#start
  }

  get totalMs(): number {
    return this.#clock.elapsed() - this.#start
  }

  /** True after a pause. */
  async pauseIfOver(signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    if (this.#clock.elapsed() - this.#begun < SLICE_MS) return false
    await sleep(this.#clock, 0, signal)
    this.#begun = this.#clock.elapsed()
    return true
  }
}
