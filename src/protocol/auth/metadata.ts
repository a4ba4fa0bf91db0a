// Resource metadata and authorization-server metadata, with the agent block.
import * as z from 'zod/mini'

/** A member of the wrong type counts as absent (RFC 8414 2, RFC 9728 2: unknown or unusable members are ignored). */
const text = z.catch(z.nullish(z.string()), undefined)
const texts = z.catch(z.nullish(z.array(z.string())), undefined)

/** RFC 9728 2. */
export const resourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()).check(z.minLength(1)),
  resource_name: text,
})

const agentAuth = z.object({
  identity_endpoint: text,
  /** The name of version 0.1, still common. */
  register_uri: text,
  claim_endpoint: text,
  claim_uri: text,
})

/** RFC 8414 2, with the `agent_auth` block of auth.md. */
export const serverMetadata = z.object({
  issuer: z.string(),
  token_endpoint: text,
  revocation_endpoint: text,
  grant_types_supported: texts,
  agent_auth: z.catch(z.nullish(agentAuth), undefined),
})

export type ResourceMetadata = z.infer<typeof resourceMetadata>
export type ServerMetadata = z.infer<typeof serverMetadata>
