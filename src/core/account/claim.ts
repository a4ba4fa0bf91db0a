// Requests a new code for a registration, and reads the answer.
import type { Clock } from '../../base/clock.ts'
import { type LaterNewCodeBody, type NewCodeBody, newCode } from '../../protocol/wire/claim.ts'
import { readJson } from '../http/body.ts'
import { ProblemError, TransportError } from '../http/errors.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import type { Answer } from './deviceFlowTable.ts'
import type { Service } from './discovery.ts'
import { readAttempt } from './registration.ts'
import { SIGN_IN_LIMITS } from './signInLimits.ts'
import { readFault } from './token.ts'

function newCodeRequest(
  http: Http,
  service: Service,
  body: NewCodeBody | LaterNewCodeBody,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return http({
    method: 'POST',
    url: service.claimEndpoint,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    limits: SIGN_IN_LIMITS,
    signal,
  })
}

/** Sends the request in the form of the service description, and again in the later form if the first is invalid there. */
export async function askNewCode(
  http: Http,
  service: Service,
  body: NewCodeBody,
  clock: Clock,
  signal: AbortSignal,
): Promise<Answer> {
  const ask = async (body: NewCodeBody | LaterNewCodeBody) =>
    readNewCode(await newCodeRequest(http, service, body, signal), service, clock)
  const { claim_token, email: login_hint } = body
  try {
    try {
      return await ask(body)
    } catch (fault) {
      const isOther = fault instanceof ProblemError && fault.status === 400 && fault.problem.code === 'invalid_request'
      if (!isOther) throw fault
      return await ask({ type: 'login_hint', claim_token, login_hint })
    }
  } catch (fault) {
    return readRefusal(fault)
  }
}

async function readNewCode(answer: HttpAnswer, service: Service, clock: Clock): Promise<Answer> {
  const body = await readJson(answer, newCode, clock)
  if (body.status === 'claimed') return { is: 'claimed' }
  return readAttempt(body.attempt, body.claim_token, body.claim_token_expires, answer, service, clock)
}

/** The claim endpoint decides whether the registration is valid: 401, 404, 409 and 410 count also without an error code. */
function readRefusal(fault: unknown): Answer {
  const answer = readFault(fault)
  if (answer.is === 'expired' || answer.is === 'lost') return { is: 'over' }
  const status = fault instanceof ProblemError ? fault.status : 0
  if (status === 409) return { is: 'claimed' }
  // 404: it has no such endpoint, so every code is the last of its registration.
  return [401, 404, 410].includes(status) ? { is: 'over' } : answer
}

/**
 * Whether a request with this answer certainly changed nothing, so that the old code still works. It is not certain after
 * an answer that was lost, or a gateway that timed out.
 */
export function leavesOldCode(answer: Answer): boolean {
  if (answer.is === 'pending' || answer.is === 'slow down') return true
  if (answer.is !== 'unclear') return false
  const { fault } = answer
  if (fault instanceof TransportError) return !fault.wasSent
  if (!(fault instanceof ProblemError) || fault.problem.code === 'email_send_failed') return false
  return fault.status === 429 || fault.status === 503
}
