// `bearer`: adds the credential to requests, and after a 401 asks its source once for another one.
import { raceAbort } from '../../base/abort.ts'
import { type Credential, credentialText } from './credential.ts'
import type { Http, HttpAnswer } from './http.ts'

export interface CredentialSource {
  /** The credential that may be sent to `origin`, if there is one. Never that of another origin. */
  credential(origin: string): Credential | undefined
  /** The service answered 401 to `refused`. Resolves with another credential, if there is one by now. */
  onUnauthorized(refused: Credential): Promise<Credential | undefined>
}

/** Sends requests with the key of their origin, or without one. After a 401 it repeats the request once at most. */
export function bearer(next: Http, source: CredentialSource): Http {
  return async request => {
    const { origin } = new URL(request.url)
    const first = source.credential(origin)
    if (!first) return next(request)
    const send = (credential: Credential) =>
      next({ ...request, headers: { ...request.headers, ...bearerHeader(credential) } })
    // The source may wait for a keyring that does not answer, so an abort must not wait for the source.
    const replacementFor = async (refused: Credential, answer: HttpAnswer) => {
      try {
        return await raceAbort(source.onUnauthorized(refused), request.signal)
      } catch (fault) {
        answer.close()
        throw fault
      }
    }
    const answer = await send(first)
    if (answer.status !== 401) return answer
    const another = await replacementFor(first, answer)
    // The user may have signed in to another service meanwhile: only a key of this origin may be sent here.
    if (!another || another.hasTextOf(first) || !another.hasTextOf(source.credential(origin))) return answer
    answer.close()
    const last = await send(another)
    if (last.status === 401) await replacementFor(another, last)
    return last
  }
}

/** RFC 6750 2.1. */
export function bearerHeader(credential: Credential): { readonly authorization: string } {
  return { authorization: `Bearer ${credentialText(credential)}` }
}
