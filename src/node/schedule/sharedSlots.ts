// `SharedSlots`: slots shared by all windows of this user on this machine; one of them, the leader, runs the coordinator.
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
import { type CoordinatorLink, MemorySlots, type SlotListener, type Slots } from '../../core/schedule/slots.ts'
import { MAX_CHARS_FROM_COORDINATOR } from '../../protocol/slotLimits.ts'
import { type FromCoordinator, fromCoordinator, type ToCoordinator } from '../../protocol/slots.ts'
import { CoordinatorServer, HEARTBEAT_MS, MAX_MISSED_HEARTBEATS } from './coordinatorServer.ts'
import { type CoordinatorAddress, type LeaderTerm, LeaderTerms } from './leaderTerms.ts'
import { MessageSocket } from './messageSocket.ts'
import { clearAddress, clearDeadAddresses } from './socketFolder.ts'

export interface SharedSlotsOptions {
  /** The extension's own folder for all windows. */
  readonly folder: string
  /** The name of this window that others show when it holds a slot. */
  readonly label: () => string
  readonly clock: Clock
  readonly log: (text: string) => void
}

/** A coordinator that does not welcome a window within this time counts as hung. */
const WELCOME_MS = 3_000
/** How long the leader relies on its last check that no other window has become the leader. */
const VERIFY_MS = 1_000
/** A new coordinator waits so long for the windows of the one before: if it knows how many they are, and if not. */
const KNOWN_WINDOWS_MS = 1_000
const UNKNOWN_WINDOWS_MS = 150
/** The windows of a coordinator that hangs keep their slots until it has missed so many heartbeats. */
const HANG_NOTICED_MS = (MAX_MISSED_HEARTBEATS + 1) * HEARTBEAT_MS
/** More attempts or joins than these mean that sharing does not work on this machine. */
const MOST_ATTEMPTS = 8
const MOST_JOINS = 20
const JOINS_WITHIN_MS = 30_000

/**
 * A coordinator in one of the windows instead of lock files with heartbeats: a free slot is granted at once and without
 * polling, the system itself reports the end of a window by closing its socket, and order and learnt limits are in one
 * place. A server process would outlive the editor; a lock of the system would need a build for every platform.
 */
export class SharedSlots implements Slots, Disposable {
  readonly #options: SharedSlotsOptions
  /** Set while this window is the leader. */
  #server: CoordinatorServer | undefined
  #coordinator: Coordinator | undefined
  /** This window's own slots, once sharing has failed. */
  #own: MemorySlots | undefined
  /** How many windows of the last coordinator join the next one, this one included; 0: not known. */
  #returningWindows = 0
  /** The term whose coordinator hung when this window last connected to it. */
  #hungTerm = 0
  #joinedAt: number[] = []
  #isEnded = false

  constructor(options: SharedSlotsOptions) {
    this.#options = options
  }

  async join(listener: SlotListener): Promise<CoordinatorLink> {
    if (this.#own || this.#isEnded) return this.#joinOwn(listener)
    try {
      return await this.#joinShared(listener)
    } catch (fault) {
      this.#options.log(`Windows cannot share slots here, so each has its own: ${faultText(fault)}`)
      return this.#joinOwn(listener)
    }
  }

  dispose(): void {
    this.#isEnded = true
    this.#closeCoordinator()
  }

  #closeCoordinator(): void {
    this.#server?.dispose()
    this.#coordinator?.dispose()
    this.#server = undefined
    this.#coordinator = undefined
  }

