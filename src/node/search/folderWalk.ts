// `FolderWalk`: reads the folders below a root, without what git ignores and what the editor's settings leave out.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { excludedNames, globMatcher } from '../../core/workspace/exclude.ts'
import { IgnoreRules } from './ignoreRules.ts'

/** Names, each list in its order. */
export interface FolderContents {
  readonly folders: readonly string[]
  readonly files: readonly string[]
  /** They are not followed, because they may lead outside or in a circle. */
  readonly links: readonly string[]
  /** Files that git ignores in a folder that it does not ignore. */
  readonly ignored: readonly string[]
  /** Folders that are left out, by git or by the settings. */
  readonly leftOut: readonly string[]
  readonly isUnreadable?: boolean
}

export interface WalkRules {
  readonly excluded: readonly string[]
  readonly unsent: readonly string[]
}

const nothing: FolderContents = { folders: [], files: [], links: [], ignored: [], leftOut: [] }

/** Folders are paths relative to the root, with `/`; the root itself is empty. */
export class FolderWalk {
  readonly root: string
  readonly #unsent: readonly string[]
  readonly #isExcluded: (path: string) => boolean
  /** Of the folders that were read. */
  readonly #rules = new Map<string, IgnoreRules>()
  #last: { readonly folder: string; readonly contents: FolderContents } | undefined

  constructor(root: string, { excluded, unsent }: WalkRules) {
    this.root = root
    this.#unsent = unsent
    this.#isExcluded = globMatcher(excluded)
  }

  /** Nothing for a folder that cannot be read. The last folder is remembered. */
  read(folder: string): FolderContents {
    if (this.#last?.folder !== folder) this.#last = { folder, contents: this.#read(folder) }
    return this.#last.contents
  }

  /** Whether the path or a folder that it is in is left out. */
  leavesOut(path: string, isFolder: boolean): boolean {
    const names = path === '' ? [] : path.split('/')
    return names.some((_, at) => {
      const part = names.slice(0, at + 1).join('/')
      const parent = names.slice(0, at).join('/')
      return this.#isLeftOut(this.#rulesOf(parent), part, isFolder || at < names.length - 1)
    })
  }

  /** Whether the file of a name in this folder looks secret, or the user keeps it from being sent. */
  secretIn(folder: string): (name: string) => boolean {
    return excludedNames(this.#unsent, folder, this.pathOf(folder).replaceAll('\\', '/'))
  }

  pathOf(path: string): string {
    return path === '' ? this.root : join(this.root, path)
  }

  #read(folder: string): FolderContents {
    const path = this.pathOf(folder)
    const entries = readEntries(path)
    if (!entries) return { ...nothing, isUnreadable: true }
    if (entries.length === 0) return nothing
    const rules = this.#rulesOf(folder, () => new Set(entries.map(({ name }) => name)))
    const none = (): string[] => []
    const contents = { folders: none(), files: none(), links: none(), ignored: none(), leftOut: none() }
    const lead = folder === '' ? '' : `${folder}/`
    for (const entry of entries) {
      const { name } = entry
      const isFolder = entry.isDirectory()
      if (name === '.git') continue
      if (this.#isLeftOut(rules, lead + name, isFolder)) {
        if (isFolder) contents.leftOut.push(name)
        else if (entry.isFile() && !this.#isExcluded(lead + name)) contents.ignored.push(name)
      } else if (isFolder) contents.folders.push(name)
      else if (entry.isFile()) contents.files.push(name)
      else if (entry.isSymbolicLink()) contents.links.push(name)
    }
    for (const names of Object.values(contents)) names.sort()
    return contents
  }

  #isLeftOut(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
    return this.#isExcluded(path) || rules.ignores(path, isFolder)
  }

  #rulesOf(folder: string, names = () => new Set(entriesOf(this.pathOf(folder)).map(({ name }) => name))): IgnoreRules {
    const known = this.#rules.get(folder)
    if (known) return known
    const cut = folder.lastIndexOf('/')
    const above = folder === '' ? IgnoreRules.above(this.root) : this.#rulesOf(cut < 0 ? '' : folder.slice(0, cut))
    const rules = above.within(folder, this.pathOf(folder), names())
    this.#rules.set(folder, rules)
    return rules
  }
}

const entriesOf = (path: string) => readEntries(path) ?? []

function readEntries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return undefined
  }
}
