// The open conversation as a file, so that it outlives the window that it was open in.
import { readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { faultText } from '../../base/fault.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { ChatMessage, HistoryStore, StoredChat } from '../../core/conversation/history.ts'
import type { Log } from '../../core/log/log.ts'
import { storedChat } from '../../protocol/stored.ts'
import { writeWhole } from '../files/writeWhole.ts'

/** A window that goes away loses no more than this of an answer. */
const PAUSE_MS = 500
/** Windows that were closed each leave one; the next windows take them up, the newest first. */
const KEPT = 8
/** Larger ones are no chat that a person has had. */
const LARGEST_BYTES = 64 * 1024 * 1024

/**
 * Keeps one conversation, the open one. Written whole and then renamed, so that it is never half there. A folder that
 * cannot be written costs only what this is for: it is logged once, and the chat goes on.
 */
export class ChatFile implements HistoryStore {
  readonly #folder: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #work = new Queue()
  #open = ''
  /** Something was said in the open one. */
  #isBegun = false
  #pending: StoredChat | undefined
  #callOff: (() => void) | undefined
  #hasFailed = false

  constructor(folder: string, clock: Clock, log: Log) {
    this.#folder = folder
    this.#clock = clock
    this.#log = log
  }

  /** From now on this conversation is kept and no other. What is gone from the window is gone from the disk. */
  open(chat: string): void {
    const before = this.#open
    if (before === chat) return
    this.#open = chat
    this.#isBegun = false
    this.#pending = undefined
    if (before) void this.#work.add(() => this.#remove(before))
  }

  /** Returns at once; the newest state is written within half a second, a question at once. */
  async save(chat: StoredChat): Promise<void> {
    if (chat.id !== this.#open || chat.messages.length === 0) return
    this.#isBegun = true
    this.#pending = chat
    if (chat.messages.at(-1)?.role === 'user') void this.flush()
    else this.#callOff ??= this.#clock.later(PAUSE_MS, () => void this.flush())
  }

  /** Writes what has not been written. */
  flush(): Promise<void> {
    this.#callOff?.()
    this.#callOff = undefined
    return this.#work.add(async () => {
      const chat = this.#pending
      this.#pending = undefined
      if (chat) await this.#write(chat)
    })
  }

  /** The window goes away: writes what has not been written, and nothing of what its end stops from then on. */
  close(): Promise<void> {
    this.#open = ''
    return this.flush()
  }

  async load(chat: string): Promise<StoredChat | undefined> {
    const read = storedChat.safeParse(await this.#read(chat))
    if (!read.success) return undefined
    const messages = read.data.messages.map(({ earlier, ...rest }) => ({ ...rest, ...(earlier && { earlier }) }))
    return { id: read.data.id, messages: interrupted(messages) }
  }

  /**
   * Takes up the newest conversation that a window has left, under a name of its own: that window may still live. Where
   * something has been said in this one meanwhile, what was left stays.
   */
  async takeUp(chat: string): Promise<readonly ChatMessage[]> {
    for (const left of await this.#left()) {
      const found = await this.load(left)
      if (this.#isBegun) return []
      if (!found) continue
      this.#pending = { id: chat, messages: found.messages }
      await this.flush()
      await this.#remove(left)
      return found.messages
    }
    return []
  }

  /** The names of what was left, the newest first; what is beyond counting goes. */
  async #left(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const chats = names.flatMap(name => (name.endsWith('.json') ? [name.slice(0, -5)] : []))
    const dated = await Promise.all(chats.map(async chat => ({ chat, at: await this.#writtenAt(chat) })))
    const [...left] = dated.filter(({ chat }) => chat !== this.#open).sort((a, b) => b.at - a.at)
    for (const { chat } of left.splice(KEPT)) if (!isOfLater(await this.#read(chat))) await this.#remove(chat)
    return left.map(({ chat }) => chat)
  }

  async #writtenAt(chat: string): Promise<number> {
    return stat(this.#path(chat)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
  }

  async #read(chat: string): Promise<unknown> {
    try {
      const { size } = await stat(this.#path(chat))
      return size > LARGEST_BYTES ? undefined : JSON.parse(await readFile(this.#path(chat), 'utf8'))
    } catch {
      return undefined
    }
  }

  async #write({ id, messages }: StoredChat): Promise<void> {
    // Sealed reasoning is of use for the turn under way only.
    const kept = messages.map(({ reasoning: _, ...message }) => message)
    const text = JSON.stringify({ version: 1, id, messages: kept })
    try {
      await writeWhole(this.#clock, this.#path(id), text, this.#halfOf(id))
    } catch (fault) {
      if (!this.#hasFailed) this.#log.warn('The open chat could not be kept', { fault: faultText(fault) })
      this.#hasFailed = true
    }
  }

  /** With what a window that was ended by force has left in the middle of a write. */
  async #remove(chat: string): Promise<void> {
    await unlink(this.#path(chat)).catch(() => {})
    await unlink(this.#halfOf(chat)).catch(() => {})
  }

  #halfOf(chat: string): string {
    return `${this.#path(chat)}.half`
  }

  /** Only names that we give: no path leads out of the folder. */
  #path(chat: string): string {
    return join(this.#folder, `${chat.replace(/[^A-Za-z0-9-]/g, '_')}.json`)
  }
}

/** Only the version that wrote it knows what stands in it. */
function isOfLater(record: unknown): boolean {
  const version = typeof record === 'object' && record !== null && 'version' in record && record.version
  return typeof version === 'number' && version > 1
}

/** Nobody goes on with an answer whose window is gone; a question without one is marked as well. */
function interrupted(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const marked = messages.map(
    (message): ChatMessage => (message.state === 'streaming' ? { ...message, state: 'cut-off' } : message),
  )
  const last = marked.at(-1)
  if (last?.role !== 'user') return marked
  return [...marked, { id: `${last.id}-answer`, role: 'assistant', text: '', state: 'cut-off' }]
}
