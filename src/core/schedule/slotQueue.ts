// The line for the slots of one account: who holds, who waits, who is next.
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
  /** How many were open when it began and a moment later as well, itself counted. */
  heldAtStart: number
  /** The most that were open at once since then. */
  mostHeld: number
  /** Set when it was asked to yield: when it has lost its slot at the latest. */
  yieldsBy: number | undefined
}

/** Whom the line tells. */
export interface QueueListener<Owner> {
  grant(ticket: Ticket<Owner>): void
  askToYield(ticket: Ticket<Owner>): void
  changed(): void
}

/** A cancelled request counts for so long after its end: the service has to notice it first. */
const COOLING_MS = 25
/** A service that was seen to take longer gets four times as long, up to this; after so many cancels half of it. */
const LONGEST_COOLING_MS = 1_600
const QUIET_CANCELS = 50
/** The same for a window that is gone, where nobody stands and waits for that very slot. */
export const GONE_COOLING_MS = 100
/** Who ends within so long of another's beginning may have been over at the service before that began. */
const OVERLAP_MS = 250
/** Who was asked to yield does it within milliseconds; a window that hangs has lost the slot after so long. */
const YIELD_LIMIT_MS = 1_000
/** How long completions and background work keep quiet after a refusal. */
const SHORTEST_QUIET_MS = 2_000
const LONGEST_QUIET_MS = 60_000

export class SlotQueue<Owner> {
  readonly limit: PlanLimit
  readonly #clock: Clock
  readonly #voice: QueueListener<Owner>
  readonly #timers = new Set<() => void>()
  #waiting: Ticket<Owner>[] = []
  #holders: Holder<Owner>[] = []
  #cooling = 0
  #coolingMs = COOLING_MS
  #quietCancels = 0
  #quietUntil = Number.NEGATIVE_INFINITY
  #isWaking = false
  #isPaused: boolean

  /** A paused line takes everything in and gives nothing out until `begin`. */
  constructor(clock: Clock, voice: QueueListener<Owner>, isPaused = false) {
    this.#clock = clock
    this.#voice = voice
    this.#isPaused = isPaused
    this.limit = new PlanLimit(clock)
  }

  get waiting(): readonly Ticket<Owner>[] {
    return this.#ranked(this.#waiting)
  }

  get holders(): readonly Holder<Owner>[] {
    return this.#holders
  }

  begin(): void {
    this.#isPaused = false
    this.serve()
  }

  ask(ticket: Ticket<Owner>): void {
    this.#waiting.push(ticket)
    this.serve()
  }

  /** It holds a slot already, given by somebody before us. What is under way is never taken away by counting. */
  resume(ticket: Ticket<Owner>): void {
    this.#hold(ticket)
    this.#voice.changed()
  }

  /** Gives a slot back, or leaves the line. Unknown tickets have lost their slot before. */
  end(owner: Owner, id: number, outcome: Outcome): void {
    const isIt = (ticket: Ticket<Owner>) => ticket.owner === owner && ticket.id === id
    const holder = this.#holders.find(isIt)
    if (holder) this.#release(holder, outcome)
    else this.#waiting = this.#waiting.filter(ticket => !isIt(ticket))
    this.serve()
  }

  /** A window is gone, and its requests with it. */
  drop(owner: Owner): void {
    this.#waiting = this.#waiting.filter(ticket => ticket.owner !== owner)
    const theirs = this.#holders.filter(one => one.owner === owner)
    for (const holder of theirs) {
      this.#remove(holder)
      this.#cool(GONE_COOLING_MS)
    }
    if (theirs.length > 0) this.limit.sawCancel()
    this.serve()
  }

