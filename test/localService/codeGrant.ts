// An authorization code for a key (RFC 6749 4.1.3): all that was sent to the authorize page must be sent again.
import { type AuthorizationCode, isVerifierOf } from './authorizationCodes.ts'
import { sha256 } from './fingerprint.ts'
import { judgeFields } from './judge.ts'
import { grantKey, refuseKey } from './keyGrant.ts'
import { oauthError } from './oauthError.ts'
import type { Parts } from './parts.ts'
import { resourceProblem } from './resource.ts'
import { type AuthorizationCodeRequest, authorizationCodeRequest } from './schema/token.ts'

export function exchangeCode(fields: URLSearchParams, parts: Parts): Response {
  const { value: asked, problem } = judgeFields(authorizationCodeRequest, fields)
  if (problem) return oauthError(parts, 'invalid_request', problem.sentence)
  const { state, clock } = parts
  const refusal = refuseClient(asked, parts)
  if (refusal) return refusal
  const code = state.authorizationCodes.find(asked.code)
  if (!code) return oauthError(parts, 'invalid_grant', 'This authorization code is not known.')
  if (code.isUsed) {
    // RFC 6749 4.1.2: somebody else may have had the code first, so what it was exchanged for ends too.
    if (code.key) state.keys.revoke(code.key, clock.now())
    return oauthError(parts, 'invalid_grant', 'This authorization code has been used already.')
  }
  // One try: a client that has a code and not the rest of it is not the one that asked.
  code.isUsed = true
  const mismatch = mismatchOf(asked, code, clock.now())
  if (mismatch !== undefined) return oauthError(parts, 'invalid_grant', mismatch)
  const granted = grantKey(parts, code.email, code.clientName, 'browser')
  if (!granted) return refuseKey(parts)
  code.key = state.keys.find(granted.secret)
  return granted.answer
}

/** RFC 6749 5.2; RFC 8707 2. */
function refuseClient(asked: AuthorizationCodeRequest, parts: Parts): Response | undefined {
  const client = parts.state.clients.find(asked.client_id)
  if (!client) return oauthError(parts, 'invalid_client', 'This client is not known.', 401)
  if (client.secretHash !== undefined && sha256(asked.client_secret ?? '') !== client.secretHash)
    return oauthError(parts, 'invalid_client', "'client_secret' is not the secret of this client.", 401)
  const problem = resourceProblem(asked.resource, parts)
  return problem === undefined ? undefined : oauthError(parts, 'invalid_target', problem)
}

function mismatchOf(asked: AuthorizationCodeRequest, code: AuthorizationCode, now: number): string | undefined {
  if (now >= code.expiresAt) return 'This authorization code has expired.'
  if (asked.client_id !== code.clientId) return 'This authorization code was given to another client.'
  if (asked.redirect_uri !== code.redirectUri) return "'redirect_uri' is not the one that the code was sent to."
  return isVerifierOf(code, asked.code_verifier) ? undefined : "'code_verifier' does not fit the code challenge."
}
