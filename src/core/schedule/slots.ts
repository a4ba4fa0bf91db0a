// Where slots are given out: a port, and one in memory.
import type { Clock } from '../../base/clock.ts'
import type { FromCoordinator, ToCoordinator } from '../../protocol/slots.ts'
import { Coordinator } from './coordinator.ts'

/** Whoever holds a slot may have one request open at the service. */
export interface Slots {
  /** Brings a window to the desk that gives out the slots now. Never rejects: in the worst case it has its own. */
  join(window: SlotWindow): Promise<CoordinatorLink>
}

/** The window's ear. */
export interface SlotWindow {
  onMessage(message: FromCoordinator): void
  /** The desk is gone. Join again, and tell the next one what you hold and wait for. */
  onLost(): void
}

export interface CoordinatorLink {
  send(message: ToCoordinator): void
  /** What an account is called at this desk. */
  nameOf(account: string): string
  close(): void
}

/** Slots of one process: of one window, or of all that share the desk. */
export class MemorySlots implements Slots {
  readonly #desk: Coordinator
  readonly #label: string

  constructor(clock: Clock, label = 'This window', desk = new Coordinator(clock)) {
    this.#desk = desk
    this.#label = label
  }

  async join(window: SlotWindow): Promise<CoordinatorLink> {
    const place = this.#desk.connect(this.#label, window.onMessage)
    return { send: message => place.receive(message), nameOf: account => account, close: () => place.dispose() }
  }
}
