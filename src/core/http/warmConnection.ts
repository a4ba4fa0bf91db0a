// `WarmConnection`: has a connection to the service open before a request needs it, so that none waits for a handshake.
import type { Clock } from '../../base/clock.ts'
import { faultText } from '../../base/fault.ts'
import type { Connect } from './http.ts'

export interface WarmConnectionOptions {
  readonly connect: Connect
  /** Where the next request goes; undefined while none could be sent. */
  readonly address: () => string | undefined
  readonly clock: Clock
  readonly log: { debug(text: string): void }
}

/** An idle connection lives longer than this, so it is not looked after with each key. */
const LOOK_EVERY_MS = 1_000
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 5 * 60_000

export class WarmConnection {
  readonly #options: WarmConnectionOptions
  #isOpening = false
  #nextLookAt = Number.NEGATIVE_INFINITY
  #faults = 0
  /** No connection is opened before, because the last one failed. */
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(options: WarmConnectionOptions) {
    this.#options = options
  }

  /** The user types. */
  keep(): void {
    if (this.#options.clock.elapsed() >= this.#nextLookAt) this.#open()
  }

  /** A connection has just been closed, and another one will soon be needed. */
  renew(): void {
    this.#open()
  }

  #open(): void {
    const { address, clock } = this.#options
    const now = clock.elapsed()
    const url = this.#isOpening || now < this.#pausedUntil ? undefined : address()
    if (url === undefined) return
    this.#nextLookAt = now + LOOK_EVERY_MS
    this.#isOpening = true
    void this.#connect(url)
  }

  async #connect(url: string): Promise<void> {
    const { connect, clock, log } = this.#options
    try {
      await connect(url)
      this.#faults = 0
    } catch (fault) {
      // What a request would report is not worth a word while there is none.
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#faults)
      this.#faults++
      this.#pausedUntil = clock.elapsed() + pauseMs
      log.debug(`No connection ahead of a request for ${pauseMs} ms: ${faultText(fault)}`)
    } finally {
      this.#isOpening = false
    }
  }
}
