// The sockets of the service: on loopback only, with TLS or without, and the answer to those who speak no HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { SecureVersion } from 'node:tls'
import type { Credentials } from './authority.ts'

export interface ListenerOptions {
  /** Without it plain http. */
  readonly credentials: Credentials | undefined
  readonly maxVersion: SecureVersion | undefined
  /** How long a caller may take to send its request, head and body. */
  readonly requestTimeoutMs: number
  /** Looks at a connection before anything is read from it; true where it has dealt with it. */
  readonly meet: (socket: Socket) => boolean
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void
}

export class Listener {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #answers = new WeakMap<Socket, ServerResponse>()

  constructor(options: ListenerOptions) {
    this.#server = newServer(options)
    this.#watch(options.meet)
    const answer: ListenerOptions['answer'] = (incoming, outgoing) => {
      this.#answers.set(incoming.socket, outgoing)
      options.answer(incoming, outgoing)
    }
    this.#server.on('request', answer)
    // Node would answer these two by itself, without a body.
    this.#server.on('checkExpectation', answer)
    this.#server.on('clientError', (error, socket) => this.#refuse(error, socket as Socket))
  }

  /** Settles with the port that it listens on. */
  listen(port: number): Promise<number> {
    const server = this.#server
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host: '127.0.0.1', backlog: 2048 }, () => {
        const address = server.address()
        resolve(address !== null && typeof address === 'object' ? address.port : port)
      })
    })
  }

  /** Ends at once, also what is still being answered. */
  close(): Promise<void> {
    return new Promise(resolve => {
      this.#server.close(() => resolve())
      for (const socket of this.#sockets) socket.destroy()
    })
  }

  /** What cannot be read as HTTP never comes to a route, so it is answered by hand, and its connection ends. */
  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const before = this.#answers.get(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    if (!before || before.writableFinished) return refuse(error, socket)
    // It came behind a request that is in good order, so that one is answered first.
    if (before.req.complete) return void before.once('close', () => refuse(error, socket))
    // The request broke in its own middle; words in the middle of its answer would be taken for a part of that.
    if (before.headersSent) return void socket.destroy()
    refuse(error, socket)
  }

  /** Comes before the server's own listeners, so that a connection can break before TLS has begun. */
  #watch(meet: ListenerOptions['meet']): void {
    const serve = this.#server.listeners('connection')
    this.#server.removeAllListeners('connection')
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      socket.on('error', () => {})
      if (!meet(socket)) for (const listener of serve) listener.call(this.#server, socket)
    })
    this.#server.on('secureConnection', (secured: Socket) => {
      const below = [...this.#sockets].find(({ remotePort }) => remotePort === secured.remotePort)
      if (below) socketsBelow.set(secured, below)
    })
  }
}

const socketsBelow = new WeakMap<Socket, Socket>()

/** The TCP socket that carries a connection: itself, or the one below TLS. Only that one can be reset. */
export const socketBelow = (socket: Socket): Socket => socketsBelow.get(socket) ?? socket

function newServer({ credentials, maxVersion, requestTimeoutMs }: ListenerOptions): Server {
  const limits = {
    keepAliveTimeout: 60_000,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs),
    // A missing Host header is refused by our own words.
    requireHostHeader: false,
  }
  if (!credentials) return createServer(limits)
  const isOld = maxVersion === 'TLSv1' || maxVersion === 'TLSv1.1'
  return createTlsServer({
    ...limits,
    ...credentials,
    handshakeTimeout: requestTimeoutMs,
    ...(maxVersion && { maxVersion }),
    // Node will not speak the old versions any more unless two options allow it.
    ...(isOld && { minVersion: maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' }),
  })
}

const parserProblems: Readonly<Record<string, readonly [status: number, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers of a request have at most 16384 bytes.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'too_large', 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
}

function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return
  const [status, code, message] = parserProblems[error.code ?? ''] ?? [400, 'bad_http', 'This is no HTTP request.']
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', code } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
