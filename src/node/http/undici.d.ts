// Types for the parts of undici that are imported one by one, because its index changes globals of the whole process.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}
declare module 'undici/lib/core/symbols.js' {
  const symbols: { readonly kSocket: symbol; readonly kParser: symbol }
  export default symbols
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
declare module 'undici/lib/dispatcher/socks5-proxy-agent.js' {
  import { Socks5ProxyAgent } from 'undici'

  /** With the method that opens a tunnel, which undici's types omit. */
  export default class extends Socks5ProxyAgent {
    createSocks5Connection(host: string, port: number): Promise<import('node:net').Socket>
  }
}
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici'
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  export { ProxyAgent as default } from 'undici'
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'

  export default function connect(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>
}
declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'

  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>
}
