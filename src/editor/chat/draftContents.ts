// `DraftContents`: keeps images and texts that are attached to an unsent message and belong to no file.
import { FileType, Uri, workspace } from 'vscode'
import { contentHash } from '../../base/contentHash.ts'
import type { ContentPart } from '../../core/context/sentAttachments.ts'
import { promptPart } from '../../protocol/conversation.ts'

/** Another window may have stored it, and not yet named it in a draft. */
const LEAST_AGE_MS = 86_400_000

/** One file per content, named by its SHA-256 in hexadecimal. `former`: the folder where they were before. */
export class DraftContents {
  readonly #folder: Uri
  readonly #former: Uri | undefined

  constructor(folder: Uri, former?: Uri) {
    this.#folder = folder
    this.#former = former
  }

  async store(part: ContentPart): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify(part))
    const name = await contentHash(bytes)
    await workspace.fs.writeFile(Uri.joinPath(this.#folder, name), bytes)
    return name
  }

  /** Undefined if there is none, or it is not what was stored. */
  async load(name: string): Promise<ContentPart | undefined> {
    return (await load(this.#folder, name)) ?? (this.#former && (await load(this.#former, name)))
  }

  /** Removes all that no draft has named for a day. */
  async removeOthers(named: ReadonlySet<string>, now: number): Promise<void> {
    await Promise.all([this.#folder, ...(this.#former ? [this.#former] : [])].map(one => removeOthers(one, named, now)))
  }
}

async function load(folder: Uri, name: string): Promise<ContentPart | undefined> {
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(folder, name))
    if ((await contentHash(bytes)) !== name) return undefined
    const part = promptPart.parse(JSON.parse(new TextDecoder().decode(bytes)))
    return part.kind === 'text' ? undefined : part
  } catch {
    return undefined
  }
}

async function removeOthers(folder: Uri, named: ReadonlySet<string>, now: number): Promise<void> {
  try {
    for (const [name, type] of await workspace.fs.readDirectory(folder)) {
      if (type !== FileType.File || named.has(name)) continue
      const uri = Uri.joinPath(folder, name)
      if ((await workspace.fs.stat(uri)).mtime < now - LEAST_AGE_MS) await workspace.fs.delete(uri)
    }
  } catch {
    // There is no folder yet, or another window removes the same.
  }
}
