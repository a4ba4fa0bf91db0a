// The secrets of one authorization request: the code verifier with its challenge, and the state.
import { base64Url } from '../../base/base64.ts'

export interface Pkce {
  /** A secret until the code is exchanged. */
  readonly verifier: string
  readonly challenge: string
}

/** S256 and nothing weaker (RFC 7636 4.1, 4.2 and 7.2): 256 random bits make 43 characters. */
export async function newPkce(): Promise<Pkce> {
  const verifier = randomText(32)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: base64Url(new Uint8Array(digest)) }
}

/** Unguessable, one for each attempt (RFC 9700 4.7). */
export function newState(): string {
  return randomText(24)
}

function randomText(bytes: number): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(bytes)))
}
