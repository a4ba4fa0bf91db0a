// `Waits`: the waits of requests that the chat page does not show, to report, skip or cancel all of them at once.
import { linkedAbort } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { QueuedRequest, Wait } from './queuedClient.ts'

/** The registration of one request. */
export interface WaitingRequest extends Disposable {
  /** Aborts with the request's own signal, and when the user cancels the wait. */
  readonly signal: AbortSignal
  /** The members to add to the request. */
  readonly callbacks: Required<Pick<QueuedRequest, 'onWait' | 'retryNow'>>
}

interface Entry {
  wait: Wait | undefined
  readonly stop: () => void
  skipWait: () => void
}

export class Waits implements Disposable {
  readonly #entries = new Set<Entry>()
  readonly #changed = new Emitter<void>()

  readonly onDidChange: Event<void> = this.#changed.event

  /** Registers a request. Dispose the result when the request has ended. */
  begin(signal: AbortSignal): WaitingRequest {
    const stop = linkedAbort(signal)
    const entry: Entry = { wait: undefined, stop: () => stop.stop(), skipWait: () => {} }
    this.#entries.add(entry)
    const end = () => {
      stop.unlink()
      if (this.#entries.delete(entry) && entry.wait) this.#changed.fire()
    }
    const onWait = (wait: Wait | undefined) => {
      entry.wait = wait
      if (this.#entries.has(entry)) this.#changed.fire()
    }
    const retryNow = () => new Promise<void>(resolve => (entry.skipWait = resolve))
    return { signal: stop.signal, callbacks: { onWait, retryNow }, dispose: end }
  }

  /** The wait to show: that of the request that continues first. */
  get current(): Wait | undefined {
    return this.#waiting.map(({ wait }) => wait).sort((a, b) => rankOf(a) - rankOf(b))[0]
  }

  /**
   * The number of requests that are queued or wait for the next try. Slow requests, which have been sent, do not count.
   */
  get count(): number {
    return this.#held.length
  }

  /** Starts the next try of each request now. */
  retryNow(): void {
    for (const { wait, skipWait } of this.#held) if (wait.is === 'trying again') skipWait()
  }

  /** Cancels the requests that are queued or wait for the next try; requests that have been sent continue. */
  stop(): void {
    for (const { stop } of this.#held) stop()
  }

  dispose(): void {
    this.#changed.dispose()
  }

  get #waiting(): (Entry & { wait: Wait })[] {
    return [...this.#entries].filter((entry): entry is Entry & { wait: Wait } => entry.wait !== undefined)
  }

  get #held(): (Entry & { wait: Wait })[] {
    return this.#waiting.filter(({ wait }) => wait.is !== 'slow')
  }
}

/** A wait for the next try comes first, then the queued requests in order. */
function rankOf(wait: Wait): number {
  switch (wait.is) {
    case 'trying again':
      return wait.at - Number.MAX_SAFE_INTEGER
    case 'in line':
      return wait.place
    case 'slow':
      return Number.MAX_SAFE_INTEGER
  }
}
