// A code and its link: the claim object, and asking for a new one.
import * as z from 'zod'
import { email } from './email.ts'

/** Service description, Claim object. */
export const claimObject = z.object({
  user_code: z.string().regex(/^\d+$/),
  expires_in: z.int(),
  verification_uri: z.url(),
  interval: z.int(),
})

const sentence = "The body must be a JSON object with 'claim_token' and 'email'."
const claimToken = z.string(sentence)
const loginHint = email("'login_hint' must be the user's email.")

/** Service description, New code. */
export const newCodeRequest = z.object(
  { claim_token: claimToken, email: email("'email' must be the user's email.") },
  sentence,
)

/** How later versions of the protocol ask for it. */
export const otherNewCodeRequests = {
  login_hint: z.object({ claim_token: claimToken, login_hint: loginHint }, sentence),
  'type-login_hint': z.object(
    { type: z.literal('login_hint', "'type' must be 'login_hint'."), claim_token: claimToken, login_hint: loginHint },
    sentence,
  ),
  'type-service_auth': z.object(
    {
      type: z.literal('service_auth', "'type' must be 'service_auth'."),
      claim_token: claimToken,
      login_hint: loginHint,
    },
    sentence,
  ),
}

/** The description does not show this answer; here it is as the protocol's reference service gives it. */
export const newCodeResponse = z.object({
  registration_id: z.string().regex(/^reg_/),
  claim_attempt_id: z.string(),
  status: z.literal('initiated'),
  expires_at: z.iso.datetime(),
  claim_attempt: claimObject,
})
