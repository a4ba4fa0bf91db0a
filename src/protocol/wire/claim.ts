// The request for a new code of a registration, and its response.
import * as z from 'zod/mini'
import { type ClaimAttempt, claimAttempt, claimToken, innermost } from './registration.ts'

/** Service description, New code: `POST {auth_url}/agent/identity/claim`. */
export interface NewCodeBody {
  readonly claim_token: string
  readonly email: string
}

/** The same request in version 0.7 of auth.md. */
export interface LaterNewCodeBody {
  readonly type: 'login_hint'
  readonly claim_token: string
  readonly login_hint: string
}

const attempt = z.catch(z.optional(claimAttempt), undefined)
const text = z.catch(z.nullish(z.string()), undefined)

export interface NewCode {
  /** Set if the service replaced the claim token together with the code. */
  readonly claim_token: string | undefined
  readonly claim_token_expires: string | undefined
  readonly status: string | undefined
  /** Undefined if the response has no attempt, because the service sends the code elsewhere, such as by mail. */
  readonly attempt: ClaimAttempt | undefined
}

/**
 * The service description does not define the response. The attempt is read from each of these members and from the top
 * level; the response may also be the whole registration or only a status (`newCodeAnswer` in
 * test/localService/dialect.ts lists the variants).
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
