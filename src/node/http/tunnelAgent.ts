// `tunnelAgent`: tunnels through an HTTP proxy, with a time limit for each and ended when its request is.
import type { ProxyAgent as Agent, buildConnector, Client as Connection, Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'
import { linkedAbort, raceAbort } from '../../base/abort.ts'
import { acceptContinue } from './interimResponse.ts'
import { ProxyConnectionError } from './proxyConnectionError.ts'

/** Plain http goes through a tunnel as well, so that the proxy does not see the headers. */
export function tunnelAgent(options: Agent.Options, connectMs: number): Dispatcher {
  return new ProxyAgent({
    ...options,
    proxyTunnel: true,
    factory: (origin, settings) => new Pool(origin, { ...settings, factory: tunnelClient }),
    clientFactory: (proxy, settings) => {
      const pool = new Pool(proxy, settings)
      return Object.assign(pool, {
        // The agent calls this for its tunnels; undici's index would add this method to every dispatcher.
        connect: (request: Dispatcher.ConnectOptions) => openTunnel(pool, request, connectMs),
      })
    },
  })
}

/** The options that undici passes to a factory, which its types do not show. */
interface Settings extends Omit<Connection.Options, 'connect'> {
  readonly connect: (target: Target, done: buildConnector.Callback) => void
}
type Target = buildConnector.Options & { readonly signal: AbortSignal | undefined }

/** One connection. Its tunnel is for the last request dispatched to it: the pool dispatches no other meanwhile. */
function tunnelClient(origin: URL, options: object): Dispatcher {
  const settings = options as Settings
  let signal: AbortSignal | undefined
  const client = new Client(origin, {
    ...settings,
    connect: (target, done) => settings.connect({ ...target, signal }, done),
  })
  acceptContinue(client)
  const dispatch = client.dispatch.bind(client)
  return Object.assign(client, {
    dispatch: (request: Dispatcher.DispatchOptions & { signal?: AbortSignal }, handler: Dispatcher.DispatchHandler) => {
      signal = request.signal
      return dispatch(request, handler)
    },
  })
}

/** With a time limit, because undici has none for the answer to a CONNECT. Each fault here is one of the proxy. */
async function openTunnel(
  proxy: Dispatcher,
  request: Dispatcher.ConnectOptions,
  connectMs: number,
): Promise<Dispatcher.ConnectData> {
  // as: undici accepts an event emitter as well; this one comes from `tunnelClient`.
  const stop = linkedAbort(request.signal as AbortSignal | undefined)
  const late = Object.assign(new Error('No answer to CONNECT'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(() => stop.stop(late), connectMs)
  const opening = connect.call(proxy, { ...request, signal: stop.signal })
  try {
    return checked(await raceAbort(opening, stop.signal))
  } catch (fault) {
    // A tunnel that opens after the fault is not used.
    opening.then(
      ({ socket }) => socket.destroy(),
      () => {},
    )
    throw fault instanceof ProxyConnectionError ? fault : new ProxyConnectionError({ cause: fault })
  } finally {
    clearTimeout(timer)
    stop.unlink()
  }
}

/** RFC 9110 9.3.6, 15.5.8. */
function checked(tunnel: Dispatcher.ConnectData): Dispatcher.ConnectData {
  if (tunnel.statusCode === 200) return tunnel
  tunnel.socket.on('error', () => {}).destroy()
  throw new ProxyConnectionError({ why: tunnel.statusCode === 407 ? 'proxy sign-in' : 'proxy' })
}
