// A desk that other windows reach over a local socket.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { type FromDesk, LONGEST_TO_DESK, type ToDesk, toDesk } from '../../protocol/slots.ts'
import type { Desk, DeskPlace } from './desk.ts'
import { MessageSocket } from './messageSocket.ts'
import { clearAddress, isPipe, newAddress } from './socketFolder.ts'
import type { DeskAddress } from './terms.ts'

/** Who waits or holds says so this often; who misses so many beats has crashed without a word, or hangs. */
export const BEAT_MS = 1_000
export const MOST_MISSED_BEATS = 3
/** A stranger has so long to say hello. */
const HELLO_MS = 3_000
const MOST_WINDOWS = 200

export interface DeskServerOptions {
  readonly desk: Desk
  readonly clock: Clock
  readonly note: (text: string) => void
  /** Whether this desk is still the one. Asked before a window is heard, as often as that may have changed. */
  readonly isInOffice: () => boolean
}

interface Caller {
  readonly socket: MessageSocket<ToDesk, FromDesk>
  place?: DeskPlace
  missed: number
}

export class DeskServer implements Disposable {
  readonly found: DeskAddress
  readonly #options: DeskServerOptions
  readonly #server: Server
  readonly #callers = new Set<Caller>()
  #callOff: (() => void) | undefined
  #isEnded = false

  private constructor(options: DeskServerOptions) {
    this.#options = options
    this.found = { address: newAddress(), pass: randomBytes(16).toString('hex') }
    this.#server = createServer(socket => this.#meet(socket))
    this.#server.maxConnections = MOST_WINDOWS
  }

  /** Rejects where no local socket can be made. */
  static async open(options: DeskServerOptions): Promise<DeskServer> {
    const made = new DeskServer(options)
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
      socket: new MessageSocket<ToDesk, FromDesk>(stream, {
        accepts: toDesk,
        longest: LONGEST_TO_DESK,
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

  #hear(caller: Caller, message: ToDesk): void {
    if (this.#isEnded || !this.#options.isInOffice()) return
    caller.missed = 0
    if (caller.place) caller.place.hear(message)
    else this.#admit(caller, message)
    this.watch()
  }

  #admit(caller: Caller, message: ToDesk): void {
    if (message.kind !== 'hello' || !isSame(message.pass, this.found.pass)) throw new Error('It does not know the pass')
    caller.place = this.#options.desk.seat(message.label, said => caller.socket.say(said))
  }

  /** Listens for beats, but only while somebody is busy: a machine at rest is left in peace. */
  watch(): void {
    const { clock, desk, isInOffice } = this.#options
    if (this.#callOff || this.#isEnded || !desk.isBusy) return
    this.#callOff = clock.later(BEAT_MS, () => {
      this.#callOff = undefined
      if (!isInOffice()) return
      for (const caller of this.#callers) this.#count(caller)
      this.watch()
    })
  }

  /** By our own beats, not by the time: where this process stood still, they all did nothing wrong. */
  #count(caller: Caller): void {
    caller.missed = caller.place?.isBusy ? caller.missed + 1 : 0
    if (caller.missed > MOST_MISSED_BEATS) caller.socket.end('It has fallen silent')
  }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
