// Authorization codes: made by a consent, good once and for a minute.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.ts'
import { sha256 } from './fingerprint.ts'
import type { Key } from './keys.ts'

/** RFC 6749 4.1.2 recommends ten minutes at most; a loopback redirect takes a moment. */
const codeLifeMs = 60_000

/** What a person agreed to, and for which request of which client. */
export interface Consent {
  readonly email: string
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  readonly codeChallenge: string
}

export interface AuthorizationCode extends Consent {
  readonly expiresAt: number
  isUsed: boolean
  /** What it was exchanged for. */
  key: Key | undefined
}

export class AuthorizationCodes {
  readonly #clock: Clock
  readonly #byHash = new Map<string, AuthorizationCode>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  issue(consent: Consent): string {
    const code = randomBytes(32).toString('base64url')
    const expiresAt = this.#clock.now() + codeLifeMs
    this.#byHash.set(sha256(code), { ...consent, expiresAt, isUsed: false, key: undefined })
    return code
  }

  find(code: string): AuthorizationCode | undefined {
    return this.#byHash.get(sha256(code))
  }
}

/** RFC 7636 4.6, for S256. */
export function isVerifierOf({ codeChallenge }: AuthorizationCode, verifier: string): boolean {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return (
    challenge.length === codeChallenge.length && timingSafeEqual(Buffer.from(challenge), Buffer.from(codeChallenge))
  )
}
