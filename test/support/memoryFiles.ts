// A workspace in memory: files with their texts, for what reads them through the ports.
import { systemClock } from '../../src/base/clock.ts'
import { FileAccess } from '../../src/core/context/fileAccess.ts'
import { fileLanguage } from '../../src/core/context/fileLanguage.ts'
import { AccessPolicy } from '../../src/core/workspace/accessPolicy.ts'
import { FileIndex } from '../../src/core/workspace/fileIndex.ts'
import { textInRange } from '../../src/core/workspace/lineRange.ts'
import type { FileListing, FileText, FoundFile, ListOptions, TextFiles } from '../../src/core/workspace/textFiles.ts'
import type { LineRange } from '../../src/protocol/conversation.ts'
import { typeScaler } from './typeScaler.ts'

interface MemoryFile {
  readonly text: string
  readonly isOpen?: boolean
  readonly targetPath?: string
  readonly isBinary?: boolean
}

const root = 'file:///work'

export class MemoryFiles implements TextFiles, FileListing {
  readonly all: Map<string, MemoryFile>
  /** Paths below `/work`. */
  ignored: readonly string[] = []
  untracked: readonly string[] = []
  hasGit = true
  isTrusted = true
  excluded: readonly string[] = []
  /** The uris whose text was read. */
  readonly reads: string[] = []

  /** A path that begins with a slash is outside of the workspace. */
  constructor(files: Readonly<Record<string, string | MemoryFile>>) {
    const entries = Object.entries(files).map(([path, file]) => {
      const value = typeof file === 'string' ? { text: file } : file
      return [path.startsWith('/') ? `file://${path}` : `${root}/${path}`, value] as const
    })
    this.all = new Map(entries)
  }

  get access(): FileAccess {
    let parts = 0
    const access = new AccessPolicy({
      isTrusted: () => this.isTrusted,
      excludedGlobs: () => this.excluded,
      ignoredOf: async uris => new Set(uris.filter(uri => this.ignored.includes(this.pathOf(uri)))),
    })
    return new FileAccess({ files: this, access, images: typeScaler, newId: () => `part-${++parts}` })
  }

  /** An index of all files, filled. */
  get search(): FileIndex {
    const index = new FileIndex(systemClock, () => [])
    for (const uri of this.all.keys()) index.add({ uri, path: this.pathOf(uri) })
    return index
  }

  pathOf(uri: string): string {
    return this.#isInside(uri) ? uri.slice(root.length + 1) : uri.slice(uri.lastIndexOf('/') + 1)
  }

  async find(uri: string): Promise<FoundFile | undefined> {
    const file = this.all.get(uri)
    const isFolder = [...this.all.keys()].some(one => one.startsWith(`${uri}/`))
    if (!file && !isFolder) return undefined
    return {
      uri,
      kind: file ? 'file' : 'folder',
      path: this.pathOf(uri),
      fullPath: uri.slice('file://'.length),
      ...(file?.targetPath !== undefined && { targetPath: file.targetPath }),
      isInWorkspace: this.#isInside(uri) && (file?.targetPath?.startsWith('/work/') ?? true),
      isOpen: file?.isOpen ?? false,
      size: file?.text.length ?? 0,
    }
  }

  async read(uri: string, range: LineRange | undefined): Promise<FileText | undefined> {
    this.reads.push(uri)
    const file = this.all.get(uri)
    if (!file || file.isBinary) return undefined
    const { text } = file
    return { text: range ? textInRange(text, range) : text, head: text.slice(0, 8_192), language: fileLanguage(uri) }
  }

  /** One byte of each code unit. */
  async readBytes(uri: string): Promise<Uint8Array | undefined> {
    this.reads.push(uri)
    const file = this.all.get(uri)
    return file && Uint8Array.from(file.text, unit => unit.charCodeAt(0))
  }

  async list(folder: string | undefined, { withIgnored = false, isTrackedOnly = false }: ListOptions) {
    const uris = [...this.all.keys()].filter(uri => uri.startsWith(`${folder ?? root}/`))
    const listed = uris.map(uri => ({ uri, path: this.pathOf(uri) }))
    const { hasGit: isOfGit, untracked, ignored } = this
    if (withIgnored || !isOfGit) return { files: listed, ignored: [], untracked: [], isOfGit: false }
    const isListed = (path: string) => !ignored.includes(path) && !(isTrackedOnly && untracked.includes(path))
    return {
      files: listed.filter(({ path }) => isListed(path)),
      ignored: listed.map(({ path }) => path).filter(path => ignored.includes(path)),
      untracked,
      isOfGit,
    }
  }

  #isInside(uri: string): boolean {
    return uri.startsWith(`${root}/`)
  }
}
