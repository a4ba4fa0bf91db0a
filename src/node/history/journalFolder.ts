// `JournalFolder`: the journals of all conversations, one file each.
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../core/log/log.ts'
import { JournalFile } from './journalFile.ts'

const ENDING = '.jsonl'

export interface JournalFolderOptions {
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
  readonly isAlive: (process: number) => boolean
}

/** A journal as the file system lists it. */
export interface JournalEntry {
  readonly conversation: string
  readonly path: string
  readonly sizeBytes: number
  readonly changedAt: number
}

export class JournalFolder {
  readonly #options: JournalFolderOptions

  constructor(options: JournalFolderOptions) {
    this.#options = options
  }

  get folder(): string {
    return this.#options.folder
  }

  /** The journal of a conversation, which need not exist yet. Reads nothing. */
  open(conversation: string): JournalFile {
    const { clock, log, isAlive } = this.#options
    return new JournalFile({ conversation, path: this.pathOf(conversation), clock, log, isAlive })
  }

  /** Whether anything was ever kept. */
  async exists(): Promise<boolean> {
    const found = await stat(this.folder).catch(() => undefined)
    return found?.isDirectory() === true
  }

  /** All journals there are, in no order; none where the folder cannot be read. */
  async entries(): Promise<readonly JournalEntry[]> {
    const names = await readdir(this.folder).catch(() => [])
    const found = await Promise.all(names.filter(name => name.endsWith(ENDING)).map(name => this.#entry(name)))
    return found.flatMap(entry => entry ?? [])
  }

  /** The conversations that have a journal, in no order; none where the folder cannot be read. */
  async conversations(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(() => [])
    return names.filter(name => name.endsWith(ENDING)).map(conversationOf)
  }

  /** The conversation that was written last; undefined where there is none. */
  async newest(): Promise<string | undefined> {
    const [first] = [...(await this.entries())].sort((a, b) => b.changedAt - a.changedAt)
    return first?.conversation
  }

  /** Removes a journal for good, unless a window writes it; resolves with whether there is none any more. */
  remove(conversation: string): Promise<boolean> {
    return this.open(conversation).remove()
  }

  /** The wall-clock time. */
  now(): number {
    return this.#options.clock.now()
  }

  /** The journal as the file system lists it; undefined where there is none. */
  entry(conversation: string): Promise<JournalEntry | undefined> {
    return this.#entry(basename(this.pathOf(conversation)))
  }

  /** The id as a file name; other characters are written as their number, so that two ids never share a file. */
  pathOf(conversation: string): string {
    const name = conversation.replace(/[^A-Za-z0-9-]/g, character => `_${character.charCodeAt(0).toString(16)}_`)
    return join(this.folder, `${name}${ENDING}`)
  }

  async #entry(name: string): Promise<JournalEntry | undefined> {
    const path = join(this.folder, name)
    const conversation = conversationOf(name)
    try {
      const found = await stat(path)
      return found.isFile() ? { conversation, path, sizeBytes: found.size, changedAt: found.mtimeMs } : undefined
    } catch {
      // Removed meanwhile.
      return undefined
    }
  }
}

function conversationOf(name: string): string {
  return name
    .slice(0, -ENDING.length)
    .replace(/_([0-9a-f]{1,4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
