// What only this attempt knows: the code verifier with its challenge, and the state.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Pkce {
  /** A secret until the code is exchanged. */
  readonly verifier: string
  readonly challenge: string
}

/** S256 and nothing weaker (RFC 7636 4.1, 4.2 and 7.2): 256 random bits make 43 characters. */
export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Unguessable, one for each attempt (RFC 9700 4.7). */
export function newState(): string {
  return randomBytes(24).toString('base64url')
}

/** Compares in full, in a time that tells nothing about where they differ. */
export function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
