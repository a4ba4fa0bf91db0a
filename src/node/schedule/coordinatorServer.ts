// `CoordinatorServer`: makes the coordinator of this window reachable for other windows over a local socket.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Coordinator, CoordinatorClient } from '../../core/schedule/coordinator.ts'
import { MAX_CHARS_TO_COORDINATOR } from '../../protocol/slotLimits.ts'
import { type FromCoordinator, type ToCoordinator, toCoordinator } from '../../protocol/slots.ts'
import type { CoordinatorAddress } from './leaderTerms.ts'
import { MessageSocket } from './messageSocket.ts'
import { clearAddress, isPipe, newAddress } from './socketFolder.ts'

/** How often a window with requests sends a heartbeat; one that has missed so many hangs or has crashed. */
export const HEARTBEAT_MS = 1_000
export const MAX_MISSED_HEARTBEATS = 3
/** A connection without a hello message ends after so long. */
const HELLO_MS = 3_000
const MOST_WINDOWS = 200

export interface CoordinatorServerOptions {
  readonly coordinator: Coordinator
  readonly clock: Clock
  readonly log: (text: string) => void
  /** Whether this window is still the leader. Called before each message is handled. */
  readonly isLeader: () => boolean
}

interface Connection {
  readonly socket: MessageSocket<ToCoordinator, FromCoordinator>
  /** Set after a valid hello. */
  client?: CoordinatorClient
  missedHeartbeats: number
}

export class CoordinatorServer implements Disposable {
  readonly endpoint: CoordinatorAddress
  readonly #options: CoordinatorServerOptions
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  #cancelHeartbeatTimer: (() => void) | undefined
  #isEnded = false

  private constructor(options: CoordinatorServerOptions) {
    this.#options = options
    this.endpoint = { address: newAddress(), pass: randomBytes(16).toString('hex') }
    this.#server = createServer(socket => this.#accept(socket))
    this.#server.maxConnections = MOST_WINDOWS
  }

  /** Rejects where no local socket can be made. */
  static async open(options: CoordinatorServerOptions): Promise<CoordinatorServer> {
    const server = new CoordinatorServer(options)
    try {
      server.#server.listen(server.endpoint.address)
      await once(server.#server, 'listening')
      if (!isPipe(server.endpoint.address)) chmodSync(server.endpoint.address, 0o600)
    } catch (fault) {
      server.dispose()
      throw fault
    }
    server.#server.on('error', fault => options.log(`The coordinator of slots: ${fault.message}`))
    return server
  }

  dispose(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#cancelHeartbeatTimer?.()
    this.#server.close()
    for (const { socket } of this.#connections) socket.end()
    clearAddress(this.endpoint.address)
  }

  #accept(stream: Socket): void {
    const { clock, log } = this.#options
    const cancelTimeout = clock.later(HELLO_MS, () => connection.socket.end('It sent no hello'))
    const connection: Connection = {
      missedHeartbeats: 0,
      socket: new MessageSocket<ToCoordinator, FromCoordinator>(stream, {
        schema: toCoordinator,
        maxChars: MAX_CHARS_TO_COORDINATOR,
        onMessage: message => {
          cancelTimeout()
          this.#receive(connection, message)
        },
        onEnd: why => {
          cancelTimeout()
          this.#connections.delete(connection)
          connection.client?.dispose()
          if (why) log(`The coordinator of slots disconnected a window: ${why}`)
        },
      }),
    }
    this.#connections.add(connection)
  }

  #receive(connection: Connection, message: ToCoordinator): void {
    if (this.#isEnded || !this.#options.isLeader()) return
    connection.missedHeartbeats = 0
    if (connection.client) connection.client.receive(message)
    else this.#authenticate(connection, message)
    this.watchHeartbeats()
  }

  #authenticate(connection: Connection, message: ToCoordinator): void {
    if (message.kind !== 'hello' || !isSame(message.pass, this.endpoint.pass))
      throw new Error('It does not know the pass')
    connection.client = this.#options.coordinator.connect(message.label, answer => connection.socket.send(answer))
  }

  /** Checks heartbeats as long as a window has requests; without requests no timer runs. */
  watchHeartbeats(): void {
    const { clock, coordinator, isLeader } = this.#options
    if (this.#cancelHeartbeatTimer || this.#isEnded || !coordinator.isBusy) return
    this.#cancelHeartbeatTimer = clock.later(HEARTBEAT_MS, () => {
      this.#cancelHeartbeatTimer = undefined
      if (!isLeader()) return
      for (const connection of this.#connections) this.#countHeartbeat(connection)
      this.watchHeartbeats()
    })
  }

  /** Counts checks and not time, because after a suspension of this process all windows would seem late. */
  #countHeartbeat(connection: Connection): void {
    connection.missedHeartbeats = connection.client?.isBusy ? connection.missedHeartbeats + 1 : 0
    if (connection.missedHeartbeats > MAX_MISSED_HEARTBEATS) connection.socket.end('It has stopped responding')
  }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
