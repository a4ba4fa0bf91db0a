// A program that makes itself known (RFC 7591 2, 3.2.1).
import * as z from 'zod'
import { clientName } from './clientName.ts'

/** All else that a client may send about itself is ignored; what it asks for may be replaced by what it gets. */
export const clientRegistrationRequest = z.object(
  {
    redirect_uris: z
      .array(z.string("'redirect_uris' must be a list of addresses."), "'redirect_uris' must be a list of addresses.")
      .min(1, "'redirect_uris' must name an address."),
    client_name: clientName.optional(),
    grant_types: z.array(z.string(), "'grant_types' must be a list.").optional(),
    response_types: z.array(z.string(), "'response_types' must be a list.").optional(),
    token_endpoint_auth_method: z.string("'token_endpoint_auth_method' must be a text.").optional(),
  },
  'The body must be a JSON object.',
)

export const clientRegistrationResponse = z.object({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.literal('authorization_code')),
  response_types: z.array(z.literal('code')),
  token_endpoint_auth_method: z.literal('none'),
})
