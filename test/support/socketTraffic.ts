// What this process sends and receives over sockets, so that a test of several processes knows when nothing is under way.
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** The state of one process's sockets. Nothing is under way where both sums over all processes are 0. */
export interface Traffic {
  /** Connections that it has made and that are open, less those that it has taken. */
  readonly connections: number
  /** Bytes sent, less bytes received, on connections that are open. */
  readonly bytes: number
  /** Grows with everything that is sent or received. */
  readonly count: number
}

export class SocketTraffic implements Disposable {
  readonly #open = new Set<Socket>()
  #connections = 0
  #past = 0

  constructor() {
    channel('net.client.socket').subscribe(this.#made)
    channel('net.server.socket').subscribe(this.#taken)
  }

  get now(): Traffic {
    let [bytes, count] = [0, this.#past]
    for (const { bytesRead, bytesWritten } of this.#open) {
      bytes += bytesWritten - bytesRead
      count += bytesWritten + bytesRead
    }
    return { connections: this.#connections, bytes, count }
  }

  [Symbol.dispose](): void {
    channel('net.client.socket').unsubscribe(this.#made)
    channel('net.server.socket').unsubscribe(this.#taken)
  }

  /** One that nobody takes is none. */
  readonly #made = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket }
    socket.once('connect', () => this.#watch(socket, 1))
  }

  readonly #taken = (message: unknown): void => {
    this.#watch((message as { readonly socket: Socket }).socket, -1)
  }

  #watch(socket: Socket, sign: 1 | -1): void {
    this.#open.add(socket)
    this.#connections += sign
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#connections -= sign
      this.#past += socket.bytesRead + socket.bytesWritten + 1
    })
  }
}

/** Whether something was sent and not received yet, or one end of a connection is open and the other is not. */
export function isUnderWay(all: readonly Traffic[]): boolean {
  const sum = (of: (traffic: Traffic) => number) => all.reduce((total, traffic) => total + of(traffic), 0)
  return sum(one => one.connections) !== 0 || sum(one => one.bytes) !== 0
}
