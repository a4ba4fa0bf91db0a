// Adds the credential; on 401 asks its source once whether there is another.
import { raceAbort } from '../../base/abort.ts'
import type { Http, HttpAnswer } from './http.ts'

/** Whoever owns the credential. */
export interface TokenSource {
  /** The key that may be sent to `origin`, if there is one. A key of another origin is never given out. */
  token(origin: string): string | undefined
  /** `token` was refused. Another one, if there is one by now. */
  onUnauthorized(token: string): Promise<string | undefined>
}

/** Requests leave with the key of their origin, or without any. After a 401 exactly one more try is made. */
export function bearer(next: Http, source: TokenSource): Http {
  return async request => {
    const { origin } = new URL(request.url)
    const token = source.token(origin)
    if (!token) return next(request)
    const send = (key: string) => next({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } })
    // The owner may wait for a store of keys; a stop does not wait with it.
    const anotherThan = async (refused: string, answer: HttpAnswer) => {
      try {
        return await raceAbort(source.onUnauthorized(refused), request.signal)
      } catch (fault) {
        answer.close()
        throw fault
      }
    }
    const answer = await send(token)
    if (answer.status !== 401) return answer
    const another = await anotherThan(token, answer)
    // By now the key may be that of another service: only a key of this origin may be sent here.
    if (!another || another === token || source.token(origin) !== another) return answer
    answer.close()
    const last = await send(another)
    if (last.status === 401) await anotherThan(another, last)
    return last
  }
}
