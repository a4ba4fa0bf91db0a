// Stopping: is it a stop, sleep until a stop, link one stop to another and undo it.
import type { Clock } from './clock.ts'

/** The reason of a stop that somebody asked for. It is thrown as it is and never shown. */
export class AbortedError extends Error {
  override readonly name = 'AbortError'
  constructor(message = 'Stopped') {
    super(message)
  }
}

/** The only test for "somebody asked us to stop". A time limit is not a stop. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError'
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason
}

/** Waits `waitMs`, or rejects with the signal's reason as soon as it stops. */
export function sleep(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  return until(signal, done => clock.later(waitMs, done))
}

/**
 * Waits for a callback or for a stop, whichever is first. `begin` starts the waiting and returns how to give it up;
 * it is called on every way out, so nothing keeps a listener or a timer alive.
 */
export function until<T = void>(
  signal: AbortSignal,
  begin: (done: (value: T) => void, fail: (fault: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => {
      leave()
      reject(signal.reason)
    }
    let giveUp: (() => void) | undefined
    let isOver = false
    const leave = () => {
      isOver = true
      signal.removeEventListener('abort', onAbort)
      giveUp?.()
    }
    const done = (value: T) => {
      leave()
      resolve(value)
    }
    const fail = (fault: unknown) => {
      leave()
      reject(fault)
    }
    signal.addEventListener('abort', onAbort)
    try {
      giveUp = begin(done, fail)
    } catch (fault) {
      fail(fault)
    }
    if (isOver) giveUp?.()
  })
}

/** A promise that also ends when the signal stops. The promise's own late failure is then nobody's business. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Said here for a signal that has stopped already: nobody listens to the promise then.
  promise.catch(() => {})
  return until<T>(signal, (done, fail) => {
    promise.then(done, fail)
    return () => {}
  })
}

export interface LinkedAbort {
  readonly signal: AbortSignal
  stop(reason?: unknown): void
  /** Lets go of the outer signal. Call it when the work is over, or a long-lived signal collects dead listeners. */
  unlink(): void
}

/** A stop of its own that also follows the outer ones. */
export function linkedAbort(...outer: (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController()
  const signals = outer.filter(signal => signal !== undefined)
  const unlink = () => {
    for (const signal of signals) signal.removeEventListener('abort', follow)
  }
  const follow = (event: globalThis.Event) => stop((event.target as AbortSignal).reason)
  const stop = (reason: unknown = new AbortedError()) => {
    unlink()
    controller.abort(reason)
  }
  for (const signal of signals) {
    if (signal.aborted) {
      stop(signal.reason)
      break
    }
    signal.addEventListener('abort', follow)
  }
  return { signal: controller.signal, stop, unlink }
}
