// Protected-resource metadata and authorization-server metadata, with their `agent_auth` block.
import * as z from 'zod/mini'

/** A member of the wrong type counts as absent (RFC 8414 2, RFC 9728 2: unknown or unusable members are ignored). */
const text = z.catch(z.nullish(z.string()), undefined)
const texts = z.catch(z.nullish(z.array(z.string())), undefined)
const flag = z.catch(z.nullish(z.boolean()), undefined)

/** The block of one registration method; in the first versions of auth.md it contains the claim endpoint. */
const method = z.catch(z.nullish(z.object({ claim_uri: text })), undefined)

/**
 * The `agent_auth` block of auth.md, with the member names of all its versions. Two traps: the `registration_endpoint`
 * of the block registers agents, and the one outside the block registers clients; and `revocation_uri`, which is left
 * out here, does not revoke keys.
 */
const agentAuth = z.object({
  identity_endpoint: text,
  /** `identity_endpoint` in version 0.1; null in a static document of a service without registration. */
  register_uri: text,
  /** `identity_endpoint` in a build between 0.1 and 0.2. */
  registration_endpoint: text,
  claim_endpoint: text,
  claim_uri: text,
  anonymous: method,
  service_auth: method,
  /** `manual`: the address is a page for people. */
  registration_type: text,
  identity_types_supported: texts,
})
const agentBlock = z.catch(z.nullish(agentAuth), undefined)

/** RFC 9728 2. The `agent_auth` block may be here in place of the server's metadata. */
export const resourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()).check(z.minLength(1)),
  resource_name: text,
  agent_auth: agentBlock,
})

/** RFC 8414 2, RFC 9207 3, with the `agent_auth` block of auth.md. */
export const serverMetadata = z.object({
  issuer: z.string(),
  token_endpoint: text,
  revocation_endpoint: text,
  authorization_endpoint: text,
  /** Registers clients (RFC 7591). */
  registration_endpoint: text,
  grant_types_supported: texts,
  response_types_supported: texts,
  code_challenge_methods_supported: texts,
  authorization_response_iss_parameter_supported: flag,
  agent_auth: agentBlock,
})

export type ResourceMetadata = z.infer<typeof resourceMetadata>
export type ServerMetadata = z.infer<typeof serverMetadata>
export type AgentAuth = z.infer<typeof agentAuth>
