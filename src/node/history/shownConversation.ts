// `ShownConversation`: keeps in a file which conversation a window shows, for the window that comes after it.
import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { type JsonObject, objectOf, parsedJson } from '../../protocol/json.ts'
import { writeWhole } from '../files/writeWhole.ts'
import type { systemProcesses } from '../systemProcesses.ts'

const ENDING = '.json'
/** After a crash the editor starts the extension anew, and a reload does so beside it. */
const MOST_TRIES = 10

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
  /** The name of the window's file, as the editor's state of the window has it. */
  readonly known: string | undefined
  /** Keeps it there. */
  readonly keep: (name: string) => void
}

/**
 * In a browser the editor stores its own state seconds later, and for all windows on a folder as one: after a reload it
 * would name an older conversation, or that of another window. So each window has a file of its own, whose name stays
 * the same when the extension is started again.
 */
export class ShownConversation {
  readonly #options: ShownConversationOptions
  #name = `${crypto.randomUUID()}${ENDING}`
  #saved: string | undefined
  #writing = Promise.resolve()

  constructor(options: ShownConversationOptions) {
    this.#options = options
  }

  /**
   * What this window has shown before the extension was started again. A window that has no file yet, or whose file
   * another one has, takes over that of the window which ended last; where all are open, it shows what the last one
   * shows. Undefined where there is none.
   */
  async take(): Promise<string | undefined> {
    for (let left = MOST_TRIES; left > 0; left--) {
      const files = await this.#readAll()
      const ended = files?.filter(file => !this.#isOpen(file)) ?? []
      const own = ended.find(file => file.name === this.#options.known)
      const next = own ?? ended[0]
      if (next && (await this.#takeFile(next, own !== undefined))) return next.conversation
      if (files && !next) return files[0]?.conversation
    }
    return undefined
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
      if (this.#options.known !== this.#name) this.#options.keep(this.#name)
    } catch (fault) {
      this.#saved = undefined
      report(fault)
    }
  }

  #isOpen({ process }: Kept): boolean {
    const { own, isAlive } = this.#options.processes
    return process !== own && isAlive(process)
  }

  /** Only one window can rename a file. It has its process at once, so that the next one leaves it. */
  async #takeFile({ name, conversation }: Kept, isOwn: boolean): Promise<boolean> {
    const { folder } = this.#options
    if (isOwn) this.#name = name
    const isTaken = isOwn || (await isRenamed(join(folder, name), join(folder, this.#name)))
    if (isTaken) await this.save(conversation)
    return isTaken
  }

  /** The newest first; undefined where one is gone meanwhile, because another window has taken it. */
  async #readAll(): Promise<Kept[] | undefined> {
    const names = await readdir(this.#options.folder).catch(() => [])
    const others = names.filter(name => name.endsWith(ENDING) && name !== this.#name)
    const texts = await Promise.all(others.map(name => this.#read(name)))
    if (texts.includes('gone')) return undefined
    const files = texts.flatMap((text, at) => keptIn(others[at] ?? '', text) ?? [])
    return files.sort((a, b) => b.savedAt - a.savedAt)
  }

  async #read(name: string): Promise<string> {
    return readFile(join(this.#options.folder, name), 'utf8').catch(fault => (fault.code === 'ENOENT' ? 'gone' : ''))
  }
}

const isRenamed = (from: string, to: string) =>
  rename(from, to).then(
    () => true,
    () => false,
  )

/** Undefined for a file of another kind. */
function keptIn(name: string, text: string): Kept | undefined {
  const { conversation, savedAt, process }: JsonObject = objectOf(parsedJson(text)) ?? {}
  if (typeof conversation !== 'string' || typeof savedAt !== 'number' || typeof process !== 'number') return undefined
  return { name, conversation, savedAt, process }
}
