// Gives a credential up; judges the answer.
import type { RevocationForm } from '../../protocol/wire/revocation.ts'
import { isHtml } from '../http/body.ts'
import { type Credential, credentialText } from '../http/credential.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import { QUICK } from './discovery.ts'

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
    limits: QUICK,
    signal,
  })
}

/**
 * Any 2xx confirms; the body has no meaning (RFC 7009 2.2). Anything else means that the key may still work, and so does a
 * web page: the login page of a network has revoked nothing.
 */
export function isRevoked(answer: HttpAnswer): boolean {
  answer.close()
  // An empty body is often called a page by whatever framework sent it.
  const isPage = isHtml(answer) && answer.headers['content-length'] !== '0'
  return answer.status >= 200 && answer.status < 300 && !isPage
}
