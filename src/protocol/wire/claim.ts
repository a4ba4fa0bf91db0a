// Asking for a new code and what comes back.
import * as z from 'zod/mini'
import { type ClaimAttempt, claimAttempt, claimToken, innermost } from './registration.ts'

/** Service description, New code: `POST {auth_url}/agent/identity/claim`. */
export interface NewCodeBody {
  readonly claim_token: string
  readonly email: string
}

/** The same in version 0.7 of auth.md. */
export interface LaterNewCodeBody {
  readonly type: 'login_hint'
  readonly claim_token: string
  readonly login_hint: string
}

const attempt = z.catch(z.optional(claimAttempt), undefined)
const text = z.catch(z.nullish(z.string()), undefined)

export interface NewCode {
  /** Set where the service changed it with the code. */
  readonly claim_token: string | undefined
  readonly claim_token_expires: string | undefined
  readonly status: string | undefined
  /** Undefined where the service tells the code elsewhere. */
  readonly attempt: ClaimAttempt | undefined
}

/**
 * The service description does not show the answer. Known services put the attempt under one of these names, or at the
 * top level; some answer with the whole registration again, and some with a status alone.
 */
export const newCode = z.pipe(
  z.object({
    ...claimAttempt.shape,
    user_code: z.catch(claimAttempt.shape.user_code, undefined),
    claim_token: z.catch(z.optional(claimToken), undefined),
    claim_token_expires: text,
    status: text,
    claim_attempt: attempt,
    claim: z.catch(z.optional(z.object({ ...claimAttempt.shape, attempt })), undefined),
    attempt,
  }),
  z.transform((body): NewCode => {
    const { claim_token, claim_token_expires, status, claim_attempt, claim, attempt } = body
    const inner = claim && innermost(claim, claim.attempt)
    return {
      claim_token,
      claim_token_expires: claim_token_expires ?? undefined,
      status: status ?? undefined,
      attempt: [claim_attempt, inner, attempt, body].find(one => one?.verification_uri),
    }
  }),
)
