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

/** One code and where to type it: the claim object of the service description. */
export const claimAttempt = z.object({
  user_code: z.nullish(code),
  expires_in: seconds,
  expires_at: z.catch(z.nullish(z.string()), undefined),
  verification_uri: z.string(),
  verification_uri_complete: z.catch(z.nullish(z.string()), undefined),
  interval: seconds,
})

export const claimToken = z.string().check(z.regex(/^[\x21-\x7e]{1,4096}$/))

export const registration = z.object({
  registration_id: z.catch(z.nullish(z.string()), undefined),
  claim_token: claimToken,
  claim_token_expires: z.catch(z.nullish(z.string()), undefined),
  claim: claimAttempt,
})

export type ClaimAttempt = z.infer<typeof claimAttempt>
export type Registration = z.infer<typeof registration>
