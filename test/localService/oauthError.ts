// A refusal of the sign-in endpoints (RFC 6749 5.2), in the shape and with the status of the dialect.
import { noStore } from './apiError.ts'
import type { Dialect } from './dialect.ts'

export function oauthError(
  { dialect }: { readonly dialect: Dialect },
  error: string,
  description: string,
  status?: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const usual = usualOf(error, dialect)
  const init = { status: status ?? usual.status, headers: { ...noStore, ...usual.headers, ...headers } }
  return Response.json(bodyOf(error, description, dialect), init)
}

function usualOf(error: string, dialect: Dialect): { status: number; headers?: Readonly<Record<string, string>> } {
  if (error === 'authorization_pending') return { status: Number(dialect.pendingStatus) }
  if (error === 'access_denied') return { status: Number(dialect.deniedStatus) }
  if (error === 'slow_down' && dialect.slowDownStatus === '429')
    return { status: 429, headers: { 'retry-after': '60' } }
  return { status: 400 }
}

function bodyOf(error: string, description: string, { errorBody }: Dialect): object {
  if (errorBody === 'message') return { error, message: description }
  if (errorBody === 'nested') return { error: { code: error, message: description } }
  return errorBody === 'message-is-code' ? { message: error } : { error, error_description: description }
}
