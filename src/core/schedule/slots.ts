// Where slots are given out: a port, and one in memory.
import type { Clock } from '../../base/clock.ts'
import type { FromDesk, ToDesk } from '../../protocol/slots.ts'
import { Desk } from './desk.ts'

/** Whoever holds a slot may have one request open at the service. */
export interface Slots {
  /** Brings a window to the desk that gives out the slots now. Never rejects: in the worst case it has its own. */
  join(window: SlotWindow): Promise<DeskLink>
}

/** The window's ear. */
export interface SlotWindow {
  hear(message: FromDesk): void
  /** The desk is gone. Join again, and tell the next one what you hold and wait for. */
  lost(): void
}

export interface DeskLink {
  say(message: ToDesk): void
  /** What an account is called at this desk. */
  nameOf(account: string): string
  close(): void
}

/** Slots of one process: of one window, or of all that share the desk. */
export class MemorySlots implements Slots {
  readonly #desk: Desk
  readonly #label: string

  constructor(clock: Clock, label = 'This window', desk = new Desk(clock)) {
    this.#desk = desk
    this.#label = label
  }

  async join(window: SlotWindow): Promise<DeskLink> {
    const place = this.#desk.seat(this.#label, window.hear)
    return { say: message => place.hear(message), nameOf: account => account, close: () => place.dispose() }
  }
}
