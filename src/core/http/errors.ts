// The faults of a request: no response, an error response, one of the wrong shape or size, a request that is too long.
import type { Problem } from '../../protocol/wire/problem.ts'
import { Fault, type FaultName, type FaultPlace } from './fault.ts'
import { type ProblemKind, problemKindOf } from './problemKind.ts'

export type TransportFailure = FaultName<'connection'>

/** What is wrong with a certificate, or with the connection that it should secure. */
export type CertificateFailure = 'expired' | 'not yet valid' | 'other host' | 'untrusted' | 'no agreement'

/** There was no response, or it broke off. The text has neither headers nor bodies, because they may hold secrets. */
export class TransportError extends Fault {
  override readonly name = 'TransportError'
  readonly host: string
  readonly why: TransportFailure
  /** Host and port of the proxy on the way, if there is one. */
  readonly proxy: string | undefined
  /** The proxy itself could not be reached or trusted, or closed the connection; the host was not contacted. */
  readonly isProxyFault: boolean
  /** The setting of the editor, or the variable of the environment, whose proxy cannot be used. */
  readonly setting: string | undefined
  /** Of a `certificate`: what is wrong with it. */
  readonly certificate: CertificateFailure

  /** `before` the answer began, or `during` it. */
  constructor(host: string, stage: 'before' | 'during', why: TransportFailure, about: TransportDetails = {}) {
    const { proxy, isProxyFault = false, setting, certificate = 'untrusted', cause } = about
    super(
      `connection: ${why}`,
      `${host}: ${why}${isProxyFault ? ` at the proxy ${proxy}` : ''} (${stage} the answer)`,
      { cause, where: placeOf(stage, isProxyFault) },
    )
    this.host = host
    this.why = why
    this.proxy = proxy
    this.isProxyFault = isProxyFault
    this.setting = setting
    this.certificate = certificate
  }
}

/** Undefined: the place in the table of faults. Without a tunnel the host has received nothing. */
function placeOf(stage: 'before' | 'during', isProxyFault: boolean): FaultPlace | undefined {
  if (stage === 'during') return 'during the answer'
  return isProxyFault ? 'before sending' : undefined
}

export interface TransportDetails {
  readonly proxy?: string | undefined
  readonly isProxyFault?: boolean
  readonly setting?: string | undefined
  readonly certificate?: CertificateFailure
  readonly cause?: unknown
}

/** The service answered with an error status. */
export class ProblemError extends Fault {
  override readonly name = 'ProblemError'
  readonly host: string
  readonly status: number
  readonly why: ProblemKind
  /** The codes of the problem and its untrusted text; escape the text before showing it. */
  readonly problem: Problem
  /** The `WWW-Authenticate` header of a 401. */
  readonly challenge: string | undefined
  /** The service's id of the request, which its support can look up. */
  readonly requestId: string | undefined

  constructor(host: string, status: number, problem: Problem, about: ProblemDetails = {}) {
    const { retryAfterMs, challenge, requestId } = about
    const names = [problem.code, requestId && `request ${requestId}`].filter(Boolean)
    const why = problemKindOf(status, problem)
    super(`problem: ${why}`, [`${host} answered ${status}`, ...names].join(' '), { retryAfterMs })
    this.host = host
    this.status = status
    this.why = why
    this.problem = problem
    this.challenge = challenge
    this.requestId = requestId
  }
}

export interface ProblemDetails {
  readonly retryAfterMs?: number | undefined
  readonly challenge?: string | undefined
  readonly requestId?: string | undefined
}

export type ContractFailure = Exclude<FaultName<'answer'>, 'too large'>

/** The response has a shape that cannot be used. Holds where it was wrong, never the body. */
export class ContractError extends Fault {
  override readonly name = 'ContractError'
  readonly host: string
  readonly what: ContractFailure
  /** The member that is wrong, or the host of a redirect to another one. */
  readonly place: string | undefined

  constructor(host: string, what: ContractFailure, place?: string) {
    super(`answer: ${what}`, `${host}: ${what}${place === undefined ? '' : ` at ${place}`}`)
    this.host = host
    this.what = what
    this.place = place
  }
}

/** The service does not offer the surface on which it was asked. */
export class NotOfferedError extends Fault {
  override readonly name = 'NotOfferedError'
  readonly host: string
  /** The path that is missing there. */
  readonly path: string

  constructor(host: string, path: string) {
    super('problem: surface not offered', `${host}: nothing at ${path}`)
    this.host = host
    this.path = path
  }
}

/** The response is larger than the limit for it. */
export class TooLargeError extends Fault {
  override readonly name = 'TooLargeError'
  readonly host: string
  readonly limit: number

  constructor(host: string, limit: number) {
    super('answer: too large', `${host}: more than ${limit} bytes`)
    this.host = host
    this.limit = limit
  }
}

/** The request is longer than the model's context, found before it was sent. */
export class TooLongError extends Fault {
  override readonly name = 'TooLongError'
  /** The estimated tokens of the request, and how many it may have. */
  readonly tokens: number
  readonly limit: number
  /** The request would fit without so many of the oldest messages; undefined where no number of them is enough. */
  readonly oldest: number | undefined
  /** The names of what takes most of the room. */
  readonly largest: readonly string[]

  constructor(tokens: number, limit: number, oldest: number | undefined, largest: readonly string[] = []) {
    super('request: too long', `about ${tokens} tokens of ${limit}`)
    this.tokens = tokens
    this.limit = limit
    this.oldest = oldest
    this.largest = largest
  }
}
