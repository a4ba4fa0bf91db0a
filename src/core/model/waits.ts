// The waits of requests that no page of ours shows: what to tell of them, and how to hurry or end them all at once.
import { linkedAbort } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { QueuedRequest, Wait } from './queuedClient.ts'

/** One request's side. */
export interface WaitingRequest extends Disposable {
  /** Follows the request's own stop, and stops as well when the user gives up waiting. */
  readonly signal: AbortSignal
  /** What has to be added to the request. */
  readonly told: Required<Pick<QueuedRequest, 'onWait' | 'retryNow'>>
}

interface Entry {
  wait: Wait | undefined
  readonly stop: () => void
  hurry: () => void
}

export class Waits implements Disposable {
  readonly #entries = new Set<Entry>()
  readonly #changed = new Emitter<void>()

  readonly onDidChange: Event<void> = this.#changed.event

  /** Dispose what it gives when the request is over. */
  begin(signal: AbortSignal): WaitingRequest {
    const stop = linkedAbort(signal)
    const entry: Entry = { wait: undefined, stop: () => stop.stop(), hurry: () => {} }
    this.#entries.add(entry)
    const end = () => {
      stop.unlink()
      if (this.#entries.delete(entry) && entry.wait) this.#changed.fire()
    }
    const onWait = (wait: Wait | undefined) => {
      entry.wait = wait
      if (this.#entries.has(entry)) this.#changed.fire()
    }
    const retryNow = () => new Promise<void>(resolve => (entry.hurry = resolve))
    return { signal: stop.signal, told: { onWait, retryNow }, dispose: end }
  }

  /** The wait to tell of: that of the request that goes on first. */
  get current(): Wait | undefined {
    return this.#waiting.map(({ wait }) => wait).sort((a, b) => rankOf(a) - rankOf(b))[0]
  }

  /** How many requests have not been sent, or are held back. One that was sent and gets no answer is not among them. */
  get count(): number {
    return this.#held.length
  }

  /** Does not wait any longer for the next tries. */
  retryNow(): void {
    for (const { wait, hurry } of this.#held) if (wait.is === 'trying again') hurry()
  }

  /** Gives up what waits; what is being answered goes on. */
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

/** A refusal explains the most; then who is next in line. */
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
