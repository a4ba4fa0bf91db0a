// Files and a store of changes in memory, and the owner of changes on them.
import type {
  ChangeFiles,
  ChangeStore,
  NoText,
  PresentText,
  WriteOptions,
  WriteResult,
} from '../../src/core/tools/changePorts.ts'
import { Changes } from '../../src/core/tools/changes.ts'
import { type WriteConcern, WriteGuard } from '../../src/core/tools/writeGuard.ts'
import { type EntryFacts, PathResolver } from '../../src/core/workspace/pathResolver.ts'
import type { ChangeRecord } from '../../src/protocol/changeRecord.ts'

/** The user's files, by URI. */
export class MemoryFiles extends Map<string, string> implements ChangeFiles {
  readonly readOnly = new Set<string>()
  maySave = true
  /** Runs before the next write, as the user who types at the same time. */
  beforeWrite = () => {}
  /** The texts on the disk of files that are not saved. */
  readonly #saved = new Map<string, string>()

  /** What was not saved is lost. */
  endWindow(): void {
    for (const [uri, text] of this.#saved) this.set(uri, text)
    this.#saved.clear()
  }

  async read(uri: string): Promise<PresentText | NoText> {
    const text = this.get(uri)
    if (this.readOnly.has(uri)) return { is: 'read-only' }
    if (text === undefined) return { is: 'missing' }
    return { is: 'text', text, version: 1, editSince: () => undefined }
  }

  async write(uri: string, expected: string, text: string, options: WriteOptions = {}): Promise<WriteResult> {
    this.#meanwhile()
    if (this.get(uri) !== expected) return 'changed meanwhile'
    this.set(uri, text)
    if (!this.#saved.has(uri)) this.#saved.set(uri, expected)
    if (options.isUnsaved) return 'written'
    return (await this.save(uri)) ? 'written' : 'not saved'
  }

  async create(uri: string, text: string): Promise<WriteResult> {
    this.#meanwhile()
    if (this.has(uri)) return 'changed meanwhile'
    this.set(uri, text)
    return 'written'
  }

  async missingFolders(): Promise<number> {
    return 0
  }

  async removeFolder(): Promise<void> {}

  async remove(uri: string, expected: string): Promise<WriteResult> {
    this.#meanwhile()
    if (this.get(uri) !== expected) return 'changed meanwhile'
    this.delete(uri)
    return 'written'
  }

  async rename(from: string, to: string): Promise<WriteResult> {
    const text = this.get(from)
    if (text === undefined || this.has(to)) return 'changed meanwhile'
    this.delete(from)
    this.set(to, text)
    return 'written'
  }

  async save(uri: string): Promise<boolean> {
    if (this.maySave) this.#saved.delete(uri)
    return this.maySave
  }

  async tidy(): Promise<void> {}

  async reloaded(): Promise<void> {}

  async image(): Promise<undefined> {}

  async torn(): Promise<undefined> {}

  async textIn(_uri: string, bytes: Uint8Array): Promise<string> {
    return Buffer.from(bytes).toString()
  }

  async putBack(): Promise<WriteResult> {
    return 'failed'
  }

  #meanwhile(): void {
    const run = this.beforeWrite
    this.beforeWrite = () => {}
    run()
  }
}

/** Contents and records; throws at the call with the number `failAt`, as a window that ends there. */
export class MemoryChangeStore implements ChangeStore {
  readonly contents = new Map<string, string>()
  readonly journals = new Map<string, ChangeRecord[]>()
  failAt = Number.POSITIVE_INFINITY
  calls = 0

  async keep(hash: string, content: string | Uint8Array): Promise<void> {
    this.#count()
    this.contents.set(hash, typeof content === 'string' ? content : Buffer.from(content).toString())
  }

  async readBytes(hash: string): Promise<Uint8Array | undefined> {
    const content = this.contents.get(hash)
    return content === undefined ? undefined : Buffer.from(content)
  }

  async read(hash: string): Promise<string | undefined> {
    return this.contents.get(hash)
  }

  async conversations(): Promise<readonly string[]> {
    return [...this.journals.keys()]
  }

  async records(conversation: string): Promise<readonly ChangeRecord[]> {
    return this.journals.get(conversation) ?? []
  }

  async append(conversation: string, ...records: readonly ChangeRecord[]): Promise<void> {
    this.#count()
    this.journals.set(conversation, [...(this.journals.get(conversation) ?? []), ...records])
  }

  #count(): void {
    if (++this.calls >= this.failAt) throw new Error('The window has ended')
  }
}

export interface ChangeFixture {
  readonly files: MemoryFiles
  readonly store: MemoryChangeStore
  readonly asked: (readonly WriteConcern[])[]
  /** What the user answers; `meanwhile` runs while the question is open. */
  answer: { isAllowed: boolean; meanwhile?: () => void }
  /** As after a reload of the window: another owner with the same files and store. */
  reload(): Changes
}

/** A workspace in `/w`, whose files are those of `files`. */
export function changeFixture(texts: Readonly<Record<string, string>> = {}): ChangeFixture & { changes: Changes } {
  const files = new MemoryFiles(Object.entries(texts).map(([name, text]) => [`file:///w/${name}`, text]))
  const store = new MemoryChangeStore()
  const asked: (readonly WriteConcern[])[] = []
  const facts = async (path: string): Promise<EntryFacts | undefined> => {
    const kind = files.has(`file://${path}`) ? 'file' : 'folder'
    if (kind === 'folder' && !['/', '/w'].includes(path)) return undefined
    return { kind, linkCount: 1, identity: path }
  }
  const realPath = async (path: string) => {
    if (await facts(path)) return path
    throw Object.assign(new Error('missing'), { code: 'ENOENT' })
  }
  const resolver = new PathResolver({
    roots: () => [{ uri: 'file:///w', name: 'w', path: '/w' }],
    disk: { realPath, facts, ignoresCase: false },
    uriOf: path => `file://${path}`,
    pathOf: uri => (uri.startsWith('file://') ? uri.slice(7) : undefined),
  })
  const fixture: ChangeFixture = {
    files,
    store,
    asked,
    answer: { isAllowed: true },
    reload: () =>
      new Changes({
        store,
        files,
        guard: new WriteGuard({ resolver, home: '/home/me' }),
        consent: {
          async ask(_uri, concerns) {
            asked.push(concerns)
            fixture.answer.meanwhile?.()
            return fixture.answer.isAllowed
          },
        },
        now: () => 0,
      }),
  }
  return Object.assign(fixture, { changes: fixture.reload() })
}
