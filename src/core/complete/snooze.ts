// `Snooze`: for some minutes completions come only on request; over a restart too.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { CompletionSettings } from './completionSettings.ts'

/** Keeps the end of the snooze, as `Clock.now`. */
export interface SnoozeMemory {
  recall(): number | undefined
  keep(until: number | undefined): void
}

const STEP_MS = 5 * 60_000

export class Snooze implements Disposable {
  readonly #memory: SnoozeMemory
  readonly #clock: Clock
  readonly #changed = new Emitter<void>()
  #until: number | undefined
  #clearTimer = () => {}

  constructor(memory: SnoozeMemory, clock: Clock) {
    this.#memory = memory
    this.#clock = clock
    this.#until = memory.recall()
    this.#waitForEnd()
  }

  readonly onDidChange: Event<void> = this.#changed.event

  /** The end, as `Clock.now`; undefined while completions come by themselves. */
  get until(): number | undefined {
    return this.#until !== undefined && this.#until > this.#clock.now() ? this.#until : undefined
  }

  /** The settings for now: while it lasts, completions come only on request. */
  applied(settings: CompletionSettings): CompletionSettings {
    return this.until === undefined ? settings : { ...settings, mode: 'subtle' }
  }

  /** Five minutes from now, or five more than before. */
  extend(): void {
    this.#set((this.until ?? this.#clock.now()) + STEP_MS)
  }

  end(): void {
    this.#set(undefined)
  }

  dispose(): void {
    this.#clearTimer()
    this.#changed.dispose()
  }

  #set(until: number | undefined): void {
    this.#until = until
    this.#memory.keep(until)
    this.#waitForEnd()
    this.#changed.fire()
  }

  #waitForEnd(): void {
    this.#clearTimer()
    const { until } = this
    if (until !== undefined) this.#clearTimer = this.#clock.later(until - this.#clock.now(), () => this.#onTimer())
  }

  /** The wall clock may have been set back meanwhile. */
  #onTimer(): void {
    if (this.until === undefined) this.end()
    else this.#waitForEnd()
  }
}
