// `OutputRing`: what a command has written: its beginning in memory, and as much of the rest as a file may hold.
import { mkdir, open, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CommandOutput } from '../../core/tools/commandPorts.ts'

/** Below it an output is kept in memory alone, which most commands never exceed. */
const MEMORY_CHARS = 65_536
/** The beginning is kept for good. */
const HEAD_CHARS = 4_000
/** UTF-16, so that the place of each character in the file is known. */
const CHAR_BYTES = 2
/** The size of the file, from which on the oldest text is overwritten. */
const MAX_BYTES = 10_000_000
/** How much is written at once. */
const PART_CHARS = 65_536
/** Text that waits to be written, from which on the program has to wait too. */
const BUSY_CHARS = 200_000

type FileHandle = Awaited<ReturnType<typeof open>>

export class OutputRing implements CommandOutput {
  readonly #file: string
  readonly #maxChars: number
  #head = ''
  /** Texts that are not in the file yet, from `#writtenChars` on. */
  #waiting: string[] = []
  #waitingChars = 0
  #writtenChars = 0
  #handle: FileHandle | undefined
  /** For what is written, again and again. */
  #bytes: Buffer | undefined
  #writing: Promise<void> | undefined
  #hasFailed = false
  /** Text before it is no longer kept, except the beginning. */
  #firstChar = 0

  constructor(file: string, maxBytes = MAX_BYTES) {
    this.#file = file
    this.#maxChars = Math.floor(maxBytes / CHAR_BYTES)
  }

  get sizeChars(): number {
    return this.#writtenChars + this.#waitingChars
  }

  /** A promise when the caller should wait before it appends more. */
  append(text: string): Promise<void> | undefined {
    if (text === '') return undefined
    if (this.#head.length < HEAD_CHARS) this.#head += text.slice(0, HEAD_CHARS - this.#head.length)
    this.#waiting.push(text)
    this.#waitingChars += text.length
    if (this.#hasFailed) this.#dropOld()
    else if (this.#waitingChars > MEMORY_CHARS || this.#handle) this.#writing ??= this.#write()
    return this.#waitingChars > BUSY_CHARS ? this.#writing : undefined
  }

  async read(from: number, lengthChars: number): Promise<{ readonly from: number; readonly text: string }> {
    if (from < this.#head.length) {
      const head = this.#head.slice(from, from + lengthChars)
      const isAll = head.length === lengthChars || this.#head.length === this.sizeChars
      if (isAll) return { from, text: head }
    }
    while (this.#writing) await this.#writing
    const first = Math.max(this.#firstChar, this.sizeChars - this.#maxChars)
    if (from < first && from < this.#head.length) return { from, text: this.#head.slice(from) }
    const begin = Math.min(Math.max(from, first), this.sizeChars)
    const end = Math.min(begin + lengthChars, this.sizeChars)
    const kept = await this.#readFile(begin, Math.min(end, this.#writtenChars))
    return {
      from: begin,
      text: kept + this.#waiting.join('').slice(Math.max(0, begin - this.#writtenChars), end - this.#writtenChars),
    }
  }

  /** Removes the file, and forgets what it has; what is appended later is kept in memory, as much as is bearable. */
  async dispose(): Promise<void> {
    this.#hasFailed = true
    while (this.#writing) await this.#writing
    this.#writtenChars = this.#firstChar = this.sizeChars
    this.#waiting = []
    this.#waitingChars = 0
    const handle = this.#handle
    this.#handle = undefined
    this.#bytes = undefined
    if (!handle) return
    await handle.close().catch(() => {})
    await unlink(this.#file).catch(() => {})
  }

  async #write(): Promise<void> {
    try {
      this.#handle ??= await createdFile(this.#file)
      while (this.#waitingChars > 0 && !this.#hasFailed) await this.#writePart(this.#handle)
    } catch {
      // A full disk must not end the command: its latest output stays in memory.
      this.#hasFailed = true
      this.#firstChar = this.#writtenChars
    } finally {
      this.#writing = undefined
    }
  }

  async #writePart(handle: FileHandle): Promise<void> {
    const place = this.#writtenChars % this.#maxChars
    this.#bytes ??= Buffer.allocUnsafe(PART_CHARS * CHAR_BYTES)
    const room = Math.min(PART_CHARS, this.#maxChars - place)
    let [chars, taken, rest] = [0, 0, '']
    for (const text of this.#waiting) {
      if (chars === room) break
      const part = text.slice(0, room - chars)
      this.#bytes.write(part, chars * CHAR_BYTES, 'utf16le')
      chars += part.length
      rest = text.slice(part.length)
      taken++
    }
    await handle.write(this.#bytes, 0, chars * CHAR_BYTES, place * CHAR_BYTES)
    this.#waiting.splice(0, taken, ...(rest === '' ? [] : [rest]))
    this.#waitingChars -= chars
    this.#writtenChars += chars
  }

  async #readFile(from: number, end: number): Promise<string> {
    let text = ''
    for (let at = from; at < end && this.#handle; ) {
      const place = at % this.#maxChars
      const lengthChars = Math.min(end - at, this.#maxChars - place)
      const bytes = Buffer.alloc(lengthChars * CHAR_BYTES)
      await this.#handle.read(bytes, 0, bytes.length, place * CHAR_BYTES)
      text += bytes.toString('utf16le')
      at += lengthChars
    }
    return text
  }

  #dropOld(): void {
    const surplus = this.#waitingChars - 2 * MEMORY_CHARS
    if (surplus <= 0) return
    this.#writtenChars += surplus
    this.#firstChar = this.#writtenChars
    this.#waiting = [this.#waiting.join('').slice(surplus)]
    this.#waitingChars -= surplus
  }
}

async function createdFile(file: string): Promise<FileHandle> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return open(file, 'wx+', 0o600)
}
