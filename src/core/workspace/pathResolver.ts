// `PathResolver`: the only way from a path to a file: what the path really leads to, and whether that may be written.
import { percentEncoded } from '../../base/text.ts'
import { type PathProblem, readWrittenPath } from './writtenPath.ts'

/** `path`: on the disk, with `/` between its names; undefined for a folder of a virtual file system. */
export interface WorkspaceRoot {
  readonly uri: string
  readonly name: string
  readonly path: string | undefined
}

export interface EntryFacts {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** How many names the file has. */
  readonly linkCount: number
  /** The same for the same file; undefined where the system has none. */
  readonly identity: string | undefined
}

export interface DiskPaths {
  /** The path without links, with `/`. Rejects with an error whose `code` is `ENOENT` where there is none. */
  realPath(path: string): Promise<string>
  /** Of the entry itself, not of what it links to; undefined where there is none. */
  facts(path: string): Promise<EntryFacts | undefined>
  readonly ignoresCase: boolean
}

export interface ResolvedFile {
  readonly uri: string
  /** Relative to its folder, after links; outside of all folders the real path. */
  readonly path: string
  /** The whole path on the disk, after links; undefined for a file that is not on the disk. */
  readonly realPath?: string
  readonly isInWorkspace: boolean
  /** The workspace folder that it is really in. */
  readonly root?: WorkspaceRoot
  readonly exists: boolean
  /** Where the path really leads, where that is another file than it names. */
  readonly linkTarget?: string
  /** The same as a URI, where it is in the workspace. */
  readonly linkUri?: string
  /** The file has other names, which may be outside. */
  readonly isHardLinked: boolean
  readonly identity: string | undefined
}

export type ResolveProblem = PathProblem | 'no folder' | 'no file' | 'unreadable'
export type Resolved =
  | ({ readonly is: 'file' } & ResolvedFile)
  | { readonly is: 'refused'; readonly problem: ResolveProblem }

/** `named`: to what the path names. `linked`: through a link to another place. `unknown`: to nothing, or nobody knows. */
export type Place =
  | { readonly is: 'named' }
  | { readonly is: 'linked'; readonly target: string }
  | { readonly is: 'unknown' }

export interface ResolverPorts {
  roots(): readonly WorkspaceRoot[]
  readonly disk: DiskPaths
  /** The URI of a path on the disk. */
  uriOf(path: string): string
  /** The path on the disk of a URI with `/`; undefined for a virtual file. */
  pathOf(uri: string): string | undefined
}

const refused = (problem: ResolveProblem): Resolved => ({ is: 'refused', problem })

export class PathResolver {
  readonly #ports: ResolverPorts

  constructor(ports: ResolverPorts) {
    this.#ports = ports
  }

