// Giving a key up (RFC 7009 2.1). The answer has no body.
import * as z from 'zod'

export const revokeRequest = z.object({
  token: z.string("'token' must be sent as a form field."),
  token_type_hint: z.string().optional(),
  client_id: z.string().optional(),
})
