// `DraftFiles`: keeps the unsent text of each conversation in a file of this window, which no other window writes.
import { FileType, Uri, workspace } from 'vscode'
import * as z from 'zod/mini'
import type { Processes } from '../../core/account/attempts.ts'
import { type Draft, draft } from './draft.ts'

const ENDING = '.json'
/** Of windows that have ended: an old one has been forgotten by its author. */
const MOST_LEFT = 50

const kept = z.object({ conversation: z.string(), process: z.number(), draft })

interface KeptFile {
  readonly uri: Uri
  readonly conversation: string
  readonly process: number
  readonly draft: Draft
}

export interface DraftFilesOptions {
  readonly folder: Uri
  readonly processes: Processes
  readonly report: (fault: unknown) => void
}

/**
 * In a browser one folder can be open in two windows, and the editor writes the state of the workspace as a whole: each
 * window writes over what the other has kept there.
 */
export class DraftFiles {
  readonly #options: DraftFilesOptions
  /** Those that there were at the start, of other windows and of this one before it was loaded again. */
  #files: readonly KeptFile[]
  /** What is to be written next, by the conversation; present while something is being written. */
  readonly #waiting = new Map<string, Draft | undefined>()

  private constructor(options: DraftFilesOptions, files: readonly KeptFile[]) {
    this.#options = options
    this.#files = files
  }

  static async open(options: DraftFilesOptions): Promise<DraftFiles> {
    const files = await readAll(options.folder)
    const left = files.filter(({ process }) => !options.processes.isAlive(process))
    const old = left.sort((a, b) => b.draft.at - a.draft.at).slice(MOST_LEFT)
    await Promise.all(old.map(({ uri }) => removed(uri)))
    return new DraftFiles(
      options,
      files.filter(file => !old.includes(file)),
    )
  }

  /** Whether any window has kept something of it. */
  has(conversation: string): boolean {
    return this.#files.some(file => file.conversation === conversation)
  }

  /** What a window has left that has ended: the newest with content, else the newest. */
  left(conversation: string): Draft | undefined {
    return this.#left(conversation)?.draft
  }

  /** What a window that has ended was writing last. */
  get lastLeft(): string | undefined {
    const left = this.#files.filter(({ conversation, draft }) => this.left(conversation) === draft && hasContent(draft))
    return left.sort((a, b) => b.draft.at - a.draft.at)[0]?.conversation
  }

  /** Of all windows. */
  get all(): readonly Draft[] {
    return this.#files.map(file => file.draft)
  }

  /** Keeps it soon. What this window has taken over is removed after that. */
  write(conversation: string, now: Draft): void {
    const isWriting = this.#waiting.has(conversation)
    this.#waiting.set(conversation, now)
    if (!isWriting) void this.#write(conversation).catch(this.#options.report)
  }

  async #write(conversation: string): Promise<void> {
    const { folder, processes } = this.#options
    const name = `${encodeURIComponent(conversation)}.${processes.own}${ENDING}`
    const [uri, beside] = [Uri.joinPath(folder, name), Uri.joinPath(folder, `${name}.new`)]
    try {
      for (let next = this.#waiting.get(conversation); next; next = this.#waiting.get(conversation)) {
        this.#waiting.set(conversation, undefined)
        const content = JSON.stringify({ conversation, process: processes.own, draft: next })
        await workspace.fs.writeFile(beside, new TextEncoder().encode(content))
        await workspace.fs.rename(beside, uri, { overwrite: true })
      }
    } finally {
      this.#waiting.delete(conversation)
    }
    const taken = this.#left(conversation)
    if (!taken) return
    this.#files = this.#files.filter(file => file !== taken)
    if (taken.uri.path !== uri.path) await removed(taken.uri)
  }

  #left(conversation: string): KeptFile | undefined {
    const { own, isAlive } = this.#options.processes
    const left = this.#files
      .filter(file => file.conversation === conversation && (file.process === own || !isAlive(file.process)))
      .sort((a, b) => b.draft.at - a.draft.at)
    return left.find(file => hasContent(file.draft)) ?? left[0]
  }
}

const hasContent = ({ text, attached = [], edits = {} }: Draft) =>
  text.trim() !== '' || attached.length > 0 || Object.keys(edits).length > 0

async function readAll(folder: Uri): Promise<KeptFile[]> {
  try {
    const names = (await workspace.fs.readDirectory(folder)).filter(([, type]) => type === FileType.File)
    const files = await Promise.all(names.map(([name]) => readOne(Uri.joinPath(folder, name))))
    return files.flatMap(file => file ?? [])
  } catch {
    return [] // There is no folder yet.
  }
}

/** A file that was not written to its end has another ending. */
async function readOne(uri: Uri): Promise<KeptFile | undefined> {
  if (!uri.path.endsWith(ENDING)) return undefined
  try {
    const read = kept.parse(JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(uri))))
    return { uri, ...read }
  } catch {
    return undefined
  }
}

async function removed(uri: Uri): Promise<void> {
  try {
    await workspace.fs.delete(uri)
  } catch {
    // Another window has removed it.
  }
}