  #joinOwn(listener: SlotListener): Promise<CoordinatorLink> {
    this.#own ??= new MemorySlots(this.#options.clock)
    return this.#own.join(listener)
  }

  async #joinShared(listener: SlotListener): Promise<CoordinatorLink> {
    this.#countJoin()
    // Made each time, because another program may have removed the folder.
    const terms = new LeaderTerms(folderOfMachine(this.#options.folder))
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const term = terms.latest()
      if (!term) this.#hungTerm = 0
      const link = (await this.#follow(term, listener)) ?? (await this.#lead(terms, term, listener))
      if (link) return link
    }
    throw new Error('The windows did not agree on a coordinator')
  }

  #countJoin(): void {
    const now = this.#options.clock.elapsed()
    this.#joinedAt = [...this.#joinedAt.filter(at => now - at < JOINS_WITHIN_MS), now]
    if (this.#joinedAt.length > MOST_JOINS) throw new Error('The coordinator changes all the time')
  }

  /** Connects to the coordinator of this term; undefined where there is none that answers. */
  async #follow(term: LeaderTerm | undefined, listener: SlotListener): Promise<CoordinatorLink | undefined> {
    if (!term?.coordinator || term.number === this.#hungTerm) return undefined
    const { clock, label } = this.#options
    const connection = new CoordinatorConnection(term.coordinator, {
      clock,
      label: clip(label(), 100),
      onMessage: message => {
        // The leader is not counted: when its coordinator ends, it is gone.
        if (message.kind === 'windows') this.#returningWindows = message.count - 1
        listener.onMessage(message)
      },
      onEnd: isHung => {
        if (isHung) this.#hungTerm = term.number
        listener.onLost()
      },
    })
    if (await connection.accepted) return connection.link
    if (connection.isHung) {
      this.#hungTerm = term.number
      // The coordinator has sent the number of its windows to them, but not to this one.
      this.#returningWindows = 0
    }
    return undefined
  }

  /** Makes this window the leader; undefined where another window is faster. */
  async #lead(
    terms: LeaderTerms,
    before: LeaderTerm | undefined,
    listener: SlotListener,
  ): Promise<CoordinatorLink | undefined> {
    const { clock, log, label } = this.#options
    const number = (before?.number ?? 0) + 1
    const coordinator = new Coordinator(clock, this.#optionsAfter(before))
    const endTerm = () => {
      if (this.#server !== server) return
      this.#closeCoordinator()
      listener.onLost()
    }
    let verifiedAt = clock.elapsed()
    const isLeader = () => {
      if (this.#server !== server) return false
      if (clock.elapsed() - verifiedAt < VERIFY_MS) return true
      verifiedAt = clock.elapsed()
      if (isLatest(terms, number)) return true
      endTerm()
      return false
    }
    const server = await CoordinatorServer.open({ coordinator, clock, log, isLeader })
    if (!terms.claim(number, server.endpoint)) {
      server.dispose()
      coordinator.dispose()
      return undefined
    }
    if (before?.coordinator) clearAddress(before.coordinator.address)
    void clearDeadAddresses(clock).catch(fault => log(`Old sockets could not be looked for: ${faultText(fault)}`))
    this.#server = server
    this.#coordinator = coordinator
    const client = coordinator.connect(label(), message => {
      if (message.kind === 'windows') this.#returningWindows = message.count
      listener.onMessage(message)
    })
    return {
      send: message => {
        if (!isLeader()) return
        client.receive(message)
        server.watchHeartbeats()
      },
      nameOf: namer(server.endpoint.pass),
      close: () => client.dispose(),
    }
  }

  #optionsAfter(before: LeaderTerm | undefined): CoordinatorOptions {
    const windows = this.#returningWindows
    // This is the first coordinator, or another program has removed the file of the one before.
    if (!before && windows === 0) return {}
    if (before?.number === this.#hungTerm) return { takeover: { windows, waitMs: HANG_NOTICED_MS } }
    return { takeover: { windows, waitMs: windows > 0 ? KNOWN_WINDOWS_MS : UNKNOWN_WINDOWS_MS } }
  }
}

/** A socket belongs to one machine, but several may share a home folder on the network. */
function folderOfMachine(folder: string): string {
  return process.platform === 'linux' ? join(folder, 'slots', hostname()) : join(folder, 'slots')
}

/** False also where the file is gone: then other windows do not find this coordinator, and may have started another. */
function isLatest(terms: LeaderTerms, number: number): boolean {
  try {
    return terms.latest()?.number === number
  } catch {
    return false
  }
}

/** Makes names of accounts: the same for the same account and `pass`; the account cannot be read from it. */
function namer(pass: string): (account: string) => string {
  const names = new Map<string, string>()
  return account => {
    const name = names.get(account) ?? createHmac('sha256', pass).update(account).digest('base64url').slice(0, 22)
    names.set(account, name)
    return name
  }
}

interface CoordinatorConnectionOptions {
  readonly clock: Clock
  readonly label: string
  readonly onMessage: (message: FromCoordinator) => void
  /** Called when the connection ends after the welcome. `isHung`: the coordinator had stopped responding. */
  readonly onEnd: (isHung: boolean) => void
}

/** The connection of this window to the coordinator of another one. */
class CoordinatorConnection {
  /** Resolves with whether the coordinator has accepted this window. */
  readonly accepted: Promise<boolean>
  readonly link: CoordinatorLink
  readonly #options: CoordinatorConnectionOptions
  readonly #socket: MessageSocket<FromCoordinator, ToCoordinator>
  readonly #openRequests = new Set<number>()
  readonly #acceptance = Promise.withResolvers<boolean>()
  #isAccepted = false
  #isClosed = false
  #isHung = false
  #missedHeartbeats = 0
  /** Of the wait for the welcome, then of the next heartbeat. */
  #cancelTimer: (() => void) | undefined

  constructor({ address, pass }: CoordinatorAddress, options: CoordinatorConnectionOptions) {
    this.#options = options
    this.accepted = this.#acceptance.promise
    const stream = connect(address)
    this.#socket = new MessageSocket(stream, {
      schema: fromCoordinator,
      maxChars: MAX_CHARS_FROM_COORDINATOR,
      onMessage: message => this.#receive(message),
      onEnd: () => this.#end(),
    })
    this.#cancelTimer = options.clock.later(WELCOME_MS, () => this.#endHung())
    this.#socket.send({ kind: 'hello', pass, label: options.label })
    this.link = { send: message => this.#send(message), nameOf: namer(pass), close: () => this.#close() }
  }

  /** The coordinator accepted the connection and has not answered, or has stopped responding. */
  get isHung(): boolean {
    return this.#isHung
  }

  #receive(message: FromCoordinator): void {
    this.#missedHeartbeats = 0
    if (message.kind === 'welcome') {
      this.#cancelTimer?.()
      this.#cancelTimer = undefined
      this.#isAccepted = true
      this.#acceptance.resolve(true)
    }
    if (this.#isAccepted && !this.#isClosed) this.#options.onMessage(message)
  }

  #send(message: ToCoordinator): void {
    if (message.kind === 'ask' || message.kind === 'hold') this.#openRequests.add(message.id)
    if (message.kind === 'end') this.#openRequests.delete(message.id)
    this.#socket.send(message)
    this.#sendHeartbeatLater()
  }

  /** Sends heartbeats while a request of this window waits or holds a slot. */
  #sendHeartbeatLater(): void {
    if (this.#cancelTimer || this.#openRequests.size === 0) return
    this.#cancelTimer = this.#options.clock.later(HEARTBEAT_MS, () => {
      this.#cancelTimer = undefined
      if (this.#openRequests.size === 0) return
      if (this.#missedHeartbeats >= MAX_MISSED_HEARTBEATS) return this.#endHung()
      this.#missedHeartbeats++
      this.#socket.send({ kind: 'beat' })
      this.#sendHeartbeatLater()
    })
  }

  #endHung(): void {
    this.#isHung = true
    this.#socket.end()
  }

  #close(): void {
    this.#isClosed = true
    this.#socket.end()
  }

  #end(): void {
    this.#cancelTimer?.()
    this.#acceptance.resolve(false)
    if (this.#isAccepted && !this.#isClosed) this.#options.onEnd(this.#isHung)
  }
}
