// `SlotQueue`: the requests of one account that hold a slot or wait for one, and which of them is granted the next.
import type { Clock } from '../../base/clock.ts'
import type { Outcome } from '../../protocol/slots.ts'
import { compareRanks, givesWay, isUrgent, type Lane, lanes, leavesOneFree, rankOf } from './lane.ts'
import { PlanLimit } from './planLimit.ts'

/** One request that wants a slot. `owner` is the window it belongs to. */
export interface Ticket<Owner> {
  readonly owner: Owner
  readonly id: number
  readonly lane: Lane
  /** `Clock.elapsed` of the moment it first asked. */
  readonly askedAt: number
}

export interface Holder<Owner> extends Ticket<Owner> {
  readonly heldSince: number
  /** How many were open when it began, itself included, less those that ended shortly after. */
  heldAtStart: number
  /** The most that have been open at once since then. */
  mostHeld: number
  /** Set when it was asked to yield: when it loses its slot at the latest. */
  yieldsBy: number | undefined
}

export interface QueueListener<Owner> {
  grant(ticket: Ticket<Owner>): void
  askToYield(ticket: Ticket<Owner>): void
  changed(): void
}

/** A cancelled request counts for so long after its end, because the service has to notice the cancel first. */
const COOLING_MS = 25
/** For requests that nobody waits for it counts for so long at least, since some services are slower. */
const UNHURRIED_COOLING_MS = 150
/** Four times as long after the service took longer, up to this; half as long after so many cancels without that. */
const LONGEST_COOLING_MS = 1_600
const CANCELS_BEFORE_HALVING = 50
/** The same after a window has disconnected: longer, because no request waits for just these slots. */
export const GONE_COOLING_MS = 100
/** A request that ends within so long of another's beginning may have ended at the service before that began. */
const OVERLAP_MS = 250
/** A request yields within milliseconds; one of a window that hangs loses its slot after so long. */
const YIELD_LIMIT_MS = 1_000
/** Who has asked a chat so lately will go on with it: completions leave it a slot. */
const URGENT_LIKELY_MS = 5 * 60_000
/** With fewer slots a chat that runs would leave none for completions. */
const LEAST_WITH_FREE = 3
/** How long no slot is granted to completions and background work after a refusal. */
const SHORTEST_QUIET_MS = 2_000
const LONGEST_QUIET_MS = 60_000

export class SlotQueue<Owner> {
  readonly limit: PlanLimit
  readonly #clock: Clock
  readonly #listener: QueueListener<Owner>
  readonly #timers = new Set<() => void>()
  #waiting: Ticket<Owner>[] = []
  #holders: Holder<Owner>[] = []
  #cooling = 0
  #unhurriedCooling = 0
  #coolingMs = COOLING_MS
  #cancelsSinceLateRelease = 0
  /** When an urgent request was asked for last. */
  #urgentAt = Number.NEGATIVE_INFINITY
  #quietUntil = Number.NEGATIVE_INFINITY
  #hasWakeTimer = false
  #isPaused: boolean

  /** A paused queue accepts requests and grants no slot until `unpause`. */
  constructor(clock: Clock, listener: QueueListener<Owner>, isPaused = false) {
    this.#clock = clock
    this.#listener = listener
    this.#isPaused = isPaused
    this.limit = new PlanLimit(clock)
  }

  get waiting(): readonly Ticket<Owner>[] {
    return this.#ranked(this.#waiting)
  }

  get holders(): readonly Holder<Owner>[] {
    return this.#holders
  }

  unpause(): void {
    this.#isPaused = false
    this.serve()
  }

  ask(ticket: Ticket<Owner>): void {
    if (isUrgent(ticket.lane)) this.#urgentAt = this.#clock.elapsed()
    this.#waiting.push(ticket)
    this.serve()
  }

  /** The request holds a slot that an earlier coordinator granted. It keeps the slot even if that exceeds the limit. */
  restore(ticket: Ticket<Owner>): void {
    this.#hold(ticket)
    this.#listener.changed()
  }

