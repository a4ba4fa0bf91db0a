// `Slots`: the port to the coordinator that grants slots, and `MemorySlots`, which has its coordinator in this process.
import type { Clock } from '../../base/clock.ts'
import type { FromCoordinator, ToCoordinator } from '../../protocol/slots.ts'
import { Coordinator } from './coordinator.ts'

/** Each slot permits one open request to the service. */
export interface Slots {
  /** Connects to the current coordinator. Never rejects: where slots cannot be shared, the window gets its own. */
  join(listener: SlotListener): Promise<CoordinatorLink>
}

export interface SlotListener {
  onMessage(message: FromCoordinator): void
  /** The coordinator is gone. Join again, and send the next one all requests that hold a slot or wait for one. */
  onLost(): void
}

export interface CoordinatorLink {
  send(message: ToCoordinator): void
  /** The account's name in messages to this coordinator. */
  nameOf(account: string): string
  close(): void
}

/** Slots of one process: of one window, or in tests of several windows with the same coordinator. */
export class MemorySlots implements Slots {
  readonly #coordinator: Coordinator
  readonly #label: string

  constructor(clock: Clock, label = 'This window', coordinator = new Coordinator(clock)) {
    this.#coordinator = coordinator
    this.#label = label
  }

  async join(listener: SlotListener): Promise<CoordinatorLink> {
    const client = this.#coordinator.connect(this.#label, listener.onMessage)
    return { send: message => client.receive(message), nameOf: account => account, close: () => client.dispose() }
  }
}
