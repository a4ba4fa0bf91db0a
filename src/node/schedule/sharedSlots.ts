// Slots shared by all windows of this user on this machine: one of them keeps the desk, the others come to it.
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { faultText } from '../../base/fault.ts'
import { clip } from '../../base/text.ts'
import { Coordinator, type CoordinatorOptions } from '../../core/schedule/coordinator.ts'
import { type CoordinatorLink, MemorySlots, type Slots, type SlotWindow } from '../../core/schedule/slots.ts'
import {
  type FromCoordinator,
  fromCoordinator,
  MAX_CHARS_FROM_COORDINATOR,
  type ToCoordinator,
} from '../../protocol/slots.ts'
import { CoordinatorServer, HEARTBEAT_MS, MAX_MISSED_HEARTBEATS } from './coordinatorServer.ts'
import { type CoordinatorAddress, type LeaderTerm, LeaderTerms } from './leaderTerms.ts'
import { MessageSocket } from './messageSocket.ts'
import { clearAddress, clearDeadAddresses } from './socketFolder.ts'

export interface SharedSlotsOptions {
  /** The extension's own folder for all windows. */
  readonly folder: string
  /** What this window is called when others see it hold a slot. */
  readonly label: () => string
  readonly clock: Clock
  /** For the log. */
  readonly note: (text: string) => void
}

/** A desk that does not answer for so long counts as gone. */
const WELCOME_MS = 3_000
/** How often the keeper makes sure that nobody has taken its place. */
const VERIFY_MS = 1_000
/** A new desk waits so long for windows that it knows of, and for those it cannot know of. */
const KNOWN_WINDOWS_MS = 1_000
const UNKNOWN_WINDOWS_MS = 150
/** Nothing tells the windows of a desk that hangs but the beats that it misses: until then they hold what they hold. */
const SILENCE_NOTICED_MS = (MAX_MISSED_HEARTBEATS + 1) * HEARTBEAT_MS
/** More changes than this in a row mean that sharing does not work here. */
const MOST_ATTEMPTS = 8
const MOST_JOINS = 20
const JOINS_WITHIN_MS = 30_000

/**
 * A desk in one of the windows, and no lock files with heartbeats: a slot that is free is taken at once and without
 * polling, the system itself tells of a window that died, and order and what was learnt stand in one place. A server of
 * its own would outlive the editor; a lock of the system's would have to be built for every platform.
 */
export class SharedSlots implements Slots, Disposable {
  readonly #options: SharedSlotsOptions
  /** The desk, while this window keeps it. */
  #server: CoordinatorServer | undefined
  #desk: Coordinator | undefined
  /** This window's own slots, once sharing has failed. */
  #own: MemorySlots | undefined
  /** How many windows of the last desk come to the next one, this one among them; 0: nobody has said. */
  #returning = 0
  /** The term whose desk hung when it was last asked. */
  #silentTerm = 0
  #joinedAt: number[] = []
  #isEnded = false

  constructor(options: SharedSlotsOptions) {
    this.#options = options
  }

  async join(window: SlotWindow): Promise<CoordinatorLink> {
    if (this.#own || this.#isEnded) return this.#joinOwn(window)
    try {
      return await this.#joinShared(window)
    } catch (fault) {
      this.#options.note(`Windows cannot share slots here, so each has its own: ${faultText(fault)}`)
      return this.#joinOwn(window)
    }
  }

  dispose(): void {
    this.#isEnded = true
    this.#closeDesk()
  }

  #closeDesk(): void {
    this.#server?.dispose()
    this.#desk?.dispose()
    this.#server = undefined
    this.#desk = undefined
  }

