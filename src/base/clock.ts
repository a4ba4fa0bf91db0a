// Now and later, replaceable by a test.

export interface Clock {
  /** Wall-clock time in milliseconds since 1970. It may jump. */
  now(): number
  /** Milliseconds since some fixed moment. It never goes back. */
  elapsed(): number
  /** Calls `run` once after `waitMs`; returns how to call it off. */
  later(waitMs: number, run: () => void): () => void
}

/** Longest wait that timers can hold; above it they fire at once (a 32-bit overflow). */
const LONGEST_WAIT_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  later(waitMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(Number.isFinite(waitMs) ? waitMs : 0, 0), LONGEST_WAIT_MS))
    return () => clearTimeout(timer)
  },
}
