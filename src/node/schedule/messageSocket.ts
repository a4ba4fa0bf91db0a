// `MessageSocket`: messages over a local socket, one JSON text per line, each checked by a schema.
import type { Socket } from 'node:net'
import type * as z from 'zod/mini'
import { faultText } from '../../base/fault.ts'

/** The connection to a peer that does not read ends when more than so much waits for it. */
const MOST_UNREAD_CHARS = 1_000_000

export interface MessageSocketOptions<In> {
  readonly schema: z.ZodMiniType<In>
  readonly maxChars: number
  /** May throw, which ends the connection. */
  readonly onMessage: (message: In) => void
  /** Called once, when either side has ended the connection. `why`: what was wrong with the peer. */
  readonly onEnd: (why: string | undefined) => void
}

export class MessageSocket<In, Out> {
  readonly #socket: Socket
  readonly #options: MessageSocketOptions<In>
  #unfinished = ''
  #why: string | undefined

  constructor(socket: Socket, options: MessageSocketOptions<In>) {
    this.#socket = socket
    this.#options = options
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.#read(text))
    socket.on('error', () => {})
    socket.once('close', () => options.onEnd(this.#why))
  }

  send(message: Out): void {
    if (this.#socket.destroyed) return
    this.#socket.write(`${JSON.stringify(message)}\n`)
    if (this.#socket.writableLength > MOST_UNREAD_CHARS) this.end('It does not read')
  }

  end(why?: string): void {
    this.#why ??= why
    this.#socket.destroy()
  }

  #read(text: string): void {
    const lines = (this.#unfinished + text).split('\n')
    this.#unfinished = lines.pop() ?? ''
    for (const line of lines) {
      if (this.#socket.destroyed) return
      this.#handleLine(line)
    }
    if (this.#unfinished.length > this.#options.maxChars) this.end('A message is too long')
  }

  #handleLine(line: string): void {
    if (line.length > this.#options.maxChars) return this.end('A message is too long')
    try {
      const read = this.#options.schema.safeParse(JSON.parse(line))
      if (!read.success) return this.end('A message has the wrong shape')
      this.#options.onMessage(read.data)
    } catch (fault) {
      this.end(faultText(fault))
    }
  }
}
