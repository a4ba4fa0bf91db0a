// Abort signals: recognize an abort, wait for a callback or an abort, and link one signal to others.
import type { Clock } from './clock.ts'

/** The reason of a requested abort. It is thrown unwrapped and never shown to the user. */
export class AbortedError extends Error {
  override readonly name = 'AbortError'
  constructor(message = 'Stopped') {
    super(message)
  }
}

/** The only test for a requested abort. A timeout is a fault and not an abort. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError'
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason
}

/** Waits `waitMs`, or rejects with the signal's reason as soon as the signal aborts. */
export function sleep(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  return until(signal, done => clock.later(waitMs, done))
}

/**
 * Waits for a callback or for the signal to abort, whichever is first. `begin` starts the operation and returns a
 * function that cancels it. That function is also called after `done` and `fail`, so that no listener or timer is left.
 */
export function until<T = void>(
  signal: AbortSignal,
  begin: (done: (value: T) => void, fail: (fault: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => {
      cleanUp()
      reject(signal.reason)
    }
    let cancel: (() => void) | undefined
    let isOver = false
    const cleanUp = () => {
      isOver = true
      signal.removeEventListener('abort', onAbort)
      cancel?.()
    }
    const done = (value: T) => {
      cleanUp()
      resolve(value)
    }
    const fail = (fault: unknown) => {
      cleanUp()
      reject(fault)
    }
    signal.addEventListener('abort', onAbort)
    try {
      cancel = begin(done, fail)
    } catch (fault) {
      fail(fault)
    }
    if (isOver) cancel?.()
  })
}

/** A promise that also rejects when the signal aborts. A later rejection of `promise` is then ignored. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // `until` does not subscribe to the promise if the signal has already aborted.
  promise.catch(() => {})
  return until<T>(signal, (done, fail) => {
    promise.then(done, fail)
    return () => {}
  })
}

export interface LinkedAbort {
  readonly signal: AbortSignal
  stop(reason?: unknown): void
  /** Removes the listeners from the outer signals. Call it when the work ends: these signals may live longer. */
  unlink(): void
}

/** A signal with its own `stop` that also aborts when one of the outer signals aborts. */
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
