// Finds a service by its metadata documents (RFC 9728, RFC 8414), and checks that they belong together.
import type * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { sanitizeLine } from '../../base/text.ts'
import {
  type AgentAuth,
  type ResourceMetadata,
  resourceMetadata,
  type ServerMetadata,
  serverMetadata,
} from '../../protocol/wire/metadata.ts'
import { readJson } from '../http/body.ts'
import { ContractError, ProblemError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import { isPrivateHost } from '../http/privateHost.ts'
import { judgeAddress, judgeEndpoint, plainAddress } from './address.ts'
import { readResourceMetadata } from './challenge.ts'
import { SignInError } from './signInError.ts'
import { SIGN_IN_LIMITS } from './signInLimits.ts'

/** One service as discovery found it. Every address in it has been judged. */
export interface Service {
  /** As the user knows it: `resource_name`, else the host. */
  readonly name: string
  /** Where requests to the model go, without a trailing slash. */
  readonly baseUrl: string
  /** The origin that a key of this service may be sent to. */
  readonly resource: string
  readonly issuer: string
  readonly identityEndpoint: string
  readonly claimEndpoint: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint: string
  readonly claimGrantType: string
  /** False where the service's own documents exclude the registration of agents. */
  readonly isRegistrationOffered: boolean
  /** Where a browser signs in; undefined where the documents do not offer it, or not safely. */
  readonly browser: BrowserMethod | undefined
}

/** The API's own metadata, before its sign-in server has been asked. */
export interface Api {
  readonly baseUrl: URL
  readonly resource: ResourceMetadata
  /** The sign-in server that it names. */
  readonly issuer: URL
}

/** Authorization code with PKCE, as the service offers it. */
export interface BrowserMethod {
  readonly authorizationEndpoint: string
  /** Where clients register themselves (RFC 7591). */
  readonly registrationEndpoint: string | undefined
  /** As the server's document spells it: its answer names it by the same text (RFC 9207 2.4). */
  readonly issuer: string
  /** The answer names its issuer, so one that does not is not taken (RFC 9207 2.4). */
  readonly namesIssuer: boolean
}

const RESOURCE_PATH = '/.well-known/oauth-protected-resource'
const SERVER_PATH = '/.well-known/oauth-authorization-server'
/** Where a server of OpenID Connect keeps much the same document (RFC 8414 5). */
const OPENID_PATH = '/.well-known/openid-configuration'
/** For a service whose document lists no grant type for a claim. */
const COMMON_GRANT = 'urn:workos:agent-auth:grant-type:claim'

/** These requests carry no key and use no plan, so a refusal is never reported as one of the key or the plan. */
function discoveryFault(fault: unknown): unknown {
  if (!(fault instanceof ProblemError) || fault.status >= 500 || fault.status === 408) return fault
  if (fault.status === 429) return new SignInError('too often', fault.problem, fault.retryAfterMs)
  return new ContractError(fault.host, 'no service')
}

/** Sends requests to the API only. Throws a fault when there is no service there. */
export async function findApi(http: Http, baseUrl: URL, clock: Clock, signal: AbortSignal): Promise<Api> {
  try {
    const resource = await findResource(http, asking(http, clock, signal), baseUrl, signal)
    return { baseUrl, resource, issuer: judgeIssuer(resource, baseUrl) }
  } catch (fault) {
    throw discoveryFault(fault)
  }
}

/** Asks the sign-in server of `api`. Throws a fault when the two documents contradict each other. */
export async function findService(
  http: Http,
  { baseUrl, resource, issuer }: Api,
  clock: Clock,
  signal: AbortSignal,
): Promise<Service> {
  try {
    return serviceOf(baseUrl, resource, await findServer(asking(http, clock, signal), issuer), issuer)
  } catch (fault) {
    throw discoveryFault(fault)
  }
}

function asking(http: Http, clock: Clock, signal: AbortSignal): Ask {
  const headers = { accept: 'application/json' }
  return (url, schema) =>
    http({ method: 'GET', url, headers, mayRepeat: true, limits: SIGN_IN_LIMITS, signal }).then(answer =>
      readJson(answer, schema, clock),
    )
}

type Ask = <S extends z.ZodMiniType>(url: string, schema: S) => Promise<z.output<S>>

/** The well-known address with the path behind it, then the root (RFC 9728 3.1), then what a 401 names (5.1). */
async function findResource(http: Http, ask: Ask, baseUrl: URL, signal: AbortSignal): Promise<ResourceMetadata> {
  const path = baseUrl.pathname.replace(/\/$/, '')
  const places = [...new Set([`${baseUrl.origin}${RESOURCE_PATH}${path}`, `${baseUrl.origin}${RESOURCE_PATH}`])]
  const found = await firstFound(places, place => ask(place, resourceMetadata))
  if (found) return judgeResource(found, baseUrl)
  const answer = await http({
    method: 'GET',
    url: `${plainAddress(baseUrl)}/v1/models`,
    limits: SIGN_IN_LIMITS,
    signal,
  })
  answer.close()
  const named = judgeAddress(readResourceMetadata(answer.headers['www-authenticate']) ?? '')
  const isOwn = 'url' in named && named.url.origin === baseUrl.origin
  const document = isOwn && (await firstFound([named.url.href], place => ask(place, resourceMetadata)))
  if (!document) throw new ContractError(baseUrl.host, 'no service')
  return judgeResource(document, baseUrl)
}

/** The document must be about the origin that was asked (RFC 9728 3.3), and its path must be a prefix of ours. */
function judgeResource(document: ResourceMetadata, baseUrl: URL): ResourceMetadata {
  const judged = judgeAddress(document.resource)
  const fits =
    'url' in judged &&
    judged.url.origin === baseUrl.origin &&
    `${plainAddress(baseUrl)}/`.startsWith(`${plainAddress(judged.url)}/`)
  if (!fits) throw new ContractError(baseUrl.host, 'shape', 'resource')
  return document
}

/**
 * The server that is asked: the first of the list, because the client may choose (RFC 9728 2). No other is contacted, so
 * that a long list causes no requests to many hosts. A public service may not name a server on this machine or in a
 * private network, and one that is asked over https may not name one over plain http.
 */
function judgeIssuer(document: ResourceMetadata, baseUrl: URL): URL {
  const judged = judgeAddress(document.authorization_servers[0] ?? '')
  const isFine =
    'url' in judged &&
    !judged.url.search &&
    !judged.url.hash &&
    (judged.url.protocol === 'https:' || baseUrl.protocol === 'http:') &&
    (isPrivateHost(baseUrl.hostname) || !isPrivateHost(judged.url.hostname))
  if (!isFine) throw new ContractError(baseUrl.host, 'shape', 'authorization_servers')
  return judged.url
}

/** Between host and path (RFC 8414 3.1), then behind the path, then at the address of OpenID Connect. */
async function findServer(ask: Ask, issuer: URL): Promise<ServerMetadata | undefined> {
  const path = issuer.pathname.replace(/\/$/, '')
  const { origin } = issuer
  const places = [`${origin}${SERVER_PATH}${path}`, `${origin}${path}${SERVER_PATH}`, `${origin}${path}${OPENID_PATH}`]
  const found = await firstFound([...new Set(places)], place => ask(place, serverMetadata))
  // A missing document is accepted, because the paths of the service description are fixed; a wrong one is not.
  if (!found) return undefined
  const named = judgeAddress(found.issuer)
  if ('fault' in named || plainAddress(named.url) !== plainAddress(issuer)) {
    throw new ContractError(issuer.host, 'shape', 'issuer')
  }
  return found
}

async function firstFound<T>(places: readonly string[], ask: (place: string) => Promise<T>): Promise<T | undefined> {
  for (const place of places) {
    try {
      return await ask(place)
    } catch (fault) {
      const isAbsent =
        fault instanceof ProblemError && (fault.status === 404 || fault.status === 405 || fault.status === 401)
      if (!isAbsent) throw fault
    }
  }
  return undefined
}

function serviceOf(baseUrl: URL, resource: ResourceMetadata, server: ServerMetadata | undefined, issuer: URL): Service {
  const agent = server?.agent_auth ?? resource.agent_auth ?? undefined
  const endpoint = (named: string | null | undefined, path: string) => {
    const judged = judgeEndpoint(named ?? `${plainAddress(issuer)}${path}`, issuer)
    if ('fault' in judged) throw new ContractError(issuer.host, 'shape', path.slice(1))
    return judged.url.href
  }
  const register = agent?.identity_endpoint ?? agent?.register_uri ?? agent?.registration_endpoint
  const claim =
    agent?.claim_endpoint ?? agent?.claim_uri ?? agent?.service_auth?.claim_uri ?? agent?.anonymous?.claim_uri
  const isRegistrationOffered = offersRegistration(agent)
  return {
    name: sanitizeLine(resource.resource_name ?? '', 60) || baseUrl.host,
    baseUrl: plainAddress(baseUrl),
    resource: baseUrl.origin,
    issuer: plainAddress(issuer),
    // Where registration is not offered, the named address may be a web page on another origin.
    identityEndpoint: endpoint(isRegistrationOffered ? register : undefined, '/agent/identity'),
    claimEndpoint: endpoint(isRegistrationOffered ? claim : undefined, '/agent/identity/claim'),
    tokenEndpoint: endpoint(server?.token_endpoint, '/oauth2/token'),
    revocationEndpoint: endpoint(server?.revocation_endpoint, '/oauth2/revoke'),
    claimGrantType: claimGrantOf(server?.grant_types_supported ?? []),
    isRegistrationOffered,
    browser: server && browserMethodOf(server, endpoint),
  }
}

/**
 * A static site publishes the block and excludes registration in it. That `service_auth` is missing from the list of
 * types does not exclude it, because the list is informational and the service's own answer decides.
 */
function offersRegistration(agent: AgentAuth | undefined): boolean {
  if (!agent) return true
  const { identity_endpoint, register_uri, registration_endpoint, registration_type, identity_types_supported } = agent
  const isNowhere = register_uri === null && identity_endpoint == null && registration_endpoint == null
  return !isNowhere && registration_type !== 'manual' && identity_types_supported?.join() !== 'none'
}

/** Only with S256, because a server that does not offer it may ignore the challenge (RFC 9700 2.1.1). */
function browserMethodOf(
  server: ServerMetadata,
  endpoint: (named: string, path: string) => string,
): BrowserMethod | undefined {
  const { authorization_endpoint: place, registration_endpoint: clients } = server
  const allows = (offered: readonly string[] | null | undefined, needed: string) => offered?.includes(needed) ?? true
  const isOffered =
    server.code_challenge_methods_supported?.includes('S256') &&
    allows(server.response_types_supported, 'code') &&
    allows(server.grant_types_supported, 'authorization_code')
  if (!place || !isOffered) return undefined
  return {
    authorizationEndpoint: endpoint(place, '/oauth2/authorize'),
    registrationEndpoint: clients ? endpoint(clients, '/registration_endpoint') : undefined,
    issuer: server.issuer,
    namesIssuer: server.authorization_response_iss_parameter_supported ?? false,
  }
}

/** The grant type contains a name of the service's vendor, so it is recognised by its ending. */
function claimGrantOf(offered: readonly string[]): string {
  const endings = [':agent-auth:grant-type:claim', 'grant-type:claim_token', 'grant-type:claim']
  return endings.map(ending => offered.find(grant => grant.endsWith(ending))).find(grant => grant) ?? COMMON_GRANT
}
