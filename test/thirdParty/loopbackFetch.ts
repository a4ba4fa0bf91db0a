// A fetch that knows what every browser knows and Node does not: names below localhost are this machine (RFC 6761 6.3).
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, fetch as fetchOfPackage } from 'undici'

const lookUp: LookupFunction = (name, options, done) =>
  lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, options, done)

/** `fetch` as far as clients by other hands ask for it. */
type Fetch = (url: string | URL, init?: object) => Promise<Response>

/** In place of the global one; `ca` is a certificate authority to trust. */
export function loopbackFetch(ca?: string): Fetch {
  const dispatcher = new Agent({ connect: { lookup: lookUp, ...(ca === undefined ? {} : { ca }) } })
  // Its answer is the same by specification; TypeScript sees two declarations of it.
  return (url, init) => fetchOfPackage(url, { ...init, dispatcher }) as unknown as Promise<Response>
}
