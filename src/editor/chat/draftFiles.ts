// `DraftFiles`: keeps what is unsent in each conversation in files, of which each window writes its own.
import { FileType, Uri, workspace } from 'vscode'
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import type { Processes } from '../../core/account/attempts.ts'
import { type Draft, draft, hasContent } from './draft.ts'

const ENDING = '.json'
/** An old one has been forgotten by its author, and all of them are read when the extension starts. */
const MOST_WITH_CONTENT = 500
/** One without content only means that a text which a page has kept was sent. */
const MOST_EMPTY = 50

/** `process`: that of the window. `replaces`: the files whose content, as it was then, is in this one. */
const keptFile = z.object({
  conversation: z.string(),
  savedAt: z.number(),
  process: z.optional(z.int()),
  replaces: z.array(z.object({ name: z.string(), savedAt: z.number() })),
  draft,
})
type KeptFile = z.infer<typeof keptFile> & { readonly name: string }
type FileState = Pick<KeptFile, 'name' | 'savedAt' | 'process'>

export interface DraftFilesOptions {
  readonly folder: Uri
  readonly clock: Clock
  readonly processes: Processes
  readonly report: (fault: unknown) => void
}

/**
 * In a browser one folder can be open in two windows, and the editor writes the state of the workspace as a whole: each
 * window writes over what the other has kept there. Where two windows have written in one conversation, the next one
 * finds both texts.
 */
export class DraftFiles {
  readonly #options: DraftFilesOptions
  readonly #window = crypto.randomUUID()
  readonly #drafts: ReadonlyMap<string, Draft>
  /** The files in which the drafts were found, by their conversation. */
  readonly #found: Map<string, readonly FileState[]>
  /** What is to be written next, by the conversation; present while something is being written. */
  readonly #waiting = new Map<string, Draft | undefined>()
  readonly #writing = new Map<string, Promise<void>>()

  private constructor(options: DraftFilesOptions, files: readonly KeptFile[]) {
    this.#options = options
    const byConversation = Map.groupBy(files, ({ conversation }) => conversation)
    this.#found = new Map(
      [...byConversation].map(([id, own]) => [id, own.map(({ draft: _, replaces: __, ...state }) => state)]),
    )
    this.#drafts = new Map([...byConversation].map(([id, own]) => [id, merged(own)]))
  }

  static async open(options: DraftFilesOptions): Promise<DraftFiles> {
    const all = await readAll(options.folder)
    const replaced = new Map(all.flatMap(({ replaces }) => replaces.map(({ name, savedAt }) => [name, savedAt])))
    // A window that is open may have written in it since.
    const current = all.filter(({ name, savedAt }) => replaced.get(name) !== savedAt)
    const files = current.sort((a, b) => b.savedAt - a.savedAt)
    const [full, empty] = [files.filter(file => hasContent(file.draft)), files.filter(file => !hasContent(file.draft))]
    const kept = new Set([...full.slice(0, MOST_WITH_CONTENT), ...empty.slice(0, MOST_EMPTY)])
    await Promise.all(all.filter(file => !kept.has(file)).map(({ name }) => removed(options.folder, name)))
    return new DraftFiles(
      options,
      files.filter(file => kept.has(file)),
    )
  }

  /** As they were at the start. */
  get all(): ReadonlyMap<string, Draft> {
    return this.#drafts
  }

  /** A window that is open has written in the conversation, and may still show it. */
  isInUse(conversation: string): boolean {
    const { own, isAlive } = this.#options.processes
    return (this.#found.get(conversation) ?? []).some(({ process }) => {
      return process !== undefined && process !== own && isAlive(process)
    })
  }

  /**
   * Makes what other windows have left unsent in the conversation that of this window, as it is now; undefined where
   * another one has done so. Only one window can rename a file.
   */
  async take(conversation: string): Promise<Draft | undefined> {
    const found = this.#found.get(conversation) ?? []
    const taken = await Promise.all(found.map(({ name }, at) => this.#takeFile(name, conversation, at)))
    const files = taken.flatMap(file => file ?? [])
    this.#found.set(
      conversation,
      files.map(({ name, savedAt }) => ({ name, savedAt })),
    )
    return files.length === 0 ? undefined : merged(files.sort((a, b) => b.savedAt - a.savedAt))
  }

  async #takeFile(name: string, conversation: string, at: number): Promise<KeptFile | undefined> {
    const { folder } = this.#options
    const own = `${encodeURIComponent(conversation)}.${this.#window}.${at}${ENDING}`
    try {
      await workspace.fs.rename(Uri.joinPath(folder, name), Uri.joinPath(folder, own))
      return await readOne(folder, own)
    } catch {
      return undefined // Another window has taken it.
    }
  }

  /** Resolves when it is kept, or what was to be kept after it, or cannot be. */
  async write(conversation: string, now: Draft): Promise<void> {
    const isWriting = this.#waiting.has(conversation)
    this.#waiting.set(conversation, now)
    const writing = isWriting ? this.#writing.get(conversation) : this.#write(conversation)
    if (writing) this.#writing.set(conversation, writing)
    try {
      await writing
    } catch (fault) {
      if (!isWriting) this.#options.report(fault)
    }
  }

  async #write(conversation: string): Promise<void> {
    const { folder, clock } = this.#options
    const name = `${encodeURIComponent(conversation)}.${this.#window}${ENDING}`
    const [uri, beside] = [Uri.joinPath(folder, name), Uri.joinPath(folder, `${name}.new`)]
    const replaces = (this.#found.get(conversation) ?? []).map(({ name: other, savedAt }) => ({ name: other, savedAt }))
    try {
      for (let next = this.#waiting.get(conversation); next; next = this.#waiting.get(conversation)) {
        this.#waiting.set(conversation, undefined)
        const { own: process } = this.#options.processes
        const content = JSON.stringify({ conversation, savedAt: clock.now(), process, replaces, draft: next })
        await workspace.fs.writeFile(beside, new TextEncoder().encode(content))
        await workspace.fs.rename(beside, uri, { overwrite: true })
      }
    } finally {
      this.#waiting.delete(conversation)
    }
  }
}

