// A sign-in that ended without a key, and why.
import type { Problem } from '../../protocol/wire/problem.ts'

export type SignInEnd =
  /** The user said no on the service's page, or the service could not make a key. */
  | 'denied'
  | 'refused'
  /** The time for it is over. */
  | 'run out'
  /** The browser did not lead back to the editor while that was waited for. */
  | 'unanswered'
  /** A key may have been made, and its one answer did not arrive. */
  | 'lost'
  /** The service does not take this email address. */
  | 'email'
  /** Too many sign-ins in a short time. */
  | 'too often'
  /** The service does not offer this way in. */
  | 'not offered'
  /** The service shows the code elsewhere, so there is nothing to poll for. */
  | 'no code'
  /** The service asks for a client id, and there is none. */
  | 'no client'
  /** The service could not go on at the moment: a fault of its own, and nobody said no (RFC 6749 4.1.2.1). */
  | 'trouble'
  /** The browser's answer came from another server than the one that was asked (RFC 9207 2.4). */
  | 'mixed up'

export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly reason: SignInEnd
  readonly problem: Problem
  /** How long the service asked us to wait, in milliseconds. */
  readonly waitMs: number | undefined

  constructor(reason: SignInEnd, problem: Problem = {}, waitMs?: number) {
    super(`Sign-in ${reason}`)
    this.reason = reason
    this.problem = problem
    this.waitMs = waitMs
  }
}
