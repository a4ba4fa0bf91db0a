// Asks for both metadata documents; judges that they belong together.
import type * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { plainLine } from '../../base/text.ts'
import {
  type ResourceMetadata,
  resourceMetadata,
  type ServerMetadata,
  serverMetadata,
} from '../../protocol/auth/metadata.ts'
import { readJson } from '../http/body.ts'
import { ContractError, ProblemError } from '../http/errors.ts'
import type { Http, Limits } from '../http/http.ts'
import { isLoopbackHost } from '../http/loopbackHost.ts'
import { judgeAddress, judgeEndpoint, plainAddress } from './address.ts'
import { readResourceMetadata } from './challenge.ts'

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
}

/** The time limits of everything in signing in that is not the model. */
export const QUICK: Limits = { firstByteMs: 15_000, silenceMs: 10_000 }

const RESOURCE_PATH = '/.well-known/oauth-protected-resource'
const SERVER_PATH = '/.well-known/oauth-authorization-server'
/** Nearly all services that speak this protocol use this one. */
const COMMON_GRANT = 'urn:workos:agent-auth:grant-type:claim'

/** Throws a fault when there is no service there, or when its documents contradict each other. */
export async function discover(http: Http, baseUrl: URL, clock: Clock, signal: AbortSignal): Promise<Service> {
  const ask = <S extends z.ZodMiniType>(url: string, schema: S) =>
    http({ method: 'GET', url, headers: { accept: 'application/json' }, mayRepeat: true, limits: QUICK, signal }).then(
      answer => readJson(answer, schema, clock),
    )
  const resource = await findResource(http, ask, baseUrl, signal)
  const issuer = judgeIssuer(resource, baseUrl)
  const server = await findServer(ask, issuer)
  return serviceOf(baseUrl, resource, server, issuer)
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
  if ('fault' in named || named.url.origin !== baseUrl.origin) {
    throw new ContractError(baseUrl.host, 'shape', 'resource metadata')
  }
  return judgeResource(await ask(named.url.href, resourceMetadata), baseUrl)
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

/** The first of the named servers. A service in the network may not send us to servers of this machine. */
function judgeIssuer(document: ResourceMetadata, baseUrl: URL): URL {
  const judged = judgeAddress(document.authorization_servers[0] ?? '')
  const isFine =
    'url' in judged &&
    !judged.url.search &&
    !judged.url.hash &&
    (isLoopbackHost(baseUrl.hostname) || !isLoopbackHost(judged.url.hostname))
  if (!isFine) throw new ContractError(baseUrl.host, 'shape', 'authorization_servers')
  return judged.url
}

/** Inserted between host and path (RFC 8414 3.1); behind the path where a server got that wrong. */
async function findServer(ask: Ask, issuer: URL): Promise<ServerMetadata | undefined> {
  const path = issuer.pathname.replace(/\/$/, '')
  const places = [...new Set([`${issuer.origin}${SERVER_PATH}${path}`, `${issuer.origin}${path}${SERVER_PATH}`])]
  const found = await firstFound(places, place => ask(place, serverMetadata))
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
  const agent = server?.agent_auth
  const endpoint = (named: string | null | undefined, path: string) => {
    const judged = judgeEndpoint(named ?? `${plainAddress(issuer)}${path}`, issuer)
    if ('fault' in judged) throw new ContractError(issuer.host, 'shape', path.slice(1))
    return judged.url.href
  }
  return {
    name: plainLine(resource.resource_name ?? '', 60) || baseUrl.host,
    baseUrl: plainAddress(baseUrl),
    resource: baseUrl.origin,
    issuer: plainAddress(issuer),
    identityEndpoint: endpoint(agent?.identity_endpoint ?? agent?.register_uri, '/agent/identity'),
    claimEndpoint: endpoint(agent?.claim_endpoint ?? agent?.claim_uri, '/agent/identity/claim'),
    tokenEndpoint: endpoint(server?.token_endpoint, '/oauth2/token'),
    revocationEndpoint: endpoint(server?.revocation_endpoint, '/oauth2/revoke'),
    claimGrantType: claimGrantOf(server?.grant_types_supported ?? []),
  }
}

/** The vendor word inside the grant type is the service's own: it is recognised by its ending. */
function claimGrantOf(offered: readonly string[]): string {
  const endings = [':agent-auth:grant-type:claim', 'grant-type:claim_token', 'grant-type:claim']
  return endings.map(ending => offered.find(grant => grant.endsWith(ending))).find(grant => grant) ?? COMMON_GRANT
}
