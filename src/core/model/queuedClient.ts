// `ModelClient` that waits for a slot, and asks again where that helps.
import { AbortedError, isAbort, linkedAbort, sleep, until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Outcome } from '../../protocol/slots.ts'
import { type FaultMeaning, meaningOf } from '../http/fault.ts'
import { LONGEST_PATIENCE_MS } from '../http/retryAfter.ts'
import { givesWay, type Lane } from '../schedule/lane.ts'
import type { Place, Scheduler } from '../schedule/scheduler.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'

/** Why nothing, or nothing more, is to be seen of a request yet, for whoever shows it. */
export type Wait =
  | ({ readonly is: 'in line' } & Place)
  /**
   * Refused at the plan's limit or after a stumble. The next try comes by itself at `at` (`Clock.elapsed`), unless that
   * is too far away: then only when the user says so.
   */
  | {
      readonly is: 'trying again'
      readonly why: 'limit' | 'overload' | 'trouble'
      readonly at: number
      readonly isAutomatic: boolean
    }
  /** Nothing has come since `since` (`Clock.elapsed`): since it was sent, or since the last piece. */
  | { readonly is: 'slow'; readonly since: number }

/** A request that may be told about: a chat shows its waits, a completion does not. */
export interface QueuedRequest extends ModelRequest {
  readonly onWait?: (wait: Wait | undefined) => void
  /** Resolves when the user does not want to wait for the next try. */
  readonly retryNow?: () => Promise<void>
  /** The iteration ends only when the slot has been given back, so that what follows the answer holds none. */
  readonly endsReleased?: boolean
}

/** A request that failed for good, and whose it was. */
export interface Failure {
  readonly fault: unknown
  readonly lane: Lane
  readonly model: string
}

const REPEATS = 2
const REPEATS_WITHIN_MS = 90_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 8_000
/** After so long without a piece, the first or any later one, the user is told that the model is being waited for. */
export const SLOW_MS = 20_000

/** An answer that has ended, and for whose slot somebody waits, has so long to be closed by the service. */
const CLOSING_MS = 20

/** The desk keeps nothing back for so long, and sends away who tells it of times beyond measure. */
const LONGEST_TOLD_MS = 24 * 60 * 60_000

/** A shorter wait in line, such as for a completion that gives way, is not worth a word. */
const UNNOTICED_MS = 100

/** What is remembered of a request across its tries. */
interface Tries {
  readonly askedAt: number
  /** When it was sent first. */
  startedAt?: number
  /** How often it was sent again after a stumble, and after a refusal. */
  repeats: number
  refusals: number
}

/** A more important request needed the slot. */
class Yielded extends AbortedError {
  constructor() {
    super('A more important request came')
  }
}

/**
 * The one door to the model. A stumble is repeated only before anything was shown; a 429 is waited out for those who
 * can wait. The slot goes back when the stream fails or is stopped, or when the service has closed an answer that ended.
 */
export class QueuedClient implements ModelClient {
  readonly #surface: ModelClient
  readonly #line: Scheduler
  readonly #clock: Clock
  readonly #random: () => number
  readonly #failed = new Emitter<Failure>()

  /** `random` gives numbers from 0 to 1, so that windows that were refused together do not come back together. */
  constructor(surface: ModelClient, line: Scheduler, clock: Clock, random: () => number = Math.random) {
    this.#surface = surface
    this.#line = line
    this.#clock = clock
    this.#random = random
  }

  readonly onDidFail: Event<Failure> = this.#failed.event

