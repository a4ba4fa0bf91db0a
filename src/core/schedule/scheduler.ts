// `Scheduler`: asks the coordinator for the slots of one window, and sends all requests again to the next coordinator.
import { until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { never } from '../../base/fault.ts'
import { Lru } from '../../base/lru.ts'
import { MAX_ACCOUNTS_PER_WINDOW, MAX_REQUESTS_PER_LANE } from '../../protocol/slotLimits.ts'
import type { FromCoordinator, LearnedLimit, Outcome, SlotHolder } from '../../protocol/slots.ts'
import { givesWay, type Lane } from './lane.ts'
import type { CoordinatorLink, Slots } from './slots.ts'

/** The queue of the account in use, for the status bar and the chat. */
export interface QueueState {
  readonly limit: number
  /** Who holds a slot, in every window of this machine. */
  readonly holders: readonly SlotHolder[]
  readonly waiting: number
}

/** Where a waiting request is in the queue; `place` 1 is granted next. */
export interface Place extends QueueState {
  readonly place: number
}

export interface Slot {
  /** Releases the slot and reports how the request ended. Later calls do nothing. */
  end(outcome: Outcome): void
}

export interface EnterOptions {
  /** An urgent request needs the slot: cancel the request and end the slot. */
  readonly yieldSlot?: () => void
  /** Called whenever the place changes; not at all where a slot is free. */
  readonly onPlace?: (place: Place) => void
  /** `Clock.elapsed` of the moment it began to wait, where it was in the queue before. */
  readonly since?: number
}

export interface SchedulerOptions {
  readonly clock: Clock
  /** Names the service and the account in use. */
  readonly account: () => string
  /** The number of requests at once that the user has set; 0: learn the plan's. */
  readonly fixed: () => number
}

interface Entry {
  readonly id: number
  readonly account: string
  readonly lane: Lane
  readonly askedAt: number
  readonly options: EnterOptions
  readonly granted: (slot: Slot) => void
  /** The current coordinator has received it. Those that it has no room for are sent when others have ended. */
  isSent: boolean
  isHeld: boolean
}

type LineMessage = Extract<FromCoordinator, { kind: 'line' }>

const FIRST_LIMIT = 3
/** The most accounts whose learnt limit is kept. */
const MOST_LEARNED = 100

export class Scheduler implements Disposable {
  readonly #slots: Slots
  readonly #options: SchedulerOptions
  readonly #changed = new Emitter<QueueState>()
  readonly #entries = new Map<number, Entry>()
  /** The coordinator's last message about each account's queue. */
  readonly #lines = new Map<string, LineMessage>()
  /** The limit that was learnt for each account, for the next coordinator. */
  readonly #learned = new Lru<string, LearnedLimit>(MOST_LEARNED)
  #nextId = 0
  #link: CoordinatorLink | undefined
  #isJoining = false
  #isEnded = false
  /** The accounts that the current coordinator knows, by their names in messages to it. */
  #accounts = new Map<string, string>()

  constructor(slots: Slots, options: SchedulerOptions) {
    this.#slots = slots
    this.#options = options
  }

  readonly onDidChange: Event<QueueState> = this.#changed.event

  get state(): QueueState {
    return this.#stateOf(this.#options.account())
  }

  /** A request that is made now would not wait. */
  get hasFreeSlot(): boolean {
    const { limit, holders, waiting } = this.state
    return waiting === 0 && holders.length < limit
  }

  /** A request that is made now leaves a slot free, and the user waits for no other. */
  get hasExtraSlot(): boolean {
    const { limit, holders, waiting } = this.state
    const isAlone = holders.every(({ lane }) => givesWay(lane))
    return waiting === 0 && isAlone && holders.length + 1 < limit
  }

  /** Resolves with a slot; end it when the request is over, however it ended. Rejects when `signal` is aborted. */
  enter(lane: Lane, signal: AbortSignal, options: EnterOptions = {}): Promise<Slot> {
    return until<Slot>(signal, done => {
      const entry: Entry = {
        id: this.#nextId++,
        account: this.#options.account(),
        lane,
        askedAt: options.since ?? this.#options.clock.elapsed(),
        options,
        granted: done,
        isSent: false,
        isHeld: false,
      }
      this.#entries.set(entry.id, entry)
      if (this.#link) this.#sendMore(this.#link)
      else void this.#join()
      if (!entry.isSent) this.#reportPlaces(entry.account)
      return () => {
        if (!entry.isHeld) this.#end(entry, { is: 'cancelled' })
      }
    })
  }

  /** Sends the number that the user has set; call it when the setting has changed. */
  updateFixedLimit(): void {
    const link = this.#link
    for (const name of this.#accounts.keys()) {
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
    const { limit, holders, waiting } = this.#lines.get(account) ?? {
      limit: this.#options.fixed() || this.#learned.get(account)?.limit || FIRST_LIMIT,
      holders: [],
      waiting: 0,
    }
    return { limit, holders, waiting: waiting + this.#unsent(account).length }
  }

  async #join(): Promise<void> {
    if (this.#isJoining || this.#isEnded) return
    this.#isJoining = true
    let isLost = false
    const link = await this.#slots.join({
      onMessage: message => {
        if (!isLost) this.#receive(message)
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
    this.#sendMore(link)
    link.send({ kind: 'told' })
  }

  /** A window without requests joins the next coordinator only with its next request. */
  #rejoin(): void {
    this.#link = undefined
    this.#accounts = new Map()
    this.#lines.clear()
    for (const entry of this.#entries.values()) entry.isSent = false
    if (this.#entries.size > 0) void this.#join()
    this.#changed.fire(this.state)
  }

  /**
   * Sends the requests that the coordinator has not received, as many as it accepts: first those that hold a slot, then
   * the oldest. Within a lane the coordinator has the same order, so a request loses nothing by waiting here.
   */
  #sendMore(link: CoordinatorLink): void {
    this.#leaveIdleAccounts(link)
    const sent = [...this.#entries.values()].filter(({ isSent }) => isSent)
    const counts = new Map<string, number>()
    const placeOf = ({ account, lane }: Entry) => `${lane} ${account}`
    const count = (entry: Entry) => counts.set(placeOf(entry), (counts.get(placeOf(entry)) ?? 0) + 1)
    for (const entry of sent) count(entry)
    for (const entry of this.#unsent()) {
      // The last send may have found that the coordinator is gone; then the next one receives all of them.
      if (link !== this.#link) return
      const isKnown = this.#accounts.has(link.nameOf(entry.account)) || this.#accounts.size < MAX_ACCOUNTS_PER_WINDOW
      if (!isKnown || (counts.get(placeOf(entry)) ?? 0) >= MAX_REQUESTS_PER_LANE) continue
      count(entry)
      this.#sendEntry(link, entry)
    }
  }

  /** In the order in which they are to be sent. */
  #unsent(account?: string): Entry[] {
    return [...this.#entries.values()]
      .filter(entry => !entry.isSent && (account === undefined || entry.account === account))
      .sort((a, b) => Number(b.isHeld) - Number(a.isHeld) || a.askedAt - b.askedAt)
  }

  #sendEntry(link: CoordinatorLink, entry: Entry): void {
    const { id, account, lane, isHeld, askedAt } = entry
    const name = link.nameOf(account)
    entry.isSent = true
    if (!this.#accounts.has(name)) this.#sendLimit(link, name, account)
    if (isHeld) link.send({ kind: 'hold', account: name, id, lane })
    else link.send({ kind: 'ask', account: name, id, lane, waitedMs: this.#options.clock.elapsed() - askedAt })
  }

  #sendLimit(link: CoordinatorLink, name: string, account: string): void {
    this.#accounts.set(name, account)
    const learned = this.#learned.get(account)
    link.send({ kind: 'limit', account: name, fixed: this.#options.fixed(), ...(learned && { learned }) })
  }

  /** The coordinator accepts a limited number of accounts of a window, so those without requests make room. */
  #leaveIdleAccounts(link: CoordinatorLink): void {
    const busy = new Set([...this.#entries.values()].map(({ account }) => account)).add(this.#options.account())
    for (const [name, account] of this.#accounts) {
      if (busy.has(account)) continue
      this.#accounts.delete(name)
      this.#lines.delete(account)
      link.send({ kind: 'leave', account: name })
    }
  }

  #end(entry: Entry, outcome: Outcome): void {
    const link = this.#link
    if (!this.#entries.delete(entry.id) || !link) return
    if (entry.isSent) link.send({ kind: 'end', account: link.nameOf(entry.account), id: entry.id, outcome })
    if (link === this.#link) this.#sendMore(link)
  }

  #receive(message: FromCoordinator): void {
    switch (message.kind) {
      case 'grant':
        return this.#grant(this.#entries.get(message.id))
      case 'yield':
        return this.#entries.get(message.id)?.options.yieldSlot?.()
      case 'line':
        return this.#receiveLine(message)
      case 'welcome':
      case 'windows':
      case 'beat':
        return
      default:
        return never(message)
    }
  }

  /** No entry: the request was cancelled meanwhile, and the coordinator has been sent its end. */
  #grant(entry: Entry | undefined): void {
    if (!entry || entry.isHeld) return
    entry.isHeld = true
    entry.granted({ end: outcome => this.#end(entry, outcome) })
  }

  #receiveLine(message: LineMessage): void {
    const account = this.#accounts.get(message.account)
    if (account === undefined) return
    this.#lines.set(account, message)
    this.#learned.set(account, message.learned)
    const state = this.#stateOf(account)
    for (const { id, place } of message.places) {
      const entry = this.#entries.get(id)
      if (entry && !entry.isHeld) entry.options.onPlace?.({ ...state, place })
    }
    this.#reportPlaces(account)
    this.#changed.fire(this.state)
  }

  /** The requests that wait here come after those that wait in the coordinator's queue. */
  #reportPlaces(account: string): void {
    if (!this.#link) return
    const state = this.#stateOf(account)
    const unsent = this.#unsent(account)
    for (const [at, entry] of unsent.entries()) {
      if (!entry.isHeld) entry.options.onPlace?.({ ...state, place: state.waiting - unsent.length + at + 1 })
    }
  }
}
