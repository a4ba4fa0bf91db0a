// `FileLock`: a lock between windows that is waited for, as a file that only one of them can make.
import type { Clock } from '../../base/clock.ts'
import { isAlive } from '../systemProcesses.ts'
import { FileLease } from './fileLease.ts'

const PAUSE_MS = 50

export interface FileLockOptions {
  readonly path: string
  readonly clock: Clock
  /** A holder that keeps the lock for so long counts as hung, and loses it. */
  readonly longestMs: number
}

/** The lock of a process that is gone is free at once, any other after `longestMs`; see `FileLease`. */
export class FileLock {
  readonly #options: FileLockOptions

  constructor(options: FileLockOptions) {
    this.#options = options
  }

  /**
   * Resolves, when no other window holds the lock, with the function that releases it. Where the file can neither be made
   * nor removed, it resolves without a lock, because a fault of the file system must not block the user's work for ever.
   */
  async take(): Promise<() => Promise<void>> {
    const { path, clock, longestMs } = this.#options
    const lease = new FileLease({ path, clock, isAlive, expiresMs: longestMs })
    for (const beganAt = clock.elapsed(); clock.elapsed() - beganAt < 2 * longestMs; ) {
      const attempt = await lease.tryTake()
      if (attempt === 'mine') return () => lease.release()
      if (attempt === 'impossible') break
      await new Promise<void>(resolve => clock.later(PAUSE_MS, resolve))
    }
    return async () => {}
  }
}
