// Asks for a credential by claim; judges the answer.
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import type { ClaimGrantForm } from '../../protocol/auth/token.ts'
import { tokenGranted } from '../../protocol/auth/token.ts'
import { type Problem, readProblem } from '../../protocol/problem.ts'
import { readJson } from '../http/body.ts'
import { ContractError, ProblemError, TooLargeError, TransportError } from '../http/errors.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import { QUICK, type Service } from './discovery.ts'

/** What one poll came back with (service description, Token endpoint errors; RFC 8628 3.5). */
export type PollAnswer =
  | { readonly is: 'granted'; readonly key: string }
  | { readonly is: 'pending' }
  | { readonly is: 'slow down'; readonly waitMs: number | undefined }
  /** The code or the registration ran out; the service uses one word for both. */
  | { readonly is: 'expired' }
  | { readonly is: 'denied'; readonly problem: Problem }
  /** The claim is not known any more: most likely its one answer with the key was lost on the way. */
  | { readonly is: 'lost' }
  /** No answer, or one that says nothing: ask again later. */
  | { readonly is: 'unclear'; readonly waitMs: number | undefined; readonly fault: unknown }
  /** `key`: one was given, but not for what was asked; nobody may keep it. */
  | { readonly is: 'refused'; readonly problem: Problem; readonly key?: string }

export function claimTokenRequest(
  http: Http,
  service: Service,
  claimToken: string,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const form: ClaimGrantForm = { grant_type: service.claimGrantType, claim_token: claimToken }
  return http({
    method: 'POST',
    url: service.tokenEndpoint,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ ...form }).toString(),
    limits: QUICK,
    signal,
  })
}

/** One poll, judged. Decides by the parsed code and never by the status alone. Throws only a stop. */
export async function poll(
  http: Http,
  service: Service,
  claimToken: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<PollAnswer> {
  try {
    const answer = await claimTokenRequest(http, service, claimToken, signal)
    return readToken(await readJson(answer, z.unknown(), clock), answer)
  } catch (fault) {
    if (fault instanceof ProblemError) return readRefusal(fault)
    const saysNothing =
      fault instanceof ContractError || fault instanceof TransportError || fault instanceof TooLargeError
    if (saysNothing) return { is: 'unclear', waitMs: undefined, fault }
    throw fault
  }
}

/** RFC 6749 5.1; no scope means: as asked. Some services say `authorization_pending` with a status of success. */
function readToken(body: unknown, answer: HttpAnswer): PollAnswer {
  const granted = tokenGranted.safeParse(body)
  if (granted.success) {
    const { access_token: key, scope } = granted.data
    const isUsable = scope == null || scope.split(/[\s,]+/).includes('inference')
    return isUsable ? { is: 'granted', key } : { is: 'refused', problem: { code: 'invalid_scope' }, key }
  }
  const problem = readProblem(body)
  if (problem.code === undefined) return { is: 'refused', problem: {} }
  return readRefusal(new ProblemError(answer.host, answer.status, problem))
}

function readRefusal(fault: ProblemError): PollAnswer {
  const { status, problem, waitMs } = fault
  switch (problem.code) {
    case 'authorization_pending':
      return { is: 'pending' }
    case 'slow_down':
      return { is: 'slow down', waitMs }
    case 'rate_limited':
      return { is: 'unclear', waitMs, fault }
    case 'expired_token':
      return { is: 'expired' }
    case 'access_denied':
    case 'token_mint_failed':
      return { is: 'denied', problem }
    case 'invalid_grant':
      return { is: 'lost' }
  }
  const saysNothing = status >= 500 || status === 429 || status === 408 || problem.code === undefined
  return saysNothing ? { is: 'unclear', waitMs, fault } : { is: 'refused', problem }
}
