// The client id of the browser sign-in: the one in the settings, or one that the service issues (RFC 7591).
import type { Clock } from '../../base/clock.ts'
import { type ClientRegistrationBody, clientRegistered } from '../../protocol/wire/clientRegistration.ts'
import { readJson } from '../http/body.ts'
import { ProblemError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import type { Service } from './discovery.ts'
import { SignInError } from './signInError.ts'
import { SIGN_IN_LIMITS } from './signInLimits.ts'

export interface Client {
  readonly id: string
  /** A secret of this attempt, where a service gives one to a public client all the same. */
  readonly secret?: string
}

/**
 * Registers a client for each attempt, when the listener's port is known, because a server that compares ports exactly,
 * against RFC 8252 7.3, refuses any other.
 */
export async function findClient(
  http: Http,
  service: Service,
  setting: string,
  redirectUri: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<Client> {
  if (setting) return { id: setting }
  const endpoint = service.browser?.registrationEndpoint
  if (!endpoint) throw new SignInError('no client')
  const body: ClientRegistrationBody = {
    client_name: 'Kourier',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  }
  const answer = await http({
    method: 'POST',
    url: endpoint,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    limits: SIGN_IN_LIMITS,
    signal,
  })
  try {
    const { client_id, client_secret } = await readJson(answer, clientRegistered, clock)
    return { id: client_id, ...(client_secret && { secret: client_secret }) }
  } catch (fault) {
    // The endpoint requires a token, refuses a loopback redirect, or does not exist.
    if (!(fault instanceof ProblemError) || fault.status >= 500) throw fault
    throw new SignInError(fault.status === 429 ? 'too often' : 'no client', fault.problem, fault.retryAfterMs)
  }
}
