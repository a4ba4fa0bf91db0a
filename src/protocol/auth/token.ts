// What we send for a credential; granted, pending, slow down, refused, over.
import * as z from 'zod/mini'

/** Claim polling, form-encoded (service description, Token, grant type 1). */
export interface ClaimGrantForm {
  readonly grant_type: string
  readonly claim_token: string
}

/** RFC 6749 5.1. The key goes into a header, so only visible ASCII is accepted. */
export const tokenGranted = z.object({
  access_token: z.string().check(z.regex(/^[\x21-\x7e]{8,2048}$/)),
  token_type: z.string().check(z.regex(/^bearer$/i)),
  scope: z.catch(z.nullish(z.string()), undefined),
})
