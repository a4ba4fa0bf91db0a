// What the token endpoint takes and gives: both grants, and the key.
import * as z from 'zod'

const text = (name: string) => z.string(`'${name}' is missing.`).min(1, `'${name}' is missing.`)

/** An address that the key shall be good for (RFC 8707 2). */
const resource = z.string().optional()

/** Service description, Token, grant type 1. */
export const claimGrantRequest = z.object({
  grant_type: text('grant_type'),
  claim_token: text('claim_token'),
  resource,
})

/** RFC 6749 4.1.3 with RFC 7636 4.5. */
export const authorizationCodeRequest = z.object({
  grant_type: z.literal('authorization_code'),
  code: text('code'),
  client_id: text('client_id'),
  redirect_uri: text('redirect_uri'),
  client_secret: z.string().optional(),
  /** RFC 7636 4.1. */
  code_verifier: text('code_verifier').regex(
    /^[A-Za-z0-9._~-]{43,128}$/,
    "'code_verifier' must have 43 to 128 characters, each a letter, a digit or one of -._~ only.",
  ),
  resource,
})

export const tokenRequest = z.union([claimGrantRequest, authorizationCodeRequest])

/** RFC 6749 5.1. There is no `expires_in`: a key lives until it is revoked. */
export const tokenResponse = z.object({
  access_token: z.string().regex(/^sk-bf-/),
  token_type: z.literal('Bearer'),
  scope: z.literal('inference'),
})

export type AuthorizationCodeRequest = z.infer<typeof authorizationCodeRequest>
