// Gives out the slots: one line per account, for every window that has come.
import type { Clock } from '../../base/clock.ts'
import { type Disposable, onEnd } from '../../base/disposable.ts'
import { clip } from '../../base/text.ts'
import {
  type FromCoordinator,
  MAX_ACCOUNTS_PER_WINDOW,
  MAX_REQUESTS_PER_WINDOW,
  type ToCoordinator,
} from '../../protocol/slots.ts'
import { GONE_COOLING_MS, SlotQueue, type Ticket } from './slotQueue.ts'

const LONGEST_LABEL = 100

/** A window at the desk. */
class ConnectedWindow {
  readonly label: string
  readonly say: (message: FromCoordinator) => void
  /** The accounts that it has come for, each with the requests that wait or hold. */
  readonly tickets = new Map<string, Set<number>>()
  hasTold = false

  constructor(label: string, say: (message: FromCoordinator) => void) {
    this.label = clip(label, LONGEST_LABEL)
    this.say = say
  }

  get isBusy(): boolean {
    return [...this.tickets.values()].some(({ size }) => size > 0)
  }
}

export interface CoordinatorClient extends Disposable {
  /** Takes what the window says. Throws where no honest window would say it; then the window has to go. */
  receive(message: ToCoordinator): void
  /** Whether the window waits for something or holds something. */
  readonly isBusy: boolean
}

export interface CoordinatorOptions {
  /**
   * After another desk: nothing is given out until so many windows have told what they hold, or so much time has
   * passed.
   */
  readonly after?: { readonly windows: number; readonly waitMs: number }
}

export class Coordinator implements Disposable {
  readonly #clock: Clock
  readonly #guests = new Set<ConnectedWindow>()
  readonly #lines = new Map<string, SlotQueue<ConnectedWindow>>()
  readonly #changed = new Set<string>()
  #awaited: number
  #callOff: (() => void) | undefined

  constructor(clock: Clock, { after }: CoordinatorOptions = {}) {
    this.#clock = clock
    this.#awaited = after?.windows ?? 0
    if (after) this.#callOff = clock.later(after.waitMs, () => this.#begin())
  }

