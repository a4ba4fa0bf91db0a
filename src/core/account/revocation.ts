// Requests the revocation of a credential (RFC 7009), and reads the answer.
import type { RevocationForm } from '../../protocol/wire/revocation.ts'
import { isHtml } from '../http/body.ts'
import { type Credential, credentialText } from '../http/credential.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import { SIGN_IN_LIMITS } from './signInLimits.ts'

export function revocationRequest(
  http: Http,
  endpoint: string,
  credential: Credential,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const form: RevocationForm = { token: credentialText(credential) }
  return http({
    method: 'POST',
    url: endpoint,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form }).toString(),
    limits: SIGN_IN_LIMITS,
    signal,
  })
}

/**
 * Any 2xx confirms; the body has no meaning (RFC 7009 2.2). After anything else the key may still work, and so after a
 * web page, which may be the login page of a network.
 */
export function isRevoked(answer: HttpAnswer): boolean {
  answer.close()
  // An empty body may still be declared as HTML.
  const isPage = isHtml(answer) && answer.headers['content-length'] !== '0'
  return answer.status >= 200 && answer.status < 300 && !isPage
}
