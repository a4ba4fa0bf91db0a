// Picks the surface, waits for a slot, streams.
import { isStop, linkStop, Stopped, sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { LONGEST_PATIENCE_MS } from '../http/retryAfter.ts'
import { type Verdict, verdictOf } from '../http/verdict.ts'
import type { PlanLimit } from '../schedule/planLimit.ts'
import type { Scheduler } from '../schedule/scheduler.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'

/** Why a request is not under way yet, for whoever shows it. */
export type Wait =
  | { readonly is: 'in line'; readonly held: number; readonly limit: number }
  /** Refused at the plan's limit or after a stumble; the next try comes by itself. */
  | { readonly is: 'trying again'; readonly why: 'limit' | 'trouble'; readonly waitMs: number }

/** A request that may be told about: a chat shows its waits, a completion does not. */
export interface RoutedRequest extends ModelRequest {
  readonly onWait?: (wait: Wait | undefined) => void
  /** Resolves when the user does not want to wait for the next try. */
  readonly retryNow?: () => Promise<void>
}

const REPEATS = 2
const REPEATS_WITHIN_MS = 90_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 8_000

/**
 * The one door to the model. A stumble is repeated only before anything was shown; a 429 is waited out for those who
 * can wait. The slot goes back when the stream ends, fails or is stopped.
 */
export class RoutedClient implements ModelClient {
  readonly #surface: ModelClient
  readonly #line: Scheduler
  readonly #limit: PlanLimit
  readonly #clock: Clock
  readonly #failed = new Emitter<Verdict>()

  constructor(surface: ModelClient, line: Scheduler, limit: PlanLimit, clock: Clock) {
    this.#surface = surface
    this.#line = line
    this.#limit = limit
    this.#clock = clock
  }

  /** A request failed for good; what its fault asks for. */
  readonly onDidFail: Event<Verdict> = this.#failed.event

  async *stream(request: RoutedRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const startedAt = this.#clock.elapsed()
    for (let repeat = 0; ; repeat++) {
      let isShown = false
      try {
        for await (const event of this.#once(request, signal)) {
          isShown = true
          yield event
        }
        return
      } catch (fault) {
        if (signal.aborted || isStop(fault)) throw fault
        const verdict = verdictOf(fault)
        if (verdict.ask === 'wait') this.#limit.sawRefusal()
        const waitMs = isShown ? undefined : this.#pauseBefore(request, verdict, repeat, startedAt)
        if (waitMs === undefined) {
          this.#failed.fire(verdict)
          throw fault
        }
        await this.#pause(
          request,
          { is: 'trying again', why: verdict.ask === 'wait' ? 'limit' : 'trouble', waitMs },
          signal,
        )
      }
    }
  }

  async *#once(request: RoutedRequest, outer: AbortSignal): AsyncIterable<ModelEvent> {
    const stop = linkStop(outer)
    // Nobody looks at these yet; an answer that somebody reads is never taken away.
    const mayYield = request.lane === 'completion' || request.lane === 'background'
    const yieldSlot = mayYield ? () => stop.stop(new Stopped('A more important request came')) : undefined
    const { held, limit } = this.#line.state
    if (held >= limit) request.onWait?.({ is: 'in line', held, limit })
    try {
      const slot = await this.#line.enter(request.lane, stop.signal, yieldSlot ? { yieldSlot } : {})
      const heldAtStart = this.#line.state.held
      request.onWait?.(undefined)
      try {
        yield* this.#surface.stream(request, stop.signal)
        this.#limit.sawAnswer(heldAtStart)
      } finally {
        slot.dispose()
      }
    } finally {
      stop.unlink()
    }
  }

  /** How long to wait before the next try; undefined when there shall be none. */
  #pauseBefore(request: RoutedRequest, verdict: Verdict, repeat: number, startedAt: number): number | undefined {
    const isPatient = request.lane === 'chat' || request.lane === 'edit' || request.lane === 'agent'
    if (!isPatient) return undefined
    const growing = Math.min(FIRST_PAUSE_MS * 2 ** repeat, LONGEST_PAUSE_MS)
    if (verdict.ask === 'wait') {
      // "Now" would be refused again and again: it counts as if nothing had been said.
      const waitMs = verdict.waitMs || growing
      return waitMs <= LONGEST_PATIENCE_MS ? waitMs : undefined
    }
    const isLate = this.#clock.elapsed() - startedAt + growing > REPEATS_WITHIN_MS
    return verdict.ask === 'retry' && repeat < REPEATS && !isLate ? growing : undefined
  }

  async #pause(
    request: RoutedRequest,
    wait: Extract<Wait, { is: 'trying again' }>,
    signal: AbortSignal,
  ): Promise<void> {
    request.onWait?.(wait)
    const early = linkStop(signal)
    request.retryNow?.().then(() => early.stop())
    try {
      await sleep(this.#clock, wait.waitMs, early.signal)
    } catch (stopped) {
      if (signal.aborted) throw stopped
    } finally {
      early.unlink()
      request.onWait?.(undefined)
    }
  }
}
