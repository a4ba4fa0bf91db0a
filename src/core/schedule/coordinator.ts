// `Coordinator`: gives out the slots of each account to all windows that are connected to it.
import type { Clock } from '../../base/clock.ts'
import { type Disposable, onEnd } from '../../base/disposable.ts'
import { clip } from '../../base/text.ts'
import { MAX_ACCOUNTS_PER_WINDOW, MAX_REQUESTS_PER_WINDOW } from '../../protocol/slotLimits.ts'
import type { FromCoordinator, ToCoordinator } from '../../protocol/slots.ts'
import { GONE_COOLING_MS, SlotQueue, type Ticket } from './slotQueue.ts'

const LONGEST_LABEL = 100

class ConnectedWindow {
  readonly label: string
  readonly send: (message: FromCoordinator) => void
  /** The accounts that the window has requests of, each with the ids of those that wait or hold a slot. */
  readonly tickets = new Map<string, Set<number>>()
  /** The window has sent all that the coordinator before this one knew of it. */
  hasReported = false

  constructor(label: string, send: (message: FromCoordinator) => void) {
    this.label = clip(label, LONGEST_LABEL)
    this.send = send
  }

  get isBusy(): boolean {
    return [...this.tickets.values()].some(({ size }) => size > 0)
  }
}

export interface CoordinatorClient extends Disposable {
  /** Handles a message of the window. Throws for one that breaks the protocol; then the window has to be disconnected. */
  receive(message: ToCoordinator): void
  /** Whether a request of the window waits for a slot or holds one. */
  readonly isBusy: boolean
}

export interface CoordinatorOptions {
  /**
   * Set where there was another coordinator before: no slot is granted until so many windows have reported which slots
   * they hold, or so much time has passed. `windows` 0: how many will come is not known.
   */
  readonly takeover?: { readonly windows: number; readonly waitMs: number }
}

export class Coordinator implements Disposable {
  readonly #clock: Clock
  readonly #windows = new Set<ConnectedWindow>()
  readonly #queues = new Map<string, SlotQueue<ConnectedWindow>>()
  readonly #changedAccounts = new Set<string>()
  #awaitedWindows: number
  /** Set during the pause after a takeover. */
  #cancelPause: (() => void) | undefined

  constructor(clock: Clock, { takeover }: CoordinatorOptions = {}) {
    this.#clock = clock
    this.#awaitedWindows = takeover?.windows ?? 0
    if (takeover) this.#cancelPause = clock.later(takeover.waitMs, () => this.#endPause())
  }

