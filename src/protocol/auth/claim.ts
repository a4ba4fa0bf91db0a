// Asking for a new code and what comes back.
import * as z from 'zod/mini'
import { claimAttempt } from './registration.ts'

/** Service description, New code: `POST {auth_url}/agent/identity/claim`. */
export interface NewCodeBody {
  readonly claim_token: string
  readonly email: string
}

/**
 * The service description does not show the answer. Known services put the attempt under one of these names, or at the
 * top level.
 */
export const newCode = z.union([
  z.pipe(
    z.object({ claim_attempt: claimAttempt }),
    z.transform(body => body.claim_attempt),
  ),
  z.pipe(
    z.object({ claim: z.object({ attempt: claimAttempt }) }),
    z.transform(body => body.claim.attempt),
  ),
  z.pipe(
    z.object({ claim: claimAttempt }),
    z.transform(body => body.claim),
  ),
  z.pipe(
    z.object({ attempt: claimAttempt }),
    z.transform(body => body.attempt),
  ),
  claimAttempt,
])