  /** A window comes. What the desk has to say goes to `say`. */
  connect(label: string, say: (message: FromCoordinator) => void): CoordinatorClient {
    const guest = new ConnectedWindow(label, say)
    this.#guests.add(guest)
    say({ kind: 'welcome' })
    this.#tellCount()
    const leaving = onEnd(() => this.#leave(guest))
    return {
      receive: message => this.#hear(guest, message),
      dispose: () => leaving.dispose(),
      get isBusy() {
        return guest.isBusy
      },
    }
  }

  dispose(): void {
    this.#callOff?.()
    for (const line of this.#lines.values()) line.dispose()
    this.#lines.clear()
    this.#guests.clear()
  }

  /** Whether anybody waits for something or holds something. */
  get isBusy(): boolean {
    return [...this.#guests].some(({ isBusy }) => isBusy)
  }

  get #isPaused(): boolean {
    return this.#callOff !== undefined
  }

  #hear(guest: ConnectedWindow, message: ToCoordinator): void {
    switch (message.kind) {
      case 'limit':
        return this.#hearLimit(guest, message)
      case 'ask':
      case 'hold':
        return this.#hearTicket(guest, message)
      case 'end':
        guest.tickets.get(message.account)?.delete(message.id)
        return this.#lines.get(message.account)?.end(guest, message.id, message.outcome)
      case 'leave':
        return this.#leaveLine(guest, message.account)
      case 'told':
        guest.hasTold = true
        return this.#beginIfAllTold()
      case 'beat':
        return guest.say({ kind: 'beat' })
      case 'hello':
        throw new Error('A second hello')
    }
  }

  #hearLimit(guest: ConnectedWindow, { account, fixed, learned }: Extract<ToCoordinator, { kind: 'limit' }>): void {
    const isNew = !this.#lines.has(account)
    const line = this.#lineOf(guest, account)
    line.limit.fixed = fixed
    if (learned !== undefined && (isNew || this.#isPaused)) line.limit.adopt(learned)
    line.serve()
  }

  #hearTicket(guest: ConnectedWindow, message: Extract<ToCoordinator, { kind: 'ask' | 'hold' }>): void {
    const { id, account, lane } = message
    const line = this.#lineOf(guest, account)
    const tickets = guest.tickets.get(account)
    if (tickets?.has(id)) throw new Error('The same request twice')
    if (tickets && tickets.size >= MAX_REQUESTS_PER_WINDOW) throw new Error('Too many requests at once')
    tickets?.add(id)
    const waitedMs = message.kind === 'ask' ? message.waitedMs : 0
    const ticket: Ticket<ConnectedWindow> = { owner: guest, id, lane, askedAt: this.#clock.elapsed() - waitedMs }
    if (message.kind === 'ask') line.ask(ticket)
    else line.resume(ticket)
  }

  #lineOf(guest: ConnectedWindow, account: string): SlotQueue<ConnectedWindow> {
    if (!guest.tickets.has(account)) {
      if (guest.tickets.size >= MAX_ACCOUNTS_PER_WINDOW) throw new Error('Too many accounts')
      guest.tickets.set(account, new Set())
    }
    const known = this.#lines.get(account)
    if (known) return known
    const voice = {
      grant: ({ owner, id }: Ticket<ConnectedWindow>) => owner.say({ kind: 'grant', id }),
      askToYield: ({ owner, id }: Ticket<ConnectedWindow>) => owner.say({ kind: 'yield', id }),
      changed: () => this.#note(account),
    }
    const line = new SlotQueue<ConnectedWindow>(this.#clock, voice, this.#isPaused)
    this.#lines.set(account, line)
    return line
  }

  #leave(guest: ConnectedWindow): void {
    this.#guests.delete(guest)
    for (const account of guest.tickets.keys()) this.#leaveLine(guest, account)
    this.#tellCount()
    this.#beginIfAllTold()
  }

  #leaveLine(guest: ConnectedWindow, account: string): void {
    const line = this.#lines.get(account)
    line?.drop(guest)
    guest.tickets.delete(account)
    if ([...this.#guests].some(({ tickets }) => tickets.has(account))) return
    line?.dispose()
    this.#lines.delete(account)
  }

  #beginIfAllTold(): void {
    const told = [...this.#guests].filter(guest => guest.hasTold).length
    if (!this.#isPaused || this.#awaited === 0 || told < this.#awaited) return
    // What the window of the last desk held is not known here; the service has to notice its end.
    this.#awaited = 0
    this.#callOff?.()
    this.#callOff = this.#clock.later(GONE_COOLING_MS, () => this.#begin())
  }

  #begin(): void {
    this.#callOff?.()
    this.#callOff = undefined
    for (const line of this.#lines.values()) line.begin()
  }

  #tellCount(): void {
    for (const guest of this.#guests) guest.say({ kind: 'windows', count: this.#guests.size })
  }

  /** Whatever changed within one turn is told once. */
  #note(account: string): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#tellChanges())
    this.#changed.add(account)
  }

  #tellChanges(): void {
    const accounts = [...this.#changed]
    this.#changed.clear()
    for (const account of accounts) {
      const line = this.#lines.get(account)
      if (!line) continue
      for (const guest of this.#guests) if (guest.tickets.has(account)) guest.say(this.#viewOf(account, line, guest))
    }
  }

  #viewOf(account: string, line: SlotQueue<ConnectedWindow>, guest: ConnectedWindow): FromCoordinator {
    const now = this.#clock.elapsed()
    const { waiting, holders, limit } = line
    return {
      kind: 'line',
      account,
      limit: limit.now,
      learned: limit.learned,
      waiting: waiting.length,
      holders: holders.map(({ owner, lane, heldSince }) => ({
        window: owner.label,
        lane,
        heldMs: now - heldSince,
        isOwn: owner === guest,
      })),
      places: waiting.flatMap(({ owner, id }, at) => (owner === guest ? [{ id, place: at + 1 }] : [])),
    }
  }
}
