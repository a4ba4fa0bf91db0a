// `QueuedClient`: a `ModelClient` that waits for a slot of the plan, repeats failed requests, and reports waits.
import { AbortedError, isAbort, linkedAbort, sleep, until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Outcome } from '../../protocol/slots.ts'
import { type FaultMeaning, meaningOf } from '../http/fault.ts'
import { LONGEST_AUTOMATIC_WAIT_MS } from '../http/retryAfter.ts'
import { givesWay, type Lane } from '../schedule/lane.ts'
import type { Place, Scheduler } from '../schedule/scheduler.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'

/** What a request is waiting for, to be shown to the user. */
export type Wait =
  | ({ readonly is: 'in line' } & Place)
  /**
   * The request was refused at the plan's limit or failed. If `isAutomatic`, the next try is at `at` (`Clock.elapsed`);
   * if `at` is too far away, only the user can start it.
   */
  | {
      readonly is: 'trying again'
      readonly why: 'limit' | 'overload' | 'trouble'
      readonly at: number
      readonly isAutomatic: boolean
    }
  /** Nothing was received since `since` (`Clock.elapsed`), when the request was sent or the last event arrived. */
  | { readonly is: 'slow'; readonly since: number }

/** A request with callbacks for its waits: a chat shows them, a completion does not. */
export interface QueuedRequest extends ModelRequest {
  readonly onWait?: (wait: Wait | undefined) => void
  /** It has a slot and is sent now, each time that it is. */
  readonly onSent?: () => void
  /** Resolves when the user asks for the next try at once. */
  readonly retryNow?: () => Promise<void>
  /** The iteration ends only after the slot is released, so that the work after the answer holds no slot. */
  readonly endsAfterRelease?: boolean
}

/** A request that failed and is not repeated. */
export interface Failure {
  readonly fault: unknown
  readonly lane: Lane
  readonly model: string
}

const MAX_RETRIES = 2
const RETRY_WINDOW_MS = 90_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 8_000
/** After this long without an event of the answer, the wait is reported as `slow`. */
export const SLOW_MS = 20_000

/** How long the service has to close a finished answer if another request needs its slot. */
const CLOSING_MS = 20

/** The coordinator never delays requests for this long, and it disconnects a client whose times are out of range. */
const MAX_REPORTED_WAIT_MS = 24 * 60 * 60_000

/** A shorter wait in the queue is not reported, such as the wait until a completion has yielded its slot. */
const WAIT_REPORT_DELAY_MS = 100

/** The state of a request across its attempts. */
interface Tries {
  readonly askedAt: number
  /** When it was first sent. */
  startedAt?: number
  /** How often it was repeated after a failure, and after a refusal at the plan's limit. */
  retries: number
  refusals: number
}

/** The reason of the abort if a request of a higher priority needs the slot. */
class Yielded extends AbortedError {
  constructor() {
    super('A more important request came')
  }
}

/**
 * Every request to a model passes through this client. A failed request is repeated only if no event of its answer was
 * yielded. After a 429 a request waits and is repeated, except in lanes that yield. The slot is released when the
 * stream fails or is aborted, or when the service has closed a finished answer.
 */
export class QueuedClient implements ModelClient {
  readonly #surface: ModelClient
  readonly #scheduler: Scheduler
  readonly #clock: Clock
  readonly #random: () => number
  readonly #failed = new Emitter<Failure>()
  readonly #answered = new Emitter<void>()

  /** `random` returns numbers from 0 to 1, so that windows that were refused together do not retry together. */
  constructor(surface: ModelClient, scheduler: Scheduler, clock: Clock, random: () => number = Math.random) {
    this.#surface = surface
    this.#scheduler = scheduler
    this.#clock = clock
    this.#random = random
  }

  readonly onDidFail: Event<Failure> = this.#failed.event

  /** The service has begun to answer a request. */
  readonly onDidAnswer: Event<void> = this.#answered.event

