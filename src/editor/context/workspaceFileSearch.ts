// `WorkspaceFileSearch`: the index of the workspace's files, made at the first search and kept up to date.
import { FileType, type Uri, window, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore, onEnd } from '../../base/disposable.ts'
import { Lru } from '../../base/lru.ts'
import { FileIndex, type FileSearch, type PathMatch, type SearchOptions } from '../../core/workspace/fileIndex.ts'
import type { IgnoredFiles } from '../../core/workspace/ignoredFiles.ts'
import type { FileListing } from '../../core/workspace/textFiles.ts'
import { workspacePath } from '../ui/workspacePath.ts'
import { excludedByEditor, isExcluded } from './excludedByEditor.ts'
import { openFiles } from './openEditors.ts'

/** Changes are taken in together, after this time. */
const SETTLE_MS = 250
/** Beyond so many changes at once, such as of a checkout, all files are listed anew at the next search. */
const MOST_CHANGES = 2_000
const MOST_RECENT = 50
/** Beyond so many folders made at once, all files are listed anew; of so many the files are looked for again. */
const MOST_FOLDERS = 8
const LOOK_AGAIN_MS = 5_000

export class WorkspaceFileSearch implements FileSearch, Disposable {
  readonly #listing: FileListing
  readonly #ignored: IgnoredFiles
  readonly #clock: Clock
  readonly #index: FileIndex
  readonly #recent = new Lru<string, string>(MOST_RECENT)
  readonly #life = new DisposableStore()
  readonly #abort = new AbortController()
  readonly #created = new Map<string, Uri>()
  readonly #deleted = new Set<string>()
  /** Folders that have come into being: the editor does not report what was in them before it watched them. */
  readonly #made = new Lru<string, string>(MOST_FOLDERS)
  #lookedAt = 0
  #filled: Promise<void> | undefined
  #isWatching = false
  #cancelTimer: (() => void) | undefined

  constructor(listing: FileListing, ignored: IgnoredFiles, clock: Clock) {
    this.#listing = listing
    this.#ignored = ignored
    this.#clock = clock
    this.#index = new FileIndex(clock, () => this.#recentFiles())
    this.#life.add(onEnd(() => this.#abort.abort()))
    this.#life.add(onEnd(() => this.#cancelTimer?.()))
    this.#life.add(window.onDidChangeActiveTextEditor(editor => this.#onActive(editor?.document.uri)))
  }

  async *search(text: string, options: SearchOptions, signal: AbortSignal): AsyncIterable<readonly PathMatch[]> {
    this.#filled ??= this.#fill()
    const first = await Promise.race([this.#filled.then(() => undefined), this.#openMatches(text, options, signal)])
    if (first) yield first
    await this.#filled
    signal.throwIfAborted()
    this.#lookAgain()
    yield* this.#index.search(text, options, signal)
  }

  dispose(): void {
    this.#life.dispose()
  }

  /** What can be found before the files have been listed: those that are open. */
  async #openMatches(text: string, options: SearchOptions, signal: AbortSignal) {
    const open = new FileIndex(this.#clock, () => this.#recentFiles())
    for (const uri of openFiles()) open.add({ uri: uri.toString(), path: workspacePath(uri) })
    for await (const matches of open.search(text, options, signal)) return matches
    return []
  }

  async #fill(): Promise<void> {
    this.#watch()
    try {
      const { files } = await this.#listing.list(undefined, {}, this.#abort.signal)
      this.#index.clear()
      await this.#index.fill(files, this.#abort.signal)
    } catch {
      this.#listAnew()
    }
  }

  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    const files = this.#life.add(workspace.createFileSystemWatcher('**/*', false, true, false))
    this.#life.add(files.onDidCreate(uri => this.#onCreated(uri)))
    this.#life.add(files.onDidDelete(uri => this.#onDeleted(uri)))
    const rules = this.#life.add(workspace.createFileSystemWatcher('**/.gitignore'))
    for (const onDid of [rules.onDidCreate, rules.onDidChange, rules.onDidDelete])
      this.#life.add(onDid(() => this.#onRules()))
    this.#life.add(workspace.onDidChangeWorkspaceFolders(() => this.#listAnew()))
    this.#life.add(workspace.onDidGrantWorkspaceTrust(() => this.#onRules()))
  }

  #onActive(uri: Uri | undefined): void {
    if (uri) this.#recent.set(uri.toString(), uri.toString())
  }

  #onRules(): void {
    this.#ignored.forget()
    this.#listAnew()
  }

  #listAnew(): void {
    this.#filled = undefined
  }

  #onCreated(uri: Uri): void {
    this.#deleted.delete(uri.toString())
    this.#created.set(uri.toString(), uri)
    this.#settle()
  }

  #onDeleted(uri: Uri): void {
    this.#created.delete(uri.toString())
    this.#deleted.add(uri.toString())
    this.#settle()
  }

  #settle(): void {
    this.#cancelTimer ??= this.#clock.later(SETTLE_MS, () => void this.#takeIn())
  }

  async #takeIn(): Promise<void> {
    this.#cancelTimer = undefined
    const created = [...this.#created.values()].filter(uri => !/\/\.git(?:\/|$)/.test(uri.path))
    const deleted = [...this.#deleted]
    this.#created.clear()
    this.#deleted.clear()
    if (created.length + deleted.length > MOST_CHANGES) return this.#listAnew()
    this.#index.delete(deleted)
    try {
      const { files, folders } = await this.#wanted(created)
      for (const uri of files) this.#index.add({ uri: uri.toString(), path: workspacePath(uri) })
      const made = outermost(folders.map(String))
      if (made.length > MOST_FOLDERS) return this.#listAnew()
      for (const folder of made) this.#made.set(folder, folder)
      await this.#addBelow(made)
    } catch {
      this.#listAnew()
    }
  }

  /** What has come since into folders that were made may have been missed too; the next search finds it. */
  #lookAgain(): void {
    const folders = this.#made.values()
    if (folders.length === 0 || this.#clock.elapsed() - this.#lookedAt < LOOK_AGAIN_MS) return
    void this.#addBelow(folders).catch(() => this.#made.clear())
  }

  async #addBelow(folders: readonly string[]): Promise<void> {
    this.#lookedAt = this.#clock.elapsed()
    const signal = this.#abort.signal
    const listings = await Promise.all(folders.map(folder => this.#listing.list(folder, {}, signal)))
    for (const { files } of listings) await this.#index.fill(files, signal)
  }

  /** Without what the listing would leave out. */
  async #wanted(created: readonly Uri[]): Promise<{ files: readonly Uri[]; folders: readonly Uri[] }> {
    const ignored = await this.#ignored.of(created.map(String), this.#abort.signal)
    const kept = created.filter(
      uri => !ignored.has(uri.toString()) && !isExcluded(workspacePath(uri), excludedByEditor(uri)),
    )
    const kinds = await Promise.all(kept.map(async uri => (await workspace.fs.stat(uri)).type))
    const isFolder = (at: number) => ((kinds[at] ?? 0) & FileType.Directory) !== 0
    const isLink = (at: number) => ((kinds[at] ?? 0) & FileType.SymbolicLink) !== 0
    return {
      files: kept.filter((_, at) => !isFolder(at)),
      folders: kept.filter((_, at) => isFolder(at) && !isLink(at)),
    }
  }

  #recentFiles(): readonly string[] {
    return [...new Set([...this.#recent.values(), ...openFiles().map(String)])]
  }
}

/** Without the folders that are in others of them. */
const outermost = (folders: readonly string[]) =>
  folders.filter(folder => !folders.some(other => folder.startsWith(`${other}/`)))
