// `UndiciHttp`: the port `Http` over undici, with the proxy and the certificates of each route.
import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import type { Dispatcher } from 'undici'
import undiciRequest from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Connect, Http, Limits } from '../../core/http/http.ts'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'
import type { Route } from '../../core/http/proxy.ts'
import { decoded } from './decoded.ts'
import { acceptContinue } from './interimResponse.ts'
import { HEADER_LIMIT_BYTES, RequestWatchdog } from './requestWatchdog.ts'
import { socksAgent } from './socksAgent.ts'
import { tunnelAgent } from './tunnelAgent.ts'

const CONNECT_LIMIT_MS = 10_000
const USUAL_LIMITS: Limits = { firstByteMs: 300_000, silenceMs: 300_000 }

/** Uses dispatchers of its own; the process-wide one is neither used nor changed. */
export class UndiciHttp implements Disposable {
  readonly #routeOf: (url: URL) => Route
  readonly #clock: Clock
  readonly #connectMs: number
  #dispatchers = new Map<string, Dispatcher>()
  /** Connections that are opened ahead of a request, by route and origin. These do not reject. */
  readonly #opening = new Map<string, Promise<void>>()

  /** `connectMs`: the time limit for making a connection, TLS included; by the system's clock. */
  constructor(routeOf: (url: URL) => Route, clock: Clock, connectMs = CONNECT_LIMIT_MS) {
    this.#routeOf = routeOf
    this.#clock = clock
    this.#connectMs = connectMs
  }

  readonly send: Http = async request => {
    const url = new URL(request.url)
    const route = this.#routeOf(url)
    // Only its host, because the address of a proxy may contain a password.
    const proxy = route.proxy ? new URL(route.proxy).host : undefined
    const watchdog = new RequestWatchdog(this.#clock, url.host, request.limits ?? USUAL_LIMITS, request.signal, proxy)
    try {
      // Beside a connection that is not open yet, undici would open another one for the request.
      const opening = this.#opening.get(openingKey(route, url))
      if (opening) await raceAbort(opening, watchdog.signal)
      const pending = undiciRequest.call(this.#dispatcherFor(route), {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { ...request.headers },
        body: request.body ?? null,
        signal: watchdog.signal,
      })
      // Undici reacts to an abort only when the connection is made or has failed.
      const answer = await raceAbort(pending, watchdog.signal)
      // A body that is destroyed unread emits an error, which would end the process without a listener.
      answer.body.on('error', () => {})
      return decoded({
        host: url.host,
        status: answer.statusCode,
        headers: plainHeaders(answer.headers),
        body: watchdog.watch(answer.body),
        close: () => watchdog.end(answer.body),
      })
    } catch (thrown) {
      throw watchdog.explain(thrown)
    }
  }

  readonly connect: Connect = async address => {
    const url = new URL(address)
    const route = this.#routeOf(url)
    const key = openingKey(route, url)
    const opened = opensConnection(this.#dispatcherFor(route), url.origin)
    const opening = opened.catch(() => {}).finally(() => this.#opening.delete(key))
    this.#opening.set(key, opening)
    await opened
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

const openingKey = (route: Route, { origin }: URL) => JSON.stringify([route, origin])

class Withdrawn extends Error {}

/** Has undici open a connection as for a request, which is withdrawn before anything of it is sent. */
function opensConnection(dispatcher: Dispatcher, origin: string): Promise<void> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      { origin, path: '/', method: 'GET' },
      {
        // What is thrown here ends the request and leaves its connection open; an abort would close it.
        onRequestStart() {
          throw new Withdrawn()
        },
        onResponseError: (_, fault) => (fault instanceof Withdrawn ? resolve() : reject(fault)),
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd() {},
      },
    )
  })
}

function dispatcherOf(route: Route, connectMs: number): Dispatcher {
  const tlsOptions = { rejectUnauthorized: route.strictTls, allowH2: false, ...certificates(route) }
  const connectOptions = { timeout: connectMs, lookup: lookupHost, ...tlsOptions }
  const options = {
    connect: connectOptions,
    // HTTP/1.1, because undici would reuse an HTTP/2 session whose connection was lost without notice.
    allowH2: false,
    // `RequestWatchdog` has these limits in real time; undici's timers stop while a laptop sleeps.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADER_LIMIT_BYTES,
    pipelining: 1,
    factory: acceptingPool,
  }
  if (!route.proxy) return new Agent(options)
  if (/^socks/i.test(route.proxy))
    return socksAgent(route.proxy, options, connectOptions, { timeout: connectMs, ...tlsOptions })
  const ends = { proxyTls: connectOptions, requestTls: { timeout: connectMs, ...tlsOptions } }
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

/** With the system's store, because that of a company has the authority that its proxy's certificates are from. */
function certificates(route: Route): { ca?: string[] } {
  if (!route.systemCertificates || typeof tls.getCACertificates !== 'function') return {}
  try {
    return { ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])] }
  } catch {
    return {}
  }
}

/** Resolves names below `localhost` to this machine (RFC 6761 6.3), which few resolvers do. */
const lookupHost: LookupFunction = (host, options, answer) =>
  systemLookup(isLoopbackHost(host) && host !== 'localhost' ? 'localhost' : host, options, answer)

function plainHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
