// `ShownConversation`: keeps in a file which conversation a window shows, for the window that comes after it.
import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { type JsonObject, objectOf, parsedJson } from '../../protocol/json.ts'
import { writeWhole } from '../files/writeWhole.ts'
import type { systemProcesses } from '../systemProcesses.ts'

const ENDING = '.json'

interface Kept {
  readonly name: string
  readonly conversation: string
  readonly savedAt: number
  /** That of the window. */
  readonly process: number
}

export interface ShownConversationOptions {
  /** The folder for it, which all windows on the workspace have. */
  readonly folder: string
  readonly clock: Clock
  readonly processes: typeof systemProcesses
  readonly report: (fault: unknown) => void
}

/**
 * In a browser the editor stores its own state seconds later, and for all windows on a folder as one: after a crash it
 * would name an older conversation, or that of another window. So each window has a file of its own.
 */
export class ShownConversation {
  readonly #options: ShownConversationOptions
  readonly #name = `${crypto.randomUUID()}${ENDING}`
  #saved: string | undefined
  #writing = Promise.resolve()

  constructor(options: ShownConversationOptions) {
    this.#options = options
  }

  /**
   * The conversation of the window that ended last, whose file becomes that of this one; where all that have a file
   * are open, the last that one of them has shown. Undefined where there is none.
   */
  async take(): Promise<string | undefined> {
    const files = (await this.#readAll()).sort((a, b) => b.savedAt - a.savedAt)
    for (const { name, conversation } of files.filter(file => !this.#isOpen(file)))
      if (await this.#takeFile(name)) return conversation
    return files.find(file => this.#isOpen(file))?.conversation
  }

  /** Returns at once; resolves when it is written, or cannot be. */
  save(conversation: string): Promise<void> {
    if (conversation !== this.#saved) {
      this.#saved = conversation
      this.#writing = this.#writing.then(() => this.#write(conversation))
    }
    return this.#writing
  }

  async #write(conversation: string): Promise<void> {
    const { folder, clock, processes, report } = this.#options
    if (conversation !== this.#saved) return
    const content = JSON.stringify({ conversation, savedAt: clock.now(), process: processes.own })
    try {
      await writeWhole(clock, join(folder, this.#name), content)
    } catch (fault) {
      this.#saved = undefined
      report(fault)
    }
  }

  #isOpen({ process }: Kept): boolean {
    const { own, isAlive } = this.#options.processes
    return process !== own && isAlive(process)
  }

  /** Only one window can rename a file. */
  async #takeFile(name: string): Promise<boolean> {
    const { folder } = this.#options
    return rename(join(folder, name), join(folder, this.#name)).then(
      () => true,
      () => false,
    )
  }

  async #readAll(): Promise<Kept[]> {
    const names = await readdir(this.#options.folder).catch(() => [])
    const others = names.filter(name => name.endsWith(ENDING) && name !== this.#name)
    const files = await Promise.all(others.map(name => this.#read(name)))
    return files.flatMap(file => file ?? [])
  }

  /** Undefined where another window has taken it, and where it is none of these files. */
  async #read(name: string): Promise<Kept | undefined> {
    const text = await readFile(join(this.#options.folder, name), 'utf8').catch(() => '')
    const read: JsonObject = objectOf(parsedJson(text)) ?? {}
    const { conversation, savedAt, process } = read
    if (typeof conversation !== 'string' || typeof savedAt !== 'number' || typeof process !== 'number') return undefined
    return { name, conversation, savedAt, process }
  }
}
