// A window's way to its slots: asks the desk, waits in line, gives back; tells the next desk when one is gone.
import { until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { never } from '../../base/fault.ts'
import { Lru } from '../../base/lru.ts'
import {
  type FromCoordinator,
  type LearnedLimit,
  MAX_ACCOUNTS_PER_WINDOW,
  MAX_REQUESTS_PER_LANE,
  type Outcome,
  type SlotHolder,
} from '../../protocol/slots.ts'
import type { Lane } from './lane.ts'
import type { CoordinatorLink, Slots } from './slots.ts'

/** What the line of the account in use looks like, for whoever draws it. */
export interface QueueState {
  readonly limit: number
  /** Who holds a slot, in every window of this machine. */
  readonly holders: readonly SlotHolder[]
  readonly waiting: number
}

/** Where a request stands that waits; `place` 1 is the next to go. */
export interface Place extends QueueState {
  readonly place: number
}

export interface Slot {
  /** Gives the slot back and tells how the request ended. Later calls do nothing. */
  end(outcome: Outcome): void
}

export interface EnterOptions {
  /** Somebody more important needs the slot: cancel the request and give it back. */
  readonly yieldSlot?: () => void
  /** Called whenever the place changes; not at all where a slot is free. */
  readonly onPlace?: (place: Place) => void
  /** `Clock.elapsed` of the moment it began to wait, where it was in line before. */
  readonly since?: number
}

export interface SchedulerOptions {
  readonly clock: Clock
  /** Whose slots: the service and the account in use. */
  readonly account: () => string
  /** The number of requests at once that the user has set; 0: learn it. */
  readonly fixed: () => number
}

interface Entry {
  readonly id: number
  readonly account: string
  readonly lane: Lane
  readonly askedAt: number
  readonly options: EnterOptions
  readonly granted: (slot: Slot) => void
  /** The desk of now knows of it; the others wait here until fewer do. */
  isTold: boolean
  isHeld: boolean
}

type LineMessage = Extract<FromCoordinator, { kind: 'line' }>

const FIRST_LIMIT = 3
/** Accounts whose plan is remembered. */
const MOST_LEARNED = 100

export class Scheduler implements Disposable {
  readonly #slots: Slots
  readonly #options: SchedulerOptions
  readonly #changed = new Emitter<QueueState>()
  readonly #entries = new Map<number, Entry>()
  /** What the desk last said of each account's line. */
  readonly #views = new Map<string, LineMessage>()
  /** What was learnt of each account's plan, for the desk that hears of it next. */
  readonly #learned = new Lru<string, LearnedLimit>(MOST_LEARNED)
  #nextId = 0
  #link: CoordinatorLink | undefined
  #isJoining = false
  #isEnded = false
  /** The accounts that the desk of now has heard of, by the name it knows them by. */
  #named = new Map<string, string>()

  constructor(slots: Slots, options: SchedulerOptions) {
    this.#slots = slots
    this.#options = options
  }

  readonly onDidChange: Event<QueueState> = this.#changed.event

  get state(): QueueState {
    return this.#stateOf(this.#options.account())
  }

  /** Waits for a slot; end it when the request is over, however it ended. Rejects when stopped. */
  enter(lane: Lane, signal: AbortSignal, options: EnterOptions = {}): Promise<Slot> {
    return until<Slot>(signal, done => {
      const entry: Entry = {
        id: this.#nextId++,
        account: this.#options.account(),
        lane,
        askedAt: options.since ?? this.#options.clock.elapsed(),
        options,
        granted: done,
        isTold: false,
        isHeld: false,
      }
      this.#entries.set(entry.id, entry)
      if (this.#link) this.#tellMore(this.#link)
      else void this.#join()
      if (!entry.isTold) this.#tellPlaces(entry.account)
      return () => {
        if (!entry.isHeld) this.#end(entry, { is: 'cancelled' })
      }
    })
  }

  /** The setting has changed. */
  retune(): void {
    const link = this.#link
    for (const name of this.#named.keys()) {
      if (link && link === this.#link) link.send({ kind: 'limit', account: name, fixed: this.#options.fixed() })
    }
  }

  dispose(): void {
    this.#isEnded = true
    this.#link?.close()
    this.#link = undefined
    this.#changed.dispose()
  }

  #stateOf(account: string): QueueState {
    const { limit, holders, waiting } = this.#views.get(account) ?? {
      limit: this.#options.fixed() || this.#learned.get(account)?.limit || FIRST_LIMIT,
      holders: [],
      waiting: 0,
    }
    return { limit, holders, waiting: waiting + this.#untold(account).length }
  }

  async #join(): Promise<void> {
    if (this.#isJoining || this.#isEnded) return
    this.#isJoining = true
    let isLost = false
    const link = await this.#slots.join({
      onMessage: message => {
        if (!isLost) this.#hear(message)
      },
      onLost: () => {
        if (isLost) return
        isLost = true
        if (!this.#isJoining) this.#rejoin()
      },
    })
    this.#isJoining = false
    if (this.#isEnded) return link.close()
    if (isLost) return this.#rejoin()
    this.#link = link
    this.#tellMore(link)
    link.send({ kind: 'told' })
  }

  /** Who neither holds nor waits has time until the next request. */
  #rejoin(): void {
    this.#link = undefined
    this.#named = new Map()
    this.#views.clear()
    for (const entry of this.#entries.values()) entry.isTold = false
    if (this.#entries.size > 0) void this.#join()
    this.#changed.fire(this.state)
  }

  /**
   * Tells the desk what it does not know of yet, as much as it takes: first what is held, then who asked first. Within
   * a lane that is the desk's own order, so nobody loses by waiting here.
   */
  #tellMore(link: CoordinatorLink): void {
    this.#leaveIdle(link)
    const told = [...this.#entries.values()].filter(({ isTold }) => isTold)
    const counts = new Map<string, number>()
    const placeOf = ({ account, lane }: Entry) => `${lane} ${account}`
    const count = (entry: Entry) => counts.set(placeOf(entry), (counts.get(placeOf(entry)) ?? 0) + 1)
    for (const entry of told) count(entry)
    for (const entry of this.#untold()) {
      // What was said may have shown that the desk has moved; the next one is told all of it.
      if (link !== this.#link) return
      const isKnown = this.#named.has(link.nameOf(entry.account)) || this.#named.size < MAX_ACCOUNTS_PER_WINDOW
      if (!isKnown || (counts.get(placeOf(entry)) ?? 0) >= MAX_REQUESTS_PER_LANE) continue
      count(entry)
      this.#tell(link, entry)
    }
  }

  /** In the order in which they shall be told. */
  #untold(account?: string): Entry[] {
    return [...this.#entries.values()]
      .filter(entry => !entry.isTold && (account === undefined || entry.account === account))
      .sort((a, b) => Number(b.isHeld) - Number(a.isHeld) || a.askedAt - b.askedAt)
  }

  #tell(link: CoordinatorLink, entry: Entry): void {
    const { id, account, lane, isHeld, askedAt } = entry
    const name = link.nameOf(account)
    entry.isTold = true
    if (!this.#named.has(name)) this.#introduce(link, name, account)
    if (isHeld) link.send({ kind: 'hold', account: name, id, lane })
    else link.send({ kind: 'ask', account: name, id, lane, waitedMs: this.#options.clock.elapsed() - askedAt })
  }

  #introduce(link: CoordinatorLink, name: string, account: string): void {
    this.#named.set(name, account)
    const learned = this.#learned.get(account)
    link.send({ kind: 'limit', account: name, fixed: this.#options.fixed(), ...(learned && { learned }) })
  }

  /** The desk has room for so many accounts; one that was signed out long ago needs none. */
  #leaveIdle(link: CoordinatorLink): void {
    const busy = new Set([...this.#entries.values()].map(({ account }) => account)).add(this.#options.account())
    for (const [name, account] of this.#named) {
      if (busy.has(account)) continue
      this.#named.delete(name)
      this.#views.delete(account)
      link.send({ kind: 'leave', account: name })
    }
  }

  #end(entry: Entry, outcome: Outcome): void {
    const link = this.#link
    if (!this.#entries.delete(entry.id) || !link) return
    if (entry.isTold) link.send({ kind: 'end', account: link.nameOf(entry.account), id: entry.id, outcome })
    if (link === this.#link) this.#tellMore(link)
  }

  #hear(message: FromCoordinator): void {
    switch (message.kind) {
      case 'grant':
        return this.#take(this.#entries.get(message.id))
      case 'yield':
        return this.#entries.get(message.id)?.options.yieldSlot?.()
      case 'line':
        return this.#see(message)
      case 'welcome':
      case 'windows':
      case 'beat':
        return
      default:
        return never(message)
    }
  }

  /** Who has left in the meantime has told the desk already. */
  #take(entry: Entry | undefined): void {
    if (!entry || entry.isHeld) return
    entry.isHeld = true
    entry.granted({ end: outcome => this.#end(entry, outcome) })
  }

  #see(message: LineMessage): void {
    const account = this.#named.get(message.account)
    if (account === undefined) return
    this.#views.set(account, message)
    this.#learned.set(account, message.learned)
    const state = this.#stateOf(account)
    for (const { id, place } of message.places) {
      const entry = this.#entries.get(id)
      if (entry && !entry.isHeld) entry.options.onPlace?.({ ...state, place })
    }
    this.#tellPlaces(account)
    this.#changed.fire(this.state)
  }

  /** Those that wait here stand behind those that wait at the desk. */
  #tellPlaces(account: string): void {
    if (!this.#link) return
    const state = this.#stateOf(account)
    const untold = this.#untold(account)
    for (const [at, entry] of untold.entries()) {
      if (!entry.isHeld) entry.options.onPlace?.({ ...state, place: state.waiting - untold.length + at + 1 })
    }
  }
}
