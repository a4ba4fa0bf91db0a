// AuthenticationProvider for the editor's Accounts menu. Another extension gets a session only with the editor's consent.
import {
  type AuthenticationProvider,
  type AuthenticationProviderAuthenticationSessionsChangeEvent,
  type AuthenticationSession,
  authentication,
  EventEmitter,
  l10n,
} from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Account, SignedIn } from '../../core/account/account.ts'
import { credentialText } from '../../core/http/credential.ts'
import { sanitize } from '../ui/sanitize.ts'

const ID = 'kourier'
const SCOPES = ['inference']

export interface AuthenticationOptions {
  readonly account: Account
  /** Runs Kourier's own sign-in; resolves when it has ended, with or without success. */
  readonly signIn: () => Promise<void>
  /** Signs out without a question, because the editor has asked already. */
  readonly signOut: () => Promise<void>
}

/**
 * Follows `Account` and never changes it: Kourier's own sign-in does not use the editor's `getSession`, which would ask
 * for consent to Kourier itself. A refused key is not shown as a session, because it cannot be used.
 */
export class KourierAuthentication implements AuthenticationProvider, Disposable {
  readonly #options: AuthenticationOptions
  readonly #changed = new EventEmitter<AuthenticationProviderAuthenticationSessionsChangeEvent>()
  readonly #life = new DisposableStore()
  #session: AuthenticationSession | undefined

  constructor(options: AuthenticationOptions) {
    this.#options = options
    this.#life.add(this.#changed)
    this.#life.add(options.account.onDidChange(() => this.#follow()))
    this.#life.add(
      authentication.registerAuthenticationProvider(ID, 'Kourier', this, { supportsMultipleAccounts: false }),
    )
  }

  get onDidChangeSessions() {
    return this.#changed.event
  }

  /** Waits until the account is known, because a caller at startup would get no session otherwise. */
  async getSessions(scopes?: readonly string[]): Promise<AuthenticationSession[]> {
    await this.#options.account.whenKnown
    const isGranted = (scopes ?? []).every(scope => SCOPES.includes(scope))
    return this.#session && isGranted ? [this.#session] : []
  }

  async createSession(): Promise<AuthenticationSession> {
    await this.#options.signIn()
    if (!this.#session) throw new Error(l10n.t('Nobody has signed in to Kourier.'))
    return this.#session
  }

  async removeSession(id: string): Promise<void> {
    if (this.#session?.id === id) await this.#options.signOut()
  }

  #follow(): void {
    const before = this.#session
    const now = this.#current()
    if (before?.accessToken === now?.accessToken) return
    this.#session = now
    this.#changed.fire({ added: now ? [now] : [], removed: before ? [before] : [], changed: [] })
  }

  #current(): AuthenticationSession | undefined {
    const { account } = this.#options
    // An environment key is not given to other extensions.
    if (account.state.is !== 'in' || account.state.account.origin === 'environment') return undefined
    const credential = account.credential(account.state.account.resource)
    if (!credential) return undefined
    const accessToken = credentialText(credential)
    return { id: crypto.randomUUID(), accessToken, account: accountOf(account.state.account), scopes: SCOPES }
  }

  dispose(): void {
    this.#life.dispose()
  }
}

function accountOf({ email, service, resource }: SignedIn): { id: string; label: string } {
  return { id: email ?? resource, label: sanitize(email ?? service) }
}
