// The end of both grants: a key for the person who agreed, or the reason why there is none.
import { noStore } from './apiError.ts'
import { oauthError } from './oauthError.ts'
import type { Parts } from './parts.ts'

export interface Granted {
  readonly secret: string
  readonly answer: Response
}

/** Undefined where the key could not be created. */
export function grantKey(
  { state, dialect }: Parts,
  email: string,
  name: string,
  origin: 'registration' | 'browser',
): Granted | undefined {
  if (state.keyCreationFails) return undefined
  const secret = state.issueKey(email, name, origin)
  const answer = {
    access_token: secret,
    token_type: dialect.tokenAnswer === 'lower-case-type' ? 'bearer' : 'Bearer',
    ...(dialect.tokenAnswer === 'without-scope' ? {} : { scope: 'inference' }),
    ...(dialect.tokenAnswer === 'more-fields' ? { credential_type: 'api_key', expires_in: tenYearsInSeconds } : {}),
  }
  return { secret, answer: Response.json(answer, { headers: noStore }) }
}

const tenYearsInSeconds = 10 * 365 * 24 * 60 * 60

export const keyNotCreated = 'The key could not be created.'

export const refuseKey = (parts: Parts): Response => oauthError(parts, parts.dialect.keyCreationError, keyNotCreated)
