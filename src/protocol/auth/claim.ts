// Asking for a new code and what comes back.
import * as z from 'zod/mini'
import { claimAttempt, claimToken } from './registration.ts'

/** Service description, New code: `POST {auth_url}/agent/identity/claim`. */
export interface NewCodeBody {
  readonly claim_token: string
  readonly email: string
}

const renewedToken = z.catch(z.optional(claimToken), undefined)

/**
 * The service description does not show the answer. Known services put the attempt under one of these names, or at the
 * top level. One that answers with the whole registration again may have changed the claim token with it.
 */
export const newCode = z.union([
  z.pipe(
    z.object({ claim_token: renewedToken, claim_attempt: claimAttempt }),
    z.transform(body => ({ claim_token: body.claim_token, attempt: body.claim_attempt })),
  ),
  z.pipe(
    z.object({ claim_token: renewedToken, claim: z.object({ attempt: claimAttempt }) }),
    z.transform(body => ({ claim_token: body.claim_token, attempt: body.claim.attempt })),
  ),
  z.pipe(
    z.object({ claim_token: renewedToken, claim: claimAttempt }),
    z.transform(body => ({ claim_token: body.claim_token, attempt: body.claim })),
  ),
  z.object({ claim_token: renewedToken, attempt: claimAttempt }),
  z.pipe(
    claimAttempt,
    z.transform(attempt => ({ claim_token: undefined, attempt })),
  ),
])
