// Port: receives the redirect of a browser sign-in.
import type { Disposable } from '../../base/disposable.ts'
import type { AuthorizationAnswer } from '../../protocol/wire/authorization.ts'

/** Listens on this machine for the redirect of one sign-in (RFC 8252 7.3). */
export interface RedirectListener extends Disposable {
  readonly redirectUri: string
  /** Resolves with the first answer that carries `state`. */
  answer(state: string, signal: AbortSignal): Promise<AuthorizationAnswer>
}
