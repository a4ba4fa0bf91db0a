// Real connections for a test: our `Http` without a proxy, small servers, and waiting for what the wire brings.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../src/base/clock.ts'
import type { Route } from '../../src/core/http/proxy.ts'
import { UndiciHttp } from '../../src/node/http/undiciHttp.ts'
import { FakeClock } from './fakeClock.ts'

export const direct: Route = { proxy: undefined, authorization: undefined, strictTls: true, systemCertificates: false }

/** Our `Http` with a clock of its own that only a test moves. */
export class Wire implements Disposable {
  readonly clock: FakeClock
  readonly #http: UndiciHttp

  constructor(
    route: Route | ((url: URL) => Route) = direct,
    clock: Clock & FakeClock = new FakeClock(),
    connectMs?: number,
  ) {
    this.clock = clock
    this.#http = new UndiciHttp(typeof route === 'function' ? route : () => route, clock, connectMs)
  }

  get send() {
    return this.#http.send
  }

  get connect() {
    return this.#http.connect
  }

  [Symbol.dispose](): void {
    this.#http.dispose()
  }
}

export interface Peer extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  /** What came, as `METHOD /path`. */
  readonly asked: string[]
}

/** A small web server on loopback. */
export async function peer(answer: RequestListener): Promise<Peer> {
  const asked: string[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    answer(incoming, outgoing)
  })
  return { ...(await listening(server)), asked }
}

/** A server that speaks in bytes. */
export async function bytePeer(meet: (socket: Socket) => void): Promise<Omit<Peer, 'asked'>> {
  const open = new Set<Socket>()
  const server = createNetServer(socket => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    meet(socket)
  })
  const { port, origin } = await listen(server)
  const end = () => {
    for (const socket of open) socket.destroy()
    return new Promise<void>(resolve => server.close(() => resolve()))
  }
  return { port, origin, [Symbol.asyncDispose]: end }
}

export async function listening(server: Server): Promise<Omit<Peer, 'asked'>> {
  const { port, origin } = await listen(server)
  const end = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port, origin, [Symbol.asyncDispose]: end }
}

async function listen(server: NetServer): Promise<{ port: number; origin: string }> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}` }
}

/** A port that nobody listens on. */
export async function closedPort(): Promise<number> {
  const server = await peer(() => {})
  await server[Symbol.asyncDispose]()
  return server.port
}

export async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return text
}

/**
 * Turns the event loop until something is so. What takes longer than some turns waits for another process, for a file or
 * for a name: those have their time, and the processor for themselves.
 */
export async function eventually(what: string, isSo: () => boolean): Promise<void> {
  const startedAt = performance.now()
  for (let turns = 0; !isSo(); turns++) {
    if (performance.now() - startedAt > 30_000) throw new Error(`It never came to be that ${what}`)
    await (turns < 1_000 ? turn() : sleep(1))
  }
}

/** What a promise rejects with. */
export async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (fault) {
    return fault
  }
  throw new Error('It did not fail')
}

export const never: AbortSignal = new AbortController().signal
