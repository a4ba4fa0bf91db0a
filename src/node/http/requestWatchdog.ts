// `RequestWatchdog`: ends a request whose peer has stopped responding or was lost during sleep, and converts errors to faults.
import process from 'node:process'
import { linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { faultCode } from '../../base/fault.ts'
import {
  type CertificateFailure,
  TooLargeError,
  TransportError,
  type TransportFailure,
} from '../../core/http/errors.ts'
import type { Limits } from '../../core/http/http.ts'
import { ProxyConnectionError } from './proxyConnectionError.ts'

export const HEADER_LIMIT_BYTES = 32 * 1024

const TICK_MS = 1_000
/** After a tick that is this much late the machine has slept, unless this process was busy for so long. */
const SLEPT_MS = 5_000
/** The time for a byte from the peer after the machine has slept. */
const AFTER_SLEEP_MS = 4_000

/** For one request. A timer runs as long as the request or the reader of the body waits for the peer. */
export class RequestWatchdog {
  readonly #clock: Clock
  readonly #host: string
  readonly #proxy: string | undefined
  readonly #limits: Limits
  readonly #stop: ReturnType<typeof linkedAbort>
  #stage: 'before' | 'during' = 'before'
  /** In elapsed time; infinite while the reader handles a chunk, because then it does not wait for the peer. */
  #deadline: number
  #hasSlept = false
  #cancelTick: () => void = () => {}

  constructor(clock: Clock, host: string, limits: Limits, outer: AbortSignal, proxy?: string) {
    this.#clock = clock
    this.#host = host
    this.#proxy = proxy
    this.#limits = limits
    this.#stop = linkedAbort(outer)
    this.#deadline = clock.elapsed() + limits.firstByteMs
    this.#tick()
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  async *watch(body: AsyncIterable<Uint8Array> & { destroy(): void }): AsyncIterable<Uint8Array> {
    this.#stage = 'during'
    this.#expectByte()
    try {
      for await (const chunk of body) {
        this.#deadline = Number.POSITIVE_INFINITY
        this.#hasSlept = false
        yield chunk
        this.#expectByte()
      }
    } catch (thrown) {
      throw this.explain(thrown)
    } finally {
      this.end(body)
    }
  }

  end(body?: { destroy(): void }): void {
    this.#cancelTick()
    this.#stop.unlink()
    body?.destroy()
  }

  /** Ends the watch; returns the abort's reason, or what was thrown as a fault. */
  explain(thrown: unknown): unknown {
    this.end()
    if (this.signal.aborted) return this.signal.reason
    const code = faultCode(thrown)
    if (code === 'UND_ERR_INVALID_ARG') return thrown
    if (code === 'UND_ERR_HEADERS_OVERFLOW') return new TooLargeError(this.#host, HEADER_LIMIT_BYTES)
    const answered = thrown instanceof ProxyConnectionError ? thrown.why : undefined
    const isProxyFault = thrown instanceof ProxyConnectionError && answered === undefined
    const about = { proxy: this.#proxy, isProxyFault, certificate: certificateFailureOf(code ?? ''), cause: thrown }
    return new TransportError(this.#host, this.#stage, answered ?? failureOf(thrown, code ?? ''), about)
  }

  #expectByte(): void {
    const { silenceMs } = this.#limits
    this.#deadline = this.#clock.elapsed() + (this.#hasSlept ? Math.min(silenceMs, AFTER_SLEEP_MS) : silenceMs)
  }

  #tick = (): void => {
    const waitMs = Math.min(TICK_MS, this.#deadline - this.#clock.elapsed())
    if (waitMs <= 0) {
      const late = this.#stage === 'before' ? 'first byte timeout' : 'silence'
      this.#stop.stop(new TransportError(this.#host, this.#stage, this.#hasSlept ? 'asleep' : late))
      return
    }
    const wall = this.#clock.now()
    const elapsed = this.#clock.elapsed()
    const before = process.cpuUsage()
    this.#cancelTick = this.#clock.later(waitMs, () => {
      // While the machine sleeps one of the two clocks stops; which one depends on the system.
      const passedMs = Math.max(this.#clock.now() - wall, this.#clock.elapsed() - elapsed)
      const { user, system } = process.cpuUsage(before)
      const workedMs = (user + system) / 1_000
      if (passedMs - waitMs - workedMs > SLEPT_MS) this.#wake()
      this.#tick()
    })
  }

  /** A connection rarely survives a sleep, and a lost one reports no error, so the next byte must come soon. */
  #wake(): void {
    this.#hasSlept = true
    if (this.#deadline < Number.POSITIVE_INFINITY) this.#deadline = this.#clock.elapsed() + AFTER_SLEEP_MS
  }
}

const failures: readonly [RegExp, TransportFailure][] = [
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/, 'name not found'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'connect timeout'],
  [/CERT|^UNABLE_TO_|^ERR_TLS_|^ERR_SSL_|^EPROTO$|HOSTNAME_MISMATCH/, 'certificate'],
]

function failureOf(thrown: unknown, code: string): TransportFailure {
  const why = failures.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset'
  // An established connection can fail with the same codes; then the request may have arrived.
  return why !== 'certificate' && isLaterThanConnecting(thrown) ? 'reset' : why
}

/** Node names the system call that failed. */
function isLaterThanConnecting(thrown: unknown): boolean {
  for (let at = thrown, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if ('syscall' in at) return at.syscall === 'read' || at.syscall === 'write'
  }
  return false
}

function certificateFailureOf(code: string): CertificateFailure {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'expired'
    case 'CERT_NOT_YET_VALID':
      return 'not yet valid'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'other host'
    default:
      return /^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code) ? 'no agreement' : 'untrusted'
  }
}
