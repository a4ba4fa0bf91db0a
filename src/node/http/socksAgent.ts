// `socksAgent`: connections through a SOCKS5 proxy (RFC 1928, RFC 1929).
import type { Socket } from 'node:net'
import type { Agent as AnyAgent, buildConnector, Dispatcher } from 'undici'
import buildConnect from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Socks5ProxyAgent from 'undici/lib/dispatcher/socks5-proxy-agent.js'
import { faultCode } from '../../base/fault.ts'
import { ProxyConnectionError } from './proxyConnectionError.ts'

/**
 * Undici's own agent opens the tunnels; requests and TLS inside them are as without a proxy. `proxyOptions` are for the
 * connection to the proxy, `tlsOptions` for TLS with the host. The proxy resolves the host's name, with `socks5` as well
 * as with `socks5h` in its address.
 */
export function socksAgent(
  proxy: string,
  options: AnyAgent.Options,
  proxyOptions: buildConnector.BuildOptions,
  tlsOptions: buildConnector.BuildOptions,
): Dispatcher {
  const hangUps = new HangUpDetector()
  const socks = new Socks5ProxyAgent(proxy.replace(/^socks5h?:/i, 'socks5:'), {
    connect: hangUps.watch(buildConnect(proxyOptions)),
    connectTimeout: proxyOptions.timeout ?? 0,
  })
  const connectSecurely = buildConnect(tlsOptions)
  const connect: buildConnector.connector = (target, done) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    const open = async () => {
      const socket = await socks.createSocks5Connection(target.hostname, port)
      hangUps.unwatch(socket)
      if (target.protocol !== 'https:') done(null, socket)
      else connectSecurely({ ...target, httpSocket: socket }, done)
    }
    open().catch(fault => done(failure(fault), null))
  }
  return new Agent({ ...options, connect })
}

/** Ends a socket that the proxy closes before its tunnel is open, because undici does not notice that. */
class HangUpDetector {
  readonly #listeners = new WeakMap<Socket, () => void>()

  watch(connect: buildConnector.connector): buildConnector.connector {
    return (target, done) =>
      connect(target, (...connected: buildConnector.CallbackArgs) => {
        const [, socket] = connected
        if (socket) this.#listen(socket)
        done(...connected)
      })
  }

  unwatch(socket: Socket): void {
    const listener = this.#listeners.get(socket)
    if (listener) socket.off('end', listener)
  }

  #listen(socket: Socket): void {
    const onEnd = () => socket.destroy(Object.assign(new Error('The proxy hung up'), { code: 'ECONNRESET' }))
    this.#listeners.set(socket, onEnd)
    socket.once('end', onEnd)
  }
}

/** By undici's codes for RFC 1928 3 and 6 and RFC 1929 2. */
function failure(cause: unknown): ProxyConnectionError {
  const code = faultCode(cause) ?? ''
  if (/^UND_ERR_SOCKS5_AUTH_(REJECTED|FAILED)$/.test(code))
    return new ProxyConnectionError({ why: 'proxy sign-in', cause })
  if (/^UND_ERR_SOCKS5_REPLY_\d+$/.test(code)) return new ProxyConnectionError({ why: 'proxy', cause })
  return new ProxyConnectionError({ cause })
}
