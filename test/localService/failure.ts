// A refusal of the API, and how each surface writes it.
import { randomUUID } from 'node:crypto'
import type { JsonObject } from './json.ts'

export interface FailureMore {
  /** The gateway's word for a refusal by policy; it is outside the error object. */
  readonly policy?: string
  readonly param?: string
  /** What a client's program reads of it, on the messages surface. */
  readonly details?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

export class Failure {
  readonly status: number
  /** A machine word, such as `context_length_exceeded`. */
  readonly code: string
  readonly message: string
  readonly policy: string | undefined
  readonly param: string | undefined
  readonly details: JsonObject | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, more: FailureMore = {}) {
    this.status = status
    this.code = code
    this.message = message
    this.policy = more.policy
    this.param = more.param
    this.details = more.details
    this.headers = more.headers ?? {}
  }
}

export const invalidRequest = (message: string, param?: string): Failure =>
  new Failure(400, 'invalid_request', message, param === undefined ? {} : { param })

export const isMessagesPath = (path: string): boolean => path === '/anthropic' || path.startsWith('/anthropic/')

/** Everything below `/v1` and `/anthropic`: what takes a key. */
export const isApiPath = (path: string): boolean => /^\/v1(?:\/|$)/.test(path) || isMessagesPath(path)

/** The name of a request, for a person who asks about it; the clients of both surfaces look for theirs. */
export function requestIdHeaders(path: string): Record<string, string> {
  const id = `req_${randomUUID().replaceAll('-', '')}`
  return isMessagesPath(path) ? { 'request-id': id } : { 'x-request-id': id }
}

export function failureResponse(path: string, failure: Failure): Response {
  const ids = requestIdHeaders(path)
  const body = isMessagesPath(path) ? messagesError(failure, ids['request-id'] ?? '') : gatewayError(failure)
  return Response.json(body, { status: failure.status, headers: { ...failure.headers, ...ids } })
}

/** The form of the gateway that real services use; `error` alone is that of chat completions and responses. */
export const gatewayError = ({ status, code, message, policy, param }: Failure) => ({
  ...(policy === undefined ? {} : { type: policy }),
  status_code: status,
  is_bifrost_error: false,
  error: { message, type: typeOf(status), param: param ?? null, code },
})

/** The form of the messages surface, whole and in its streams. */
export const messagesError = ({ status, message, details }: Failure, requestId: string) => ({
  type: 'error',
  error: { type: messagesTypeOf(status), message, ...(details ? { details } : {}) },
  request_id: requestId,
})

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

const messagesTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const messagesTypeOf = (status: number): string =>
  messagesTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
