// Adds the credential; on 401 asks its source once whether there is another.
import { raceAbort } from '../../base/abort.ts'
import { type Credential, credentialText } from './credential.ts'
import type { Http, HttpAnswer } from './http.ts'

/** Whoever owns the credential. */
export interface CredentialSource {
  /** What may be sent to `origin`, if there is anything. A credential of another origin is never given out. */
  credential(origin: string): Credential | undefined
  /** `refused` was refused. Another one, if there is one by now. */
  onUnauthorized(refused: Credential): Promise<Credential | undefined>
}

/** Requests leave with the key of their origin, or without any. After a 401 exactly one more try is made. */
export function bearer(next: Http, source: CredentialSource): Http {
  return async request => {
    const { origin } = new URL(request.url)
    const first = source.credential(origin)
    if (!first) return next(request)
    const send = (credential: Credential) =>
      next({ ...request, headers: { ...request.headers, ...bearerHeader(credential) } })
    // The owner may wait for a store of keys; a stop does not wait with it.
    const anotherThan = async (refused: Credential, answer: HttpAnswer) => {
      try {
        return await raceAbort(source.onUnauthorized(refused), request.signal)
      } catch (fault) {
        answer.close()
        throw fault
      }
    }
    const answer = await send(first)
    if (answer.status !== 401) return answer
    const another = await anotherThan(first, answer)
    // By now the key may be that of another service: only a key of this origin may be sent here.
    if (!another || another.hasTextOf(first) || !another.hasTextOf(source.credential(origin))) return answer
    answer.close()
    const last = await send(another)
    if (last.status === 401) await anotherThan(another, last)
    return last
  }
}

/** RFC 6750 2.1. */
export function bearerHeader(credential: Credential): { readonly authorization: string } {
  return { authorization: `Bearer ${credentialText(credential)}` }
}
