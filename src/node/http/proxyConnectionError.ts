// Why there is no tunnel through the proxy, as the agents for proxies throw it.
import type { TransportFailure } from '../../core/http/errors.ts'

export class ProxyConnectionError extends Error {
  override readonly name = 'ProxyConnectionError'
  /** What the proxy answered. Undefined where there is no answer: the proxy itself is at fault, and the cause says how. */
  readonly why: Extract<TransportFailure, 'proxy' | 'proxy sign-in'> | undefined

  constructor({ why, cause }: { readonly why?: ProxyConnectionError['why']; readonly cause?: unknown }) {
    super('No tunnel through the proxy', { cause })
    this.why = why
  }
}
