// A sign-in that ended without a key, and why.
import type { Problem } from '../../protocol/wire/problem.ts'
import { Fault, type FaultName } from '../http/fault.ts'

export type SignInEnd = FaultName<'sign-in'>

export class SignInError extends Fault {
  override readonly name = 'SignInError'
  readonly reason: SignInEnd
  readonly problem: Problem

  /** `retryAfterMs`: how long the service asked us to wait, in milliseconds. */
  constructor(reason: SignInEnd, problem: Problem = {}, retryAfterMs?: number) {
    super(`sign-in: ${reason}`, `Sign-in ${reason}`, { retryAfterMs })
    this.reason = reason
    this.problem = problem
  }
}
