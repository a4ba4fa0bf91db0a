// Requests a key at the token endpoint, by claim or by authorization code, and reads the answer.
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { readProblem } from '../../protocol/wire/problem.ts'
import type { ClaimGrantForm, CodeGrantForm } from '../../protocol/wire/token.ts'
import { tokenGranted } from '../../protocol/wire/token.ts'
import { readJson } from '../http/body.ts'
import { ContractError, ProblemError, TooLargeError, TransportError } from '../http/errors.ts'
import { meaningOf } from '../http/fault.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import type { Answer } from './deviceFlowTable.ts'
import type { Service } from './discovery.ts'
import { SIGN_IN_LIMITS } from './signInLimits.ts'

/** Sends one poll. Faults of the service and the network become answers. */
export function poll(http: Http, service: Service, claim: Claim, clock: Clock): Promise<Answer> {
  return askToken(http, service, { grant_type: service.claimGrantType, ...claim }, clock)
}

/** What a poll sends beside the grant. */
export type Claim = Omit<ClaimGrantForm, 'grant_type'>

/**
 * Asks the token endpoint, and classifies the answer by its error code, never by the status alone. The request has a time
 * limit but is not aborted, because its answer may be the only one that carries the key.
 */
export async function askToken(
  http: Http,
  service: Service,
  form: ClaimGrantForm | CodeGrantForm,
  clock: Clock,
): Promise<Answer> {
  try {
    const answer = await http({
      method: 'POST',
      url: service.tokenEndpoint,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ ...form }).toString(),
      limits: SIGN_IN_LIMITS,
      signal: new AbortController().signal,
    })
    return readToken(await readJson(answer, z.unknown(), clock), answer)
  } catch (fault) {
    return readFault(fault)
  }
}

/** RFC 6749 5.1; no scope means the requested one. An error code counts also with a status of success. */
function readToken(body: unknown, answer: HttpAnswer): Answer {
  const granted = tokenGranted.safeParse(body)
  if (granted.success) {
    const { access_token: key, scope } = granted.data
    const isUsable = scope == null || scope.split(/[\s,]+/).includes('inference')
    return isUsable ? { is: 'granted', key } : { is: 'refused', problem: { code: 'invalid_scope' }, key }
  }
  // The key cannot be used but may be valid, so it is returned and the caller revokes it.
  const given = anyKey.safeParse(body)
  if (given.success) return { is: 'refused', problem: {}, key: given.data.access_token }
  const problem = readProblem(body)
  if (problem.code === undefined)
    return { is: 'refused', problem: {}, fault: new ContractError(answer.host, 'shape', 'body') }
  return readRefusal(new ProblemError(answer.host, answer.status, problem))
}

const anyKey = z.object({ access_token: z.string().check(z.minLength(1)) })

/**
 * Whether the service may have issued a key in an answer that did not arrive. It has not if the request was not sent, if
 * the service answered with an error, or if the login page of a network answered in its place. After the timeout of a
 * gateway it may have, because the service may have handled the request.
 */
export function mayHideKey(answer: Answer): boolean {
  if (answer.is !== 'unclear') return false
  const { fault } = answer
  if (fault instanceof ProblemError) return fault.problem.code === undefined && gatewayTimeouts.includes(fault.status)
  return meaningOf(fault).wasSent && !isOfAnother(fault)
}

/** Statuses with which a gateway reports that it got no usable answer from the service. */
const gatewayTimeouts: readonly number[] = [502, 504, 520, 524]

/** Whether a granted answer broke off: a refusal whose body breaks off is read as a refusal. */
export function brokeOff(answer: Answer): boolean {
  return answer.is === 'unclear' && answer.fault instanceof TransportError && answer.fault.where === 'during the answer'
}

/** Whether the request was refused whatever the state of the claim, so that no earlier poll can have been granted. */
export function isRequestRefused(answer: Answer): boolean {
  return answer.is === 'refused' && refusedBefore.includes(answer.problem.code ?? '')
}

const refusedBefore: readonly string[] = [
  'unsupported_grant_type',
  'invalid_target',
  'invalid_client',
  'unauthorized_client',
]

/** A web page or a redirect is taken for the answer of a network that requires a login. */
function isOfAnother(fault: unknown): boolean {
  return fault instanceof ContractError && (fault.what === 'html' || fault.what === 'redirect')
}

/** Classifies a fault as an answer. Rethrows any other fault, such as an abort. */
export function readFault(fault: unknown): Answer {
  if (fault instanceof ProblemError) return readRefusal(fault)
  const isUnclear = fault instanceof ContractError || fault instanceof TransportError || fault instanceof TooLargeError
  if (isUnclear) return { is: 'unclear', waitMs: undefined, fault }
  throw fault
}

function readRefusal(fault: ProblemError): Answer {
  const { status, problem, retryAfterMs: waitMs } = fault
  switch (problem.code) {
    case 'authorization_pending':
      return { is: 'pending' }
    case 'slow_down':
      return { is: 'slow down', waitMs }
    case 'rate_limited':
    case 'temporarily_unavailable':
      return { is: 'unclear', waitMs, fault }
    case 'expired_token':
      return { is: 'expired' }
    case 'access_denied':
    case 'token_mint_failed':
      return { is: 'denied', problem }
    case 'invalid_grant':
      return { is: 'lost', problem }
    case 'claimed_or_in_flight':
      return { is: 'claimed' }
    case 'invalid_claim_token':
    case 'claim_expired':
    case 'claim_superseded':
      return { is: 'over' }
  }
  const isUnclear = status >= 500 || status === 429 || status === 408 || problem.code === undefined
  return isUnclear ? { is: 'unclear', waitMs, fault } : { is: 'refused', problem, waitMs }
}
