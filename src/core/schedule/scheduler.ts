// Waiting in order of importance; leaving the line when stopped.
import { until } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Slots } from './slots.ts'

/** Who is asking, the most important first. Within a lane the first to come goes first. */
export const lanes = ['chat', 'edit', 'agent', 'completion', 'background'] as const
export type Lane = (typeof lanes)[number]

/** What the line looks like, for whoever draws it. */
export interface LineState {
  readonly held: number
  readonly limit: number
  readonly waiting: number
}

interface Waiter {
  readonly lane: Lane
  readonly go: (slot: Disposable) => void
}

interface Holder {
  readonly lane: Lane
  readonly yieldSlot: (() => void) | undefined
}

export interface LineOptions {
  /** Called when somebody more important needs the slot: stop what you do and give it back. */
  readonly yieldSlot?: () => void
}

/**
 * One line for all requests. A chat that finds no free slot asks the holder of a less important one to yield it.
 */
export class Scheduler implements Disposable {
  readonly #slots: Slots
  readonly #limit: () => number
  readonly #listening: Disposable
  readonly #changed = new Emitter<LineState>()
  #waiting: Waiter[] = []
  #holders = new Set<Holder>()

  constructor(slots: Slots, limit: () => number) {
    this.#slots = slots
    this.#limit = limit
    this.#listening = slots.onDidFree(() => this.#serve())
  }

  readonly onDidChange: Event<LineState> = this.#changed.event

  get state(): LineState {
    return { held: this.#slots.held, limit: this.#limit(), waiting: this.#waiting.length }
  }

  /** Waits for a slot; dispose it when the request has ended, failed or been stopped. Rejects when stopped. */
  enter(lane: Lane, signal: AbortSignal, options: LineOptions = {}): Promise<Disposable> {
    return until<Disposable>(signal, done => {
      const holder: Holder = { lane, yieldSlot: options.yieldSlot }
      const waiter: Waiter = { lane, go: slot => done(this.#hold(slot, holder)) }
      this.#waiting.push(waiter)
      this.#waiting.sort((a, b) => lanes.indexOf(a.lane) - lanes.indexOf(b.lane))
      this.#serve()
      return () => this.#leave(waiter)
    })
  }

  #hold(slot: Disposable, holder: Holder): Disposable {
    this.#holders.add(holder)
    this.#changed.fire(this.state)
    return {
      dispose: () => {
        if (!this.#holders.delete(holder)) return
        slot.dispose()
        this.#changed.fire(this.state)
      },
    }
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const slot = this.#slots.take(this.#limit())
      if (!slot) {
        this.#askToYield(first.lane)
        break
      }
      this.#waiting.shift()
      first.go(slot)
    }
    this.#changed.fire(this.state)
  }

  /** The least important holder that can yield to `lane` is asked, one at a time. */
  #askToYield(lane: Lane): void {
    const wanted = lanes.indexOf(lane)
    const [least] = [...this.#holders]
      .filter(holder => holder.yieldSlot && lanes.indexOf(holder.lane) > wanted)
      .sort((a, b) => lanes.indexOf(b.lane) - lanes.indexOf(a.lane))
    least?.yieldSlot?.()
  }

  #leave(waiter: Waiter): void {
    const at = this.#waiting.indexOf(waiter)
    if (at < 0) return
    this.#waiting.splice(at, 1)
    this.#changed.fire(this.state)
  }

  dispose(): void {
    this.#listening.dispose()
    this.#changed.dispose()
  }
}
