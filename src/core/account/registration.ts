// Requests a registration with its first code, and reads the answer.
import type { Clock } from '../../base/clock.ts'
import { type ClaimAttempt, innermost, type RegistrationBody, registration } from '../../protocol/wire/registration.ts'
import { readJson } from '../http/body.ts'
import { ContractError } from '../http/errors.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import { serviceTime } from '../http/httpDate.ts'
import { judgeVerificationUri } from './address.ts'
import type { Answer } from './deviceFlowTable.ts'
import type { Service } from './discovery.ts'
import { SIGN_IN_LIMITS } from './signInLimits.ts'

/** One code and where to type it. Times count from the moment of the answer. */
export interface Code {
  /** Digits as text: a leading zero counts. */
  readonly text: string
  readonly uri: string
  readonly host: string
  readonly validMs: number
  readonly intervalMs: number
}

/** The place of the fault where the page for the code is on another host, or its address is not safe to open. */
export const UNSAFE_PAGE = 'the address of the page for the code'

const HOUR_MS = 3_600_000

/** The first request that carries the email; it is sent only after the user agreed. */
export function registrationRequest(
  http: Http,
  service: Service,
  body: Omit<RegistrationBody, 'type'>,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const sent: RegistrationBody = { type: 'service_auth', ...body }
  return http({
    method: 'POST',
    url: service.identityEndpoint,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(sent),
    limits: SIGN_IN_LIMITS,
    signal,
  })
}

/** Throws a fault, which the caller classifies as an `Answer`. */
export async function readRegistration(answer: HttpAnswer, service: Service, clock: Clock): Promise<Registered> {
  const { claim, ...body } = await readJson(answer, registration, clock)
  const attempt = innermost(claim, claim.attempt)
  const claimToken = body.claim_token ?? claim.token
  if (!claimToken) throw new ContractError(answer.host, 'shape', 'claim_token')
  // In the nested form the claim's own end is that of the registration.
  const endsAt = body.claim_token_expires ?? (claim.token ? claim.expires_at : undefined)
  return readAttempt(attempt, claimToken, endsAt, answer, service, clock)
}

export type Registered = Extract<Answer, { is: 'code' | 'no code' }>

/** Judges one claim attempt, of a registration or of a new code. */
export function readAttempt(
  attempt: ClaimAttempt | undefined,
  claimToken: string | undefined,
  endsAt: string | null | undefined,
  answer: HttpAnswer,
  service: Service,
  clock: Clock,
): Registered {
  if (attempt?.user_code == null || attempt.user_code === '') return { is: 'no code' }
  const validMs = remaining(endsAt, answer, clock, HOUR_MS)
  return { is: 'code', code: readCode(attempt, answer, service, clock), claimToken, validMs }
}

function readCode(attempt: ClaimAttempt, answer: HttpAnswer, service: Service, clock: Clock): Code {
  const text = (attempt.user_code ?? '').replace(/[\s-]/g, '')
  if (!/^\d{4,12}$/.test(text)) throw new ContractError(answer.host, 'shape', 'claim.user_code')
  const page = attempt.verification_uri_complete || attempt.verification_uri
  const judged = judgeVerificationUri(page ?? '', new URL(service.issuer))
  if ('fault' in judged || !page) throw new ContractError(answer.host, 'unsafe page', UNSAFE_PAGE)
  const validMs =
    attempt.expires_in != null
      ? clamp(attempt.expires_in * 1000, 1_000, HOUR_MS)
      : remaining(attempt.expires_at, answer, clock, 600_000)
  return {
    text,
    uri: judged.url.href,
    host: judged.url.host,
    validMs,
    // 5 s where the service names none (RFC 8628 3.2).
    intervalMs: clamp((attempt.interval ?? 5) * 1000, 1_000, 60_000),
  }
}

/** Time until an ISO date, by the answer's `Date` header where it has one, so that a wrong clock here does not matter. */
function remaining(isoDate: string | null | undefined, answer: HttpAnswer, clock: Clock, defaultMs: number): number {
  const until = Date.parse(isoDate ?? '')
  if (Number.isNaN(until)) return defaultMs
  return clamp(until - serviceTime(answer.headers, clock.now()), 1_000, HOUR_MS)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