  /**
   * The URIs that a written path may mean, without a look at the disk. Relative to each folder; with several folders the
   * name of one may come first.
   */
  candidates(written: string): readonly string[] {
    const path = readWrittenPath(written)
    const roots = this.#ports.roots()
    if (path.is === 'refused') return []
    if (path.is === 'absolute') return [this.#ports.uriOf(path.path)]
    const [first, ...rest] = path.names
    const named =
      rest.length > 0 ? roots.filter(({ name }) => name === first).map(root => this.#within(root, rest)) : []
    return [...(roots.length > 1 ? named : []), ...roots.map(root => this.#within(root, path.names))]
  }

  /** As the editor writes it, where the folder is on the disk. */
  #within({ uri, path }: WorkspaceRoot, names: readonly string[]): string {
    if (path !== undefined) return this.#ports.uriOf([path.replace(/\/$/, ''), ...names].join('/'))
    return [uri.replace(/\/$/, ''), ...names.map(percentEncoded)].join('/')
  }

  /** Follows links of the nearest folder that exists. Any error of the disk refuses. */
  async resolve(uri: string): Promise<Resolved> {
    const path = this.#ports.pathOf(uri)
    if (path === undefined) return this.#virtual(uri)
    const read = readWrittenPath(this.#belowRoot(path))
    if (read.is === 'refused') return refused(read.problem)
    try {
      return await this.#onDisk(uri, path)
    } catch {
      return refused('unreadable')
    }
  }

  /** Where the path leads. Accepts all names that files have, because it is not the model who writes this one. */
  async placeOf(uri: string): Promise<Place> {
    const path = this.#ports.pathOf(uri)
    if (path === undefined) return { is: 'named' }
    try {
      const [real, folders] = await Promise.all([this.#realOf(path), this.#realFolders()])
      if (real === undefined) return { is: 'unknown' }
      return this.#isLinked(real, path, folders) ? { is: 'linked', target: real } : { is: 'named' }
    } catch {
      return { is: 'unknown' }
    }
  }

  /** What is at a path on the disk; undefined for nothing. */
  factsOf(path: string): Promise<EntryFacts | undefined> {
    return this.#ports.disk.facts(path)
  }

  /** Without links, as far as that is known. */
  async realPathOf(path: string): Promise<string> {
    return (await this.#realOf(path).catch(() => undefined)) ?? path
  }

  async #onDisk(uri: string, path: string): Promise<Resolved> {
    const { disk } = this.#ports
    const [real, folders] = await Promise.all([this.#realOf(path), this.#realFolders()])
    if (real === undefined) return refused('unreadable')
    const facts = await disk.facts(real)
    if (facts && facts.kind !== 'file') return refused('no file')
    const inside = this.#insideOf(real, folders)
    const isLinked = this.#isLinked(real, path, folders)
    return {
      is: 'file',
      uri,
      path: inside?.path ?? real,
      realPath: real,
      isInWorkspace: inside !== undefined,
      ...(inside && { root: inside.root }),
      exists: facts !== undefined,
      ...(isLinked && { linkTarget: real }),
      ...(isLinked && inside && { linkUri: this.#within(inside.root, inside.path.split('/')) }),
      isHardLinked: (facts?.linkCount ?? 1) > 1,
      identity: facts?.identity,
    }
  }

  /** Undefined where the path goes through a link to nothing. */
  async #realOf(path: string): Promise<string | undefined> {
    const { disk } = this.#ports
    const rest: string[] = []
    for (let at = path; ; ) {
      try {
        const real = await disk.realPath(at)
        return [real.replace(/\/$/, ''), ...rest].join('/')
      } catch (fault) {
        if (!isMissing(fault)) throw fault
      }
      // What exists and has no real path is a link to nothing, through which a file would be made elsewhere.
      if (await disk.facts(at)) return undefined
      const cut = at.lastIndexOf('/')
      if (cut < 0) return undefined
      rest.unshift(at.slice(cut + 1))
      at = at.slice(0, cut) || '/'
    }
  }

  /** The folders of the workspace on the disk, each with its real path where it has one. */
  async #realFolders(): Promise<readonly RealFolder[]> {
    const roots = this.#ports.roots().filter(({ path }) => path !== undefined)
    return Promise.all(roots.map(async root => ({ root, real: await this.#realOf(root.path ?? '') })))
  }

  /** The folder that it is in, and the path relative to it; undefined where it is in none. */
  #insideOf(real: string, folders: readonly RealFolder[]) {
    for (const { root, real: folder = root.path ?? '' } of folders) {
      if (this.#folded(real).startsWith(`${this.#folded(folder)}/`))
        return { root, path: real.slice(folder.length + 1) }
    }
    return undefined
  }

  /** A link on the way to a folder of the workspace is the user's own. */
  #isSameByFolder(real: string, path: string, folders: readonly RealFolder[]): boolean {
    return folders.some(({ root: { path: root = '' }, real: folder }) => {
      const isBelow = this.#folded(path).startsWith(`${this.#folded(root)}/`)
      return isBelow && folder !== undefined && this.#isSame(`${folder}${path.slice(root.length)}`, real)
    })
  }

  /** The names above a folder of the workspace are not the model's. */
  #belowRoot(path: string): string {
    const root = this.#ports
      .roots()
      .find(one => one.path && this.#folded(path).startsWith(`${this.#folded(one.path)}/`))
    return root?.path === undefined ? path : path.slice(root.path.length + 1)
  }

  #isLinked(real: string, path: string, folders: readonly RealFolder[]): boolean {
    return !this.#isSame(real, path) && !this.#isSameByFolder(real, path, folders)
  }

  #isSame(a: string, b: string): boolean {
    return this.#folded(a) === this.#folded(b)
  }

  #folded(path: string): string {
    const normal = path.normalize('NFC')
    return this.#ports.disk.ignoresCase ? normal.toLowerCase() : normal
  }

  #virtual(uri: string): Resolved {
    // Not by `URL`, which resolves the names that are looked for here. Not every file system has hosts.
    const path = decoded(/^[a-z][\w+.-]*:(?:\/\/[^/]*)?(\/[^?#]*)/i.exec(uri)?.[1] ?? '')
    if (!path || path.split('/').some(name => name === '..' || name === '.')) return refused('outside')
    const root = this.#ports.roots().find(one => uri.startsWith(`${one.uri.replace(/\/$/, '')}/`))
    const relative = root === undefined ? path : decoded(uri.slice(root.uri.replace(/\/$/, '').length + 1))
    const isInWorkspace = root !== undefined && relative !== undefined
    return {
      is: 'file',
      uri,
      path: relative ?? path,
      isInWorkspace,
      ...(isInWorkspace && { root }),
      exists: true,
      isHardLinked: false,
      identity: undefined,
    }
  }
}

interface RealFolder {
  readonly root: WorkspaceRoot
  readonly real: string | undefined
}

const isMissing = (fault: unknown) =>
  fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR')

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
