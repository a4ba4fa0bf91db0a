// `Snooze`: for some minutes completions come only on request, in all windows and over a restart.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { CompletionSettings } from './completionSettings.ts'

/** Keeps the end of the snooze, as `Clock.now`. */
export interface SnoozeMemory {
  recall(): Promise<number | undefined>
  keep(until: number | undefined): Promise<void>
  /** Another window has changed it. */
  readonly onDidChange: Event<void>
}

const STEP_MS = 5 * 60_000

export class Snooze implements Disposable {
  readonly #memory: SnoozeMemory
  readonly #clock: Clock
  readonly #changed = new Emitter<void>()
  #until: number | undefined
  /** Changes since the start that were made in this window. */
  #ownChanges = 0
  readonly #subscription: Disposable
  #isOver = false
  #clearTimer = () => {}

  constructor(memory: SnoozeMemory, clock: Clock) {
    this.#memory = memory
    this.#clock = clock
    this.#subscription = memory.onDidChange(() => void this.#recall())
    void this.#recall()
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
    this.#isOver = true
    this.#subscription.dispose()
    this.#clearTimer()
    this.#changed.dispose()
  }

  /** What the user has changed here while the memory was read is newer. */
  async #recall(): Promise<void> {
    const changes = this.#ownChanges
    const until = await this.#memory.recall()
    if (!this.#isOver && changes === this.#ownChanges && until !== this.#until) this.#use(until)
  }

  #set(until: number | undefined): void {
    this.#ownChanges++
    void this.#memory.keep(until)
    this.#use(until)
  }

  #use(until: number | undefined): void {
    this.#until = until
    this.#waitForEnd()
    this.#changed.fire()
  }

  #waitForEnd(): void {
    this.#clearTimer()
    const { until } = this
    if (until !== undefined) this.#clearTimer = this.#clock.later(until - this.#clock.now(), () => this.#onTimer())
  }

  /** The wall clock may have been set back meanwhile. What is kept stays, because another window may have extended it. */
  #onTimer(): void {
    if (this.until === undefined) this.#use(undefined)
    else this.#waitForEnd()
  }
}
