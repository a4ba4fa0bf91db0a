// What is refused before or beside every route, in the form of the place where it happens.
import { apiError } from './apiError.ts'
import { Failure, failureResponse, isApiPath } from './failure.ts'
import { oauthError } from './oauthError.ts'
import type { Parts } from './parts.ts'

export interface Refused {
  readonly status: number
  /** A machine word; where RFC 6749 5.2 has one for the status, the sign-in endpoints send that instead. */
  readonly code: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

export function refuse(path: string, { status, code, message, headers = {} }: Refused, parts: Parts): Response {
  if (isApiPath(path)) return failureResponse(path, new Failure(status, code, message, { headers }))
  if (isSignIn(path)) return oauthError(parts, oauthCodes[status] ?? code, message, status, headers)
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return apiError(status, { message, type, code }, headers)
}

const isSignIn = (path: string) => /^\/(?:oauth2|agent)\//.test(path)

const oauthCodes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  413: 'invalid_request',
  421: 'invalid_request',
  500: 'server_error',
}
