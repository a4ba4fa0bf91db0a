// Both metadata documents in the service's own words.
import * as z from 'zod'

/** RFC 9728 2. */
export const resourceMetadata = z.object({
  resource: z.url(),
  resource_name: z.string(),
  authorization_servers: z.array(z.url()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
})

/** RFC 8414 2 and RFC 9207 3; the `agent_auth` block is that of the service description. */
export const serverMetadata = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url(),
  grant_types_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.literal(true),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  agent_auth: z.object({
    identity_endpoint: z.url(),
    claim_endpoint: z.url(),
    identity_types_supported: z.array(z.string()),
  }),
})
