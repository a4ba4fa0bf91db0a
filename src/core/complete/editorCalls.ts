// `EditorCalls`: whether the editor calls for what it shows inline after each change, so that a request may leave before its call.
import type { Clock } from '../../base/clock.ts'

/** The editor calls 50 ms after a change, unless another one comes before. */
const LATEST_CALL_MS = 150
/** Nobody types for so long without a pause of 50 ms. */
const LONGEST_BURST_MS = 500

/**
 * The editor does not report that it shows nothing, such as while the user has snoozed what all extensions suggest. But
 * then it does not call either.
 */
export class EditorCalls {
  readonly #clock: Clock
  /** When the first and the latest of the changes were that no call has followed yet. */
  #uncalled: { readonly from: number; readonly to: number } | undefined
  #isMissing = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The text has changed. Returns whether a call can be expected. */
  changed(): boolean {
    const now = this.#clock.elapsed()
    const { from, to } = this.#uncalled ?? { from: now, to: now }
    if (now - to >= LATEST_CALL_MS || now - from >= LONGEST_BURST_MS) this.#isMissing = true
    this.#uncalled = { from, to: now }
    return !this.#isMissing
  }

  called(): void {
    this.#uncalled = undefined
    this.#isMissing = false
  }
}