  /** Releases the request's slot, or removes it from the queue. An unknown ticket has lost its slot before. */
  end(owner: Owner, id: number, outcome: Outcome): void {
    const isIt = (ticket: Ticket<Owner>) => ticket.owner === owner && ticket.id === id
    const holder = this.#holders.find(isIt)
    if (holder) this.#release(holder, outcome)
    else this.#waiting = this.#waiting.filter(ticket => !isIt(ticket))
    this.serve()
  }

  /** Removes the requests of a window that has disconnected. */
  drop(owner: Owner): void {
    this.#waiting = this.#waiting.filter(ticket => ticket.owner !== owner)
    const theirs = this.#holders.filter(one => one.owner === owner)
    for (const holder of theirs) {
      this.#remove(holder)
      this.#cool(GONE_COOLING_MS)
    }
    if (theirs.length > 0) this.limit.recordCancel()
    this.serve()
  }

  /** Grants what is free. Call it when the limit may have changed. */
  serve(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const ticket = next
      this.#waiting = this.#waiting.filter(other => other !== ticket)
      this.#hold(ticket)
      this.#listener.grant(ticket)
    }
    this.#askToYield()
    this.#wakeAfterQuiet()
    this.#listener.changed()
  }

  dispose(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  get #open(): number {
    return this.#holders.length + this.#cooling
  }

  #next(): Ticket<Owner> | undefined {
    if (this.#isPaused || this.#open >= this.limit.current) return undefined
    const [first] = this.#ranked(this.#waiting.filter(ticket => this.#mayBeGranted(ticket)))
    return first
  }

  /** A completion yields its slot to an urgent request, so its slot counts as the one to be left free. */
  #mayBeGranted({ lane }: Ticket<Owner>): boolean {
    if (givesWay(lane) && this.#clock.elapsed() < this.#quietUntil) return false
    if (lane === 'completion' && this.#holders.length + this.#unhurriedCooling >= this.#completionLimit) return false
    if (!leavesOneFree(lane)) return true
    const heldCount = this.#holders.filter(holder => holder.lane !== 'completion').length
    return heldCount < Math.max(this.limit.current - 1, 1)
  }

  /** An urgent request that comes soon gets a slot at once, and not only when a completion has yielded its own. */
  get #completionLimit(): number {
    const { current } = this.limit
    const isUrgentLikely = this.#clock.elapsed() - this.#urgentAt < URGENT_LIKELY_MS
    return isUrgentLikely && current >= LEAST_WITH_FREE ? current - 1 : current
  }

  #ranked(tickets: readonly Ticket<Owner>[]): Ticket<Owner>[] {
    const now = this.#clock.elapsed()
    const heldBy = (owner: Owner) => this.#holders.filter(holder => holder.owner === owner).length
    return tickets
      .map(ticket => ({ ticket, rank: rankOf(ticket.lane, heldBy(ticket.owner), ticket.askedAt, now) }))
      .sort((a, b) => compareRanks(a.rank, b.rank))
      .map(({ ticket }) => ticket)
  }

  #hold(ticket: Ticket<Owner>): void {
    const held = this.#holders.length + 1
    this.#holders.push({
      ...ticket,
      heldSince: this.#clock.elapsed(),
      heldAtStart: held,
      mostHeld: held,
      yieldsBy: undefined,
    })
    for (const holder of this.#holders) holder.mostHeld = Math.max(holder.mostHeld, held)
  }

  #remove(holder: Holder<Owner>): void {
    const later = this.#holders.slice(this.#holders.indexOf(holder) + 1)
    for (const other of later) if (this.#clock.elapsed() - other.heldSince < OVERLAP_MS) other.heldAtStart--
    this.#holders = this.#holders.filter(other => other !== holder)
  }

  #release(holder: Holder<Owner>, outcome: Outcome): void {
    this.#remove(holder)
    switch (outcome.is) {
      case 'answered':
        this.limit.recordAnswer(holder.heldAtStart)
        if (outcome.isLeft) this.#coolAfterCancel(holder)
        return
      case 'refused':
        if (this.limit.recordRefusal(holder.mostHeld, this.#coolingMs < LONGEST_COOLING_MS) === 'late release')
          this.#coolLonger()
        return this.#keepQuiet(outcome.waitMs ?? 0)
      case 'cancelled':
        return this.#coolAfterCancel(holder)
      case 'failed':
        return
    }
  }

  #keepQuiet(waitMs: number): void {
    const quietMs = Math.min(Math.max(waitMs, SHORTEST_QUIET_MS), LONGEST_QUIET_MS)
    this.#quietUntil = Math.max(this.#quietUntil, this.#clock.elapsed() + quietMs)
  }

  #wakeAfterQuiet(): void {
    const leftMs = this.#quietUntil - this.#clock.elapsed()
    if (this.#hasWakeTimer || leftMs <= 0 || !this.#waiting.some(({ lane }) => givesWay(lane))) return
    this.#hasWakeTimer = true
    this.#later(leftMs, () => {
      this.#hasWakeTimer = false
      this.serve()
    })
  }

  #coolAfterCancel({ yieldsBy = Number.POSITIVE_INFINITY }: Holder<Owner>): void {
    this.limit.recordCancel()
    this.#cool(Math.min(this.#coolingMs, yieldsBy - this.#clock.elapsed()))
    if (++this.#cancelsSinceLateRelease < CANCELS_BEFORE_HALVING) return
    this.#cancelsSinceLateRelease = 0
    this.#coolingMs = Math.max(this.#coolingMs / 2, COOLING_MS)
  }

  #coolLonger(): void {
    this.#cancelsSinceLateRelease = 0
    this.#coolingMs = Math.min(this.#coolingMs * 4, LONGEST_COOLING_MS)
  }

  #cool(forMs: number): void {
    this.#cooling++
    this.#unhurriedCooling++
    this.#later(forMs, () => {
      this.#cooling--
      this.serve()
    })
    this.#later(Math.max(forMs, UNHURRIED_COOLING_MS), () => {
      this.#unhurriedCooling--
      this.serve()
    })
  }

  /** As many holders as there are urgent requests that wait and will not get a slot by an earlier yield. */
  #askToYield(): void {
    if (this.#isPaused) return
    const urgent = this.#ranked(this.#waiting.filter(({ lane }) => isUrgent(lane)))
    const staying = this.#holders.filter(({ yieldsBy }) => yieldsBy === undefined)
    const missing = urgent.length + staying.length - this.limit.current
    const [first] = urgent
    if (!first || missing <= 0) return
    const yielding = staying
      .filter(({ lane }) => givesWay(lane))
      .sort((a, b) => compareYieldOrder(a, b, first.owner))
      .slice(0, missing)
    for (const holder of yielding) this.#reclaim(holder)
  }

  #reclaim(holder: Holder<Owner>): void {
    holder.yieldsBy = this.#clock.elapsed() + YIELD_LIMIT_MS
    this.#later(YIELD_LIMIT_MS, () => {
      if (!this.#holders.includes(holder)) return
      this.#remove(holder)
      this.limit.recordCancel()
      this.serve()
    })
    this.#listener.askToYield(holder)
  }

  #later(waitMs: number, run: () => void): void {
    const cancel = this.#clock.later(waitMs, () => {
      this.#timers.delete(cancel)
      run()
    })
    this.#timers.add(cancel)
  }
}

/** The lower lanes first; then those of the window that asks, where the user looks; then the youngest. */
function compareYieldOrder<Owner>(a: Holder<Owner>, b: Holder<Owner>, asking: Owner): number {
  return (
    lanes.indexOf(b.lane) - lanes.indexOf(a.lane) ||
    Number(a.owner !== asking) - Number(b.owner !== asking) ||
    b.heldSince - a.heldSince
  )
}
