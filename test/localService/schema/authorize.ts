// What a client asks for when it sends its user to the authorize page.
import * as z from 'zod'

/** What must be right before anything may be sent back to the client (RFC 6749 4.1.2.1). */
export const authorizeClient = z.object({
  client_id: z.string("The address has no 'client_id'."),
  redirect_uri: z.string("The address has no 'redirect_uri'."),
})

/** RFC 6749 4.1.1 with RFC 7636 4.3 and RFC 8707 2. */
export const authorizeRequest = authorizeClient.extend({
  response_type: z.literal('code', "'response_type' must be 'code'."),
  /** The SHA-256 of the verifier in base64url, which has 43 characters. */
  code_challenge: z
    .string("'code_challenge' is missing: this service wants PKCE.")
    .regex(/^[\w-]{43}$/, "'code_challenge' is not a SHA-256 in base64url."),
  /** Left out, it would mean `plain` (RFC 7636 4.3). */
  code_challenge_method: z.literal('S256', "'code_challenge_method' must be 'S256'."),
  state: z.string().optional(),
  scope: z.literal('inference', "'scope' may be 'inference' only.").optional(),
  resource: z.string().optional(),
})

export type AuthorizeRequest = z.infer<typeof authorizeRequest>