  async *stream(request: QueuedRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const tries: Tries = { askedAt: this.#clock.elapsed(), repeats: 0, refusals: 0 }
    for (;;) {
      let isShown = false
      try {
        for await (const event of this.#once(request, tries, signal)) {
          isShown = true
          yield event
        }
        return
      } catch (fault) {
        if (signal.aborted) throw fault
        // Work in the background that had to give way begins again when there is room.
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

  async *#once(request: QueuedRequest, tries: Tries, outer: AbortSignal): AsyncIterable<ModelEvent> {
    const stop = linkedAbort(outer)
    const told = new Telling(request, this.#clock)
    /** What becomes of the request after its `finish`; nobody waits for it but the slot. */
    let rest: Promise<Outcome> | undefined
    try {
      const slot = await this.#line.enter(request.lane, stop.signal, {
        since: tries.askedAt,
        onPlace: place => told.tellSoon({ is: 'in line', ...place }),
        ...(givesWay(request.lane) && {
          yieldSlot: () => {
            const giveWay = () => stop.stop(new Yielded())
            if (rest) this.#clock.later(CLOSING_MS, giveWay)
            else giveWay()
          },
        }),
      })
      let outcome: Outcome = { is: 'cancelled' }
      let callOff = () => {}
      // From here on the slot is ours, whatever whoever listens may throw.
      try {
        told.tell(undefined)
        tries.startedAt ??= this.#clock.elapsed()
        const expectPiece = () => {
          const since = this.#clock.elapsed()
          callOff = this.#clock.later(SLOW_MS, () => told.tell({ is: 'slow', since }))
        }
        expectPiece()
        const events = this.#surface.stream(request, stop.signal)
        for await (const event of untilFinish(events, left => (rest = left))) {
          callOff()
          told.tell(undefined)
          yield event
          expectPiece()
        }
        outcome = { is: 'answered' }
        if (request.endsReleased && rest) await rest.then(slot.end)
      } catch (fault) {
        if (!stop.signal.aborted) outcome = outcomeOf(fault)
        throw fault
      } finally {
        callOff()
        if (rest) rest.then(slot.end)
        else slot.end(outcome)
      }
    } finally {
      told.tell(undefined)
      if (rest) rest.then(stop.unlink)
      else stop.unlink()
    }
  }

  /** What to wait for before the next try; undefined when there shall be none. */
  #waitBefore(request: QueuedRequest, fault: FaultMeaning, tries: Tries): Wait | undefined {
    const { kind, mayRepeat, retryAfterMs } = fault
    if (givesWay(request.lane)) return undefined
    if (kind === 'problem: limit') return this.#waitAfterRefusal(request, retryAfterMs, tries)
    if (!mayRepeat || tries.repeats === REPEATS) return undefined
    const waitMs = Math.max(this.#growing(tries.repeats), retryAfterMs ?? 0)
    const sinceFirst = this.#clock.elapsed() - (tries.startedAt ?? tries.askedAt)
    if (sinceFirst + waitMs > REPEATS_WITHIN_MS) return undefined
    tries.repeats++
    const why = kind === 'problem: overloaded' ? 'overload' : 'trouble'
    return { is: 'trying again', why, at: this.#clock.elapsed() + waitMs, isAutomatic: true }
  }

  #waitAfterRefusal(request: QueuedRequest, asked: number | undefined, tries: Tries): Wait | undefined {
    // "Now" would be refused again and again: it counts as if nothing had been said.
    const waitMs = asked || this.#growing(tries.refusals)
    tries.refusals++
    const isAutomatic = waitMs <= LONGEST_PATIENCE_MS
    // Longer than this only somebody who can say "now" may wait.
    if (!isAutomatic && !request.retryNow) return undefined
    return { is: 'trying again', why: 'limit', at: this.#clock.elapsed() + waitMs, isAutomatic }
  }

  /** 1, 2, 4, 8 s and a little more, up to 8 s. */
  #growing(times: number): number {
    const pauseMs = FIRST_PAUSE_MS * 2 ** times * (1 + 0.25 * this.#random())
    return Math.min(Math.round(pauseMs), LONGEST_PAUSE_MS)
  }

  async #pause(request: QueuedRequest, wait: Wait, signal: AbortSignal): Promise<void> {
    if (wait.is !== 'trying again') return
    const told = new Telling(request, this.#clock)
    told.tell(wait)
    const early = linkedAbort(signal)
    request.retryNow?.().then(() => early.stop())
    try {
      if (wait.isAutomatic) await sleep(this.#clock, wait.at - this.#clock.elapsed(), early.signal)
      else await until(early.signal, () => () => {})
    } catch (stopped) {
      if (signal.aborted) throw stopped
    } finally {
      early.unlink()
      told.tell(undefined)
    }
  }
}

/** Tells of waits, and of their end only where there was one. */
class Telling {
  readonly #request: QueuedRequest
  readonly #clock: Clock
  #isWaiting = false
  #soon: Wait | undefined
  #callOff: (() => void) | undefined

  constructor(request: QueuedRequest, clock: Clock) {
    this.#request = request
    this.#clock = clock
  }

  tell(wait: Wait | undefined): void {
    this.#callOff?.()
    this.#callOff = undefined
    if (!wait && !this.#isWaiting) return
    this.#isWaiting = wait !== undefined
    this.#request.onWait?.(wait)
  }

  /** Unless it is over before anybody could read it. */
  tellSoon(wait: Wait): void {
    if (this.#isWaiting) return this.tell(wait)
    this.#soon = wait
    this.#callOff ??= this.#clock.later(UNNOTICED_MS, () => this.tell(this.#soon))
  }
}

/** The events up to `finish`; `onFinish` is given how the request ends after that, and nobody waits for it here. */
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
  return { is: 'refused', ...(waitMs !== undefined && { waitMs: Math.min(waitMs, LONGEST_TOLD_MS) }) }
}