  /** Gives out what is free. Call it when the limit may have changed. */
  serve(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const ticket = next
      this.#waiting = this.#waiting.filter(other => other !== ticket)
      this.#hold(ticket)
      this.#voice.grant(ticket)
    }
    this.#askToYield()
    this.#wakeAfterQuiet()
    this.#voice.changed()
  }

  dispose(): void {
    for (const callOff of this.#timers) callOff()
    this.#timers.clear()
  }

  get #open(): number {
    return this.#holders.length + this.#cooling
  }

  #next(): Ticket<Owner> | undefined {
    if (this.#isPaused || this.#open >= this.limit.now) return undefined
    const [first] = this.#ranked(this.#waiting.filter(ticket => this.#mayGo(ticket)))
    return first
  }

  /** A completion's slot is as good as free for a person, so it does not count against the one to be left free. */
  #mayGo({ lane }: Ticket<Owner>): boolean {
    if (givesWay(lane) && this.#clock.elapsed() < this.#quietUntil) return false
    if (!leavesOneFree(lane)) return true
    const firm = this.#holders.filter(holder => holder.lane !== 'completion').length
    return firm < Math.max(this.limit.now - 1, 1)
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
        this.limit.sawAnswer(holder.heldAtStart)
        if (outcome.isLeft) this.#coolAfterCancel(holder)
        return
      case 'refused':
        if (this.limit.sawRefusal(holder.mostHeld) === 'late release') this.#coolLonger()
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
    if (this.#isWaking || leftMs <= 0 || !this.#waiting.some(({ lane }) => givesWay(lane))) return
    this.#isWaking = true
    this.#later(leftMs, () => {
      this.#isWaking = false
      this.serve()
    })
  }

  #coolAfterCancel({ yieldsBy = Number.POSITIVE_INFINITY }: Holder<Owner>): void {
    this.limit.sawCancel()
    this.#cool(Math.min(this.#coolingMs, yieldsBy - this.#clock.elapsed()))
    if (++this.#quietCancels < QUIET_CANCELS) return
    this.#quietCancels = 0
    this.#coolingMs = Math.max(this.#coolingMs / 2, COOLING_MS)
  }

  #coolLonger(): void {
    this.#quietCancels = 0
    this.#coolingMs = Math.min(this.#coolingMs * 4, LONGEST_COOLING_MS)
  }

  #cool(forMs: number): void {
    this.#cooling++
    this.#later(forMs, () => {
      this.#cooling--
      this.serve()
    })
  }

  /** As many as persons wait without a slot on its way to them; who has the least to lose first. */
  #askToYield(): void {
    if (this.#isPaused) return
    const urgent = this.#ranked(this.#waiting.filter(({ lane }) => isUrgent(lane)))
    const staying = this.#holders.filter(({ yieldsBy }) => yieldsBy === undefined)
    const missing = urgent.length + staying.length - this.limit.now
    const [first] = urgent
    if (!first || missing <= 0) return
    const yielding = staying
      .filter(({ lane }) => givesWay(lane))
      .sort((a, b) => compareLoss(a, b, first.owner))
      .slice(0, missing)
    for (const holder of yielding) this.#takeFrom(holder)
  }

  #takeFrom(holder: Holder<Owner>): void {
    holder.yieldsBy = this.#clock.elapsed() + YIELD_LIMIT_MS
    this.#later(YIELD_LIMIT_MS, () => {
      if (!this.#holders.includes(holder)) return
      this.#remove(holder)
      this.limit.sawCancel()
      this.serve()
    })
    this.#voice.askToYield(holder)
  }

  #later(waitMs: number, run: () => void): void {
    const callOff = this.#clock.later(waitMs, () => {
      this.#timers.delete(callOff)
      run()
    })
    this.#timers.add(callOff)
  }
}

/** Less important ones lose less; then those of the window that asks, where the person looks; then the youngest. */
function compareLoss<Owner>(a: Holder<Owner>, b: Holder<Owner>, asking: Owner): number {
  return (
    lanes.indexOf(b.lane) - lanes.indexOf(a.lane) ||
    Number(a.owner !== asking) - Number(b.owner !== asking) ||
    b.heldSince - a.heldSince
  )
}
