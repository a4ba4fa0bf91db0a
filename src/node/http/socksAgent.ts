// Connections through a SOCKS5 proxy (RFC 1928, RFC 1929).
import type { Socket } from 'node:net'
import type { Agent as AnyAgent, buildConnector, Dispatcher } from 'undici'
import buildConnect from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Socks5ProxyAgent from 'undici/lib/dispatcher/socks5-proxy-agent.js'
import { faultCode } from '../../base/fault.ts'
import { ProxyConnectionError } from './proxyConnectionError.ts'

/**
 * Undici's own agent opens the tunnels; requests and TLS inside them are as without a proxy. `secure` is for the host at
 * the end of the tunnel. The proxy looks up its name, whether its address says `socks5` or `socks5h`.
 */
export function socksAgent(
  proxy: string,
  options: AnyAgent.Options,
  reach: buildConnector.BuildOptions,
  secure: buildConnector.BuildOptions,
): Dispatcher {
  const watch = new OpeningWatch()
  const socks = new Socks5ProxyAgent(proxy.replace(/^socks5h?:/i, 'socks5:'), {
    connect: watch.over(buildConnect(reach)),
    connectTimeout: reach.timeout ?? 0,
  })
  const connectSecurely = buildConnect(secure)
  const connect: buildConnector.connector = (target, done) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    const open = async () => {
      const socket = await socks.createSocks5Connection(target.hostname, port)
      watch.end(socket)
      if (target.protocol !== 'https:') done(null, socket)
      else connectSecurely({ ...target, httpSocket: socket }, done)
    }
    open().catch(fault => done(failure(fault), null))
  }
  return new Agent({ ...options, connect })
}

/** Undici takes no notice of a proxy that hangs up before its tunnel is open. */
class OpeningWatch {
  readonly #listeners = new WeakMap<Socket, () => void>()

  over(connect: buildConnector.connector): buildConnector.connector {
    return (target, done) =>
      connect(target, (...connected: buildConnector.CallbackArgs) => {
        const [, socket] = connected
        if (socket) this.#begin(socket)
        done(...connected)
      })
  }

  end(socket: Socket): void {
    const listener = this.#listeners.get(socket)
    if (listener) socket.off('end', listener)
  }

  #begin(socket: Socket): void {
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
