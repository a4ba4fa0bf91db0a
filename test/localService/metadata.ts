// Both metadata documents, in the words of the dialect.
import type { Dialect } from './dialect.ts'
import { isObject } from './json.ts'
import type { Parts } from './parts.ts'

type Metadata = Record<string, unknown>

/** Where the issuer's path is, where it has one. */
export const issuerPath = '/tenant'

const grants: Readonly<Record<Dialect['claimGrant'], string>> = {
  kourier: 'urn:kourier:agent-auth:grant-type:claim',
  workos: 'urn:workos:agent-auth:grant-type:claim',
  'agent-artifacts': 'urn:agent-artifacts:params:oauth:grant-type:claim_token',
  unlisted: 'urn:workos:agent-auth:grant-type:claim',
}

export const claimGrantOf = ({ dialect }: Parts): string => grants[dialect.claimGrant]

/** RFC 9728 2. */
export function resourceMetadata(parts: Parts): Metadata {
  const { addresses, dialect } = parts
  const slash = dialect.issuer === 'slash-in-resource' ? '/' : ''
  const path = dialect.issuer === 'path' ? issuerPath : ''
  return {
    resource: addresses.baseUrl,
    resource_name: 'Kourier (local)',
    authorization_servers: [addresses.authUrl + path + slash],
    scopes_supported: ['inference'],
    bearer_methods_supported: ['header'],
    ...(dialect.agentAuthPlace === 'protected-resource' ? { agent_auth: agentAuth(parts) } : {}),
  }
}

export function issuerOf({ addresses: { authUrl }, dialect }: Parts): string {
  if (dialect.issuer === 'foreign') return 'https://issuer.example'
  if (dialect.issuer === 'path') return authUrl + issuerPath
  return dialect.issuer === 'slash-in-server' ? `${authUrl}/` : authUrl
}

/** RFC 8414 2, with the agent block. */
export function serverMetadata(parts: Parts): Metadata {
  const { addresses, dialect } = parts
  const { baseUrl, authUrl } = addresses
  return {
    issuer: issuerOf(parts),
    ...(dialect.browserSignIn === 'offered' ? { authorization_endpoint: `${authUrl}/oauth2/authorize` } : {}),
    token_endpoint: `${authUrl}/oauth2/token`,
    revocation_endpoint: `${authUrl}/oauth2/revoke`,
    ...(dialect.clientRegistration === 'off' ? {} : { registration_endpoint: `${authUrl}/oauth2/register` }),
    ...grantsOf(parts),
    token_endpoint_auth_methods_supported:
      dialect.clientRegistration === 'secret' ? ['none', 'client_secret_post'] : ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['inference'],
    ...(dialect.resourceFields === 'repeated'
      ? { resource: baseUrl, authorization_servers: [authUrl], bearer_methods_supported: ['header'] }
      : {}),
    ...(dialect.agentAuthPlace === 'authorization-server' ? { agent_auth: agentAuth(parts) } : {}),
  }
}

function grantsOf(parts: Parts): Metadata {
  const { dialect } = parts
  const isOffered = dialect.browserSignIn === 'offered'
  const grantTypes = [...(isOffered ? ['authorization_code'] : []), claimGrantOf(parts)]
  return {
    ...(dialect.claimGrant === 'unlisted' ? {} : { grant_types_supported: grantTypes }),
    // Required by RFC 8414, so empty rather than absent where there is no sign-in with the browser.
    response_types_supported: isOffered ? ['code'] : [],
    ...(isOffered ? { code_challenge_methods_supported: ['S256'] } : {}),
    ...(isOffered && isIssAnnounced(dialect) ? { authorization_response_iss_parameter_supported: true } : {}),
  }
}

const isIssAnnounced = ({ issParameter }: Dialect) => issParameter !== 'unannounced' && issParameter !== 'absent'

/** RFC 9207 2. */
export function issOf(parts: Parts): string | undefined {
  const { issParameter } = parts.dialect
  if (issParameter === 'foreign') return 'https://issuer.example'
  return issParameter === 'absent' || issParameter === 'missing' ? undefined : issuerOf(parts)
}

function agentAuth(parts: Parts): Metadata {
  const { dialect } = parts
  const block: Metadata = { ...registerFields(parts), ...claimFields(parts), ...typeFields(dialect) }
  return dialect.agentAuthExtras === 'none' ? block : withExtras(block, parts)
}

function registerFields({ addresses: { authUrl, siteUrl }, dialect }: Parts): Metadata {
  const register = `${authUrl}/agent/identity`
  switch (dialect.identityEndpointName) {
    case 'identity_endpoint-and-register_uri':
      return { identity_endpoint: register, register_uri: register }
    case 'null':
      return { register_uri: null }
    case 'manual':
      return { register_uri: `${siteUrl}/signup`, registration_type: 'manual' }
    default:
      return { [dialect.identityEndpointName]: register }
  }
}

function claimFields({ addresses: { authUrl }, dialect }: Parts): Metadata {
  const claim = `${authUrl}/agent/identity/claim`
  const [first = '', second] = dialect.claimEndpointName.split('.')
  if (first === 'absent') return {}
  return { [first]: second === undefined ? claim : { [second]: claim } }
}

function typeFields({ identityTypes }: Dialect): Metadata {
  switch (identityTypes) {
    case 'absent':
      return {}
    case 'none':
      return { identity_types_supported: ['none'] }
    case 'without-service_auth':
      return { identity_types_supported: ['anonymous', 'identity_assertion'] }
    case 'methods_supported':
      return { methods_supported: ['service_auth'] }
    case 'methods':
      return { methods: [{ type: 'service_auth' }] }
    default:
      return { identity_types_supported: ['service_auth'] }
  }
}

function withExtras(block: Metadata, { addresses: { authUrl, siteUrl } }: Parts): Metadata {
  const credentials = { credential_types_supported: ['api_key'] }
  const own = isObject(block['anonymous']) ? block['anonymous'] : {}
  return {
    skill: `${siteUrl}/.well-known/agent-skills/kourier-setup/SKILL.md`,
    notes: 'An agent registers with the email of its user.',
    identity_assertion: { assertion_types_supported: ['id_jag'], ...credentials },
    identity_assertion_revocation_supported: false,
    events_endpoint: `${authUrl}/agent/events`,
    events_supported: [],
    revocation_uri: `${authUrl}/agent/identity/logout`,
    token_lifetime_seconds: 0,
    compatibility: { legacy_register_uri: `${authUrl}/agent/auth`, claim_implemented: true },
    ...block,
    anonymous: { ...credentials, revocation_uri: `${authUrl}/agent/identity/logout`, ...own },
  }
}
