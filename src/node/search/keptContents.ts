// `KeptContents`: contents of files in a few large files of our own, as long as there is room.
import { Buffer } from 'node:buffer'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Where a content is. */
export interface KeptAt {
  readonly part: number
  readonly offset: number
  readonly length: number
}

const PART_BYTES = 16_000_000

interface Part {
  readonly file: number
  readonly path: string
  size: number
  /** How many contents of it are still of use. */
  live: number
}

/** Only this user may read the files; they end with the window, or with the next one where it has crashed. */
export class KeptContents {
  readonly #folder: string
  readonly #mostBytes: number
  readonly #parts = new Map<number, Part>()
  #last = 0

  constructor(folder: string, mostBytes: number) {
    this.#folder = folder
    this.#mostBytes = mostBytes
  }

  /** One that a process has left here that has ended; false where it is not there. */
  reopen({ part: at, offset, length }: KeptAt): boolean {
    const part = this.#parts.get(at) ?? this.#reopenPart(at)
    if (!part || offset + length > part.size) return false
    part.live++
    this.#last = Math.max(this.#last, at)
    return true
  }

  hasRoomFor(bytes: number): boolean {
    let all = bytes
    for (const { size } of this.#parts.values()) all += size
    return all <= this.#mostBytes
  }

  add(bytes: Uint8Array): KeptAt {
    const part = this.#partFor(bytes.length)
    const offset = part.size
    if (bytes.length > 0) writeSync(part.file, bytes, 0, bytes.length, offset)
    part.size += bytes.length
    part.live++
    return { part: this.#last, offset, length: bytes.length }
  }

  read({ part, offset, length }: KeptAt): Buffer {
    const bytes = Buffer.alloc(length)
    const file = this.#parts.get(part)?.file
    if (file === undefined) throw new Error('The content is not kept any more.')
    for (let done = 0; done < length; ) {
      const count = readSync(file, bytes, done, length - done, offset + done)
      if (count === 0) throw new Error('The content was cut.')
      done += count
    }
    return bytes
  }

  /** Its room is free again when all of its neighbours are dropped too. */
  drop({ part: at }: KeptAt): void {
    const part = this.#parts.get(at)
    if (!part || --part.live > 0 || at === this.#last) return
    closeSync(part.file)
    unlinkSync(part.path)
    this.#parts.delete(at)
  }

  dispose(): void {
    for (const { file } of this.#parts.values()) closeSync(file)
    this.#parts.clear()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #reopenPart(at: number): Part | undefined {
    const path = join(this.#folder, `${at}`)
    try {
      const file = openSync(path, 'r+')
      const part = { file, path, size: fstatSync(file).size, live: 0 }
      this.#parts.set(at, part)
      return part
    } catch {
      return undefined
    }
  }

  #partFor(bytes: number): Part {
    const last = this.#parts.get(this.#last)
    if (last && last.size + bytes <= PART_BYTES) return last
    // A thread before this one may have left its contents.
    if (this.#last === 0) rmSync(this.#folder, { recursive: true, force: true })
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const path = join(this.#folder, `${++this.#last}`)
    const part = { file: openSync(path, 'wx+', 0o600), path, size: 0, live: 0 }
    this.#parts.set(this.#last, part)
    return part
  }
}
