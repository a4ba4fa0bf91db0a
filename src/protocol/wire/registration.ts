// What we send to register and what comes back.
import * as z from 'zod/mini'

/** Service description, Registration: `POST {auth_url}/agent/identity`. */
export interface RegistrationBody {
  readonly type: 'service_auth'
  readonly login_hint: string
  readonly client_name: string
}

/** Seconds may come as text, and a code as a number: both are read, a lost leading zero cannot be. */
const seconds = z.catch(
  z.nullish(z.union([z.number(), z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number))])),
  undefined,
)
const code = z.union([z.string(), z.pipe(z.number(), z.transform(String))])

const text = z.catch(z.nullish(z.string()), undefined)

/** One code and where to type it: the claim object of the service description, with members that others add. */
export const claimAttempt = z.object({
  /** Absent where the service mails the code, or lets its own page show it. */
  user_code: z.nullish(code),
  expires_in: seconds,
  expires_at: text,
  verification_uri: text,
  /** The same page with the code filled in. */
  verification_uri_complete: text,
  interval: seconds,
})

export const claimToken = z.string().check(z.regex(/^[\x21-\x7e]{1,4096}$/))

/**
 * Service description, Registration. Some services put token and end of the registration into the claim, and the code one
 * level deeper.
 */
export const registration = z.object({
  registration_id: text,
  claim_token: z.optional(claimToken),
  claim_token_expires: text,
  claim: z.object({
    ...claimAttempt.shape,
    token: z.optional(claimToken),
    attempt: z.optional(claimAttempt),
  }),
})

/** A block inside the claim says what it says anew; the rest stands in the claim. */
export function innermost(claim: ClaimAttempt, attempt: ClaimAttempt | undefined): ClaimAttempt {
  const said = Object.entries(attempt ?? {}).filter(([, value]) => value != null)
  return { ...claim, ...Object.fromEntries(said) }
}

export type ClaimAttempt = z.infer<typeof claimAttempt>
export type Registration = z.infer<typeof registration>
