// `FileBytes`: reads whole files one after the other into the same buffer; `textOf`: their text, where they have one.
import { Buffer, isAscii } from 'node:buffer'
import { closeSync, constants, openSync, readSync } from 'node:fs'

/** A NUL within so many bytes from the beginning means that the file is binary. */
const HEAD_BYTES = 8_192
const FIRST_BYTES = 256 * 1024

/** The file must not have become a link since its folder was read. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export class FileBytes {
  readonly #most: number
  /** Made at the first use. */
  #buffer = Buffer.alloc(0)

  constructor(most: number) {
    this.#most = most
  }

  /** Valid until the next call. Undefined where the file cannot be read. */
  read(path: string): Buffer | 'too large' | undefined {
    let file: number
    try {
      file = openSync(path, flags)
    } catch {
      return undefined
    }
    try {
      return this.#readAll(file)
    } catch {
      return undefined
    } finally {
      closeSync(file)
    }
  }

  #readAll(file: number): Buffer | 'too large' {
    if (this.#buffer.length === 0) this.#buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
    let length = 0
    for (;;) {
      const room = this.#buffer.length - length
      const count = readSync(file, this.#buffer, length, room, null)
      length += count
      // A file returns less only at its end.
      if (count < room) break
      if (length > this.#most) return 'too large'
      this.#grow()
    }
    return length > this.#most ? 'too large' : this.#buffer.subarray(0, length)
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#buffer.length * 4, this.#most + 1))
    this.#buffer.copy(larger)
    this.#buffer = larger
  }
}

export type TextForm = 'utf8' | 'utf-16le' | 'utf-16be' | 'binary'

export function formOf(bytes: Buffer): TextForm {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes.subarray(0, HEAD_BYTES).includes(0) ? 'binary' : 'utf8'
}

/** Without a byte order mark. */
export function textOf(bytes: Buffer, form: Exclude<TextForm, 'binary'>): string {
  if (form !== 'utf8') return new TextDecoder(form).decode(bytes)
  if (isAscii(bytes)) return bytes.toString('latin1')
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', hasMark ? 3 : 0)
}
