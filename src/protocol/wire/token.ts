// The token requests of both grants, and the successful response.
import * as z from 'zod/mini'

/** Claim polling, form-encoded (service description, Token, grant type 1). */
export interface ClaimGrantForm {
  readonly grant_type: string
  readonly claim_token: string
  /** The API that the key is for (RFC 8707 2); only sent to a service that requires it. */
  readonly resource?: string
}

/** Authorization code, form-encoded (service description, Token, grant type 2; RFC 6749 4.1.3, RFC 7636 4.5). */
export interface CodeGrantForm {
  readonly grant_type: 'authorization_code'
  readonly code: string
  readonly client_id: string
  /** Only if the service has issued one. */
  readonly client_secret?: string
  /** The same as the browser was sent with. */
  readonly redirect_uri: string
  readonly code_verifier: string
}

/** RFC 6749 5.1. The key goes into a header, so only visible ASCII is accepted. */
export const tokenGranted = z.object({
  access_token: z.string().check(z.regex(/^[\x21-\x7e]{8,2048}$/)),
  token_type: z.string().check(z.regex(/^bearer$/i)),
  scope: z.catch(z.nullish(z.string()), undefined),
})
