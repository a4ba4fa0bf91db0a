// `Http`: a request in, an answer out. The undici call is here and nowhere else.
import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import type { Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import request from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'
import { linkStop } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { faultCode, faultText } from '../../base/fault.ts'
import { TooLargeError, TransportError, type TransportFailure } from './errors.ts'
import { isLoopbackHost } from './loopbackHost.ts'
import type { Route } from './proxy.ts'

/** One request to one host. Redirects are never followed: a request may carry a secret. */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The same request may be sent again when no answer came. Not so for what must happen once. */
  readonly mayRepeat?: boolean
  readonly limits?: Limits
  readonly signal: AbortSignal
}

/** How long to wait, in milliseconds. Any byte counts as life. */
export interface Limits {
  readonly firstByteMs: number
  readonly silenceMs: number
}

export interface HttpAnswer {
  readonly host: string
  readonly status: number
  /** Names in lower case; several values joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Read it once, or `close`. Throws a `TransportError` when the answer breaks off. */
  readonly body: AsyncIterable<Uint8Array>
  /** Lets go of what was not read; the connection is closed. */
  close(): void
}

const CONNECT_LIMIT_MS = 10_000
const USUAL_LIMITS: Limits = { firstByteMs: 300_000, silenceMs: 300_000 }
const HEADER_LIMIT_BYTES = 32 * 1024

/** `Http` over undici with dispatchers of its own; the process-wide one is neither used nor changed. */
export class UndiciHttp implements Disposable {
  readonly #routeOf: (url: URL) => Route
  readonly #clock: Clock
  #dispatchers = new Map<string, Dispatcher>()

  constructor(routeOf: (url: URL) => Route, clock: Clock) {
    this.#routeOf = routeOf
    this.#clock = clock
  }

  readonly send: Http = async asked => {
    const url = new URL(asked.url)
    const life = new Patience(this.#clock, url.host, asked.limits ?? USUAL_LIMITS, asked.signal)
    try {
      const answer = await request.call(this.#dispatcherFor(url), {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: asked.method,
        headers: { ...asked.headers },
        body: asked.body ?? null,
        signal: life.signal,
      })
      // A body that is let go unread fails; unheard, that would end the process.
      answer.body.on('error', () => {})
      return {
        host: url.host,
        status: answer.statusCode,
        headers: plainHeaders(answer.headers),
        body: life.watch(answer.body),
        close: () => life.end(answer.body),
      }
    } catch (thrown) {
      throw life.explain(thrown, 'before')
    }
  }

  #dispatcherFor(url: URL): Dispatcher {
    const route = this.#routeOf(url)
    const key = JSON.stringify(route)
    const known = this.#dispatchers.get(key)
    if (known) return known
    const made = dispatcherOf(route)
    this.#dispatchers.set(key, made)
    return made
  }

  dispose(): void {
    for (const dispatcher of this.#dispatchers.values()) dispatcher.destroy().catch(() => {})
    this.#dispatchers.clear()
  }
}

function dispatcherOf(route: Route): Dispatcher {
  const secure = { rejectUnauthorized: route.strictTls, ...certificates(route) }
  const reach = { timeout: CONNECT_LIMIT_MS, lookup: lookupHost, ...secure }
  const options = {
    connect: reach,
    // Our own patience counts real time; undici's timers stand still while a laptop sleeps.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADER_LIMIT_BYTES,
    pipelining: 1,
  }
  if (!route.proxy) return new Agent(options)
  return new ProxyAgent({
    ...options,
    uri: route.proxy,
    // Plain http goes through a tunnel as well: the proxy then sees no headers.
    proxyTunnel: true,
    requestTls: { timeout: CONNECT_LIMIT_MS, ...secure },
    proxyTls: reach,
    // The index of undici would have given this method to every dispatcher.
    clientFactory: (proxy, settings) => Object.assign(new Pool(proxy, settings), { connect }),
    ...(route.authorization && { token: route.authorization }),
  })
}

/** A company's own authority stands in the system's store; without it the company's proxy is a stranger. */
function certificates(route: Route): { ca?: string[] } {
  if (!route.systemCertificates || typeof tls.getCACertificates !== 'function') return {}
  try {
    return { ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])] }
  } catch {
    return {}
  }
}

/** Names below `localhost` are this machine, though few resolvers know it (RFC 6761 6.3). */
const lookupHost: LookupFunction = (host, options, answer) =>
  systemLookup(isLoopbackHost(host) && host !== 'localhost' ? 'localhost' : host, options, answer)

function plainHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

/** Ends a request whose peer has fallen silent, and says why anything ended. */
class Patience {
  readonly #clock: Clock
  readonly #host: string
  readonly #limits: Limits
  readonly #stop: ReturnType<typeof linkStop>
  #callOff: () => void = () => {}
  #deadline = 0

  constructor(clock: Clock, host: string, limits: Limits, outer: AbortSignal) {
    this.#clock = clock
    this.#host = host
    this.#limits = limits
    this.#stop = linkStop(outer)
    this.#expect(limits.firstByteMs, 'before', 'first byte timeout')
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  async *watch(body: AsyncIterable<Uint8Array> & { destroy(): void }): AsyncIterable<Uint8Array> {
    this.#expect(this.#limits.silenceMs, 'during', 'silence')
    try {
      for await (const chunk of body) {
        // While the reader is at work nobody waits for the peer.
        this.#callOff()
        yield chunk
        this.#expect(this.#limits.silenceMs, 'during', 'silence')
      }
    } catch (thrown) {
      throw this.explain(thrown, 'during')
    } finally {
      this.end(body)
    }
  }

  end(body?: { destroy(): void }): void {
    this.#callOff()
    this.#stop.unlink()
    body?.destroy()
  }

  explain(thrown: unknown, stage: 'before' | 'during'): unknown {
    this.end()
    if (this.signal.aborted) return this.signal.reason
    const code = faultCode(thrown)
    if (code === 'UND_ERR_INVALID_ARG') return thrown
    if (code === 'UND_ERR_HEADERS_OVERFLOW') return new TooLargeError(this.#host, HEADER_LIMIT_BYTES)
    return new TransportError(this.#host, stage, failureOf(thrown), thrown)
  }

  #expect(withinMs: number, stage: 'before' | 'during', why: TransportFailure): void {
    this.#callOff()
    this.#deadline = this.#clock.elapsed() + withinMs
    const check = () => {
      const leftMs = this.#deadline - this.#clock.elapsed()
      if (leftMs > 0) this.#callOff = this.#clock.later(leftMs, check)
      else this.#stop.stop(new TransportError(this.#host, stage, why))
    }
    this.#callOff = this.#clock.later(withinMs, check)
  }
}

const failures: readonly [RegExp, TransportFailure][] = [
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/, 'name not found'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'connect timeout'],
  [/CERT|^UNABLE_TO_|^ERR_TLS_|^ERR_SSL_|^EPROTO$|HOSTNAME_MISMATCH/, 'certificate'],
]

function failureOf(thrown: unknown): TransportFailure {
  if (/Proxy response|Proxy-Authenticate/i.test(faultText(thrown))) return 'proxy'
  const code = faultCode(thrown) ?? ''
  return failures.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset'
}