/** The newest, with what only others have. */
function merged(files: readonly KeptFile[]): Draft {
  const [newest, ...others] = files.map(file => file.draft)
  if (!newest) return { text: '', at: 0 }
  return others.filter(hasContent).reduce(withOther, newest)
}

function withOther(newest: Draft, other: Draft): Draft {
  const text = newest.text.includes(other.text) ? newest.text : [newest.text, other.text].filter(Boolean).join('\n')
  const known = new Set(newest.attached?.map(one => JSON.stringify(one)))
  const attached = [
    ...(newest.attached ?? []),
    ...(other.attached ?? []).filter(one => !known.has(JSON.stringify(one))),
  ]
  // Newer than what the page of a window has kept, which is one of the two.
  const at = text === newest.text ? newest.at : Math.max(newest.at, other.at) + 1
  const attachedToEdits = { ...other.attachedToEdits, ...newest.attachedToEdits }
  return {
    ...newest,
    ...{ text, at, edits: { ...other.edits, ...newest.edits } },
    ...(Object.keys(attachedToEdits).length > 0 && { attachedToEdits }),
    ...(attached.length > 0 && { attached }),
  }
}

async function readAll(folder: Uri): Promise<KeptFile[]> {
  try {
    const names = (await workspace.fs.readDirectory(folder)).filter(([, type]) => type === FileType.File)
    const files = await Promise.all(names.map(([name]) => readOne(folder, name)))
    return files.flatMap(file => file ?? [])
  } catch {
    return [] // There is no folder yet.
  }
}

/** A file that was not written to its end has another ending. */
async function readOne(folder: Uri, name: string): Promise<KeptFile | undefined> {
  if (!name.endsWith(ENDING)) return undefined
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(folder, name))
    return { name, ...keptFile.parse(JSON.parse(new TextDecoder().decode(bytes))) }
  } catch {
    return undefined
  }
}

async function removed(folder: Uri, name: string): Promise<void> {
  try {
    await workspace.fs.delete(Uri.joinPath(folder, name))
  } catch {
    // Another window has removed it.
  }
}
