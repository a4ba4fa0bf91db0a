// `Clock`: the current time and timers, which a test can replace; and the system's clock.

export interface Clock {
  /** Wall-clock time in milliseconds since 1970. It may jump. */
  now(): number
  /** Milliseconds since an arbitrary fixed time. It never decreases. */
  elapsed(): number
  /** Calls `run` once after `waitMs`; returns a function that cancels the timer. */
  later(waitMs: number, run: () => void): () => void
}

/** The longest delay of `setTimeout`; a longer one overflows 32 bits and fires at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  later(waitMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(Number.isFinite(waitMs) ? waitMs : 0, 0), LONGEST_WAIT_MS))
    return () => clearTimeout(timer)
  },
}
