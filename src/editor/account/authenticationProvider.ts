// The account in the editor's Accounts menu; another extension gets a session only by the editor's own consent.
import {
  type AuthenticationProvider,
  type AuthenticationProviderAuthenticationSessionsChangeEvent,
  type AuthenticationSession,
  authentication,
  EventEmitter,
} from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Account, SignedIn } from '../../core/account/account.ts'
import { credentialText } from '../../core/http/credential.ts'
import { sanitize } from '../ui/sanitize.ts'

const ID = 'kourier'
const SCOPES = ['inference']

export interface AuthenticationOptions {
  readonly account: Account
  /** Our own ceremony; resolves when it has ended, one way or another. */
  readonly signIn: () => Promise<void>
  /** The editor has asked already. */
  readonly signOut: () => Promise<void>
}

/**
 * A mirror of `Account`, never its source: our own sign-in does not go through the editor's `getSession`, which would
 * ask its owner for consent as well. A refused key is no session: nobody can use it.
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

  /** Whoever asks in the first moment would else be told that nobody is signed in. */
  async getSessions(scopes?: readonly string[]): Promise<AuthenticationSession[]> {
    await this.#options.account.whenKnown
    const isGranted = (scopes ?? []).every(scope => SCOPES.includes(scope))
    return this.#session && isGranted ? [this.#session] : []
  }

  async createSession(): Promise<AuthenticationSession> {
    await this.#options.signIn()
    if (!this.#session) throw new Error('Nobody has signed in to Kourier.')
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
    // A key of the environment is copied to nobody.
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
