// Dynamic client registration (RFC 7591): the request and its response.
import * as z from 'zod/mini'

/** RFC 7591 2. A public native client (RFC 8252 8.4): no secret, a loopback redirect. */
export interface ClientRegistrationBody {
  readonly client_name: string
  readonly redirect_uris: readonly [string]
  readonly grant_types: readonly ['authorization_code']
  readonly response_types: readonly ['code']
  readonly token_endpoint_auth_method: 'none'
  readonly application_type: 'native'
}

/** RFC 6749 A.1 and A.2: visible ASCII and the space. */
const visible = z.string().check(z.regex(/^[\x20-\x7e]{1,2048}$/))

/** RFC 7591 3.2.1. A server that issues a secret to a public client requires it at the token endpoint. */
export const clientRegistered = z.object({
  client_id: visible,
  client_secret: z.catch(z.nullish(visible), undefined),
})
