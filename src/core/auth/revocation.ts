// Gives a credential up; judges the answer.
import type { RevocationForm } from '../../protocol/auth/revocation.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import { QUICK } from './discovery.ts'

export function revocationRequest(http: Http, endpoint: string, key: string, signal: AbortSignal): Promise<HttpAnswer> {
  const form: RevocationForm = { token: key }
  return http({
    method: 'POST',
    url: endpoint,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form }).toString(),
    limits: QUICK,
    signal,
  })
}

/** Any 2xx confirms; the body has no meaning (RFC 7009 2.2). Anything else means that the key may still work. */
export function isRevoked(answer: HttpAnswer): boolean {
  answer.close()
  return answer.status >= 200 && answer.status < 300
}
