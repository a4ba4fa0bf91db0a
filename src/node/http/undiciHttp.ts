// `Http` over undici: the undici call is here and nowhere else.
import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import type { Dispatcher } from 'undici'
import request from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Http, Limits } from '../../core/http/http.ts'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'
import type { Route } from '../../core/http/proxy.ts'
import { decoded } from './decoded.ts'
import { acceptContinue } from './interimResponse.ts'
import { HEADER_LIMIT_BYTES, RequestWatchdog } from './requestWatchdog.ts'
import { socksAgent } from './socksAgent.ts'
import { tunnelAgent } from './tunnelAgent.ts'

const CONNECT_LIMIT_MS = 10_000
const USUAL_LIMITS: Limits = { firstByteMs: 300_000, silenceMs: 300_000 }

/** `Http` over undici with dispatchers of its own; the process-wide one is neither used nor changed. */
export class UndiciHttp implements Disposable {
  readonly #routeOf: (url: URL) => Route
  readonly #clock: Clock
  readonly #connectMs: number
  #dispatchers = new Map<string, Dispatcher>()

  /** `connectMs`: how long a connection may take to be there, TLS included; counted by the system's clock. */
  constructor(routeOf: (url: URL) => Route, clock: Clock, connectMs = CONNECT_LIMIT_MS) {
    this.#routeOf = routeOf
    this.#clock = clock
    this.#connectMs = connectMs
  }

  readonly send: Http = async asked => {
    const url = new URL(asked.url)
    const route = this.#routeOf(url)
    // Its host alone: the address of a proxy may hold a password.
    const proxy = route.proxy ? new URL(route.proxy).host : undefined
    const life = new RequestWatchdog(this.#clock, url.host, asked.limits ?? USUAL_LIMITS, asked.signal, proxy)
    try {
      const asking = request.call(this.#dispatcherFor(route), {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: asked.method,
        headers: { ...asked.headers },
        body: asked.body ?? null,
        signal: life.signal,
      })
      // Undici itself hears of a stop only when there is a connection, or none is to be had.
      const answer = await raceAbort(asking, life.signal)
      // A body that is let go unread fails; unheard, that would end the process.
      answer.body.on('error', () => {})
      return decoded({
        host: url.host,
        status: answer.statusCode,
        headers: plainHeaders(answer.headers),
        body: life.watch(answer.body),
        close: () => life.end(answer.body),
      })
    } catch (thrown) {
      throw life.explain(thrown)
    }
  }

  #dispatcherFor(route: Route): Dispatcher {
    const key = JSON.stringify(route)
    const known = this.#dispatchers.get(key)
    if (known) return known
    const made = dispatcherOf(route, this.#connectMs)
    this.#dispatchers.set(key, made)
    return made
  }

  dispose(): void {
    for (const dispatcher of this.#dispatchers.values()) dispatcher.destroy().catch(() => {})
    this.#dispatchers.clear()
  }
}

function dispatcherOf(route: Route, connectMs: number): Dispatcher {
  const secure = { rejectUnauthorized: route.strictTls, allowH2: false, ...certificates(route) }
  const reach = { timeout: connectMs, lookup: lookupHost, ...secure }
  const options = {
    connect: reach,
    // HTTP/1.1: a session of HTTP/2 that died unseen would be asked again and again.
    allowH2: false,
    // Our own patience counts real time; undici's timers stand still while a laptop sleeps.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADER_LIMIT_BYTES,
    pipelining: 1,
    factory: acceptingPool,
  }
  if (!route.proxy) return new Agent(options)
  if (/^socks/i.test(route.proxy)) return socksAgent(route.proxy, options, reach, { timeout: connectMs, ...secure })
  const ends = { proxyTls: reach, requestTls: { timeout: connectMs, ...secure } }
  const token = route.authorization && { token: route.authorization }
  return tunnelAgent({ ...options, uri: route.proxy, ...ends, ...token }, connectMs)
}

function acceptingPool(origin: string | URL, options: object): Dispatcher {
  const factory = (at: URL, settings: object) => {
    const client = new Client(at, settings)
    acceptContinue(client)
    return client
  }
  return new Pool(origin, { ...options, factory })
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