  #joinOwn(window: SlotWindow): Promise<CoordinatorLink> {
    this.#own ??= new MemorySlots(this.#options.clock)
    return this.#own.join(window)
  }

  async #joinShared(window: SlotWindow): Promise<CoordinatorLink> {
    this.#countJoin()
    // Somebody who tidies up may have removed the folder since the last time.
    const terms = new LeaderTerms(folderOfMachine(this.#options.folder))
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const term = terms.latest()
      if (!term) this.#silentTerm = 0
      const link = (await this.#follow(term, window)) ?? (await this.#lead(terms, term, window))
      if (link) return link
    }
    throw new Error('No desk could be agreed on')
  }

  #countJoin(): void {
    const now = this.#options.clock.elapsed()
    this.#joinedAt = [...this.#joinedAt.filter(at => now - at < JOINS_WITHIN_MS), now]
    if (this.#joinedAt.length > MOST_JOINS) throw new Error('The desk changes all the time')
  }

  /** Goes to the desk of this term, if there is one that answers. */
  async #follow(term: LeaderTerm | undefined, window: SlotWindow): Promise<CoordinatorLink | undefined> {
    if (!term?.desk || term.number === this.#silentTerm) return undefined
    const { clock, label } = this.#options
    const caller = new DeskCaller(term.desk, {
      clock,
      label: clip(label(), 100),
      hear: message => {
        // If this desk goes, its keeper is gone with it.
        if (message.kind === 'windows') this.#returning = message.count - 1
        window.onMessage(message)
      },
      onEnd: isSilent => {
        if (isSilent) this.#silentTerm = term.number
        window.onLost()
      },
    })
    if (await caller.welcomed) return caller.link
    if (caller.isSilent) {
      this.#silentTerm = term.number
      // How many windows came to it is not known: they were told, and this one was not.
      this.#returning = 0
    }
    return undefined
  }

  /** Keeps the desk itself, unless another window is faster. */
  async #lead(
    terms: LeaderTerms,
    before: LeaderTerm | undefined,
    window: SlotWindow,
  ): Promise<CoordinatorLink | undefined> {
    const { clock, note, label } = this.#options
    const number = (before?.number ?? 0) + 1
    const desk = new Coordinator(clock, this.#deskAfter(before))
    const leave = () => {
      if (this.#server !== server) return
      this.#closeDesk()
      window.onLost()
    }
    let verifiedAt = clock.elapsed()
    const isInOffice = () => {
      if (this.#server !== server) return false
      if (clock.elapsed() - verifiedAt < VERIFY_MS) return true
      verifiedAt = clock.elapsed()
      if (isLatest(terms, number)) return true
      leave()
      return false
    }
    const server = await CoordinatorServer.open({ desk, clock, note, isInOffice })
    if (!terms.claim(number, server.found)) {
      server.dispose()
      desk.dispose()
      return undefined
    }
    if (before?.desk) clearAddress(before.desk.address)
    void clearDeadAddresses(clock).catch(fault => note(`Old sockets could not be looked for: ${faultText(fault)}`))
    this.#server = server
    this.#desk = desk
    const place = desk.connect(label(), message => {
      if (message.kind === 'windows') this.#returning = message.count
      window.onMessage(message)
    })
    return {
      send: message => {
        if (!isInOffice()) return
        place.receive(message)
        server.watch()
      },
      nameOf: namer(server.found.pass),
      close: () => place.dispose(),
    }
  }

  #deskAfter(before: LeaderTerm | undefined): CoordinatorOptions {
    const windows = this.#returning
    // The very first, unless somebody has removed the file of the one before.
    if (!before && windows === 0) return {}
    if (before?.number === this.#silentTerm) return { after: { windows, waitMs: SILENCE_NOTICED_MS } }
    return { after: { windows, waitMs: windows > 0 ? KNOWN_WINDOWS_MS : UNKNOWN_WINDOWS_MS } }
  }
}

/** A home folder on the network belongs to many machines, and a socket to one. */
function folderOfMachine(folder: string): string {
  return process.platform === 'linux' ? join(folder, 'slots', hostname()) : join(folder, 'slots')
}

/** Without its file nobody finds the desk of this term, so that another one may be open already. */
function isLatest(terms: LeaderTerms, number: number): boolean {
  try {
    return terms.latest()?.number === number
  } catch {
    return false
  }
}

/** Equal accounts have equal names at one desk; what they stand for cannot be read from them. */
function namer(pass: string): (account: string) => string {
  const names = new Map<string, string>()
  return account => {
    const name = names.get(account) ?? createHmac('sha256', pass).update(account).digest('base64url').slice(0, 22)
    names.set(account, name)
    return name
  }
}

interface DeskCallerOptions {
  readonly clock: Clock
  readonly label: string
  readonly hear: (message: FromCoordinator) => void
  /** The desk is gone, after it had welcomed us. */
  readonly onEnd: (isSilent: boolean) => void
}

/** A window's end of the socket. */
class DeskCaller {
  /** Whether the desk let us in. */
  readonly welcomed: Promise<boolean>
  readonly link: CoordinatorLink
  readonly #options: DeskCallerOptions
  readonly #socket: MessageSocket<FromCoordinator, ToCoordinator>
  readonly #busyWith = new Set<number>()
  readonly #answer = Promise.withResolvers<boolean>()
  #isWelcome = false
  #isClosed = false
  #isSilent = false
  #missed = 0
  #callOff: (() => void) | undefined

  constructor({ address, pass }: CoordinatorAddress, options: DeskCallerOptions) {
    this.#options = options
    this.welcomed = this.#answer.promise
    const stream = connect(address)
    this.#socket = new MessageSocket(stream, {
      accepts: fromCoordinator,
      longest: MAX_CHARS_FROM_COORDINATOR,
      hear: message => this.#hear(message),
      onEnd: () => this.#end(),
    })
    this.#callOff = options.clock.later(WELCOME_MS, () => this.#endSilent())
    this.#socket.say({ kind: 'hello', pass, label: options.label })
    this.link = { send: message => this.#say(message), nameOf: namer(pass), close: () => this.#close() }
  }

  /** It took the call and said nothing, or nothing any more. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  #hear(message: FromCoordinator): void {
    this.#missed = 0
    if (message.kind === 'welcome') {
      this.#callOff?.()
      this.#callOff = undefined
      this.#isWelcome = true
      this.#answer.resolve(true)
    }
    if (this.#isWelcome && !this.#isClosed) this.#options.hear(message)
  }

  #say(message: ToCoordinator): void {
    if (message.kind === 'ask' || message.kind === 'hold') this.#busyWith.add(message.id)
    if (message.kind === 'end') this.#busyWith.delete(message.id)
    this.#socket.say(message)
    this.#beat()
  }

  /** Only while something is asked or held. */
  #beat(): void {
    if (this.#callOff || this.#busyWith.size === 0) return
    this.#callOff = this.#options.clock.later(HEARTBEAT_MS, () => {
      this.#callOff = undefined
      if (this.#busyWith.size === 0) return
      if (this.#missed >= MAX_MISSED_HEARTBEATS) return this.#endSilent()
      this.#missed++
      this.#socket.say({ kind: 'beat' })
      this.#beat()
    })
  }

  #endSilent(): void {
    this.#isSilent = true
    this.#socket.end()
  }

  #close(): void {
    this.#isClosed = true
    this.#socket.end()
  }

  #end(): void {
    this.#callOff?.()
    this.#answer.resolve(false)
    if (this.#isWelcome && !this.#isClosed) this.#options.onEnd(this.#isSilent)
  }
}
