// The files of a folder on the disk, read as they are, for tests with real repositories.
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { FileAccess } from '../../src/core/context/fileAccess.ts'
import { fileLanguage } from '../../src/core/context/fileLanguage.ts'
import type { AccessPolicy } from '../../src/core/workspace/accessPolicy.ts'
import { type FileText, type FoundFile, HEAD_UNITS, type TextFiles } from '../../src/core/workspace/textFiles.ts'
import { typeScaler } from './typeScaler.ts'

export class DiskFiles implements TextFiles {
  readonly #root: string

  constructor(folder: string) {
    this.#root = pathToFileURL(folder).href
  }

  accessBy(access: AccessPolicy): FileAccess {
    let parts = 0
    return new FileAccess({ files: this, access, images: typeScaler, newId: () => `part-${++parts}` })
  }

  pathOf(uri: string): string {
    return uri.slice(this.#root.length + 1)
  }

  async find(uri: string): Promise<FoundFile | undefined> {
    const found = await stat(fileURLToPath(uri)).catch(() => undefined)
    if (!found) return undefined
    return {
      uri,
      kind: found.isFile() ? 'file' : 'folder',
      path: this.pathOf(uri),
      fullPath: fileURLToPath(uri),
      isInWorkspace: true,
      isOpen: false,
      size: found.size,
    }
  }

  async readBytes(uri: string): Promise<Uint8Array | undefined> {
    return readFile(fileURLToPath(uri)).catch(() => undefined)
  }

  async read(uri: string): Promise<FileText | undefined> {
    const text = await readFile(fileURLToPath(uri), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : { text, head: text.slice(0, HEAD_UNITS), language: fileLanguage(uri) }
  }
}
