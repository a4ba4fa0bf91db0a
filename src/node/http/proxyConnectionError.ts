// `ProxyConnectionError`: thrown by the proxy agents where there is no tunnel through the proxy.
import type { TransportFailure } from '../../core/http/errors.ts'

export class ProxyConnectionError extends Error {
  override readonly name = 'ProxyConnectionError'
  /** What the proxy answered. Undefined where it did not answer; then `cause` is the fault of the connection to it. */
  readonly why: Extract<TransportFailure, 'proxy' | 'proxy sign-in'> | undefined

  constructor({ why, cause }: { readonly why?: ProxyConnectionError['why']; readonly cause?: unknown }) {
    super('No tunnel through the proxy', { cause })
    this.why = why
  }
}
