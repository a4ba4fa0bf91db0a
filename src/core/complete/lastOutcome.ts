// `LastOutcome`: what came of the latest request for a completion; `outcomeOf` a fault.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { meaningOf } from '../http/fault.ts'

/** `until` is a `Clock.now`. `none`: no request yet, or none since the limit is over or the service answers again. */
export type Outcome =
  | { readonly is: 'none' | 'shown' | 'nothing fitted' | 'held back' | 'unreachable' | 'failed' }
  | { readonly is: 'limit reached'; readonly until: number }

/** `quietUntil`: nothing is requested before. */
export function outcomeOf(fault: unknown, quietUntil: number): Outcome {
  const { kind, where, mayRepeat } = meaningOf(fault)
  if (kind === 'problem: limit') return { is: 'limit reached', until: quietUntil }
  return { is: kind.startsWith('connection: ') && where === 'before sending' && mayRepeat ? 'unreachable' : 'failed' }
}

export class LastOutcome implements Disposable {
  readonly #clock: Clock
  readonly #changed = new Emitter<void>()
  #current: Outcome = { is: 'none' }
  #clearTimer = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  readonly onDidChange: Event<void> = this.#changed.event

  get current(): Outcome {
    return this.#current
  }

  readonly record = (outcome: Outcome): void => {
    this.#clearTimer()
    if (outcome.is === 'limit reached')
      this.#clearTimer = this.#clock.later(outcome.until - this.#clock.now(), () => this.record({ is: 'none' }))
    // An equal one is not reported, because one comes with almost every key.
    if (outcome.is === this.#current.is && outcome.is !== 'limit reached') return
    this.#current = outcome
    this.#changed.fire()
  }

  /** The service has answered a request, of whatever kind. */
  readonly reached = (): void => {
    if (this.#current.is === 'unreachable') this.record({ is: 'none' })
  }

  dispose(): void {
    this.#clearTimer()
    this.#changed.dispose()
  }
}
