// A desk that other windows reach over a local socket.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Coordinator, CoordinatorClient } from '../../core/schedule/coordinator.ts'
import {
  type FromCoordinator,
  MAX_CHARS_TO_COORDINATOR,
  type ToCoordinator,
  toCoordinator,
} from '../../protocol/slots.ts'
import type { CoordinatorAddress } from './leaderTerms.ts'
import { MessageSocket } from './messageSocket.ts'
import { clearAddress, isPipe, newAddress } from './socketFolder.ts'

/** Who waits or holds says so this often; who misses so many beats has crashed without a word, or hangs. */
export const HEARTBEAT_MS = 1_000
export const MAX_MISSED_HEARTBEATS = 3
/** A stranger has so long to say hello. */
const HELLO_MS = 3_000
const MOST_WINDOWS = 200

export interface CoordinatorServerOptions {
  readonly desk: Coordinator
  readonly clock: Clock
  readonly note: (text: string) => void
  /** Whether this desk is still the one. Asked before a window is heard, as often as that may have changed. */
  readonly isInOffice: () => boolean
}

interface Caller {
  readonly socket: MessageSocket<ToCoordinator, FromCoordinator>
  place?: CoordinatorClient
  missed: number
}

export class CoordinatorServer implements Disposable {
  readonly found: CoordinatorAddress
  readonly #options: CoordinatorServerOptions
  readonly #server: Server
  readonly #callers = new Set<Caller>()
  #callOff: (() => void) | undefined
  #isEnded = false

  private constructor(options: CoordinatorServerOptions) {
    this.#options = options
    this.found = { address: newAddress(), pass: randomBytes(16).toString('hex') }
    this.#server = createServer(socket => this.#meet(socket))
    this.#server.maxConnections = MOST_WINDOWS
  }

  /** Rejects where no local socket can be made. */
  static async open(options: CoordinatorServerOptions): Promise<CoordinatorServer> {
    const made = new CoordinatorServer(options)
    try {
      made.#server.listen(made.found.address)
      await once(made.#server, 'listening')
      if (!isPipe(made.found.address)) chmodSync(made.found.address, 0o600)
    } catch (fault) {
      made.dispose()
      throw fault
    }
    made.#server.on('error', fault => options.note(`The desk for slots: ${fault.message}`))
    return made
  }

  dispose(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#callOff?.()
    this.#server.close()
    for (const { socket } of this.#callers) socket.end()
    clearAddress(this.found.address)
  }

  #meet(stream: Socket): void {
    const { clock, note } = this.#options
    const callOff = clock.later(HELLO_MS, () => caller.socket.end('It says nothing'))
    const caller: Caller = {
      missed: 0,
      socket: new MessageSocket<ToCoordinator, FromCoordinator>(stream, {
        accepts: toCoordinator,
        longest: MAX_CHARS_TO_COORDINATOR,
        hear: message => {
          callOff()
          this.#hear(caller, message)
        },
        onEnd: why => {
          callOff()
          this.#callers.delete(caller)
          caller.place?.dispose()
          if (why) note(`A window was sent away from the desk for slots: ${why}`)
        },
      }),
    }
    this.#callers.add(caller)
  }

  #hear(caller: Caller, message: ToCoordinator): void {
    if (this.#isEnded || !this.#options.isInOffice()) return
    caller.missed = 0
    if (caller.place) caller.place.receive(message)
    else this.#admit(caller, message)
    this.watch()
  }

  #admit(caller: Caller, message: ToCoordinator): void {
    if (message.kind !== 'hello' || !isSame(message.pass, this.found.pass)) throw new Error('It does not know the pass')
    caller.place = this.#options.desk.connect(message.label, said => caller.socket.say(said))
  }

  /** Listens for beats, but only while somebody is busy: a machine at rest is left in peace. */
  watch(): void {
    const { clock, desk, isInOffice } = this.#options
    if (this.#callOff || this.#isEnded || !desk.isBusy) return
    this.#callOff = clock.later(HEARTBEAT_MS, () => {
      this.#callOff = undefined
      if (!isInOffice()) return
      for (const caller of this.#callers) this.#count(caller)
      this.watch()
    })
  }

  /** By our own beats, not by the time: where this process stood still, they all did nothing wrong. */
  #count(caller: Caller): void {
    caller.missed = caller.place?.isBusy ? caller.missed + 1 : 0
    if (caller.missed > MAX_MISSED_HEARTBEATS) caller.socket.end('It has fallen silent')
  }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
