// `DraftContents`: keeps images and texts that are attached to an unsent message and belong to no file.
import { FileType, Uri, workspace } from 'vscode'
import { contentHash } from '../../base/contentHash.ts'
import type { ContentPart } from '../../core/context/draftContext.ts'
import { promptPart } from '../../protocol/conversation.ts'

/** One file per content, named by its SHA-256 in hexadecimal. */
export class DraftContents {
  readonly #folder: Uri

  constructor(folder: Uri) {
    this.#folder = folder
  }

  async store(part: ContentPart): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify(part))
    const name = await contentHash(bytes)
    await workspace.fs.writeFile(Uri.joinPath(this.#folder, name), bytes)
    return name
  }

  /** Undefined if there is none, or it is not what was stored. */
  async load(name: string): Promise<ContentPart | undefined> {
    try {
      const bytes = await workspace.fs.readFile(Uri.joinPath(this.#folder, name))
      if ((await contentHash(bytes)) !== name) return undefined
      const part = promptPart.parse(JSON.parse(new TextDecoder().decode(bytes)))
      return part.kind === 'text' ? undefined : part
    } catch {
      return undefined
    }
  }

  /** Removes all that no draft names any more. */
  async removeOthers(named: ReadonlySet<string>): Promise<void> {
    try {
      for (const [name, type] of await workspace.fs.readDirectory(this.#folder))
        if (type === FileType.File && !named.has(name)) await workspace.fs.delete(Uri.joinPath(this.#folder, name))
    } catch {
      // There is no folder yet, or another window removes the same.
    }
  }
}
