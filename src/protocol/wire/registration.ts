// The registration request and its response.
import * as z from 'zod/mini'

/** Service description, Registration: `POST {auth_url}/agent/identity`. */
export interface RegistrationBody {
  readonly type: 'service_auth'
  readonly login_hint: string
  readonly client_name: string
}

/** Seconds as a number or a text. */
const seconds = z.catch(
  z.nullish(z.union([z.number(), z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number))])),
  undefined,
)
/** A code that comes as a number has lost its leading zeros. */
const code = z.union([z.string(), z.pipe(z.number(), z.transform(String))])

const text = z.catch(z.nullish(z.string()), undefined)

/** A code and the page to enter it at: the claim object of the service description, with members of other services. */
export const claimAttempt = z.object({
  /** Absent if the service mails the code or shows it on its own page. */
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
 * Service description, Registration. The token and the expiry of the registration may also be inside the claim, and the
 * code one level deeper (`claimTokenPlace`, `registrationEnd` and `verificationLink` in test/localService/dialect.ts).
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

/** The claim, with the members that a nested attempt has set in place of the claim's own. */
export function innermost(claim: ClaimAttempt, attempt: ClaimAttempt | undefined): ClaimAttempt {
  const present = Object.entries(attempt ?? {}).filter(([, value]) => value != null)
  return { ...claim, ...Object.fromEntries(present) }
}

export type ClaimAttempt = z.infer<typeof claimAttempt>
export type Registration = z.infer<typeof registration>
