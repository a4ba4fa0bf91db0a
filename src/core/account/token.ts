// Asks for a credential by claim; judges the answer.
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
import { QUICK, type Service } from './discovery.ts'

/** One poll, judged. Throws nothing. */
export function poll(http: Http, service: Service, claim: Claim, clock: Clock): Promise<Answer> {
  return askToken(http, service, { grant_type: service.claimGrantType, ...claim }, clock)
}

/** What a poll sends beside the grant. */
export type Claim = Omit<ClaimGrantForm, 'grant_type'>

/**
 * Asks the token endpoint, and judges by the parsed code, never by the status alone. It has a time limit but no stop: its
 * answer may be the only one that carries the key.
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
      limits: QUICK,
      signal: new AbortController().signal,
    })
    return readToken(await readJson(answer, z.unknown(), clock), answer)
  } catch (fault) {
    return readFault(fault)
  }
}

/** RFC 6749 5.1; no scope means: as asked. Some services say `authorization_pending` with a status of success. */
function readToken(body: unknown, answer: HttpAnswer): Answer {
  const granted = tokenGranted.safeParse(body)
  if (granted.success) {
    const { access_token: key, scope } = granted.data
    const isUsable = scope == null || scope.split(/[\s,]+/).includes('inference')
    return isUsable ? { is: 'granted', key } : { is: 'refused', problem: { code: 'invalid_scope' }, key }
  }
  // Of no use here, but alive: whoever reads the refusal has it revoked.
  const given = anyKey.safeParse(body)
  if (given.success) return { is: 'refused', problem: {}, key: given.data.access_token }
  const problem = readProblem(body)
  if (problem.code === undefined)
    return { is: 'refused', problem: {}, fault: new ContractError(answer.host, 'shape', 'body') }
  return readRefusal(new ProblemError(answer.host, answer.status, problem))
}

const anyKey = z.object({ access_token: z.string().check(z.minLength(1)) })

/**
 * Whether a key may have been made whose one answer did not arrive. What was never sent made none, and neither did what
 * the service answered with an error, or what somebody on the way answered in its place. A gateway is neither: it gave up
 * waiting for a service that may have gone on.
 */
export function mayHideKey(answer: Answer): boolean {
  if (answer.is !== 'unclear') return false
  const { fault } = answer
  if (fault instanceof ProblemError) return fault.problem.code === undefined && gaveUp.includes(fault.status)
  return meaningOf(fault).wasSent && !isOfAnother(fault)
}

/** The last two are what a large gateway says in place of the first two. */
const gaveUp: readonly number[] = [502, 504, 520, 524]

/** Whether the service granted something, and the answer broke off: what it refuses is never read as one that broke off. */
export function brokeOff(answer: Answer): boolean {
  return answer.is === 'unclear' && answer.fault instanceof TransportError && answer.fault.where === 'during the answer'
}

/** Whether this is refused whatever became of the claim: then no poll before it has brought a key either. */
export function isAboutAsking(answer: Answer): boolean {
  return answer.is === 'refused' && refusedBefore.includes(answer.problem.code ?? '')
}

const refusedBefore: readonly string[] = [
  'unsupported_grant_type',
  'invalid_target',
  'invalid_client',
  'unauthorized_client',
]

/** A web page, or the way to one, is the answer of a network that wants a login first. */
function isOfAnother(fault: unknown): boolean {
  return fault instanceof ContractError && (fault.what === 'html' || fault.what === 'redirect')
}

/** What went wrong, as an answer. A fault that is nobody's answer, such as a stop, is thrown on. */
export function readFault(fault: unknown): Answer {
  if (fault instanceof ProblemError) return readRefusal(fault)
  const saysNothing =
    fault instanceof ContractError || fault instanceof TransportError || fault instanceof TooLargeError
  if (saysNothing) return { is: 'unclear', waitMs: undefined, fault }
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
  const saysNothing = status >= 500 || status === 429 || status === 408 || problem.code === undefined
  return saysNothing ? { is: 'unclear', waitMs, fault } : { is: 'refused', problem, waitMs }
}