  /** Adds a window; messages for it go to `send`. */
  connect(label: string, send: (message: FromCoordinator) => void): CoordinatorClient {
    const window = new ConnectedWindow(label, send)
    this.#windows.add(window)
    send({ kind: 'welcome' })
    this.#sendWindowCount()
    const disconnecting = onEnd(() => this.#disconnect(window))
    return {
      receive: message => this.#receive(window, message),
      dispose: () => disconnecting.dispose(),
      get isBusy() {
        return window.isBusy
      },
    }
  }

  dispose(): void {
    this.#cancelPause?.()
    for (const queue of this.#queues.values()) queue.dispose()
    this.#queues.clear()
    this.#windows.clear()
  }

  /** Whether a request of any window waits for a slot or holds one. */
  get isBusy(): boolean {
    return [...this.#windows].some(({ isBusy }) => isBusy)
  }

  get #isPaused(): boolean {
    return this.#cancelPause !== undefined
  }

  #receive(window: ConnectedWindow, message: ToCoordinator): void {
    switch (message.kind) {
      case 'limit':
        return this.#receiveLimit(window, message)
      case 'ask':
      case 'hold':
        return this.#receiveTicket(window, message)
      case 'end':
        window.tickets.get(message.account)?.delete(message.id)
        return this.#queues.get(message.account)?.end(window, message.id, message.outcome)
      case 'leave':
        return this.#leaveQueue(window, message.account)
      case 'told':
        window.hasReported = true
        return this.#endPauseIfAllReported()
      case 'beat':
        return window.send({ kind: 'beat' })
      case 'hello':
        throw new Error('A second hello')
    }
  }

  #receiveLimit(window: ConnectedWindow, { account, fixed, learned }: Extract<ToCoordinator, { kind: 'limit' }>): void {
    const isNew = !this.#queues.has(account)
    const queue = this.#queueOf(window, account)
    queue.limit.fixed = fixed
    if (learned !== undefined && (isNew || this.#isPaused)) queue.limit.adopt(learned)
    queue.serve()
  }

  #receiveTicket(window: ConnectedWindow, message: Extract<ToCoordinator, { kind: 'ask' | 'hold' }>): void {
    const { id, account, lane } = message
    const queue = this.#queueOf(window, account)
    const tickets = window.tickets.get(account)
    if (tickets?.has(id)) throw new Error('The same request twice')
    if (tickets && tickets.size >= MAX_REQUESTS_PER_WINDOW) throw new Error('Too many requests at once')
    tickets?.add(id)
    const waitedMs = message.kind === 'ask' ? message.waitedMs : 0
    const ticket: Ticket<ConnectedWindow> = { owner: window, id, lane, askedAt: this.#clock.elapsed() - waitedMs }
    if (message.kind === 'ask') queue.ask(ticket)
    else queue.restore(ticket)
  }

  #queueOf(window: ConnectedWindow, account: string): SlotQueue<ConnectedWindow> {
    if (!window.tickets.has(account)) {
      if (window.tickets.size >= MAX_ACCOUNTS_PER_WINDOW) throw new Error('Too many accounts')
      window.tickets.set(account, new Set())
    }
    const known = this.#queues.get(account)
    if (known) return known
    const listener = {
      grant: ({ owner, id }: Ticket<ConnectedWindow>) => owner.send({ kind: 'grant', id }),
      askToYield: ({ owner, id }: Ticket<ConnectedWindow>) => owner.send({ kind: 'yield', id }),
      changed: () => this.#sendChangeSoon(account),
    }
    const queue = new SlotQueue<ConnectedWindow>(this.#clock, listener, this.#isPaused)
    this.#queues.set(account, queue)
    return queue
  }

  #disconnect(window: ConnectedWindow): void {
    this.#windows.delete(window)
    for (const account of window.tickets.keys()) this.#leaveQueue(window, account)
    this.#sendWindowCount()
    this.#endPauseIfAllReported()
  }

  #leaveQueue(window: ConnectedWindow, account: string): void {
    const queue = this.#queues.get(account)
    queue?.drop(window)
    window.tickets.delete(account)
    if ([...this.#windows].some(({ tickets }) => tickets.has(account))) return
    queue?.dispose()
    this.#queues.delete(account)
  }

  #endPauseIfAllReported(): void {
    const reportedCount = [...this.#windows].filter(({ hasReported }) => hasReported).length
    if (!this.#isPaused || this.#awaitedWindows === 0 || reportedCount < this.#awaitedWindows) return
    // The window of the coordinator before held slots that nobody reports: the service has to notice their end.
    this.#awaitedWindows = 0
    this.#cancelPause?.()
    this.#cancelPause = this.#clock.later(GONE_COOLING_MS, () => this.#endPause())
  }

  #endPause(): void {
    this.#cancelPause?.()
    this.#cancelPause = undefined
    for (const queue of this.#queues.values()) queue.unpause()
  }

  #sendWindowCount(): void {
    for (const window of this.#windows) window.send({ kind: 'windows', count: this.#windows.size })
  }

  /** All changes of one turn of the event loop are sent as one message. */
  #sendChangeSoon(account: string): void {
    if (this.#changedAccounts.size === 0) queueMicrotask(() => this.#sendChanges())
    this.#changedAccounts.add(account)
  }

  #sendChanges(): void {
    const accounts = [...this.#changedAccounts]
    this.#changedAccounts.clear()
    for (const account of accounts) {
      const queue = this.#queues.get(account)
      if (!queue) continue
      for (const window of this.#windows)
        if (window.tickets.has(account)) window.send(this.#lineMessage(account, queue, window))
    }
  }

  #lineMessage(account: string, queue: SlotQueue<ConnectedWindow>, window: ConnectedWindow): FromCoordinator {
    const now = this.#clock.elapsed()
    const { waiting, holders, limit } = queue
    return {
      kind: 'line',
      account,
      limit: limit.current,
      learned: limit.learned,
      waiting: waiting.length,
      holders: holders.map(({ owner, lane, heldSince }) => ({
        window: owner.label,
        lane,
        heldMs: now - heldSince,
        isOwn: owner === window,
      })),
      places: waiting.flatMap(({ owner, id }, at) => (owner === window ? [{ id, place: at + 1 }] : [])),
    }
  }
}
