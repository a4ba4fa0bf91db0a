// Links for signing in by mail: good once, for a quarter of an hour.
import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import { sha256 } from './fingerprint.ts'

export const linkLifeMs = 15 * 60_000

export interface SignInLink {
  readonly email: string
  /** The path of the page that the user wanted. */
  readonly to: string
  /** The session that asked, as a hash. */
  readonly askedBy: string
  readonly expiresAt: number
  usedAt: number | undefined
}

export type SignInLinkState = 'open' | 'used' | 'expired'

export class SignInLinks {
  readonly #clock: Clock
  readonly #byHash = new Map<string, SignInLink>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The only moment at which the token exists in clear. */
  open(email: string, to: string, sessionId: string): string {
    const token = randomBytes(24).toString('base64url')
    const expiresAt = this.#clock.now() + linkLifeMs
    this.#byHash.set(sha256(token), { email, to, askedBy: sha256(sessionId), expiresAt, usedAt: undefined })
    return token
  }

  find(token: string): SignInLink | undefined {
    return this.#byHash.get(sha256(token))
  }

  stateOf({ usedAt, expiresAt }: SignInLink): SignInLinkState {
    if (usedAt !== undefined) return 'used'
    return this.#clock.now() < expiresAt ? 'open' : 'expired'
  }

  use(link: SignInLink): void {
    link.usedAt = this.#clock.now()
  }
}
