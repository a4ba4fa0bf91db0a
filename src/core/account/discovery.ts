// Asks for both metadata documents; judges that they belong together.
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
import type { Http, Limits } from '../http/http.ts'
import { isPrivateHost } from '../http/privateHost.ts'
import { judgeAddress, judgeEndpoint, plainAddress } from './address.ts'
import { readResourceMetadata } from './challenge.ts'
import { SignInError } from './signInError.ts'

/** One service as discovery found it. Every address in it has been judged. */
export interface Service {
  /** What the person calls it: `resource_name`, else the host. */
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
  /** False where the service's own documents say that agents cannot register. */
  readonly isRegistrationOffered: boolean
  /** Where a browser signs in; undefined where the documents do not offer it, or not safely. */
  readonly browser: BrowserMethod | undefined
}

/** What the API says of itself, before its sign-in server has been asked. */
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

/** The time limits of everything in signing in that is not the model. */
export const QUICK: Limits = { firstByteMs: 15_000, silenceMs: 10_000 }

const RESOURCE_PATH = '/.well-known/oauth-protected-resource'
const SERVER_PATH = '/.well-known/oauth-authorization-server'
/** Where a server of OpenID Connect keeps much the same document (RFC 8414 5). */
const OPENID_PATH = '/.well-known/openid-configuration'
/** Nearly all services that speak this protocol use this one. */
const COMMON_GRANT = 'urn:workos:agent-auth:grant-type:claim'

/** Throws a fault when there is no service there, or when its documents contradict each other. */
export async function discover(http: Http, baseUrl: URL, clock: Clock, signal: AbortSignal): Promise<Service> {
  return findService(http, await findApi(http, baseUrl, clock, signal), clock, signal)
}

/** No key and no plan is part of these requests, so no refusal is about one. */
function whatIsWrong(fault: unknown): unknown {
  if (!(fault instanceof ProblemError) || fault.status >= 500 || fault.status === 408) return fault
  if (fault.status === 429) return new SignInError('too often', fault.problem, fault.retryAfterMs)
  return new ContractError(fault.host, 'no service')
}

/** Asks nobody but the API itself. Throws a fault when there is no service there. */
export async function findApi(http: Http, baseUrl: URL, clock: Clock, signal: AbortSignal): Promise<Api> {
  try {
    const resource = await findResource(http, asking(http, clock, signal), baseUrl, signal)
    return { baseUrl, resource, issuer: judgeIssuer(resource, baseUrl) }
  } catch (fault) {
    throw whatIsWrong(fault)
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
    throw whatIsWrong(fault)
  }
}

function asking(http: Http, clock: Clock, signal: AbortSignal): Ask {
  const headers = { accept: 'application/json' }
  return (url, schema) =>
    http({ method: 'GET', url, headers, mayRepeat: true, limits: QUICK, signal }).then(answer =>
      readJson(answer, schema, clock),
    )
}

type Ask = <S extends z.ZodMiniType>(url: string, schema: S) => Promise<z.output<S>>

/** The well-known place with the path put behind it, then the root (RFC 9728 3.1), then what a 401 names (5.1). */
async function findResource(http: Http, ask: Ask, baseUrl: URL, signal: AbortSignal): Promise<ResourceMetadata> {
  const path = baseUrl.pathname.replace(/\/$/, '')
  const places = [...new Set([`${baseUrl.origin}${RESOURCE_PATH}${path}`, `${baseUrl.origin}${RESOURCE_PATH}`])]
  const found = await firstFound(places, place => ask(place, resourceMetadata))
  if (found) return judgeResource(found, baseUrl)
  const answer = await http({ method: 'GET', url: `${plainAddress(baseUrl)}/v1/models`, limits: QUICK, signal })
  answer.close()
  const named = judgeAddress(readResourceMetadata(answer.headers['www-authenticate']) ?? '')
  const isOwn = 'url' in named && named.url.origin === baseUrl.origin
  const document = isOwn && (await firstFound([named.url.href], place => ask(place, resourceMetadata)))
  if (!document) throw new ContractError(baseUrl.host, 'no service')
  return judgeResource(document, baseUrl)
}

/** The document must speak of the origin that was asked (RFC 9728 3.3), and its path must lead to ours. */
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
 * The server that is asked: the first, which is the client's to choose (RFC 9728 2). No other is ever contacted, or a long
 * list would have us knock at every door. A service in the network may not send us to this machine or next to it, and
 * one that is asked over https not to plain http.
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

/** Inserted between host and path (RFC 8414 3.1); behind the path where a server got that wrong; OpenID's place. */
async function findServer(ask: Ask, issuer: URL): Promise<ServerMetadata | undefined> {
  const path = issuer.pathname.replace(/\/$/, '')
  const { origin } = issuer
  const places = [`${origin}${SERVER_PATH}${path}`, `${origin}${path}${SERVER_PATH}`, `${origin}${path}${OPENID_PATH}`]
  const found = await firstFound([...new Set(places)], place => ask(place, serverMetadata))
  // The paths of the service description are fixed, so a missing document is no reason to stop; a wrong one is.
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
    // What is not offered may be an address for people, anywhere.
    identityEndpoint: endpoint(isRegistrationOffered ? register : undefined, '/agent/identity'),
    claimEndpoint: endpoint(isRegistrationOffered ? claim : undefined, '/agent/identity/claim'),
    tokenEndpoint: endpoint(server?.token_endpoint, '/oauth2/token'),
    revocationEndpoint: endpoint(server?.revocation_endpoint, '/oauth2/revoke'),
    claimGrantType: claimGrantOf(server?.grant_types_supported ?? []),
    isRegistrationOffered,
    browser: server && browserWayOf(server, endpoint),
  }
}

/**
 * Static sites publish the block and mean that there is nothing behind it. That `service_auth` is missing from the list
 * of types says nothing: the list is informational, and the service itself answers best.
 */
function offersRegistration(agent: AgentAuth | undefined): boolean {
  if (!agent) return true
  const { identity_endpoint, register_uri, registration_endpoint, registration_type, identity_types_supported } = agent
  const isNowhere = register_uri === null && identity_endpoint == null && registration_endpoint == null
  return !isNowhere && registration_type !== 'manual' && identity_types_supported?.join() !== 'none'
}

/** Only with S256: a server that does not offer it would let the challenge be left out (RFC 9700 2.1.1). */
function browserWayOf(
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

/** The vendor word inside the grant type is the service's own: it is recognised by its ending. */
function claimGrantOf(offered: readonly string[]): string {
  const endings = [':agent-auth:grant-type:claim', 'grant-type:claim_token', 'grant-type:claim']
  return endings.map(ending => offered.find(grant => grant.endsWith(ending))).find(grant => grant) ?? COMMON_GRANT
}
