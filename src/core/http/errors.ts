// No answer, an error answer, an answer of the wrong shape.
import type { Problem } from '../../protocol/problem.ts'

/** No answer, or the answer broke off. Nothing secret stands in its text: neither headers nor bodies. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly host: string
  /** `before` the answer began: repeating is safe if the request may be repeated at all. `during`: it broke off. */
  readonly stage: 'before' | 'during'
  readonly why: TransportFailure

  constructor(host: string, stage: 'before' | 'during', why: TransportFailure, cause?: unknown) {
    super(`${host}: ${why} (${stage} the answer)`, { cause })
    this.host = host
    this.stage = stage
    this.why = why
  }
}

export type TransportFailure =
  | 'name not found'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'certificate'
  | 'proxy'
  | 'connect timeout'
  | 'first byte timeout'
  | 'silence'
  | 'asleep'

/** A failure that the same request meets again: somebody has to mend a setting first. */
export function isLasting({ why }: TransportError): boolean {
  return why === 'certificate' || why === 'proxy'
}

/** The service said no. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly host: string
  readonly status: number
  /** Machine words and the stranger's text; escape the text before showing it. */
  readonly problem: Problem
  /** How long the service asked us to wait, in milliseconds. */
  readonly waitMs: number | undefined
  /** The `WWW-Authenticate` header of a 401. */
  readonly challenge: string | undefined

  constructor(host: string, status: number, problem: Problem, waitMs?: number, challenge?: string) {
    super(`${host} answered ${status}${problem.code ? ` ${problem.code}` : ''}`)
    this.host = host
    this.status = status
    this.problem = problem
    this.waitMs = waitMs
    this.challenge = challenge
  }
}

/** The answer has a shape that we cannot accept. Carries where it was wrong, never the body. */
export class ContractError extends Error {
  override readonly name = 'ContractError'
  readonly host: string
  /** `html`: a web page came, such as a network's login page or a gateway's error page. */
  readonly what: 'html' | 'not json' | 'shape' | 'redirect' | 'empty'

  constructor(host: string, what: ContractError['what'], where: string) {
    super(`${host}: ${what} at ${where}`)
    this.host = host
    this.what = what
  }
}

/** More than we agreed to hold. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
  readonly host: string
  readonly limit: number

  constructor(host: string, limit: number) {
    super(`${host}: more than ${limit} bytes`)
    this.host = host
    this.limit = limit
  }
}