  async *stream(request: QueuedRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const tries: Tries = { askedAt: this.#clock.elapsed(), retries: 0, refusals: 0 }
    for (;;) {
      let isShown = false
      try {
        for await (const event of this.#attempt(request, tries, signal)) {
          if (!isShown) this.#answered.fire()
          isShown = true
          yield event
        }
        return
      } catch (fault) {
        if (signal.aborted) throw fault
        // A background request that yielded its slot is queued again.
        if (fault instanceof Yielded && !isShown && request.lane === 'background') continue
        if (isAbort(fault)) throw fault
        const wait = isShown ? undefined : this.#waitBefore(request, meaningOf(fault), tries)
        if (!wait) {
          this.#failed.fire({ fault, lane: request.lane, model: request.model })
          throw fault
        }
        await this.#pause(request, wait, signal)
      }
    }
  }

  async *#attempt(request: QueuedRequest, tries: Tries, outer: AbortSignal): AsyncIterable<ModelEvent> {
    const stop = linkedAbort(outer)
    const waits = new WaitReporter(request, this.#clock)
    /** Resolves when the request ends after its `finish`; until then it keeps its slot. */
    let rest: Promise<Outcome> | undefined
    try {
      const slot = await this.#scheduler.enter(request.lane, stop.signal, {
        since: tries.askedAt,
        onPlace: place => waits.reportSoon({ is: 'in line', ...place }),
        ...(givesWay(request.lane) && {
          yieldSlot: () => {
            const abort = () => stop.stop(new Yielded())
            if (rest) this.#clock.later(CLOSING_MS, abort)
            else abort()
          },
        }),
      })
      let outcome: Outcome = { is: 'cancelled' }
      let cancelTimer = () => {}
      // From here on the slot has to be released, even if a callback throws.
      try {
        waits.report(undefined)
        tries.startedAt ??= this.#clock.elapsed()
        request.onSent?.()
        const startSlowTimer = () => {
          const since = this.#clock.elapsed()
          cancelTimer = this.#clock.later(SLOW_MS, () => waits.report({ is: 'slow', since }))
        }
        startSlowTimer()
        const events = this.#surface.stream(request, stop.signal)
        for await (const event of untilFinish(events, left => (rest = left))) {
          cancelTimer()
          waits.report(undefined)
          yield event
          startSlowTimer()
        }
        outcome = { is: 'answered' }
        if (request.endsAfterRelease && rest) await rest.then(slot.end)
      } catch (fault) {
        if (!stop.signal.aborted) outcome = outcomeOf(fault)
        throw fault
      } finally {
        cancelTimer()
        if (rest) rest.then(slot.end)
        else slot.end(outcome)
      }
    } finally {
      waits.report(undefined)
      if (rest) rest.then(stop.unlink)
      else stop.unlink()
    }
  }

  /** The wait before the next attempt; undefined if the request is not repeated. */
  #waitBefore(request: QueuedRequest, fault: FaultMeaning, tries: Tries): Wait | undefined {
    const { kind, mayRepeat, retryAfterMs } = fault
    if (givesWay(request.lane)) return undefined
    if (kind === 'problem: limit') return this.#waitAfterRefusal(request, retryAfterMs, tries)
    if (!mayRepeat || tries.retries === MAX_RETRIES) return undefined
    const waitMs = Math.max(this.#backoffMs(tries.retries), retryAfterMs ?? 0)
    const sinceFirst = this.#clock.elapsed() - (tries.startedAt ?? tries.askedAt)
    if (sinceFirst + waitMs > RETRY_WINDOW_MS) return undefined
    tries.retries++
    const why = kind === 'problem: overloaded' ? 'overload' : 'trouble'
    return { is: 'trying again', why, at: this.#clock.elapsed() + waitMs, isAutomatic: true }
  }

  #waitAfterRefusal(request: QueuedRequest, asked: number | undefined, tries: Tries): Wait | undefined {
    // A `Retry-After` of 0 counts as missing, because repeating at once would be refused again.
    const waitMs = asked || this.#backoffMs(tries.refusals)
    tries.refusals++
    const isAutomatic = waitMs <= LONGEST_AUTOMATIC_WAIT_MS
    // A longer wait needs a user who can start the next try.
    if (!isAutomatic && !request.retryNow) return undefined
    return { is: 'trying again', why: 'limit', at: this.#clock.elapsed() + waitMs, isAutomatic }
  }

  /** 1, 2, 4 s and so on, plus up to a quarter of that at random, at most 8 s. */
  #backoffMs(times: number): number {
    const pauseMs = FIRST_PAUSE_MS * 2 ** times * (1 + 0.25 * this.#random())
    return Math.min(Math.round(pauseMs), LONGEST_PAUSE_MS)
  }

  async #pause(request: QueuedRequest, wait: Wait, signal: AbortSignal): Promise<void> {
    if (wait.is !== 'trying again') return
    const waits = new WaitReporter(request, this.#clock)
    waits.report(wait)
    const early = linkedAbort(signal)
    request.retryNow?.().then(() => early.stop())
    try {
      if (wait.isAutomatic) await sleep(this.#clock, wait.at - this.#clock.elapsed(), early.signal)
      else await until(early.signal, () => () => {})
    } catch (stopped) {
      if (signal.aborted) throw stopped
    } finally {
      early.unlink()
      waits.report(undefined)
    }
  }
}

/** Calls `onWait` for the waits of a request, and for the end of a wait only if one was reported. */
class WaitReporter {
  readonly #request: QueuedRequest
  readonly #clock: Clock
  #isWaiting = false
  #pending: Wait | undefined
  #cancelTimer: (() => void) | undefined

  constructor(request: QueuedRequest, clock: Clock) {
    this.#request = request
    this.#clock = clock
  }

  report(wait: Wait | undefined): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    if (!wait && !this.#isWaiting) return
    this.#isWaiting = wait !== undefined
    this.#request.onWait?.(wait)
  }

  /** Reports the wait after a delay, unless it has ended by then. */
  reportSoon(wait: Wait): void {
    if (this.#isWaiting) return this.report(wait)
    this.#pending = wait
    this.#cancelTimer ??= this.#clock.later(WAIT_REPORT_DELAY_MS, () => this.report(this.#pending))
  }
}

/** The events up to `finish`. `onFinish` gets the end of the request after that, which is not awaited here. */
async function* untilFinish(
  stream: AsyncIterable<ModelEvent>,
  onFinish: (rest: Promise<Outcome>) => void,
): AsyncIterable<ModelEvent> {
  const events = stream[Symbol.asyncIterator]()
  let isFinished = false
  try {
    while (!isFinished) {
      const { done, value } = await events.next()
      if (done) return
      isFinished = value.kind === 'finish'
      if (isFinished) onFinish(restOf(events))
      yield value
    }
  } finally {
    if (!isFinished) await events.return?.()
  }
}

/** Never rejects: after `finish` the answer is complete, however the request ends. */
async function restOf(events: AsyncIterator<ModelEvent>): Promise<Outcome> {
  try {
    while (!(await events.next()).done);
    return { is: 'answered' }
  } catch {
    return { is: 'answered', isLeft: true }
  }
}

function outcomeOf(fault: unknown): Outcome {
  const { kind, retryAfterMs: waitMs } = meaningOf(fault)
  if (kind !== 'problem: limit') return { is: 'failed' }
  return { is: 'refused', ...(waitMs !== undefined && { waitMs: Math.min(waitMs, MAX_REPORTED_WAIT_MS) }) }
}
