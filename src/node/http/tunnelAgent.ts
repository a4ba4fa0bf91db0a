// Tunnels through a proxy: how long one may take to open, and when nobody waits for it any more.
import type { ProxyAgent as Agent, buildConnector, Client as Connection, Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'
import { linkedAbort, raceAbort } from '../../base/abort.ts'
import { acceptContinue } from './interimResponse.ts'
import { ProxyConnectionError } from './proxyConnectionError.ts'

/** Everything goes through a tunnel, plain http as well: the proxy then sees no headers. */
export function tunnelAgent(options: Agent.Options, connectMs: number): Dispatcher {
  return new ProxyAgent({
    ...options,
    proxyTunnel: true,
    factory: (origin, settings) => new Pool(origin, { ...settings, factory: tunnelClient }),
    clientFactory: (proxy, settings) => {
      const pool = new Pool(proxy, settings)
      return Object.assign(pool, {
        // The agent asks for its tunnels here; the index of undici would have given this method to every dispatcher.
        connect: (asked: Dispatcher.ConnectOptions) => openTunnel(pool, asked, connectMs),
      })
    },
  })
}

/** What undici hands to a factory, and does not say in its types. */
interface Settings extends Omit<Connection.Options, 'connect'> {
  readonly connect: (target: Target, done: buildConnector.Callback) => void
}
type Target = buildConnector.Options & { readonly signal: AbortSignal | undefined }

/** One connection. Only the request that it was given last waits for its tunnel: meanwhile its pool gives it no other. */
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
    dispatch: (asked: Dispatcher.DispatchOptions & { signal?: AbortSignal }, handler: Dispatcher.DispatchHandler) => {
      signal = asked.signal
      return dispatch(asked, handler)
    },
  })
}

/** Undici itself waits for the answer to a CONNECT without end. What fails here fails at the proxy: no other host was met. */
async function openTunnel(
  proxy: Dispatcher,
  asked: Dispatcher.ConnectOptions,
  connectMs: number,
): Promise<Dispatcher.ConnectData> {
  // Undici would take an event emitter as well; ours comes from `tunnelClient`.
  const stop = linkedAbort(asked.signal as AbortSignal | undefined)
  const late = Object.assign(new Error('No answer to CONNECT'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(() => stop.stop(late), connectMs)
  const opening = connect.call(proxy, { ...asked, signal: stop.signal })
  try {
    return opened(await raceAbort(opening, stop.signal))
  } catch (fault) {
    // A tunnel that opened in the very moment is nobody's.
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
function opened(tunnel: Dispatcher.ConnectData): Dispatcher.ConnectData {
  if (tunnel.statusCode === 200) return tunnel
  tunnel.socket.on('error', () => {}).destroy()
  throw new ProxyConnectionError({ why: tunnel.statusCode === 407 ? 'proxy sign-in' : 'proxy' })
}
