// `OutputPipes`: one pipe for both outputs of a process, so that what it writes arrives in the order in which it was written.
import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'

/** `write`: the file descriptor for the child, to be closed once the child has it. */
export interface OutputPipe {
  readonly read: Socket
  /** Called with what has arrived, in a buffer that is overwritten afterwards. */
  onBytes: (bytes: Buffer) => void
  readonly write: number
  /** Instead of giving it to a child. */
  close(): void
}

/** Made at once, because each call starts a program. */
const BATCH = 32
/** As much as the pipes of Linux hold. */
const READ_BYTES = 65_536
/** More are made as soon as no more than these are left. */
const FEW = 8

/**
 * Pipes with names, which are removed as soon as they are open. Node's own are sockets: a program cannot open them as
 * `/dev/stderr`, and two of them lose the order between what is written to each.
 */
export class OutputPipes {
  readonly #folder: string
  /** For all pipes, because one for each part that arrives would be garbage of the size of the output. */
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  #names: string[] = []
  #count = 0
  #making: Promise<void> | undefined
  #hasFailed = process.platform === 'win32'

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Undefined where the system has none. */
  async take(): Promise<OutputPipe | undefined> {
    if (this.#names.length <= FEW && !this.#hasFailed) this.#making ??= this.#make()
    if (this.#names.length === 0) await this.#making
    const name = this.#names.pop()
    return name === undefined ? undefined : this.#opened(name)
  }

  /** No more are made. */
  async close(): Promise<void> {
    this.#hasFailed = true
    await this.#making
  }

  #opened(name: string): OutputPipe | undefined {
    let read: number | undefined
    try {
      // Without O_NONBLOCK it would wait for a writer.
      read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK)
      const write = openSync(name, constants.O_WRONLY)
      unlinkSync(name)
      return this.#pipe(read, write)
    } catch {
      if (read !== undefined) closeSync(read)
      this.#hasFailed = true
      this.#names = []
      return undefined
    }
  }

  #pipe(fd: number, write: number): OutputPipe {
    const callback = (length: number) => {
      pipe.onBytes(this.#buffer.subarray(0, length))
      return true
    }
    const options = { fd, readable: true, writable: false, onread: { buffer: this.#buffer, callback } }
    const read = new Socket(options)
    const close = () => {
      read.destroy()
      closeSync(write)
    }
    const pipe: OutputPipe = { read, onBytes: () => {}, write, close }
    return pipe
  }

  async #make(): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const names = Array.from({ length: BATCH }, () => join(this.#folder, String(++this.#count)))
      await new Promise<void>((resolve, reject) => {
        execFile('mkfifo', ['-m', '600', ...names], fault => (fault ? reject(fault) : resolve()))
      })
      this.#names.unshift(...names)
    } catch {
      this.#hasFailed = true
    } finally {
      this.#making = undefined
    }
  }
}
