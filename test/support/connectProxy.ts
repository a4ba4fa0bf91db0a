// A proxy as companies have them: it tunnels by CONNECT (RFC 9110 9.3.6), keeps what it saw, and fails on command.
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface ConnectProxyOptions {
  /** The port on this machine to which every tunnel leads, whatever its target; without it the target's own port. */
  readonly to?: number
  /** `user:password`; who does not bring it gets 407. */
  readonly signIn?: string
}

export interface Tunnel {
  /** `host:port` as it was asked for. */
  readonly target: string
  /** Whether anything was let through. */
  readonly isOpen: boolean
  /** What came from the caller after the tunnel was open, and what went back: with TLS nothing that can be read. */
  readonly up: readonly Buffer[]
  readonly down: readonly Buffer[]
}

export interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The page of a gateway that cannot reach the other side. */
export const badGateway: Refusal = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>502</title><h1>The proxy could not reach the server</h1>',
}

export class ConnectProxy implements AsyncDisposable {
  readonly port: number
  readonly #server: Server
  readonly #options: ConnectProxyOptions
  readonly #sockets = new Set<Socket>()
  readonly #asked: { tunnel: Tunnel & { isOpen: boolean; up: Buffer[]; down: Buffer[] }; credentials: string }[] = []
  #refusal: Refusal | undefined
  #isHalted = false

  private constructor(server: Server, port: number, options: ConnectProxyOptions) {
    this.#server = server
    this.port = port
    this.#options = options
    server.on('connection', socket => this.#keep(socket))
    server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#meet(incoming, socket, head),
    )
    // Plain requests through a proxy are not what it is there for.
    server.on('request', (_, outgoing) => outgoing.writeHead(405, { allow: 'CONNECT' }).end())
  }

  static async start(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
    return new ConnectProxy(server, (server.address() as AddressInfo).port, options)
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Every CONNECT, also those that were refused. */
  get tunnels(): readonly Tunnel[] {
    return this.#asked.map(({ tunnel }) => tunnel)
  }

  /** The `user:password` that came with each CONNECT; empty where none came. */
  get credentials(): readonly string[] {
    return this.#asked.map(({ credentials }) => credentials)
  }

  /** From now on every CONNECT gets this answer; without an argument they are let through again. */
  refuse(refusal?: Refusal): void {
    this.#refusal = refusal
  }

  /** Vanishes: nothing is passed on any more, in neither direction, not even the end of a connection. */
  halt(): void {
    this.#isHalted = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Cuts every connection that is open. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
  }

  #meet(incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    const credentials = credentialsOf(incoming)
    const tunnel = { target: incoming.url ?? '', isOpen: false, up: [], down: [] }
    this.#asked.push({ tunnel, credentials })
    if (this.#isHalted) return
    const { signIn } = this.#options
    if (signIn !== undefined && credentials !== signIn) refuse(socket, signInFirst)
    else if (this.#refusal) refuse(socket, this.#refusal)
    else this.#open(tunnel, socket, head)
  }

  #open(tunnel: Tunnel & { isOpen: boolean; up: Buffer[]; down: Buffer[] }, socket: Socket, head: Buffer): void {
    const port = this.#options.to ?? Number(/:(\d+)$/.exec(tunnel.target)?.[1])
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    this.#keep(server)
    server.once('error', () => refuse(socket, badGateway))
    server.once('connect', () => {
      server.removeAllListeners('error').on('error', () => socket.destroy())
      tunnel.isOpen = true
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) socket.unshift(head)
      this.#pass(socket, server, tunnel.up)
      this.#pass(server, socket, tunnel.down)
    })
  }

  #pass(from: Socket, to: Socket, seen: Buffer[]): void {
    from.on('data', (chunk: Buffer) => {
      seen.push(chunk)
      if (!to.write(chunk)) from.pause()
    })
    to.on('drain', () => this.#isHalted || from.resume())
    from.on('end', () => this.#isHalted || to.end())
    from.on('close', () => this.#isHalted || to.destroy())
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

const signInFirst: Refusal = {
  status: 407,
  headers: { 'proxy-authenticate': 'Basic realm="company"', 'content-type': 'text/html' },
  body: '<!doctype html><title>407</title><h1>Sign in to the proxy</h1>',
}

function credentialsOf(incoming: IncomingMessage): string {
  const basic = /^Basic +(\S+)$/i.exec(incoming.headers['proxy-authorization'] ?? '')?.[1]
  return basic === undefined ? '' : Buffer.from(basic, 'base64').toString()
}

function refuse(socket: Socket, { status, headers = {}, body = '' }: Refusal): void {
  const fields = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}
