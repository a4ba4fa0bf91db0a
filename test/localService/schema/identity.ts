// Registration: what an agent sends, and what it is given.
import * as z from 'zod'
import { claimObject } from './claim.ts'
import { clientName } from './clientName.ts'
import { email } from './email.ts'

const object = 'The body must be a JSON object.'

/** Service description, Registration. */
export const registrationRequest = z.object(
  {
    type: z.literal('service_auth', "'type' must be 'service_auth'."),
    login_hint: email("'login_hint' must be the user's email."),
    client_name: clientName.optional(),
  },
  object,
)

/** How a stricter service asks: with the scopes, and with nothing that it does not know. */
export const strictRegistrationRequest = z.strictObject(
  {
    ...registrationRequest.shape,
    scopes: z.array(z.literal('inference'), "'scopes' must be a list of scopes.").min(1),
  },
  { error: issue => (issue.code === 'unrecognized_keys' ? `There is no field '${issue.keys[0]}'.` : object) },
)

export const registrationResponse = z.object({
  registration_id: z.string().regex(/^reg_/),
  registration_type: z.literal('service_auth'),
  claim_url: z.url(),
  claim_token: z.string().regex(/^clm_/),
  claim_token_expires: z.iso.datetime(),
  post_claim_scopes: z.array(z.string()),
  claim: claimObject,
})
