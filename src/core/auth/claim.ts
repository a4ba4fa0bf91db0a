// Asks for a new code; judges the answer.
import type { Clock } from '../../base/clock.ts'
import { type NewCodeBody, newCode } from '../../protocol/auth/claim.ts'
import { readJson } from '../http/body.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import { QUICK, type Service } from './discovery.ts'
import { type Code, readCode } from './registration.ts'

export function newCodeRequest(
  http: Http,
  service: Service,
  body: NewCodeBody,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return http({
    method: 'POST',
    url: service.claimEndpoint,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    limits: QUICK,
    signal,
  })
}

export interface NewCode {
  readonly code: Code
  /** Set where the service changed it with the code. */
  readonly claimToken: string | undefined
}

export async function readNewCode(answer: HttpAnswer, service: Service, clock: Clock): Promise<NewCode> {
  const { attempt, claim_token } = await readJson(answer, newCode, clock)
  return { code: readCode(attempt, answer, service, clock), claimToken: claim_token }
}
