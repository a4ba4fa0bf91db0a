// No answer, an error answer, an answer of the wrong shape.
import type { Problem } from '../../protocol/wire/problem.ts'

/** No answer, or the answer broke off. Nothing secret stands in its text: neither headers nor bodies. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly host: string
  /** `before` the answer began: repeating is safe if the request may be repeated at all. `during`: it broke off. */
  readonly stage: 'before' | 'during'
  readonly why: TransportFailure
  /** Host and port of the proxy on the way, if there is one. */
  readonly proxy: string | undefined
  /** It was the proxy itself that could not be reached or trusted, or broke off; the host was not met. */
  readonly isProxyFault: boolean
  /** The setting of the editor, or the variable of the environment, whose proxy cannot be used. */
  readonly setting: string | undefined

  constructor(host: string, stage: 'before' | 'during', why: TransportFailure, about: TransportDetails = {}) {
    const { proxy, isProxyFault = false, setting, cause } = about
    super(`${host}: ${why}${isProxyFault ? ` at the proxy ${proxy}` : ''} (${stage} the answer)`, { cause })
    this.host = host
    this.stage = stage
    this.why = why
    this.proxy = proxy
    this.isProxyFault = isProxyFault
    this.setting = setting
  }
}

export interface TransportDetails {
  readonly proxy?: string | undefined
  readonly isProxyFault?: boolean
  readonly setting?: string | undefined
  readonly cause?: unknown
}

export type TransportFailure =
  | 'name not found'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'certificate'
  | 'proxy'
  /** What is set is no address of a proxy, or of one that we cannot speak with. */
  | 'proxy address'
  /** It wants a name and a password, or others than those it got. */
  | 'proxy sign-in'
  | 'connect timeout'
  | 'first byte timeout'
  | 'silence'
  | 'asleep'

/** A failure that the same request meets again: somebody has to mend a setting first. */
export function isLasting({ why }: TransportError): boolean {
  return why === 'certificate' || why === 'proxy' || why === 'proxy address' || why === 'proxy sign-in'
}

/** Why there is no tunnel through the proxy, where the fault is the proxy's own. Its cause says the rest. */
export class ProxyConnectionError extends Error {
  override readonly name = 'ProxyConnectionError'

  constructor(cause: unknown) {
    super('No tunnel through the proxy', { cause })
  }
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
  /** The service's own name of the request, which its support can look up. */
  readonly requestId: string | undefined

  constructor(host: string, status: number, problem: Problem, about: ProblemDetails = {}) {
    const { waitMs, challenge, requestId } = about
    const names = [problem.code, requestId && `request ${requestId}`].filter(Boolean)
    super([`${host} answered ${status}`, ...names].join(' '))
    this.host = host
    this.status = status
    this.problem = problem
    this.waitMs = waitMs
    this.challenge = challenge
    this.requestId = requestId
  }
}

export interface ProblemDetails {
  readonly waitMs?: number | undefined
  readonly challenge?: string | undefined
  readonly requestId?: string | undefined
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

/** The service answers, but not where this way of asking is answered. */
export class NotOfferedError extends Error {
  override readonly name = 'NotOfferedError'
  readonly host: string
  /** The path that is missing there. */
  readonly path: string

  constructor(host: string, path: string) {
    super(`${host}: nothing at ${path}`)
    this.host = host
    this.path = path
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

/** More than the model can read, seen before anything was sent. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError'
  /** Tokens of the request, about, and how many there may be. */
  readonly tokens: number
  readonly limit: number
  /** So many of the oldest messages would have to go; undefined where what is left without them is still too long. */
  readonly oldest: number | undefined

  constructor(tokens: number, limit: number, oldest: number | undefined) {
    super(`about ${tokens} tokens of ${limit}`)
    this.tokens = tokens
    this.limit = limit
    this.oldest = oldest
  }
}
