// Layers around an `Http`: the `User-Agent` header, one retry, and a log line for each request.
import { isAbort, sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { faultText } from '../../base/fault.ts'
import type { Log } from '../log/log.ts'
import { TransportError } from './errors.ts'
import type { Http } from './http.ts'

export type Layer = (next: Http) => Http

/** The first layer named is the innermost. */
export function layered(http: Http, ...layers: readonly Layer[]): Http {
  return layers.reduce((next, layer) => layer(next), http)
}

export function userAgent(product: string): Layer {
  return next => request => next({ ...request, headers: { 'user-agent': product, ...request.headers } })
}

const PAUSE_MS = 400

/** Repeats once, after a pause, a request that may be repeated and had no response; the second fault is thrown. */
export function retried(clock: Clock): Layer {
  return next => async request => {
    try {
      return await next(request)
    } catch (fault) {
      const hasBegun = !(fault instanceof TransportError) || fault.where === 'during the answer'
      if (!request.mayRepeat || hasBegun || !fault.mayRepeat) throw fault
      await sleep(clock, PAUSE_MS, request.signal)
      return next(request)
    }
  }
}

/** One line for each request: method, host and path, status, time. Never headers, queries or bodies. */
export function logged(log: Log, clock: Clock): Layer {
  return next => async request => {
    const url = new URL(request.url)
    const start = clock.elapsed()
    const what = () => ({ host: url.host, path: url.pathname, ms: Math.round(clock.elapsed() - start) })
    try {
      const answer = await next(request)
      log.debug(`${request.method} answered`, { ...what(), status: answer.status })
      return answer
    } catch (fault) {
      // What is stopped is no fault: most requests for completions end so.
      if (isAbort(fault)) log.debug(`${request.method} stopped`, what())
      else log.debug(`${request.method} failed`, { ...what(), fault: faultText(fault) })
      throw fault
    }
  }
}
