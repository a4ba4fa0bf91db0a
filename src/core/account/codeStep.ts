// `CodeStep`: a step of the device flow that has a code, with the time and the status of the code.
import type { Code } from './registration.ts'

/** There is a code. */
export interface CodeStep {
  readonly is: 'showing' | 'polling' | 'renewing'
  readonly code: Code
  /** On the clock's `elapsed` scale. */
  readonly endsAt: number
  readonly status: CodeStatus
}

export type CodeStatus =
  | 'live'
  /** It works, but the service cannot be reached at the moment; the sign-in goes on. */
  | 'unreachable'
  /** Another code was asked for and there is none; this one still works. */
  | 'not replaced'
  /** The user has typed it; the key is still to come. */
  | 'used'
  | 'expired'
  /** Another code was asked for and there is none. */
  | 'expired, not replaced'

/** Whether the code has expired, by the service's answer or by its own lifetime. */
export function isExpired({ status }: CodeStep): boolean {
  return status === 'expired' || status === 'expired, not replaced'
}
