// A caller that speaks in bytes, over TCP or TLS, and sees how a connection really ends.
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Service } from '../localService/server.ts'

/** How the other side ended the connection: in order (FIN), by a reset (RST), or not. */
export type End = 'closed' | 'reset' | undefined

export class RawCaller implements Disposable {
  readonly socket: Socket
  readonly #port: string
  #received = Buffer.alloc(0)
  #end: End
  #wake = Promise.withResolvers<void>()

  constructor(service: Service, more: { readonly allowHalfOpen?: boolean } = {}) {
    this.#port = new URL(service.controlUrl).port
    const place = { port: Number(this.#port), host: '127.0.0.1', ...more }
    this.socket = service.authority === undefined ? connectTcp(place) : connectTls({ ...place, ca: service.authority })
    this.socket.on('data', chunk => this.#changed(() => (this.#received = Buffer.concat([this.#received, chunk]))))
    this.socket.on('end', () => this.#changed(() => (this.#end ??= 'closed')))
    this.socket.on('error', () => this.#changed(() => (this.#end ??= 'reset')))
    this.socket.on('close', () => this.#changed(() => (this.#end ??= 'closed')))
  }

  /** Whatever came, byte for byte. */
  get received(): string {
    return this.#received.toString('latin1')
  }

  get end(): End {
    return this.#end
  }

  /** Whether the only answer so far has come to its end, or will never. */
  get isDone(): boolean {
    const { received } = this
    const head = received.slice(0, received.indexOf('\r\n\r\n') + 4)
    if (head.length < 4 || this.end) return this.end !== undefined
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
    if (length !== undefined) return received.length >= head.length + Number(length)
    return !/\r\ntransfer-encoding:/i.test(head) || received.endsWith('\r\n0\r\n\r\n')
  }

  /** The body of the only answer so far, out of its chunks. */
  get body(): Buffer {
    const { received } = this
    const start = received.indexOf('\r\n\r\n') + 4
    if (start < 4) return Buffer.alloc(0)
    const body = received.slice(start)
    if (!/\r\ntransfer-encoding: chunked\r\n/i.test(received.slice(0, start))) return Buffer.from(body, 'latin1')
    return Buffer.from(this.chunks.join(''), 'latin1')
  }

  /** The chunks of the only answer so far; what is not whole yet is left out. */
  get chunks(): string[] {
    const { received } = this
    const chunks: string[] = []
    let at = received.indexOf('\r\n\r\n') + 4
    for (;;) {
      const size = /^([\da-f]+)\r\n/i.exec(received.slice(at, at + 10))
      if (!size) return chunks
      const from = at + size[0].length
      at = from + Number.parseInt(size[1] ?? '', 16)
      if (at > received.length) return chunks
      chunks.push(received.slice(from, at))
      at += 2
    }
  }

  write(text: string): this {
    this.socket.write(text, 'latin1')
    return this
  }

  /** Sends a request of this path, JSON where there is a body. */
  ask(method: string, path: string, { key, body }: { readonly key?: string; readonly body?: unknown } = {}): this {
    const text = body === undefined ? '' : JSON.stringify(body)
    const head = [
      `${method} ${path} HTTP/1.1`,
      `host: 127.0.0.1:${this.#port}`,
      ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
      ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
    ]
    this.socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
    return this
  }

  async until(isSo: (caller: this) => boolean): Promise<this> {
    while (!isSo(this)) await this.#wake.promise
    return this
  }

  whenEnded(): Promise<this> {
    return this.until(({ end }) => end !== undefined)
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }

  #changed(change: () => void): void {
    change()
    this.#wake.resolve()
    this.#wake = Promise.withResolvers()
  }
}
