// A refusal of the sign-in endpoints (RFC 6749 5.2).
import * as z from 'zod'

export const oauthErrorResponse = z.object({
  error: z.string(),
  error_description: z.string(),
})
