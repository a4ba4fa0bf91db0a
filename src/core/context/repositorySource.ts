// `RepositorySource`: all the files of the workspace as one attachment, its size beforehand, and later what has changed.
import { modelText } from '../workspace/modelText.ts'
import type { FileListing, ListedFile } from '../workspace/textFiles.ts'
import type { ContextNames } from './contextNames.ts'
import type { ContextSource, Omission, Resolved } from './contextSources.ts'
import type { FileAccess } from './fileAccess.ts'
import { matching } from './matching.ts'
import { Omissions } from './omissions.ts'
import { allowedByPath, readWithin } from './readWithin.ts'
import { repositoryChanges, repositoryText, type TextFile } from './repositoryText.ts'
import type { KeyRemover } from './safeSources.ts'

/** Files that are read, and the characters of all together: some 500,000 tokens. */
export const repositoryLimits = { files: 5_000, chars: 2_000_000 } as const

export interface RepositoryEstimate {
  /** Of the bytes on the disk. */
  readonly chars: number
  /** The largest first; those inside of a folder that has most of all. */
  readonly folders: readonly { readonly path: string; readonly chars: number }[]
}

/** What is sent of the repository. */
export interface RepositoryContents {
  readonly paths: readonly string[]
  readonly chars: number
  readonly omitted: readonly Omission[]
  readonly lacksGit: boolean
}

const generated =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|flake\.lock|[^/]+\.min\.(?:js|css)|[^/]+\.map|[^/]+\.snap)$/i
const binary =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|exe|dll|so|dylib|a|o|obj|lib|wasm|bin|dat|db|sqlite3?|mp[34]|m4a|wav|ogg|flac|mov|avi|mkv|webm|ttf|otf|woff2?|eot|docx?|xlsx?|pptx?|pyc|node|vsix)$/i

const STATS_AT_ONCE = 32

export class RepositorySource implements ContextSource<'repository'> {
  readonly #access: FileAccess
  readonly #listing: FileListing
  readonly #name: string
  readonly #keys: KeyRemover

  constructor(access: FileAccess, listing: FileListing, names: ContextNames, keys: KeyRemover) {
    this.#access = access
    this.#listing = listing
    this.#name = names.repository
    this.#keys = keys
  }

  async *suggest(query: Parameters<ContextSource['suggest']>[0]) {
    const words = ['repository', 'codebase', 'workspace']
    yield matching([{ reference: { source: 'repository' as const }, ...this.describe(), words }], query)
  }

  describe() {
    return { label: this.#name, detail: '', icon: 'repository' } as const
  }

  async resolve(_: unknown, __: unknown, signal: AbortSignal): Promise<Resolved> {
    const { files, omitted, differences, lacksGit } = await this.#read(signal)
    if (files.length === 0)
      return { is: 'unavailable', why: omitted.all.length > 0 ? 'untrusted' : 'empty', name: this.#name }
    const part = this.#access.part({ source: 'repository', name: this.#name, text: repositoryText(files) })
    return { is: 'ready', parts: [part], omitted: omitted.all, ...differences, ...(lacksGit && { lacksGit }) }
  }

  /** The same files as `resolve` takes, because some of them are only left out by what is in them. */
  async contents(signal: AbortSignal): Promise<RepositoryContents> {
    const { files, omitted, lacksGit } = await this.#read(signal)
    const chars = files.reduce((sum, { text }) => sum + text.length, 0)
    return { paths: files.map(({ path }) => path), chars, omitted: omitted.all, lacksGit }
  }

  /** The size before anything is read. */
  async estimate(signal: AbortSignal): Promise<RepositoryEstimate> {
    const { files: listed } = await this.#listed(new Omissions(), signal)
    const included: { path: string; chars: number }[] = []
    for (let at = 0; at < listed.length; at += STATS_AT_ONCE) {
      signal.throwIfAborted()
      const some = listed.slice(at, at + STATS_AT_ONCE)
      const found = await Promise.all(some.map(({ uri }) => this.#access.files.find(uri, signal)))
      for (const file of found) {
        if (file?.kind === 'file') included.push({ path: file.path, chars: file.size })
      }
    }
    const chars = sumOf(included)
    return { chars, folders: largestFolders(included, chars) }
  }

  /** As a patch against the text of an earlier attachment; empty where nothing has changed. */
  async changesSince(earlier: string, signal: AbortSignal): Promise<string> {
    const { files } = await this.#read(signal)
    return repositoryChanges(earlier, files)
  }

  /** As it is sent, so that the text of a file with a key or with what nobody sees is the same each time. */
  async #read(signal: AbortSignal) {
    const omitted = new Omissions()
    const limits = { purpose: 'mention', chars: repositoryLimits.chars } as const
    const listed = await this.#listed(omitted, signal)
    const { read } = await readWithin(this.#access, listed.files, limits, omitted, signal)
    const found = read.map(({ file, read: { text } }) => ({ path: file.path, ...modelText(text) }))
    const files = found.map(({ path, text }): TextFile => ({ path, text }))
    const unseen = found.flatMap(({ path: name, marked, hidden }) =>
      marked + hidden > 0 ? [{ name, count: marked + hidden }] : [],
    )
    const kept = this.#keys.withoutIn(files)
    const differences = { ...(kept !== files && { lacksKey: true }), ...(unseen.length > 0 && { unseen }) }
    return { files: kept, omitted, differences, lacksGit: listed.lacksGit }
  }

  async #listed(
    omitted: Omissions,
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly ListedFile[]; readonly lacksGit: boolean }> {
    const { files, untracked, isOfGit } = await this.#listing.list(undefined, { isTrackedOnly: true }, signal)
    for (const path of untracked) omitted.add('untracked', path)
    const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const text = sorted.filter(({ path }) => {
      if (generated.test(path)) omitted.add('generated', path)
      else if (binary.test(path)) omitted.add('binary', path)
      else return true
      return false
    })
    for (const { path } of text.slice(repositoryLimits.files)) omitted.add('count', path)
    const some = text.slice(0, repositoryLimits.files)
    return { files: await allowedByPath(this.#access, some, 'mention', omitted, signal), lacksGit: !isOfGit }
  }
}

interface Sized {
  readonly path: string
  readonly chars: number
}

const sumOf = (files: readonly Sized[]) => files.reduce((sum, { chars }) => sum + chars, 0)

/** A folder with more than this part of all is shown by the folders in it. */
const MOST_OF_ALL = 0.6
const DEEPEST = 3

function largestFolders(files: readonly Sized[], chars: number, depth = 1): readonly Sized[] {
  const sizes = new Map<string, number>()
  for (const file of files) {
    const folder = file.path.split('/').slice(0, -1).slice(0, depth).join('/')
    if (folder !== '') sizes.set(folder, (sizes.get(folder) ?? 0) + file.chars)
  }
  const folders = [...sizes].map(([path, size]) => ({ path, chars: size })).sort((a, b) => b.chars - a.chars)
  const isOne = (folders[0]?.chars ?? 0) > MOST_OF_ALL * chars
  return isOne && depth < DEEPEST ? largestFolders(files, chars, depth + 1) : folders
}
