// A SOCKS5 proxy (RFC 1928) that wants a name and a password (RFC 1929) or none, and remembers what it was asked for.

import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'

export interface SocksProxyOptions {
  /** `user:password`; a caller that does not bring it is refused. */
  readonly signIn?: string
  /** The port on this machine to which every tunnel leads. */
  readonly to: number
  /** The reply to every CONNECT in place of a tunnel (RFC 1928 6). */
  readonly reply?: number
  /** Closes each connection after its first bytes. */
  readonly hangsUp?: boolean
}

const NO_SIGN_IN = 0
const NAME_AND_PASSWORD = 2
const NONE = 0xff

export class SocksProxy implements AsyncDisposable {
  readonly port: number
  /** `host:port` of each CONNECT, and the address type by which it was named. */
  readonly asked: { readonly target: string; readonly type: 'name' | 'number' }[] = []
  readonly credentials: string[] = []
  readonly #server: Server
  readonly #options: SocksProxyOptions
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, options: SocksProxyOptions) {
    this.#server = server
    this.#options = options
    this.port = (server.address() as AddressInfo).port // as: it listens on a port
    server.on('connection', socket => {
      this.#keep(socket)
      this.#serve(socket).catch(() => socket.destroy())
    })
  }

  static async start(options: SocksProxyOptions): Promise<SocksProxy> {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
    return new SocksProxy(server, options)
  }

  get host(): string {
    return `127.0.0.1:${this.port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
  }

  async #serve(socket: Socket): Promise<void> {
    const read = reader(socket)
    const [, count = 0] = await read(2)
    const methods = [...(await read(count))]
    if (this.#options.hangsUp) return void socket.end()
    const method = this.#options.signIn === undefined ? NO_SIGN_IN : NAME_AND_PASSWORD
    socket.write(Buffer.from([5, methods.includes(method) ? method : NONE]))
    if (method === NAME_AND_PASSWORD && !(await this.#isSignedIn(socket, read))) return void socket.end()
    const [, , , type] = await read(4)
    const host = type === 3 ? String(await read((await read(1))[0] ?? 0)) : [...(await read(4))].join('.')
    const port = (await read(2)).readUInt16BE()
    this.asked.push({ target: `${host}:${port}`, type: type === 3 ? 'name' : 'number' })
    const { reply = 0, to } = this.#options
    const answer = Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
    if (reply !== 0) return void socket.end(answer)
    const onward = dial(to, '127.0.0.1', () => socket.write(answer))
    this.#keep(onward)
    onward.on('close', () => socket.destroy())
    socket.on('close', () => onward.destroy())
    read.rest(onward)
  }

  async #isSignedIn(socket: Socket, read: Read): Promise<boolean> {
    const [, nameLength = 0] = await read(2)
    const name = String(await read(nameLength))
    const password = String(await read((await read(1))[0] ?? 0))
    this.credentials.push(`${name}:${password}`)
    const isRight = `${name}:${password}` === this.#options.signIn
    socket.write(Buffer.from([1, isRight ? 0 : 1]))
    return isRight
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

interface Read {
  (length: number): Promise<Buffer>
  /** Passes everything that was not read, in both directions. */
  rest(onward: Socket): void
}

function reader(socket: Socket): Read {
  let held = Buffer.alloc(0)
  let wake = () => {}
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    wake()
  }
  socket.on('data', onData)
  const read = async (length: number) => {
    while (held.length < length) await new Promise<void>(resolve => (wake = resolve))
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }
  const rest = (onward: Socket) => {
    socket.off('data', onData)
    onward.write(held)
    socket.pipe(onward).pipe(socket)
  }
  return Object.assign(read, { rest })
}
